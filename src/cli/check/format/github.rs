//! Annotations of GitHub Actions: `::error file=PATH,title=TITLE::MESSAGE`. Findings with the same code and file share
//! one annotation, because GitHub shows only a few per step. *Source*: "Workflow commands for GitHub Actions".

use super::super::super::console::Line;
use super::super::report::FileReport;
use crate::analysis::lint::{Finding, Severity};

/// Maximum number of findings in one annotation.
const MAX_MESSAGES: usize = 10;

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

fn annotation(command: &str, file: &str, title: &str, message: &str) -> Line {
    Line::plain(&format!(
        "::{command} file={},title={}::{}",
        property(file.trim_start_matches("./")),
        property(title),
        data(message)
    ))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        let line = annotation("error", "a:b,c\n.glb", "50 %", "first: 1, 2\nsecond");
        assert_eq!(line.to_string(), "::error file=a%3Ab%2Cc%0A.glb,title=50 %25::first: 1, 2%0Asecond");
    }
}
