use clap::ValueEnum;
use serde_json::{Value, json};

use super::super::console::Line;
use super::super::github;
use super::super::junit::{self, Case, TestOutcome, TestSuite};
use super::super::sarif;
use super::report::DiffReport;
use crate::diff::{Change, ChangeKind, rounded};
use crate::text::counted;

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
    /// A Markdown table, for comments on pull requests
    Markdown,
    /// Annotations of GitHub Actions
    Github,
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
        // Without amounts, so that a build server recognises a change that was there before.
        name: format!("{}, {}", change.kind.name(), change.object_name),
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

/// Maximum number of rows of a Markdown table. Comments on code hosts have a maximum length.
const MAX_ROWS: usize = 100;

/// Returns a heading, a summary and a table of all changes.
pub(super) fn markdown(report: &DiffReport<'_>) -> Vec<Line> {
    let [old, new] = report.names.map(markdown_text);
    let changes = &report.diff.changes;
    let failing = changes.iter().filter(|change| report.fails(change)).count();
    let mut lines = vec![format!("### Rig changes: {new}"), String::new()];
    if changes.is_empty() {
        lines.push(format!("The same as {old}."));
    } else {
        let counts = counted(changes.len(), "change", "changes");
        let limit = report.fail_over_m.map(|metres| format!(", {failing} beyond {} mm", rounded(metres * 1000.0)));
        lines.push(format!("{counts} from {old}{}.", limit.unwrap_or_default()));
        // Without a limit every change fails, and a mark would say nothing.
        let has_marks = report.fail_over_m.is_some();
        let [head, line] = if has_marks { ["| ", "| --- "] } else { [""; 2] };
        let heads = [String::new(), format!("{head}| change | of | details |"), format!("{line}| --- | --- | --- |")];
        lines.extend(heads);
        let row = |change: &Change| {
            let mark = match report.fails(change) {
                _ if !has_marks => "",
                true => "| ❌ ",
                false => "| ",
            };
            let [kind, name, details] = [change.kind.name(), &change.object_name, &change.details()].map(markdown_text);
            format!("{mark}| {kind} | {name} | {details} |")
        };
        lines.extend(changes.iter().take(MAX_ROWS).map(row));
        if changes.len() > MAX_ROWS {
            lines.extend([String::new(), format!("And {} more.", changes.len() - MAX_ROWS)]);
        }
    }
    if report.hidden > 0 {
        lines.extend([String::new(), format!("{} of other kinds.", counted(report.hidden, "change", "changes"))]);
    }
    lines.iter().map(|line| Line::plain(line)).collect()
}

/// Escapes text for a cell of a Markdown table, so that names can't add markup.
fn markdown_text(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\n' | '\r' => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '@' | '!' => escaped.extend(['\\', letter]),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Returns an annotation for each kind of change.
pub(super) fn github(report: &DiffReport<'_>) -> Vec<Line> {
    let annotation = |changes: &[Change]| {
        let level = if changes.iter().any(|change| report.fails(change)) { "error" } else { "notice" };
        let mut lines: Vec<String> = changes.iter().take(github::MAX_MESSAGES).map(title).collect();
        if changes.len() > github::MAX_MESSAGES {
            lines.push(format!("And {} more.", changes.len() - github::MAX_MESSAGES));
        }
        let title = format!("Changed: {}", changes[0].kind.name());
        github::annotation(level, report.names[1], &title, &lines.join("\n"))
    };
    report.diff.by_kind().map(annotation).collect()
}

/// Describes a change, such as `weights, Head: 12 vertices`.
fn title(change: &Change) -> String {
    let details = change.details();
    let separator = if details.is_empty() { "" } else { ": " };
    format!("{}, {}{separator}{details}", change.kind.name(), change.object_name)
}
