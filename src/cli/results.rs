use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::Console;
use super::console::Line;
use super::output::{refuse_two_on_stdout, save};
use crate::export::numbers_json;

#[derive(Args, Debug)]
pub(super) struct ResultArgs {
    /// Also write the numbers as CSV, or with - print CSV instead of the table
    #[arg(long, value_name = "OUT.csv")]
    csv: Option<PathBuf>,

    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
}

pub(super) struct Results {
    csv: String,
    json: String,
    lines: Vec<Line>,
}

impl Results {
    /// Creates results. `numbers` must serialise to an object; in the JSON, the keys of this object follow the name of
    /// the measured file.
    pub(super) fn new(file: &str, numbers: &impl Serialize, csv: String, lines: Vec<Line>) -> Self {
        Self { csv, json: numbers_json(file, numbers), lines }
    }
}

impl ResultArgs {
    pub(super) fn csv(&self) -> Option<&Path> {
        self.csv.as_deref()
    }

    /// Fails if standard output would receive two results. `output` is the command's own output file, if any, with its
    /// option.
    pub(super) fn check(&self, output: Option<(&str, &Path)>) -> Result<(), String> {
        let options = output.map_or_else(String::new, |(option, _)| format!("{option}, ")) + "--csv and --json";
        let output = output.map(|(_, path)| path);
        refuse_two_on_stdout(output.into_iter().chain(self.csv()), self.json, &options)
    }

    /// Saves the CSV. Prints the table or JSON, unless a file is written to standard output.
    pub(super) fn write(&self, results: Results, output: Option<&Path>, console: &Console) -> Result<(), String> {
        if let Some(path) = &self.csv {
            save(path, results.csv.as_bytes(), "numbers were", console)?;
        }
        if output.into_iter().chain(self.csv()).any(crate::files::is_standard) {
            Ok(())
        } else if self.json {
            console.print_json(&results.json)
        } else {
            console.print_table(results.lines)
        }
    }
}
