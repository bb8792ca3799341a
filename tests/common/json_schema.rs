//! Validates JSON against JSON Schemas (draft 7). Supports only the keywords that these tests need.

use serde_json::Value;

/// Returns one line per error, with its location; empty for a valid document.
pub fn faults(schema: &Value, document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, schema, document, "", &mut faults);
    faults
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    let rules = schema.as_object().expect("a schema is an object");
    for (word, rule) in rules {
        let is_kept = match word.as_str() {
            "$ref" => {
                let pointer =
                    rule.as_str().and_then(|name| name.strip_prefix('#')).expect("a reference within the schema");
                let target = root.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in the schema"));
                check(root, target, value, place, faults);
                true
            }
            "type" => rule
                .as_str()
                .into_iter()
                .chain(rule.as_array().into_iter().flatten().filter_map(Value::as_str))
                .any(|kind| is_kind(value, kind)),
            "const" => rule == value,
            "enum" => rule.as_array().expect("a list").contains(value),
            "required" => value.as_object().is_none_or(|object| {
                rule.as_array().expect("a list").iter().all(|key| object.contains_key(key.as_str().expect("a name")))
            }),
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = rule.get(key) {
                        check(root, schema, inner, &format!("{place}/{key}"), faults);
                    }
                }
                true
            }
            "additionalProperties" => additional(root, rules, rule, value, place, faults),
            "propertyNames" => {
                for key in value.as_object().into_iter().flat_map(serde_json::Map::keys) {
                    check(root, rule, &Value::String(key.clone()), &format!("{place}/{key}"), faults);
                }
                true
            }
            "items" => {
                for (number, inner) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, inner, &format!("{place}/{number}"), faults);
                }
                true
            }
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().expect("a number")),
            "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().expect("a number")),
            "uniqueItems" => value.as_array().is_none_or(|list| {
                !rule.as_bool().expect("a truth") || list.iter().enumerate().all(|(i, a)| !list[..i].contains(a))
            }),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a number")),
            "allOf" => matching(root, rule, value) == rule.as_array().expect("a list").len(),
            "anyOf" => matching(root, rule, value) > 0,
            "oneOf" => matching(root, rule, value) == 1,
            // Ignores formats and patterns of strings.
            "format" | "pattern" | "$schema" | "$id" | "$comment" | "title" | "description" | "definitions" => true,
            unknown => panic!("the word {unknown} of JSON Schema is not known"),
        };
        if !is_kept {
            faults.push(format!("{place}: {word}"));
        }
    }
}

fn additional(
    root: &Value,
    rules: &serde_json::Map<String, Value>,
    rule: &Value,
    value: &Value,
    place: &str,
    faults: &mut Vec<String>,
) -> bool {
    let known = |key: &String| rules.get("properties").is_some_and(|properties| properties.get(key).is_some());
    let mut others = value.as_object().into_iter().flatten().filter(|(key, _)| !known(key));
    match rule {
        Value::Bool(is_allowed) => *is_allowed || others.next().is_none(),
        schema => {
            others.for_each(|(key, inner)| check(root, schema, inner, &format!("{place}/{key}"), faults));
            true
        }
    }
}

fn matching(root: &Value, schemas: &Value, value: &Value) -> usize {
    let fits = |schema: &&Value| {
        let mut faults = Vec::new();
        check(root, schema, value, "", &mut faults);
        faults.is_empty()
    };
    schemas.as_array().expect("a list").iter().filter(fits).count()
}

fn is_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("the kind {unknown} of JSON Schema is not known"),
    }
}
