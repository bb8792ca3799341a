//! Number of findings by code, for an overview of many files.

use super::super::super::console::{BOLD, Line};
use super::super::super::text_table::TextTable;
use super::super::report::{CodeCount, Tally};
use crate::rows::rows;

rows! {
    /// Number of findings by code.
    pub(crate) struct StatisticsJson {
        /// Version of the JSON, 1.
        pub version: u32,
        /// Number of files.
        pub files: usize,
        /// Number of files that cannot be read.
        pub unreadable: usize,
        /// Codes with findings, most findings first.
        pub codes: Vec<CodeCountJson>,
    }

    /// Number of findings with a code.
    pub(crate) struct CodeCountJson {
        /// Code, such as RIG010, or name of a rule.
        pub code: String,
        /// Severity of the worst of them.
        pub severity: String,
        /// Title of the code.
        pub title: String,
        /// Number of findings.
        pub findings: usize,
        /// Number of files with such findings.
        pub files: usize,
    }
}

impl StatisticsJson {
    pub(super) fn new(tally: &Tally) -> Self {
        let row = |(code, count, files): (&str, &CodeCount, usize)| CodeCountJson {
            code: code.to_owned(),
            severity: count.severity().name().to_owned(),
            title: count.title.clone(),
            findings: count.findings(),
            files,
        };
        let codes = tally.codes().into_iter().map(row).collect();
        Self { version: 1, files: tally.files, unreadable: tally.unreadable, codes }
    }
}

pub(super) fn lines(tally: &Tally) -> Vec<Line> {
    let table = TextTable::<CodeCountJson>::new()
        .right(8, "findings", |row| row.findings.to_string())
        .right(8, "files", |row| row.files.to_string())
        .left(9, "severity", |row| row.severity.clone())
        .left(8, "code", |row| row.code.clone())
        .left(0, "title", |row| row.title.clone());
    let rows = StatisticsJson::new(tally).codes;
    let total = Line::default().styled(BOLD, &tally.to_string());
    let head = (!rows.is_empty()).then(|| table.head());
    head.into_iter().chain(rows.iter().map(|row| table.row(row))).chain([total]).collect()
}
