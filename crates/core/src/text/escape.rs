use std::borrow::Cow;

/// Escapes characters that control a terminal, reorder text, break the line or are invisible.
pub fn escaped(text: &str) -> Cow<'_, str> {
    spelt_out(text, |c| c.escape_default().to_string())
}

/// Like [`escaped`], for compact JSON, which contains such characters only in strings. The result is equivalent JSON.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    spelt_out(json, |c| format!("\\u{:04x}", u32::from(c)))
}

fn spelt_out(text: &str, spell: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_spelt_out) {
        return Cow::Borrowed(text);
    }
    let spelt = |c| if is_spelt_out(c) { Cow::Owned(spell(c)) } else { Cow::Owned(String::from(c)) };
    Cow::Owned(text.chars().map(spelt).collect())
}

/// Returns whether [`escaped`] escapes a character: control characters, line and paragraph separators, directional
/// marks, zero-width spaces and invisible operators. Joiners are not escaped, because emoji, Persian and Indic scripts
/// need them.
pub fn is_spelt_out(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_control_characters_are_escaped() {
        assert_eq!(escaped("\x1b[31mred\r\n\t"), r"\u{1b}[31mred\r\n\t");
        assert_eq!(escaped("\u{9b}2J\u{7f}"), r"\u{9b}2J\u{7f}");
        assert_eq!(escaped("a\u{202e}b\u{2066}c\u{2028}d\u{200f}"), r"a\u{202e}b\u{2066}c\u{2028}d\u{200f}");
        assert_eq!(escaped("a\u{200b}b\u{feff}c\u{2060}"), r"a\u{200b}b\u{feff}c\u{2060}", "two names that look alike");
        for harmless in ["Körper 左腕 👩‍🦰", r"C:\rig.glb", "it's \"quoted\"", "می‌خواهم हिन्दी"]
        {
            assert!(matches!(escaped(harmless), Cow::Borrowed(text) if text == harmless), "{harmless}");
        }
        assert_eq!(escaped(&escaped("a\nb")), escaped("a\nb"));
    }

    #[test]
    fn json_without_commands_is_the_same_json() {
        let name = "a\u{9b}31m\u{202e}\u{feff}\u{7f}\n\"";
        let json = serde_json::to_string(name).unwrap();
        let safe = escaped_json(&json);
        assert!(!safe.contains(is_spelt_out) && json.contains(is_spelt_out), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), name);
    }
}
