use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

use super::Console;
use super::explain::{documents, heading};
use crate::export::PoseFile;
use crate::project::config_schema;
use crate::rows::JsonDocument;
use crate::stage::Session;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct SchemaArgs {
    /// File format, or output of a command
    #[arg(value_name = "FORMAT", value_parser = formats())]
    format: SchemaFormat,
}

const HELP: &str = "\
Editors use a schema to check and complete a file while it is written. Schemas of outputs describe
one line that a command prints with --json.

Examples:
  rigscope schema config > rigscope.schema.json
  rigscope schema session
  rigscope schema motion-seams";

/// JSON that has a schema.
#[derive(Clone, Debug)]
enum SchemaFormat {
    File(SchemaName),
    Output(&'static JsonDocument),
}

/// File formats that have a JSON Schema.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemaName {
    /// The config, rigscope.toml
    Config,
    /// Poses
    Pose,
    /// Sessions
    Session,
}

fn formats() -> impl TypedValueParser<Value = SchemaFormat> {
    let files = SchemaName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let outputs = documents()
        .map(|document| PossibleValue::new(document.schema_name()).help(format!("Output of {}", heading(document))));
    PossibleValuesParser::new(files.chain(outputs)).try_map(|name| {
        let file = SchemaName::from_str(&name, false).map(SchemaFormat::File);
        file.or_else(|problem| {
            let output = documents().find(|document| document.schema_name() == name);
            output.map(SchemaFormat::Output).ok_or(problem)
        })
    })
}

impl SchemaArgs {
    pub fn run(&self, console: &Console) -> Result<(), String> {
        let text = match &self.format {
            SchemaFormat::File(name) => name.text(),
            SchemaFormat::Output(document) => pretty(&document.schema()),
        };
        console.print_own(text.as_bytes())
    }
}

fn pretty(schema: &impl Serialize) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default() + "\n"
}

impl SchemaName {
    /// Returns the JSON Schema, draft 7, that [`SchemaArgs`] prints.
    pub fn text(self) -> String {
        let mut schema = self.schema();
        close(&mut schema);
        schema.insert("title".to_owned(), json!(self.title()));
        pretty(&schema)
    }

    fn schema(self) -> Schema {
        let generator = SchemaGenerator::new(SchemaSettings::draft07());
        match self {
            Self::Config => config_schema(generator),
            Self::Pose => generator.into_root_schema_for::<PoseFile>(),
            Self::Session => generator.into_root_schema_for::<Session>(),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Config => "Rigscope config, rigscope.toml",
            Self::Pose => "Rigscope pose",
            Self::Session => "Rigscope session",
        }
    }
}

/// Rejects unknown keys, so that editors mark typing errors. Removes defaults and number formats, which only repeat the descriptions.
fn close(schema: &mut Schema) {
    transform_subschemas(&mut close, schema);
    for key in ["default", "format"] {
        schema.remove(key);
    }
    if schema.get("properties").is_some() {
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        // The other paragraphs are for programmers.
        let first = text.split("\n\n").next().unwrap_or_default();
        *text = first.replace("`None`", "null").replace('\n', " ");
    }
}
