//! What is printed of one file, and the sum of all.

use std::fmt;
use std::time::Duration;

use super::super::console::{BOLD, Line, style_of};
use super::filter::FindingFilter;
use crate::analysis::lint::report::{SeverityCounts, file_json};
use crate::analysis::lint::{Finding, Severity};

/// One file, and its findings or why it cannot be read.
pub(super) struct FileReport {
    pub name: String,
    pub result: Result<ReportedFindings, String>,
}

/// The findings of a file, gravest first and by code.
pub(super) struct ReportedFindings {
    shown: Vec<Finding>,
    hidden: usize,
    /// How long the file was opened, and how long looked at.
    pub took: [Duration; 2],
}

impl ReportedFindings {
    pub fn new(mut all: Vec<Finding>, filter: &FindingFilter, took: [Duration; 2]) -> Self {
        let count = all.len();
        all.retain(|finding| filter.shows(finding));
        Self { hidden: count - all.len(), shown: all, took }
    }
}

/// As many places of a kind are listed, unless all are asked for.
const FIRST: usize = 3;
/// Where codes and texts begin.
const INDENT: &str = "                  ";

impl FileReport {
    fn counts(&self) -> SeverityCounts {
        SeverityCounts::of(self.result.iter().flat_map(|f| &f.shown))
    }

    fn hidden(&self) -> usize {
        self.result.as_ref().map_or(0, |f| f.hidden)
    }

    /// False where there is nothing to show but that nothing was found.
    pub fn has_news(&self) -> bool {
        self.result.as_ref().map_or(true, |f| !f.shown.is_empty())
    }

    /// One line.
    pub fn json(&self) -> String {
        let findings: Vec<&Finding> = self.result.iter().flat_map(|f| &f.shown).collect();
        let result = self.result.as_ref().map(|_| findings.as_slice()).map_err(String::as_str);
        file_json(&self.name, result, self.hidden()) + "\n"
    }

    /// The file's name, then its findings by their kind: all of them, or the first of each.
    pub fn lines(&self, is_all: bool) -> Vec<Line> {
        let mut lines = vec![Line::default().styled(BOLD, &self.name)];
        match &self.result {
            Err(reason) => {
                let unreadable = Line::plain("  ").styled(style_of(Severity::Error), "unreadable");
                lines.push(unreadable.and("      ").and(reason));
            }
            Ok(findings) if findings.shown.is_empty() => {
                let hidden = if findings.hidden == 0 { String::new() } else { format!(", {} hidden", findings.hidden) };
                lines.push(Line::plain(&format!("  nothing found{hidden}")));
            }
            Ok(findings) => {
                let kinds = findings.shown.chunk_by(|a, b| a.code == b.code);
                lines.extend(kinds.flat_map(|kind| kind_lines(kind, is_all)));
            }
        }
        lines
    }
}

/// Findings of one code: what each says, then what to do about them.
fn kind_lines(kind: &[Finding], is_all: bool) -> Vec<Line> {
    let Some(Finding { code, message, .. }) = kind.first() else { return Vec::new() };
    let severity = code.severity();
    let head = Line::plain("  ").styled(style_of(severity), severity.name());
    let head = head.and(&" ".repeat(8 - severity.name().len())).styled(BOLD, &code.id()).and("  ");
    let mut lines = Vec::new();
    if kind.len() == 1 {
        lines.push(head.and(message));
    } else {
        lines.push(head.and(&format!("{} ({} times)", code.title(), kind.len())));
        let listed = if is_all { kind.len() } else { kind.len().min(FIRST) };
        let listed_lines = kind.iter().take(listed).map(|finding| Line::plain(INDENT).and("- ").and(&finding.message));
        lines.extend(listed_lines);
        if kind.len() > listed {
            lines.push(Line::plain(INDENT).and(&format!("- and {} more", kind.len() - listed)));
        }
    }
    lines.push(Line::plain(INDENT).and(code.advice()));
    lines
}

/// The sum over all files.
#[derive(Default)]
pub(super) struct Tally {
    files: usize,
    unreadable: usize,
    with_errors: usize,
    counts: SeverityCounts,
    hidden: usize,
}

impl Tally {
    pub fn add(&mut self, report: &FileReport) {
        let counts = report.counts();
        self.files += 1;
        self.unreadable += usize::from(report.result.is_err());
        self.with_errors += usize::from(counts.error > 0);
        self.counts.error += counts.error;
        self.counts.warning += counts.warning;
        self.counts.note += counts.note;
        self.hidden += report.hidden();
    }

    /// 2 where a file cannot be read, else 1 where one has errors, or warnings where these count too, else 0.
    pub fn exit_code(&self, is_strict: bool) -> u8 {
        let is_wrong = self.counts.error > 0 || (is_strict && self.counts.warning > 0);
        if self.unreadable > 0 { 2 } else { u8::from(is_wrong) }
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
        let SeverityCounts { error, warning, note } = self.counts;
        write!(f, "{}, {}, {}", counted(error, "error"), counted(warning, "warning"), counted(note, "note"))?;
        if self.hidden > 0 { write!(f, "; {} hidden", self.hidden) } else { Ok(()) }
    }
}
