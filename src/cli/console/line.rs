use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Style};

use crate::analysis::lint::Severity;
use crate::text::{escaped, escaped_json};

/// A line of output. Its text is escaped, so that names from files can't control the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Line(String);

impl Line {
    pub(crate) fn plain(text: &str) -> Self {
        Self::default().and(text)
    }

    pub(crate) fn json(object: &str) -> Self {
        Self(escaped_json(object.trim_end()).into())
    }

    /// Inserts the program's own text before the line, without escaping it.
    #[must_use]
    pub(crate) fn behind(mut self, own: &str) -> Self {
        self.0.insert_str(0, own);
        self
    }

    #[must_use]
    pub(crate) fn and(mut self, text: &str) -> Self {
        self.0.push_str(&escaped(text));
        self
    }

    #[must_use]
    pub(crate) fn styled(mut self, style: Style, text: &str) -> Self {
        let _ = write!(self.0, "{style}{}{style:#}", escaped(text));
        self
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) const BOLD: Style = Style::new().bold();

pub(crate) fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note => AnsiColor::Cyan.on_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_styles_are_more_than_text() {
        let line = Line::plain("\x1b[31m").styled(BOLD, "RIG\n").and(" end");
        assert_eq!(line.to_string(), "\\u{1b}[31m\x1b[1mRIG\\n\x1b[0m end");
    }
}
