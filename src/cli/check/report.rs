//! The results of one file, and the totals.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::console::Line;
use crate::analysis::lint::report::{SeverityCounts, file_json};
use crate::analysis::lint::rules::Sheet;
use crate::analysis::lint::{Finding, Forgiven, Judged, Spot, Stale, Suppressed};
use crate::import::FileState;
use crate::text::counted;

/// One file, and its findings or why it cannot be read.
pub(super) struct FileReport {
    pub name: String,
    pub result: Result<ReportedFindings, String>,
}

/// The findings of a file.
pub(super) struct ReportedFindings {
    pub judged: Judged,
    /// Spots of each shown finding, then of each suppressed one; empty where they are not needed.
    pub spots: Vec<Vec<Spot>>,
    /// The file's new entry in a baseline; `None` where the baseline stays as it is.
    pub known: Option<Forgiven>,
    /// The file's sheet for each profile.
    pub sheets: Vec<Sheet>,
    /// True where warnings count as errors do.
    pub is_strict: bool,
    /// The files that were read, as they were before.
    pub files: Vec<FileState>,
    /// Time taken by opening and by checking.
    pub took: [Duration; 2],
}

/// What the report on a file comes to: its lines as they are printed, and what totals and baselines need.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Summary {
    pub lines: Vec<Line>,
    /// The file's new entry in a baseline; `None` where the baseline stays as it is.
    pub known: Option<Forgiven>,
    pub is_unreadable: bool,
    is_strict: bool,
    counts: SeverityCounts,
    /// Numbers of hidden, of forgiven and of suppressed findings.
    left_out: [usize; 3],
    /// Number of entries of the baseline that forgive more than was found.
    stale: usize,
}

impl FileReport {
    /// Findings that are shown; none for an unreadable file.
    pub(super) fn shown(&self) -> &[Finding] {
        self.result.as_ref().map_or(&[], |findings| &findings.judged.shown)
    }

    /// The file's sheet for each profile; none for an unreadable file.
    pub(super) fn sheets(&self) -> &[Sheet] {
        self.result.as_ref().map_or(&[], |findings| &findings.sheets)
    }

    fn counts(&self) -> SeverityCounts {
        SeverityCounts::of(self.shown())
    }

    /// True where warnings count as errors do.
    pub(super) fn is_strict(&self) -> bool {
        self.result.as_ref().is_ok_and(|findings| findings.is_strict)
    }

    /// Findings that the file suppresses; none for an unreadable file.
    pub(super) fn suppressed(&self) -> &[Suppressed] {
        self.result.as_ref().map_or(&[], |findings| &findings.judged.suppressed)
    }

    /// Numbers of hidden, of forgiven and of suppressed findings.
    pub(super) fn left_out(&self) -> [usize; 3] {
        let of = |f: &ReportedFindings| [f.judged.hidden, f.judged.forgiven, f.judged.suppressed.len()];
        self.result.as_ref().map_or([0; 3], of)
    }

    /// True unless nothing was found.
    pub(super) fn has_news(&self) -> bool {
        self.result.is_err() || !self.shown().is_empty() || !self.sheets().is_empty()
    }

    /// Entries of the baseline that forgive more than the file has.
    pub(super) fn stale(&self) -> &[Stale] {
        self.result.as_ref().map_or(&[], |findings| &findings.judged.stale)
    }

    /// The report in short, with the lines that it is printed as.
    pub(super) fn summary(&self, lines: Vec<Line>) -> Summary {
        Summary {
            lines,
            known: self.result.as_ref().ok().and_then(|findings| findings.known.clone()),
            is_unreadable: self.result.is_err(),
            is_strict: self.is_strict(),
            counts: self.counts(),
            left_out: self.left_out(),
            stale: self.stale().len(),
        }
    }

    /// The report as JSON on one line.
    pub(super) fn json(&self) -> String {
        let findings: Vec<&Finding> = self.shown().iter().collect();
        let result = self.result.as_ref().map(|_| findings.as_slice()).map_err(String::as_str);
        let [hidden, forgiven, _] = self.left_out();
        file_json(&self.name, result, [hidden, forgiven], self.stale(), self.suppressed(), self.sheets()) + "\n"
    }
}

/// Words about findings that are not shown, preceded by `before`; empty where there are none.
pub(super) fn left_out(before: &str, counts: [usize; 3]) -> String {
    let told = counts.into_iter().zip(["hidden", "forgiven", "suppressed"]).filter(|(count, _)| *count > 0);
    told.flat_map(|(count, what)| [before.to_owned(), count.to_string(), format!(" {what}")]).collect()
}

/// Totals over all files.
pub(super) struct Tally {
    /// False where time did not suffice for some files.
    pub is_whole: bool,
    /// Number of files and folders that were excluded.
    pub excluded: usize,
    /// Number of entries of the baseline that forgive more than was found.
    stale: usize,
    files: usize,
    unreadable: usize,
    with_errors: usize,
    /// True where a warning was found in a file whose warnings count as errors.
    has_strict_warnings: bool,
    counts: SeverityCounts,
    left_out: [usize; 3],
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            is_whole: true,
            excluded: 0,
            stale: 0,
            files: 0,
            unreadable: 0,
            with_errors: 0,
            has_strict_warnings: false,
            counts: SeverityCounts::default(),
            left_out: [0; 3],
        }
    }
}

impl Tally {
    pub(super) fn add(&mut self, file: &Summary) {
        let counts = file.counts;
        self.files += 1;
        self.unreadable += usize::from(file.is_unreadable);
        self.has_strict_warnings |= file.is_strict && counts.warning > 0;
        self.with_errors += usize::from(counts.error > 0);
        self.counts.error += counts.error;
        self.counts.warning += counts.warning;
        self.counts.note += counts.note;
        self.stale += file.stale;
        self.left_out = std::array::from_fn(|i| self.left_out[i] + file.left_out[i]);
    }

    /// Number of entries of the baseline that forgive more than was found.
    pub(super) fn stale(&self) -> usize {
        self.stale
    }

    /// Number of files.
    pub(super) fn files(&self) -> usize {
        self.files
    }

    /// True where some file could not be read.
    pub(super) fn has_unreadable(&self) -> bool {
        self.unreadable > 0
    }

    /// Exit code: 2 if a file cannot be read, else 1 if one has errors, or warnings that count as errors, else 0.
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
        for (count, what) in [(self.stale, "stale"), (self.excluded, "excluded")].into_iter().filter(|(n, _)| *n > 0) {
            write!(f, "; {count} {what}")?;
        }
        Ok(())
    }
}
