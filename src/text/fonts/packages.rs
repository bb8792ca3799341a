//! Font packages for letters that no installed font has.

/// Returns the Debian and Ubuntu package for a letter; `None` for emoji and private-use characters.
pub(super) fn with(letter: char) -> Option<&'static str> {
    match u32::from(letter) {
        // Jamo, radicals, kana, bopomofo, Chinese characters, hangul, half-width and full-width forms.
        0x1100..=0x11FF
        | 0x2E80..=0x9FFF
        | 0xA960..=0xA97F
        | 0xAC00..=0xD7FF
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE4F
        | 0xFF00..=0xFFEF
        | 0x1B000..=0x1B16F
        | 0x20000..=0x3FFFF => Some("fonts-noto-cjk"),
        0xE000..=0xF8FF | 0x1F000..=0x1FAFF | 0xE0000.. => None,
        _ => Some("fonts-noto-core"),
    }
}
