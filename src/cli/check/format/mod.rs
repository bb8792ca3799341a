//! Output formats of findings. Each file's results are printed as soon as the file is checked.

mod github;
mod sarif;
mod statistics;
mod text;

use std::collections::BTreeSet;

use clap::ValueEnum;

use super::super::console::Line;
use super::super::junit::{self, Case, TestOutcome, TestSuite};
use super::super::{Console, sarif as runs};
use super::report::{FileReport, Tally};
use crate::analysis::lint::rules::Profile;
use crate::analysis::lint::{Finding, FindingLocation, Severity};
pub(super) use statistics::StatisticsJson;

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

impl CheckFormat {
    /// Returns true if the output names the locations of findings.
    pub(super) fn has_locations(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit)
    }
}

pub(super) struct Printer<'a> {
    format: CheckFormat,
    console: &'a Console,
    profiles: &'a [&'a Profile],
    /// Rule IDs, in the order of SARIF's rule list.
    rule_ids: Vec<String>,
    /// True to print the number of findings by code instead of the findings.
    has_statistics: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        (format, has_statistics): (CheckFormat, bool),
        console: &'a Console,
        profiles: &'a [&'a Profile],
    ) -> Self {
        let rule_ids = if format == CheckFormat::Sarif { sarif::rule_ids(profiles) } else { Vec::new() };
        Self { format, console, profiles, rule_ids, has_statistics }
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
        if self.has_statistics {
            return Ok(());
        }
        let lines = lines.iter().cloned().map(|line| {
            let is_first = !std::mem::replace(has_items, true);
            if self.format == CheckFormat::Sarif && !is_first { line.behind(",") } else { line }
        });
        self.console.print(lines)
    }

    pub(super) fn end(&self, tally: &Tally) -> Result<(), String> {
        match self.format {
            CheckFormat::Json if self.has_statistics => self.console.print_row(&StatisticsJson::new(tally)),
            CheckFormat::Text if self.has_statistics => self.console.print(statistics::lines(tally)),
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
    let (shown, suppressed) = (&report.judged.shown, &report.judged.suppressed);
    let is_failing = |finding: &Finding| finding.severity >= failing_severity;
    let passing = shown.iter().filter(|finding| !is_failing(finding));
    let mut names = CaseNames::default();
    let case = |name: String, outcome| Case { name, outcome };
    let found = shown.iter().map(|finding| (finding, is_failing(finding).then(|| failure(finding))));
    let left_out = suppressed.iter().map(|s| (&s.finding, Some(TestOutcome::Skipped(s.reason.clone()))));
    let outcomes = found.chain(left_out).zip(&report.finding_locations);
    let mut cases: Vec<Case> = outcomes
        .filter_map(|((finding, outcome), locations)| Some(case(names.unique(finding, locations), outcome?)))
        .collect();
    match &report.problem {
        Some(reason) => cases.push(case("opens".to_owned(), TestOutcome::Error(reason.clone()))),
        None if cases.len() == suppressed.len() => {
            cases.insert(0, case("rigscope check".to_owned(), TestOutcome::Passed));
        }
        None => {}
    }
    let line = |finding: &Finding| format!("{} {}: {}", finding.severity, finding.id(), finding.message);
    TestSuite { name: &report.name, cases, output: passing.map(line).collect() }
}

/// Names of test cases. They have no numbers of vertices or weights, so that a build server recognises a case that failed
/// before.
#[derive(Default)]
struct CaseNames(BTreeSet<String>);

impl CaseNames {
    /// Returns a name made up of code, title and the first location. Repeated names are numbered.
    fn unique(&mut self, finding: &Finding, locations: &[FindingLocation]) -> String {
        // The location of a finding about the whole file is its message, which may have numbers.
        let is_stable = |name: &str| name != finding.message || !name.contains(|letter: char| letter.is_ascii_digit());
        let place = locations.first().map(|location| location.name.as_str()).filter(|name| is_stable(name));
        let place = place.map_or_else(String::new, |place| format!(": {place}"));
        let name = format!("{} {}{place}", finding.id(), finding.code.title());
        let names = (1..).map(|number| if number == 1 { name.clone() } else { format!("{name} ({number})") });
        let free = names.into_iter().find(|name| self.0.insert(name.clone()));
        free.unwrap_or_default()
    }
}

fn failure(finding: &Finding) -> TestOutcome {
    let text = format!("{} {}", finding.why(), finding.advice());
    TestOutcome::Failed { rule: finding.id(), message: finding.message.clone(), text }
}
