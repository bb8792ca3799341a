//! Findings as annotations of GitHub Actions. Findings with the same code and file share one annotation.

use super::super::super::console::Line;
use super::super::super::github::{MAX_MESSAGES, annotation};
use super::super::report::FileReport;
use crate::analysis::lint::{Finding, Severity};

pub(super) fn annotations(report: &FileReport) -> Vec<Line> {
    match &report.problem {
        Some(reason) => vec![annotation("error", &report.name, "unreadable", reason)],
        None => {
            report.judged.shown.chunk_by(Finding::is_like).map(|kind| kind_annotation(&report.name, kind)).collect()
        }
    }
}

fn kind_annotation(file: &str, kind: &[Finding]) -> Line {
    let (first, severity) = (&kind[0], kind[0].severity);
    let mut lines: Vec<String> = kind.iter().take(MAX_MESSAGES).map(|finding| finding.message.clone()).collect();
    if kind.len() > MAX_MESSAGES {
        lines.push(format!("And {} more.", kind.len() - MAX_MESSAGES));
    }
    lines.push(first.advice().to_owned());
    let command = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    annotation(command, file, &format!("{} {}", first.id(), first.code.title()), &lines.join("\n"))
}
