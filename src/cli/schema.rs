use clap::{Args, ValueEnum};
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::Console;
use crate::export::PoseFile;
use crate::project::config_schema;
use crate::stage::Session;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct SchemaArgs {
    /// File format
    #[arg(value_name = "FORMAT")]
    format: SchemaName,
}

const HELP: &str = "\
Editors use a schema to check and complete a file while it is written.

Examples:
  rigscope schema config > rigscope.schema.json
  rigscope schema session";

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

impl SchemaArgs {
    pub fn run(&self, console: &Console) -> Result<(), String> {
        console.print_own(self.format.text().as_bytes())
    }
}

impl SchemaName {
    /// Returns the JSON Schema, draft 7, that [`SchemaArgs`] prints.
    pub fn text(self) -> String {
        let mut schema = self.schema();
        close(&mut schema);
        schema.insert("title".to_owned(), json!(self.title()));
        let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        format!("{text}\n")
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
