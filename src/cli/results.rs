//! Results of commands that measure: a table, JSON and CSV.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::Console;
use super::console::Line;
use super::output::{refuse_two_on_stdout, save};
use crate::export::numbers_json;

/// Options for the form of the results.
#[derive(Args, Debug)]
pub(super) struct ResultArgs {
    /// Also write the numbers as CSV, or with - print CSV instead of the table
    #[arg(long, value_name = "OUT.csv")]
    csv: Option<PathBuf>,

    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
}

/// Results in all three forms.
pub(super) struct Results {
    csv: String,
    json: String,
    lines: Vec<Line>,
}

impl Results {
    /// `numbers` is an object whose keys follow the name of the measured file.
    pub(super) fn new(file: &str, numbers: &impl Serialize, csv: String, lines: Vec<Line>) -> Self {
        Self { csv, json: numbers_json(file, numbers), lines }
    }
}

impl ResultArgs {
    /// Path of the CSV file, if one is asked for.
    pub(super) fn csv(&self) -> Option<&Path> {
        self.csv.as_deref()
    }

    /// Fails if two results would go to standard output, one of them the command's own `output`.
    pub(super) fn check(&self, output: Option<&Path>) -> Result<(), String> {
        let options = if output.is_some() { "-o, --csv and --json" } else { "--csv and --json" };
        refuse_two_on_stdout(output.into_iter().chain(self.csv()), self.json, options)
    }

    /// Saves the CSV, and prints the table or the JSON unless standard output is taken by a file.
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
