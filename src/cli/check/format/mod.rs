//! Output formats of findings: for people, programs, code hosts and build servers. All are written while files are checked.

mod github;
mod sarif;
mod text;

use clap::ValueEnum;

use super::super::console::Line;
use super::super::junit::{self, Case, Outcome, Suite};
use super::super::{Console, sarif as runs};
use super::report::{FileReport, Tally};
use crate::analysis::lint::rules::Profile;
use crate::analysis::lint::{Finding, Severity, Suppressed};

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

/// Format and detail in which reports on files are printed.
#[derive(Debug)]
pub(super) struct Layout {
    pub format: Format,
    /// True where every finding is listed.
    pub is_all: bool,
    /// True where text leaves out files without findings.
    pub is_quiet: bool,
    /// Ids of the rules in the list of SARIF, in its order.
    rule_ids: Vec<String>,
}

impl Layout {
    /// The layout of a format on a console, with the profiles whose rules are listed.
    pub(super) fn new(format: Format, console: &Console, profiles: &[&Profile]) -> Self {
        let rule_ids = if format == Format::Sarif { sarif::rule_ids(profiles) } else { Vec::new() };
        Self { format, is_all: console.is_verbose(), is_quiet: console.is_quiet(), rule_ids }
    }

    /// The report on one file.
    pub(super) fn lines(&self, report: &FileReport) -> Vec<Line> {
        match self.format {
            Format::Text if self.is_quiet && !report.has_news() => Vec::new(),
            Format::Text => text::lines(report, self.is_all),
            Format::Json => vec![Line::json(&report.json())],
            Format::Junit => suite(report, report.is_strict()).lines(),
            Format::Github => github::annotations(report),
            Format::Sarif => {
                let results = sarif::results(report, &self.rule_ids);
                results.iter().map(|result| Line::json(&result.to_string())).collect()
            }
        }
    }
}

/// Prints results in one of the formats.
pub(super) struct Printer<'a> {
    pub format: Format,
    pub console: &'a Console,
    /// Profiles of all files, whose rules are listed.
    pub profiles: &'a [&'a Profile],
    /// True once the list has an item.
    pub has_items: bool,
}

impl Printer<'_> {
    /// Prints what comes before all files.
    pub(super) fn begin(&self) -> Result<(), String> {
        match self.format {
            Format::Sarif => self.console.print_json(&sarif::beginning(self.profiles)),
            Format::Junit => self.console.print(junit::beginning("rigscope check")),
            Format::Text | Format::Json | Format::Github => Ok(()),
        }
    }

    /// Prints the lines of one file.
    pub(super) fn file(&mut self, lines: &[Line]) -> Result<(), String> {
        let is_list = self.format == Format::Sarif;
        let lines = lines.iter().cloned().map(|line| {
            let is_first = !std::mem::replace(&mut self.has_items, true);
            if is_list && !is_first { line.behind(",") } else { line }
        });
        self.console.print(lines)
    }

    /// Prints what comes after all files.
    pub(super) fn end(&self, tally: &Tally) -> Result<(), String> {
        match self.format {
            Format::Text if self.console.is_quiet() => Ok(()),
            Format::Text | Format::Github => self.console.print([Line::plain(&tally.to_string())]),
            Format::Json => Ok(()),
            Format::Sarif => self.console.print_json(&runs::end(tally.is_whole && !tally.has_unreadable())),
            Format::Junit => self.console.print(junit::end()),
        }
    }
}

/// The suite of a file. Findings that do not fail it become its output.
fn suite(report: &FileReport, is_strict: bool) -> Suite<'_> {
    let least = if is_strict { Severity::Warning } else { Severity::Error };
    let (failing, told): (Vec<&Finding>, Vec<&Finding>) = report.shown().iter().partition(|f| f.severity >= least);
    let case = |name: &str, outcome| Case { name: name.to_owned(), outcome };
    let mut cases = match &report.result {
        Err(reason) => vec![case("opens", Outcome::Error(reason.clone()))],
        Ok(_) if failing.is_empty() => vec![case("rigscope check", Outcome::Passed)],
        Ok(_) => failing.iter().map(|finding| case(&case_name(finding), failure(finding))).collect(),
    };
    cases.extend(
        report
            .suppressed()
            .iter()
            .map(|Suppressed { finding, reason }| case(&case_name(finding), Outcome::Skipped(reason.clone()))),
    );
    let line = |finding: &&Finding| format!("{} {}: {}", finding.severity, finding.id(), finding.message);
    Suite { name: &report.name, cases, output: told.iter().map(line).collect() }
}

fn case_name(finding: &Finding) -> String {
    format!("{} {}", finding.id(), finding.message)
}

fn failure(finding: &Finding) -> Outcome {
    let text = format!("{} {}", finding.why(), finding.advice());
    Outcome::Failed { rule: finding.id(), message: finding.message.clone(), text }
}
