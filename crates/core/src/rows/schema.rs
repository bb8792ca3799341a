//! JSON Schemas of documents that commands print.

use serde_json::{Map, Value, json};

use super::{JsonDocument, JsonObject, Shape};

impl JsonDocument {
    /// Returns the name under which the schema is asked for, such as `motion-seams`.
    pub fn schema_name(&self) -> String {
        self.command.replace(" --", "-")
    }

    /// Returns the JSON Schema, draft 7, of a line that the command prints. Unknown keys are valid, since later versions
    /// may add keys.
    pub fn schema(&self) -> Value {
        let mut definitions = Map::new();
        let value = schema(&(self.shape)(), &mut definitions);
        let file = json!({"version": {"const": 1}, "file": {"type": "string"}});
        let mut root = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": format!("rigscope {} --json", self.command),
            "type": "object",
            "properties": file,
            "required": ["version"],
        });
        if self.key.is_empty() {
            root["allOf"] = json!([value]);
        } else {
            root["properties"][self.key] = value;
            root["required"] = json!(["version", self.key]);
        }
        root["definitions"] = definitions.into();
        root
    }
}

fn schema(shape: &Shape, definitions: &mut Map<String, Value>) -> Value {
    match shape {
        Shape::Flag => json!({"type": "boolean"}),
        Shape::Count => json!({"type": "integer"}),
        Shape::Number => json!({"type": "number"}),
        Shape::Text => json!({"type": "string"}),
        Shape::Word(words) => json!({"enum": words}),
        Shape::OrNull(inner) => json!({"anyOf": [schema(inner, definitions), {"type": "null"}]}),
        Shape::List(inner) => json!({"type": "array", "items": schema(inner, definitions)}),
        Shape::Array(_) => json!({"type": "array", "items": {"type": ["number", "null"]}}),
        Shape::Map(inner) => json!({"type": "object", "additionalProperties": schema(inner, definitions)}),
        Shape::Object(object) => {
            if !definitions.contains_key(object.title()) {
                // Objects within this one come first.
                let definition = object_schema(object, definitions);
                definitions.insert(object.title().to_owned(), definition);
            }
            json!({"$ref": format!("#/definitions/{}", object.title())})
        }
    }
}

fn object_schema(object: &JsonObject, definitions: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    for key in &object.keys {
        let mut value = schema(&key.shape, definitions);
        // In draft 7, what is beside a reference is ignored.
        if value.get("$ref").is_some() {
            value = json!({"allOf": [value]});
        }
        value["description"] = key.meaning.trim().into();
        properties.insert(key.name.to_owned(), value);
    }
    let required: Vec<&str> = object.keys.iter().filter(|key| !key.is_left_out).map(|key| key.name).collect();
    json!({"description": object.doc.trim(), "type": "object", "properties": properties, "required": required})
}
