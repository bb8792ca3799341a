use std::ops::Range;

use egui::{Button, Response, TextEdit, Ui, Vec2};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Returns a key for comparing text regardless of case, width and Unicode composition: NFKC with full case folding.
/// *Source*: Unicode 16, 3.13.
pub(super) fn search_key(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Converts to lower case, upper case and lower case again, so that letters match if any of their cases match, such
    // as ς and σ, or ẞ and ss.
    let cases = text.nfkc().flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    cases.nfkc().collect()
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    folded: String,
    joined: String,
}

impl Filter {
    pub(super) fn new(typed: &str) -> Self {
        let folded = search_key(typed);
        Self { joined: folded.split_whitespace().collect(), folded }
    }

    /// Returns whether the filter is empty. An empty filter matches every name.
    pub(super) fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }

    pub(super) fn is_in(&self, name: &str) -> bool {
        search_key(name).contains(&self.folded)
    }

    /// Returns whether a name contains the filter without its spaces: "left hand" matches "leftHand".
    pub(super) fn is_in_joined(&self, name: &str) -> bool {
        search_key(name).contains(&self.joined)
    }

    /// Returns the byte range of the first match, extended to whole letters with their combining marks.
    pub(super) fn find(&self, name: &str) -> Option<Range<usize>> {
        if self.is_empty() {
            return None;
        }
        let mut text = String::new();
        // Byte offsets of each letter in the folded text and in the name.
        let mut starts = Vec::new();
        for letter in letters(name) {
            starts.push((text.len(), letter.start));
            text.push_str(&search_key(&name[letter]));
        }
        let found = text.find(&self.folded)?;
        let first = starts.partition_point(|(at, _)| *at <= found).checked_sub(1)?;
        let after = starts.partition_point(|(at, _)| *at < found + self.folded.len());
        Some(starts[first].1..starts.get(after).map_or(name.len(), |(_, start)| *start))
    }
}

fn letters(name: &str) -> impl Iterator<Item = Range<usize>> {
    /// Returns whether a character belongs to the preceding letter. Includes half-width kana marks and Hangul vowels
    /// and finals, which Unicode doesn't classify as combining marks.
    fn joins(letter: char) -> bool {
        is_combining_mark(letter) || matches!(letter, '\u{ff9e}' | '\u{ff9f}' | '\u{1160}'..='\u{11ff}')
    }
    let mut starts = name.char_indices().filter(|(_, letter)| !joins(*letter)).map(|(at, _)| at).peekable();
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end;
        _ = starts.next_if(|at| *at <= start);
        end = starts.peek().copied().unwrap_or(name.len());
        (start < end).then_some(start..end)
    })
}

const CLEAR: f32 = 20.0;

/// Draws a text field that filters a list, with a clear button. `name` is its placeholder and accessible name.
pub(super) fn filter_field(ui: &mut Ui, filter: &mut String, name: &str, hint: &str) -> Response {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let room = if filter.is_empty() { 0.0 } else { CLEAR + 2.0 };
        let field = TextEdit::singleline(filter)
            .hint_text(format!("🔍 {name}"))
            .desired_width(ui.available_width() - room - 8.0)
            .id_salt(name);
        let field = ui.add(field).accessible_name(name).on_hover_text(hint);
        let clear = Button::new("×").frame_when_inactive(false).min_size(Vec2::splat(CLEAR));
        if room > 0.0
            && ui.add(clear).accessible_name(format!("Clear {name}")).on_hover_text("Clear the filter").clicked()
        {
            filter.clear();
            field.request_focus();
        }
        field
    })
    .inner
}

