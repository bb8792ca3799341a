use super::super::super::console::{BOLD, Line, severity_style};
use super::super::report::{FileReport, left_out};
use crate::analysis::lint::rules::ProfileReport;
use crate::analysis::lint::{Finding, Severity, SuppressedFinding, UnusedEntry};

/// Maximum number of findings of each kind to list without `--verbose`.
const FIRST: usize = 3;
const INDENT: &str = "                  ";

pub(super) fn lines(report: &FileReport, is_all: bool) -> Vec<Line> {
    let mut lines = vec![Line::default().styled(BOLD, &report.name)];
    lines.extend(report.sheets.iter().map(rank_line));
    let shown = &report.judged.shown;
    if let Some(reason) = &report.problem {
        let unreadable = Line::plain("  ").styled(severity_style(Severity::Error), "unreadable");
        lines.push(unreadable.and("      ").and(reason));
    } else if shown.is_empty() && report.sheets.is_empty() {
        lines.push(Line::plain(&format!("  nothing found{}", left_out(", ", report.left_out()))));
    }
    lines.extend(shown.chunk_by(Finding::is_like).flat_map(|kind| kind_lines(kind, is_all)));
    if is_all {
        lines.extend(report.judged.suppressed.iter().flat_map(suppressed_lines));
    }
    lines.extend(unused_entry_lines(&report.judged.unused_entries, is_all));
    lines
}

fn suppressed_lines(SuppressedFinding { finding, reason }: &SuppressedFinding) -> [Line; 2] {
    let head = Line::plain("  ").styled(severity_style(Severity::Note), "allowed").and(" ").styled(BOLD, &finding.id());
    [head.and("  ").and(&finding.message), Line::plain(INDENT).and(reason)]
}

fn rank_line(sheet: &ProfileReport) -> Line {
    let style = if sheet.rank > sheet.demanded { severity_style(Severity::Error) } else { BOLD };
    let reason = sheet.reason();
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let unknown = sheet.unchecked();
    let unknown = if unknown.is_empty() { unknown } else { format!("; {unknown}") };
    Line::plain(&format!("  {:<22}", sheet.profile)).styled(style, &sheet.verdict()).and(&reason).and(&unknown)
}

fn unused_entry_lines(unused: &[UnusedEntry], is_all: bool) -> Vec<Line> {
    let listed = if is_all { unused.len() } else { unused.len().min(FIRST) };
    let line = |UnusedEntry { code, spot, accepted, found }: &UnusedEntry| {
        let state = match found {
            0 => "in the baseline, but no longer found".to_owned(),
            found => format!("{accepted} accepted by the baseline, and {found} found"),
        };
        Line::plain("  ")
            .styled(severity_style(Severity::Note), "unused")
            .and("  ")
            .styled(BOLD, code)
            .and(&format!("  {spot}: {state}."))
    };
    let mut lines: Vec<Line> = unused.iter().take(listed).map(line).collect();
    if unused.len() > listed {
        lines.push(Line::plain(INDENT).and(&format!("- and {} more", unused.len() - listed)));
    }
    lines
}

fn kind_lines(kind: &[Finding], is_all: bool) -> Vec<Line> {
    let Some(first @ Finding { code, severity, message, .. }) = kind.first() else { return Vec::new() };
    let head = Line::plain("  ").styled(severity_style(*severity), severity.name());
    let head = head.and(&" ".repeat(8 - severity.name().len())).styled(BOLD, &first.id()).and("  ");
    let mut lines = Vec::new();
    if kind.len() == 1 {
        lines.push(head.and(message));
    } else {
        lines.push(head.and(&format!("{} ({} times)", code.title(), kind.len())));
        let listed = if is_all { kind.len() } else { kind.len().min(FIRST) };
        let listed_lines = kind.iter().take(listed).map(|finding| Line::plain(INDENT).and("- ").and(&finding.message));
        lines.extend(listed_lines);
        if kind.len() > listed {
            lines.push(Line::plain(INDENT).and(&format!("- and {} more", kind.len() - listed)));
        }
    }
    lines.push(Line::plain(INDENT).and(first.advice()));
    lines
}
