use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::console::Line;
use crate::analysis::lint::report::{SeverityCounts, file_json};
use crate::analysis::lint::rules::ProfileReport;
use crate::analysis::lint::{FileBaseline, FilteredFindings, Finding, FindingLocation, Severity};
use crate::import::FileState;
use crate::text::counted;

#[derive(Default)]
pub(super) struct FileReport {
    pub name: String,
    /// Why the file cannot be read. If set, the other fields are empty.
    pub problem: Option<String>,
    pub judged: FilteredFindings,
    /// Locations per finding: first the shown findings, then the suppressed ones. Empty unless the format needs
    /// locations.
    pub finding_locations: Vec<Vec<FindingLocation>>,
    /// New baseline entry of the file; `None` if unchanged.
    pub known: Option<FileBaseline>,
    pub sheets: Vec<ProfileReport>,
    pub is_strict: bool,
    /// State of each file, recorded before reading; empty if there is no cache.
    pub files: Vec<FileState>,
    pub took: Option<[Duration; 2]>,
}

/// Printed lines of a report, and data for the totals and the baseline.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Summary {
    pub lines: Vec<Line>,
    /// New baseline entry of the file; `None` if unchanged.
    pub known: Option<FileBaseline>,
    pub is_unreadable: bool,
    is_strict: bool,
    counts: SeverityCounts,
    /// Number of findings that are hidden, listed in the baseline, and suppressed.
    left_out: [usize; 3],
    /// Number of unused baseline entries.
    unused: usize,
    /// Shown findings by code or rule.
    codes: BTreeMap<String, CodeCount>,
}

/// Number of findings with a code.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CodeCount {
    pub title: String,
    counts: SeverityCounts,
}

impl CodeCount {
    /// Returns the number of findings.
    pub(super) fn findings(&self) -> usize {
        let SeverityCounts { error, warning, note } = self.counts;
        error + warning + note
    }

    /// Returns the severity of the worst finding.
    pub(super) fn severity(&self) -> Severity {
        match self.counts {
            SeverityCounts { error: 1.., .. } => Severity::Error,
            SeverityCounts { warning: 1.., .. } => Severity::Warning,
            SeverityCounts { .. } => Severity::Note,
        }
    }

    fn add(&mut self, other: SeverityCounts) {
        self.counts.error += other.error;
        self.counts.warning += other.warning;
        self.counts.note += other.note;
    }
}

fn codes(findings: &[Finding]) -> BTreeMap<String, CodeCount> {
    let mut codes = BTreeMap::new();
    for finding in findings {
        let title = || finding.code.title().to_owned();
        let count = codes
            .entry(finding.id())
            .or_insert_with(|| CodeCount { title: title(), counts: SeverityCounts::default() });
        count.add(SeverityCounts::new(std::slice::from_ref(finding)));
    }
    codes
}

impl FileReport {
    pub(super) fn unreadable(name: String, problem: String) -> Self {
        Self { name, problem: Some(problem), ..Self::default() }
    }

    pub(super) fn left_out(&self) -> [usize; 3] {
        [self.judged.hidden, self.judged.baselined, self.judged.suppressed.len()]
    }

    /// True if there is something to print even with `--quiet`.
    pub(super) fn has_news(&self) -> bool {
        self.problem.is_some() || !self.judged.shown.is_empty() || !self.sheets.is_empty()
    }

    pub(super) fn summary(&self, lines: Vec<Line>) -> Summary {
        Summary {
            lines,
            known: self.known.clone(),
            is_unreadable: self.problem.is_some(),
            is_strict: self.is_strict,
            counts: SeverityCounts::new(&self.judged.shown),
            left_out: self.left_out(),
            unused: self.judged.unused_entries.len(),
            codes: codes(&self.judged.shown),
        }
    }

    pub(super) fn json(&self) -> String {
        let FilteredFindings { shown, suppressed, unused_entries: unused, hidden, baselined: accepted } = &self.judged;
        let findings: Vec<&Finding> = shown.iter().collect();
        let result = self.problem.as_deref().map_or(Ok(findings.as_slice()), Err);
        file_json(&self.name, result, [*hidden, *accepted], unused, suppressed, &self.sheets) + "\n"
    }
}

/// Formats how many findings are not listed, with `before` in front of each number.
pub(super) fn left_out(before: &str, counts: [usize; 3]) -> String {
    let nonzero = counts.into_iter().zip(["hidden", "accepted", "suppressed"]).filter(|(count, _)| *count > 0);
    nonzero.flat_map(|(count, what)| [before.to_owned(), count.to_string(), format!(" {what}")]).collect()
}

#[derive(Default)]
pub(super) struct Tally {
    /// True if the time limit stopped the check before all files were checked.
    pub is_incomplete: bool,
    pub excluded: usize,
    pub unused: usize,
    pub files: usize,
    pub unreadable: usize,
    with_errors: usize,
    /// True if at least one file has warnings and its config counts warnings as errors.
    has_strict_warnings: bool,
    counts: SeverityCounts,
    left_out: [usize; 3],
    /// Findings by code or rule, and the number of files with such findings.
    codes: BTreeMap<String, (CodeCount, usize)>,
}

impl Tally {
    /// Returns findings by code or rule, most findings first, with the number of files with such findings.
    pub(super) fn codes(&self) -> Vec<(&str, &CodeCount, usize)> {
        let mut codes: Vec<_> =
            self.codes.iter().map(|(code, (count, files))| (code.as_str(), count, *files)).collect();
        codes.sort_by_key(|(_, count, _)| Reverse(count.findings()));
        codes
    }

    pub(super) fn add(&mut self, file: &Summary) {
        let counts = file.counts;
        self.files += 1;
        self.unreadable += usize::from(file.is_unreadable);
        self.has_strict_warnings |= file.is_strict && counts.warning > 0;
        self.with_errors += usize::from(counts.error > 0);
        self.counts.error += counts.error;
        self.counts.warning += counts.warning;
        self.counts.note += counts.note;
        self.unused += file.unused;
        for (code, count) in &file.codes {
            match self.codes.get_mut(code) {
                Some((total, files)) => {
                    total.add(count.counts);
                    *files += 1;
                }
                None => drop(self.codes.insert(code.clone(), (count.clone(), 1))),
            }
        }
        self.left_out = std::array::from_fn(|i| self.left_out[i] + file.left_out[i]);
    }

    /// Returns 2 if a file cannot be read, 1 if there are errors or warnings that count as errors, otherwise 0.
    pub(super) fn exit_code(&self) -> u8 {
        let is_wrong = self.counts.error > 0 || self.has_strict_warnings;
        if self.unreadable > 0 { 2 } else { u8::from(is_wrong) }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = counted(self.files, "file", "files");
        write!(f, "{files}: {} with errors, {} unreadable; ", self.with_errors, self.unreadable)?;
        let SeverityCounts { error, warning, note } = self.counts;
        let counts = [(error, "error", "errors"), (warning, "warning", "warnings"), (note, "note", "notes")];
        f.write_str(&counts.map(|(count, one, many)| counted(count, one, many)).join(", "))?;
        f.write_str(&left_out("; ", self.left_out))?;
        for (count, what) in [(self.unused, "unused"), (self.excluded, "excluded")].into_iter().filter(|(n, _)| *n > 0)
        {
            write!(f, "; {count} {what}")?;
        }
        Ok(())
    }
}
