//! `JUnit` XML: a suite for each file, with a failing test case per finding or one that passes.

use super::super::super::console::Line;
use super::super::report::FileReport;
use crate::analysis::lint::{Finding, Severity, Suppressed};
use crate::page::escaped;

pub(super) fn beginning() -> [Line; 2] {
    [r#"<?xml version="1.0" encoding="UTF-8"?>"#, r#"<testsuites name="rigscope check">"#].map(Line::plain)
}

pub(super) fn end() -> [Line; 1] {
    [Line::plain("</testsuites>")]
}

/// The suite of a file. Findings that do not fail it become its output.
pub(super) fn suite(report: &FileReport, is_strict: bool) -> Vec<Line> {
    let least = if is_strict { Severity::Warning } else { Severity::Error };
    let (failing, told): (Vec<&Finding>, Vec<&Finding>) = report.shown().iter().partition(|f| f.severity >= least);
    let name = escaped(&report.name);
    let case =
        |what: &str, inside: String| format!(r#"    <testcase classname="{name}" name="{what}">{inside}</testcase>"#);
    let cases: Vec<String> = match &report.result {
        Err(reason) => vec![case("opens", format!(r#"<error message="{}"/>"#, escaped(reason)))],
        Ok(_) if failing.is_empty() => vec![case("rigscope check", String::new())],
        Ok(_) => failing.iter().map(|finding| case(&title(finding), failure(finding))).collect(),
    };
    let skipped = report.suppressed().iter().map(|Suppressed { finding, reason }| {
        case(&title(finding), format!(r#"<skipped message="{}"/>"#, escaped(reason)))
    });
    let cases: Vec<String> = cases.into_iter().chain(skipped).collect();
    let (tests, errors) = (cases.len(), usize::from(report.result.is_err()));
    let counts = format!(r#"tests="{tests}" failures="{}" errors="{errors}""#, failing.len());
    let skipped = match report.suppressed().len() {
        0 => String::new(),
        count => format!(r#" skipped="{count}""#),
    };
    let mut lines = vec![format!(r#"  <testsuite name="{name}" {counts}{skipped}>"#)];
    lines.extend(cases);
    if !told.is_empty() {
        lines.push("    <system-out>".to_owned());
        let line = |finding: &&Finding| escaped(&format!("{} {}: {}", finding.severity, finding.id(), finding.message));
        lines.extend(told.iter().map(line));
        lines.push("    </system-out>".to_owned());
    }
    lines.push("  </testsuite>".to_owned());
    lines.iter().map(|line| Line::plain(line)).collect()
}

fn title(finding: &Finding) -> String {
    escaped(&format!("{} {}", finding.id(), finding.message))
}

fn failure(finding: &Finding) -> String {
    let (message, code) = (escaped(&finding.message), escaped(&finding.id()));
    let text = escaped(&format!("{} {}", finding.why(), finding.advice()));
    format!(r#"<failure type="{code}" message="{message}">{text}</failure>"#)
}
