//! Lines for a terminal: names from files may be in them, but nothing that steers it.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Style};

use crate::analysis::lint::Severity;

/// A line of text for people. What is put into it goes through [`escaped`], so that only its own styles are more than text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line(String);

impl Line {
    /// A line of plain text.
    pub(crate) fn plain(text: &str) -> Self {
        Self::default().and(text)
    }

    /// The line with more text at its end.
    #[must_use]
    pub(crate) fn and(mut self, text: &str) -> Self {
        self.0.push_str(&escaped(text));
        self
    }

    /// The line with more text at its end, in a style.
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

/// A text with everything spelt out that would steer a terminal, change the order of reading, or end the line.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    spelt_out(text, |c| c.escape_default().to_string())
}

/// JSON that no terminal takes for commands. These characters stand only within its strings, where it has an escape for each: it stays the
/// same JSON.
pub(crate) fn escaped_json(json: &str) -> Cow<'_, str> {
    spelt_out(json, |c| format!("\\u{:04x}", u32::from(c)))
}

fn spelt_out(text: &str, spell: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let spelt = |c| if is_unsafe(c) { Cow::Owned(spell(c)) } else { Cow::Owned(String::from(c)) };
    Cow::Owned(text.chars().map(spelt).collect())
}

/// Control characters, line and paragraph separators, marks of direction.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_spelt_out_and_all_else_stays() {
        assert_eq!(escaped("\x1b[31mred\r\n\t"), r"\u{1b}[31mred\r\n\t");
        assert_eq!(escaped("\u{9b}2J\u{7f}"), r"\u{9b}2J\u{7f}");
        assert_eq!(escaped("a\u{202e}b\u{2066}c\u{2028}d\u{200f}"), r"a\u{202e}b\u{2066}c\u{2028}d\u{200f}");
        for harmless in ["Körper 左腕 👩‍🦰", r"C:\rig.glb", "it's \"quoted\""] {
            assert!(matches!(escaped(harmless), Cow::Borrowed(text) if text == harmless), "{harmless}");
        }
        assert_eq!(escaped(&escaped("a\nb")), escaped("a\nb"));
    }

    #[test]
    fn json_without_commands_is_the_same_json() {
        let name = "a\u{9b}31m\u{202e}\u{7f}\n\"";
        let json = serde_json::to_string(name).unwrap();
        let safe = escaped_json(&json);
        assert!(!safe.contains(is_unsafe) && json.contains(is_unsafe), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), name);
    }

    #[test]
    fn only_its_own_styles_are_more_than_text() {
        let line = Line::plain("\x1b[31m").styled(BOLD, "RIG\n").and(" end");
        assert_eq!(line.to_string(), "\\u{1b}[31m\x1b[1mRIG\\n\x1b[0m end");
    }
}
