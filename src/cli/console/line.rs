//! Lines for a terminal: they may contain names from files, but nothing that steers the terminal.

use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Style};

use crate::analysis::lint::Severity;
use crate::text::{escaped, escaped_json};

/// A line of text for people. Everything put into it goes through [`escaped`], so only its own styles are control sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Line(String);

impl Line {
    /// A line of plain text.
    pub(crate) fn plain(text: &str) -> Self {
        Self::default().and(text)
    }

    /// A line of JSON, which is made for programs and goes through [`escaped_json`] instead.
    pub(crate) fn json(object: &str) -> Self {
        Self(escaped_json(object.trim_end()).into())
    }

    /// This line behind some text of the program itself.
    #[must_use]
    pub(crate) fn behind(mut self, own: &str) -> Self {
        self.0.insert_str(0, own);
        self
    }

    /// This line with more text.
    #[must_use]
    pub(crate) fn and(mut self, text: &str) -> Self {
        self.0.push_str(&escaped(text));
        self
    }

    /// This line with more text, in a style.
    #[must_use]
    pub(crate) fn styled(mut self, style: Style, text: &str) -> Self {
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{style}{}{style:#}", escaped(text));
        self
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Style of codes, headings and other landmarks.
pub(crate) const BOLD: Style = Style::new().bold();

/// Style of a severity.
pub(crate) fn style_of(severity: Severity) -> Style {
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
