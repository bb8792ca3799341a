use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::Console;
use super::console::Line;
use super::merged_csv::MergedCsv;
use super::output::{refuse_two_on_stdout, save};
use crate::export::numbers_json;

#[derive(Args, Clone, Debug)]
pub(super) struct ResultArgs {
    /// Also write the numbers as CSV, or with - print CSV instead of the table
    ///
    /// The CSV of many files is one table, with the file in the first column; {stem} in OUT.csv makes a table for
    /// each file.
    #[arg(long, value_name = "OUT.csv")]
    csv: Option<PathBuf>,

    /// Table of all files, which replaces the CSV of each file.
    #[arg(skip)]
    merged: Option<MergedCsv>,

    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
}

pub(super) struct Results {
    file: String,
    csv: String,
    json: String,
    lines: Vec<Line>,
}

impl Results {
    /// Creates results. `numbers` must serialise to an object; in the JSON, the keys of this object follow the name of
    /// the measured file.
    pub(super) fn new(file: &str, numbers: &impl Serialize, csv: String, lines: Vec<Line>) -> Self {
        Self { file: file.to_owned(), csv, json: numbers_json(file, numbers), lines }
    }
}

impl ResultArgs {
    pub(super) fn csv(&self) -> Option<&Path> {
        self.csv.as_deref()
    }

    /// Returns the path of the CSV, which may have placeholders.
    pub(super) fn csv_pattern(&mut self) -> Option<&mut PathBuf> {
        self.csv.as_mut()
    }

    /// Returns true if CSV is wanted.
    pub(super) fn wants_csv(&self) -> bool {
        self.csv.is_some() || self.merged.is_some()
    }

    /// Adds the CSV to a table of all files instead of writing it.
    pub(super) fn merge_into(&mut self, merged: MergedCsv) {
        self.csv = None;
        self.merged = Some(merged);
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
        if let Some(merged) = &self.merged {
            merged.add(&results.file, &results.csv)?;
        }
        let is_csv_printed = self.merged.as_ref().is_some_and(MergedCsv::is_printed);
        if is_csv_printed || output.into_iter().chain(self.csv()).any(crate::files::is_standard) {
            Ok(())
        } else if self.json {
            console.print_json(&results.json)
        } else {
            console.print_file_table(results.lines)
        }
    }
}
