//! Output formats of findings: for people, programs, code hosts and build servers. All are written while files are checked.

mod github;
mod junit;
mod sarif;
mod text;

use std::io;

use clap::ValueEnum;

use super::super::Console;
use super::super::console::Line;
use super::report::{FileReport, Tally};
use crate::analysis::lint::rules::Profile;

/// A form of what is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// Print one JSON object per file, one per line
    Json,
    /// SARIF 2.1.0, which code hosts and editors read
    Sarif,
    /// XML as `JUnit` writes it, which build servers read: a suite for each file
    Junit,
    /// Annotations of GitHub Actions
    Github,
}

/// Prints results in one of the formats.
pub(super) struct Printer<'a> {
    pub format: Format,
    pub console: &'a Console,
    /// Profiles of all files, whose rules are listed.
    pub profiles: Vec<&'a Profile>,
    /// True once the list has an item.
    pub has_items: bool,
}

impl Printer<'_> {
    /// Prints what comes before all files.
    pub(super) fn begin(&self) -> io::Result<()> {
        match self.format {
            Format::Sarif => self.console.print_json(&sarif::beginning(&self.profiles)),
            Format::Junit => self.console.print(junit::beginning()),
            Format::Text | Format::Json | Format::Github => Ok(()),
        }
    }

    /// Prints one file. With `--quiet`, the text format leaves out files without findings.
    pub(super) fn file(&mut self, report: &FileReport) -> io::Result<()> {
        let console = self.console;
        match self.format {
            Format::Text if console.is_quiet() && !report.has_news() => Ok(()),
            Format::Text => console.print(text::lines(report, console.is_verbose())),
            Format::Json => console.print_json(&report.json()),
            Format::Junit => console.print(junit::suite(report, report.is_strict())),
            Format::Github => console.print(github::annotations(report)),
            Format::Sarif => sarif::results(report, &sarif::rule_ids(&self.profiles)).iter().try_for_each(|result| {
                let comma = if std::mem::replace(&mut self.has_items, true) { "," } else { "" };
                console.print_json(&format!("{comma}{result}"))
            }),
        }
    }

    /// Prints what comes after all files.
    pub(super) fn end(&self, tally: &Tally) -> io::Result<()> {
        match self.format {
            Format::Text if self.console.is_quiet() => Ok(()),
            Format::Text | Format::Github => self.console.print([Line::plain(&tally.to_string())]),
            Format::Json => Ok(()),
            Format::Sarif => self.console.print_json(&sarif::end(tally.is_whole && !tally.has_unreadable())),
            Format::Junit => self.console.print(junit::end()),
        }
    }
}