/// Scores how well `query` matches `text`: letters in order, with higher scores for word starts and adjacent
/// letters. Returns `None` if a letter is missing. Ignores case, width, and spaces in the query.
pub(super) fn fuzzy_score(query: &str, text: &str) -> Option<i32> {
    let text: Vec<char> = search_key(text).chars().collect();
    let query: Vec<char> = search_key(query).chars().filter(|c| !c.is_whitespace()).collect();
    // Best score of the query letters so far, for each text position of the last matched letter.
    let mut best: Vec<Option<i32>> = Vec::new();
    for (number, letter) in query.iter().enumerate() {
        let mut earlier = (number == 0).then_some(0);
        let mut next = vec![None; text.len()];
        for at in 0..text.len() {
            let together = at.checked_sub(1).and_then(|before| *best.get(before)?).map(|s| s + TOGETHER);
            if text[at] == *letter {
                let from = earlier.max(together);
                next[at] = from.map(|s| s + if begins_a_word(&text, at) { WORD } else { LETTER });
            }
            // The next letter may match later, with a gap.
            earlier = earlier.max(best.get(at).copied().flatten());
        }
        best = next;
    }
    let shorter_is_better = -i32::try_from(text.len() / 8).unwrap_or(i32::MAX);
    if query.is_empty() { Some(0) } else { best.into_iter().flatten().max().map(|s| s + shorter_is_better) }
}

const LETTER: i32 = 1;
const WORD: i32 = 8;
const TOGETHER: i32 = 5;

fn begins_a_word(text: &[char], at: usize) -> bool {
    at == 0 || !text[at - 1].is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_found_whatever_its_case_and_width() {
        let cases = [
            ("LeftLowerArm", "lower", Some("Lower")),
            ("LeftLowerArm", "ARM", Some("Arm")),
            ("ÄrmelÄ", "ä", Some("Ä")),
            ("A\u{308}rmel", "är", Some("A\u{308}r")),
            ("Ärmel", "a\u{308}r", Some("Är")),
            ("İstanbul", "stan", Some("stan")),
            ("aab", "ab", Some("ab")),
            ("ＬｅｆｔＡｒｍ", "arm", Some("Ａｒｍ")),
            ("LeftArm", "ａｒｍ", Some("Arm")),
            ("腕ﾎﾞｰﾝ先", "ボーン", Some("ﾎﾞｰﾝ")),
            ("ボーン", "ﾎﾞ", Some("ボ")),
            ("ΣΊΣΥΦΟΣ", "σίσυφος", Some("ΣΊΣΥΦΟΣ")),
            ("Fußsohle", "FUSSS", Some("Fußs")),
            ("한글", "\u{1112}\u{1161}\u{11ab}", Some("한")),
            ("\u{1112}\u{1161}\u{11ab}글", "한", Some("\u{1112}\u{1161}\u{11ab}")),
            ("\u{301}a", "a", Some("a")),
            ("① 指", "1", Some("①")),
            ("Hips", "", None),
            ("Hips", "arm", None),
        ];
        for (name, filter, found) in cases {
            let wanted = Filter::new(filter);
            assert_eq!(wanted.find(name).map(|range| &name[range]), found, "{filter} in {name}");
            assert_eq!(wanted.is_in(name), found.is_some() || filter.is_empty(), "{filter} in {name}");
        }
        assert!(Filter::new("left upper arm").is_in_joined("leftUpperArm"));
        assert!(!Filter::new("left lower arm").is_in_joined("leftUpperArm"));
    }

    fn best<'a>(query: &str, texts: &[&'a str]) -> Option<&'a str> {
        texts.iter().copied().filter(|t| fuzzy_score(query, t).is_some()).max_by_key(|t| fuzzy_score(query, t))
    }

    #[test]
    fn letters_must_come_in_order() {
        assert_eq!(fuzzy_score("xyz", "reset"), None);
        assert_eq!(fuzzy_score("ters", "reset"), None);
        assert_eq!(fuzzy_score("", "anything"), Some(0));
        assert_eq!(fuzzy_score("a", ""), None);
    }

    #[test]
    fn beginnings_of_words_win() {
        assert_eq!(best("rr", &["Orthographic mirror", "Reset rotation"]), Some("Reset rotation"));
        assert_eq!(best("bif", &["Bones", "Bones in front", "Build of"]), Some("Bones in front"));
    }

    #[test]
    fn letters_that_stand_together_win() {
        assert_eq!(best("rot", &["Rest of it", "My rotation"]), Some("My rotation"));
        assert_eq!(best("ToP", &["Step on the plane", "Top"]), Some("Top"));
    }
}
