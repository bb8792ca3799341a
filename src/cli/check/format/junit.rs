//! Findings as `JUnit` XML: a suite for each file, with a failing test case per finding or one that passes.

use super::super::super::junit::{Case, Outcome, Suite};
use super::super::report::FileReport;
use crate::analysis::lint::{Finding, Severity, Suppressed};

/// The suite of a file. Findings that do not fail it become its output.
pub(super) fn suite(report: &FileReport, is_strict: bool) -> Suite<'_> {
    let least = if is_strict { Severity::Warning } else { Severity::Error };
    let (failing, told): (Vec<&Finding>, Vec<&Finding>) = report.shown().iter().partition(|f| f.severity >= least);
    let case = |name: &str, outcome| Case { name: name.to_owned(), outcome };
    let mut cases = match &report.result {
        Err(reason) => vec![case("opens", Outcome::Error(reason.clone()))],
        Ok(_) if failing.is_empty() => vec![case("rigscope check", Outcome::Passed)],
        Ok(_) => failing.iter().map(|finding| case(&title(finding), failure(finding))).collect(),
    };
    cases.extend(
        report
            .suppressed()
            .iter()
            .map(|Suppressed { finding, reason }| case(&title(finding), Outcome::Skipped(reason.clone()))),
    );
    let line = |finding: &&Finding| format!("{} {}: {}", finding.severity, finding.id(), finding.message);
    Suite { name: &report.name, cases, output: told.iter().map(line).collect() }
}

fn title(finding: &Finding) -> String {
    format!("{} {}", finding.id(), finding.message)
}

fn failure(finding: &Finding) -> Outcome {
    let text = format!("{} {}", finding.why(), finding.advice());
    Outcome::Failed { rule: finding.id(), message: finding.message.clone(), text }
}
