//! What is printed of one file, and the sum of all.

use std::fmt;
use std::process::ExitCode;

use serde::Serialize;

use crate::analysis::lint::report::{FindingJson, JSON_VERSION, text};
use crate::analysis::lint::{Finding, Severity};

/// One file, and its findings or why it cannot be read.
pub(super) struct Report {
    pub name: String,
    pub result: Result<Vec<Finding>, String>,
}

/// Number of findings of each severity.
#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    error: usize,
    warning: usize,
    note: usize,
}

impl Counts {
    fn of(findings: &[Finding]) -> Self {
        let count = |severity| findings.iter().filter(|f| f.severity() == severity).count();
        Self { error: count(Severity::Error), warning: count(Severity::Warning), note: count(Severity::Note) }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    version: u32,
    file: &'a str,
    status: &'static str,
    reason: Option<&'a str>,
    counts: Counts,
    findings: Vec<FindingJson<'a>>,
}

impl Report {
    fn counts(&self) -> Counts {
        Counts::of(self.result.as_deref().unwrap_or_default())
    }

    /// One line.
    pub fn json(&self) -> String {
        let counts = self.counts();
        let line = Line {
            version: JSON_VERSION,
            file: &self.name,
            status: match &self.result {
                Err(_) => "unreadable",
                Ok(_) if counts.error > 0 => "errors",
                Ok(_) => "ok",
            },
            reason: self.result.as_ref().err().map(String::as_str),
            counts,
            findings: self.result.iter().flatten().map(FindingJson::new).collect(),
        };
        // Text, numbers and lists: nothing in it can fail to become JSON.
        serde_json::to_string(&line).unwrap_or_default() + "\n"
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
