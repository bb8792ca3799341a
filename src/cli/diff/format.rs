use clap::ValueEnum;
use serde_json::{Value, json};

use super::super::console::Line;
use super::super::junit::{self, Case, TestOutcome, TestSuite};
use super::super::sarif;
use super::report::DiffReport;
use crate::diff::{Change, ChangeKind};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, which code hosts and editors read
    Sarif,
    /// JUnit XML for build servers
    Junit,
}

pub(super) fn sarif(report: &DiffReport<'_>) -> String {
    let rules: Vec<Value> = ChangeKind::ALL.iter().map(|kind| rule(*kind)).collect();
    let results = report.diff.changes.iter().map(|change| {
        let id = id(change.kind);
        let number = ChangeKind::ALL.iter().position(|kind| *kind == change.kind);
        let level = if report.fails(change) { "error" } else { "note" };
        sarif::result(report.names[1], (&id, number), level, &title(change), &[&change.object_name]).to_string()
    });
    format!("{}{}{}", sarif::beginning(&rules), results.collect::<Vec<_>>().join(","), sarif::end(true))
}

fn rule(kind: ChangeKind) -> Value {
    let level = json!({"level": "error"});
    json!({"id": id(kind), "shortDescription": {"text": format!("Changed: {}", kind.name())}, "defaultConfiguration": level})
}

fn id(kind: ChangeKind) -> String {
    format!("diff/{}", kind.name().replace(' ', "_"))
}

/// Returns a test suite with one failing case per change that affects the exit code. If there are no failing cases, the
/// suite has one passing case.
pub(super) fn junit(report: &DiffReport<'_>) -> Vec<Line> {
    let (failing, passing): (Vec<&Change>, Vec<&Change>) =
        report.diff.changes.iter().partition(|change| report.fails(change));
    let [old, new] = report.names;
    let failed = |change: &&Change| Case {
        name: title(change),
        outcome: TestOutcome::Failed {
            rule: id(change.kind),
            message: title(change),
            text: format!("From {old} to {new}."),
        },
    };
    let mut cases: Vec<Case> = failing.iter().map(failed).collect();
    if cases.is_empty() {
        cases.push(Case { name: "rigscope diff".to_owned(), outcome: TestOutcome::Passed });
    }
    let suite = TestSuite { name: new, cases, output: passing.iter().map(|change| title(change)).collect() };
    junit::beginning("rigscope diff").into_iter().chain(suite.lines()).chain(junit::end()).collect()
}

/// Describes a change, such as `weights, Head: 12 vertices`.
fn title(change: &Change) -> String {
    let details = change.details();
    let separator = if details.is_empty() { "" } else { ": " };
    format!("{}, {}{separator}{details}", change.kind.name(), change.object_name)
}
