//! What is printed of one file, and the sum of all.

use std::fmt;
use std::process::ExitCode;

use crate::analysis::lint::Finding;
use crate::analysis::lint::report::{Counts, file_json, text};

/// One file, and its findings or why it cannot be read.
pub(super) struct Report {
    pub name: String,
    pub result: Result<Vec<Finding>, String>,
}

impl Report {
    fn counts(&self) -> Counts {
        Counts::of(self.result.iter().flatten())
    }

    /// One line.
    pub fn json(&self) -> String {
        let findings: Vec<&Finding> = self.result.iter().flatten().collect();
        let result = self.result.as_ref().map(|_| findings.as_slice()).map_err(String::as_str);
        file_json(&self.name, result) + "\n"
    }

    /// The file's name, then its findings.
    pub fn text(&self) -> String {
        match &self.result {
            Err(reason) => format!("{}\n  unreadable      {reason}\n", self.name),
            Ok(findings) if findings.is_empty() => format!("{}\n  nothing found\n", self.name),
            Ok(findings) => {
                let indented = findings.iter().map(|f| format!("  {}\n", text(f).replace('\n', "\n  ")));
                indented.fold(format!("{}\n", self.name), |all, finding| all + &finding)
            }
        }
    }
}

/// The sum over all files.
#[derive(Default)]
pub(super) struct Tally {
    files: usize,
    unreadable: usize,
    with_errors: usize,
    counts: Counts,
}

impl Tally {
    pub fn add(&mut self, report: &Report) {
        let counts = report.counts();
        self.files += 1;
        self.unreadable += usize::from(report.result.is_err());
        self.with_errors += usize::from(counts.error > 0);
        self.counts.error += counts.error;
        self.counts.warning += counts.warning;
        self.counts.note += counts.note;
    }

    /// 2 where a file cannot be read, else 1 where one has errors, else 0.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match (self.unreadable, self.with_errors) {
            (1.., _) => 2,
            (0, 1..) => 1,
            (0, 0) => 0,
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        write!(
            f,
            "{}: {} with errors, {} unreadable; ",
            counted(self.files, "file"),
            self.with_errors,
            self.unreadable
        )?;
        let Counts { error, warning, note } = self.counts;
        write!(f, "{}, {}, {}", counted(error, "error"), counted(warning, "warning"), counted(note, "note"))
    }
}
