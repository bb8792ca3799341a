use std::borrow::Cow;

use unicode_bidi::{BidiInfo, Level};

use super::joins_letter;
use crate::text::escaped;

/// Prepares a name for renderers such as egui, which lay out words from left to right and reverse only the letters of
/// right-to-left words. Escapes characters that break the line or change the reading order. Reverses the word order of
/// right-to-left text. *Source*: Unicode Standard Annex 9.
pub fn drawn(text: &str) -> Cow<'_, str> {
    let text = escaped(text);
    if text.contains(may_be_right_to_left) { Cow::Owned(reordered(&text)) } else { text }
}

/// Returns true for letters in the Unicode blocks of right-to-left scripts.
pub fn may_be_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

fn reordered(text: &str) -> String {
    let info = BidiInfo::new(text, Some(Level::ltr()));
    let mut sight = String::with_capacity(text.len());
    for paragraph in &info.paragraphs {
        let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let piece = &text[run.clone()];
            if levels[run.start].is_rtl() {
                turn(piece, &mut sight);
            } else {
                sight.push_str(piece);
            }
        }
    }
    sight
}

/// Appends the words in reverse order. Doesn't reverse the letters of a word, because the renderer does that.
fn turn(piece: &str, sight: &mut String) {
    for part in piece.split_inclusive(is_between_words).rev() {
        let sign = part.chars().next_back().filter(|c| is_between_words(*c));
        sight.extend(sign.map(mirrored));
        sight.push_str(part.strip_suffix(is_between_words).unwrap_or(part));
    }
}

/// Returns true for spaces and symbols that separate words; the built-in font has them.
fn is_between_words(c: char) -> bool {
    !joins_letter(c) && (c < '\u{300}' || matches!(c, '\u{2000}'..='\u{206f}'))
}

fn mirrored(sign: char) -> char {
    const PAIRS: [[char; 2]; 5] = [['(', ')'], ['[', ']'], ['{', '}'], ['<', '>'], ['«', '»']];
    let other = PAIRS.iter().find_map(|[a, b]| match sign {
        c if c == *a => Some(*b),
        c if c == *b => Some(*a),
        _ => None,
    });
    other.unwrap_or(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_right_to_left_stand_in_the_order_in_which_they_are_read() {
        let cases = [
            ("arm זרוע שמאל", "arm שמאל זרוע"),
            ("זרוע שמאל", "שמאל זרוע"),
            ("יד_שמאל_L", "שמאל_יד_L"),
            ("L_יד_שמאל", "L_שמאל_יד"),
            ("יד (ימין) 12", "12 (ימין) יד"),
            ("أ، ب", "ب أ،"),
            ("يد‌ها", "يد‌ها"),
            ("שלום", "שלום"),
            ("שָׁלוֹם עולם", "עולם שָׁלוֹם"),
        ];
        for (stored, seen) in cases {
            assert_eq!(drawn(stored), seen, "{stored}");
        }
    }

    #[test]
    fn all_else_stays_as_it_is_stored_and_steering_is_spelt_out() {
        for same in ["", "Hips", "左腕 ひじ", "हिन्दी हाथ", "(a) [b]"] {
            assert!(matches!(drawn(same), Cow::Borrowed(text) if text == same), "{same}");
        }
        assert_eq!(drawn("a\u{202e}b\n"), r"a\u{202e}b\n");
        assert_eq!(drawn("שמאל\u{202d}יד"), r"שמאל\u{202d}יד");
    }
}
