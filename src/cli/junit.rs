//! `JUnit` XML, which build servers read.

use super::console::Line;
use crate::page::escaped;

pub(super) struct Case {
    pub name: String,
    pub outcome: TestOutcome,
}

pub(super) enum TestOutcome {
    Passed,
    Failed {
        rule: String,
        message: String,
        text: String,
    },
    /// The test was skipped for this reason.
    Skipped(String),
    /// The test could not run for this reason.
    Error(String),
}

pub(super) struct TestSuite<'a> {
    pub name: &'a str,
    pub cases: Vec<Case>,
    pub output: Vec<String>,
}

pub(super) fn beginning(name: &str) -> [Line; 2] {
    let suites = format!(r#"<testsuites name="{}">"#, escaped(name));
    [r#"<?xml version="1.0" encoding="UTF-8"?>"#, &suites].map(Line::plain)
}

pub(super) fn end() -> [Line; 1] {
    [Line::plain("</testsuites>")]
}

impl TestSuite<'_> {
    pub(super) fn lines(&self) -> Vec<Line> {
        let name = escaped(self.name);
        let count = |is: fn(&TestOutcome) -> bool| self.cases.iter().filter(|case| is(&case.outcome)).count();
        let failures = count(|outcome| matches!(outcome, TestOutcome::Failed { .. }));
        let errors = count(|outcome| matches!(outcome, TestOutcome::Error(_)));
        let skipped = match count(|outcome| matches!(outcome, TestOutcome::Skipped(_))) {
            0 => String::new(),
            count => format!(r#" skipped="{count}""#),
        };
        let tests = self.cases.len();
        let mut lines = vec![format!(
            r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="{errors}"{skipped}>"#
        )];
        lines.extend(self.cases.iter().map(|case| {
            format!(
                r#"    <testcase classname="{name}" name="{}">{}</testcase>"#,
                escaped(&case.name),
                case.outcome.xml()
            )
        }));
        if !self.output.is_empty() {
            lines.push("    <system-out>".to_owned());
            lines.extend(self.output.iter().map(|line| escaped(line)));
            lines.push("    </system-out>".to_owned());
        }
        lines.push("  </testsuite>".to_owned());
        lines.iter().map(|line| Line::plain(line)).collect()
    }
}

impl TestOutcome {
    fn xml(&self) -> String {
        match self {
            Self::Passed => String::new(),
            Self::Failed { rule, message, text } => {
                let [rule, message, text] = [rule, message, text].map(|part| escaped(part));
                format!(r#"<failure type="{rule}" message="{message}">{text}</failure>"#)
            }
            Self::Skipped(reason) => format!(r#"<skipped message="{}"/>"#, escaped(reason)),
            Self::Error(reason) => format!(r#"<error message="{}"/>"#, escaped(reason)),
        }
    }
}
