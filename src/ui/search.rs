use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Returns a key for comparing text regardless of case, width and combining marks: NFKC with full case folding.
/// *Source*: Unicode 16, 3.13.
pub(super) fn search_key(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Converts to lower, upper and lower case again, so that letters that are equal in any case match, such as ς and σ,
    // or ẞ and ss.
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
}
