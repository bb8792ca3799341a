//! Output formats of findings. Each file's results are printed as soon as the file is checked.

mod github;
mod sarif;
mod text;

use clap::ValueEnum;

use super::super::console::Line;
use super::super::junit::{self, Case, TestOutcome, TestSuite};
use super::super::{Console, sarif as runs};
use super::report::{FileReport, Tally};
use crate::analysis::lint::rules::Profile;
use crate::analysis::lint::{Finding, Severity};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people
    #[default]
    Text,
    /// Print one JSON object per file, one per line
    Json,
    /// SARIF 2.1.0, which code hosts and editors read
    Sarif,
    /// JUnit XML for build servers, with a suite for each file
    Junit,
    /// Annotations of GitHub Actions
    Github,
}

pub(super) struct Printer<'a> {
    format: CheckFormat,
    console: &'a Console,
    profiles: &'a [&'a Profile],
    /// Rule IDs, in the order of SARIF's rule list.
    rule_ids: Vec<String>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(format: CheckFormat, console: &'a Console, profiles: &'a [&'a Profile]) -> Self {
        let rule_ids = if format == CheckFormat::Sarif { sarif::rule_ids(profiles) } else { Vec::new() };
        Self { format, console, profiles, rule_ids }
    }

    /// Formats all settings that affect the output. The result becomes part of the cache key.
    pub(super) fn layout(&self) -> String {
        format!("{:?}", (self.format, self.console.is_verbose(), self.console.is_quiet(), &self.rule_ids))
    }

    pub(super) fn lines(&self, report: &FileReport) -> Vec<Line> {
        match self.format {
            CheckFormat::Text if self.console.is_quiet() && !report.has_news() => Vec::new(),
            CheckFormat::Text => text::lines(report, self.console.is_verbose()),
            CheckFormat::Json => vec![Line::json(&report.json())],
            CheckFormat::Junit => suite(report).lines(),
            CheckFormat::Github => github::annotations(report),
            CheckFormat::Sarif => {
                let results = sarif::results(report, &self.rule_ids);
                results.iter().map(|result| Line::json(&result.to_string())).collect()
            }
        }
    }

    pub(super) fn begin(&self) -> Result<(), String> {
        match self.format {
            CheckFormat::Sarif => self.console.print_json(&sarif::beginning(self.profiles)),
            CheckFormat::Junit => self.console.print(junit::beginning("rigscope check")),
            CheckFormat::Text | CheckFormat::Json | CheckFormat::Github => Ok(()),
        }
    }

    /// Prints the lines of a file. `has_items` must be true once SARIF's result list contains an item.
    pub(super) fn file(&self, lines: &[Line], has_items: &mut bool) -> Result<(), String> {
        let lines = lines.iter().cloned().map(|line| {
            let is_first = !std::mem::replace(has_items, true);
            if self.format == CheckFormat::Sarif && !is_first { line.behind(",") } else { line }
        });
        self.console.print(lines)
    }

    pub(super) fn end(&self, tally: &Tally) -> Result<(), String> {
        match self.format {
            CheckFormat::Text if self.console.is_quiet() => Ok(()),
            CheckFormat::Text | CheckFormat::Github => self.console.print([Line::plain(&tally.to_string())]),
            CheckFormat::Json => Ok(()),
            CheckFormat::Sarif => self.console.print_json(&runs::end(!tally.is_incomplete && tally.unreadable == 0)),
            CheckFormat::Junit => self.console.print(junit::end()),
        }
    }
}

/// Returns the test suite of a file, with one failing case per finding that affects the exit code. If there are no
/// failing cases, the suite has one passing case. The other findings are in the suite's output.
fn suite(report: &FileReport) -> TestSuite<'_> {
    let failing_severity = if report.is_strict { Severity::Warning } else { Severity::Error };
    let shown = &report.judged.shown;
    let (failing, passing): (Vec<&Finding>, Vec<&Finding>) = shown.iter().partition(|f| f.severity >= failing_severity);
    let case = |name: &str, outcome| Case { name: name.to_owned(), outcome };
    let mut cases: Vec<Case> = failing.iter().map(|finding| case(&case_name(finding), failure(finding))).collect();
    match &report.problem {
        Some(reason) => cases.push(case("opens", TestOutcome::Error(reason.clone()))),
        None if failing.is_empty() => cases.push(case("rigscope check", TestOutcome::Passed)),
        None => {}
    }
    let suppressed = report.judged.suppressed.iter();
    cases.extend(suppressed.map(|s| case(&case_name(&s.finding), TestOutcome::Skipped(s.reason.clone()))));
    let line = |finding: &&Finding| format!("{} {}: {}", finding.severity, finding.id(), finding.message);
    TestSuite { name: &report.name, cases, output: passing.iter().map(line).collect() }
}

fn case_name(finding: &Finding) -> String {
    format!("{} {}", finding.id(), finding.message)
}

fn failure(finding: &Finding) -> TestOutcome {
    let text = format!("{} {}", finding.why(), finding.advice());
    TestOutcome::Failed { rule: finding.id(), message: finding.message.clone(), text }
}
