//! Text broken into lines.

/// Lines of at most `width` letters, broken between words. A word that is longer stands alone. No line begins with the `>` between two menus, which would be
/// a quotation in Markdown and hides what the line goes on from.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        while words.peek().is_some_and(|next| *next == ">") {
            word.extend([" ", words.next().unwrap_or_default()]);
        }
        let length = |text: &str| text.chars().count();
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(&word) <= width => line.extend([" ", &word]),
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_menus_stay_after_their_sign() {
        assert_eq!(wrapped("one two  three\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrapped("File > Export > glTF", 13), ["File >", "Export > glTF"]);
        assert_eq!(wrapped("a endlessly b", 3), ["a", "endlessly", "b"]);
        assert_eq!(wrapped("é é é", 3), ["é é", "é"]);
        assert_eq!((wrapped("", 5), wrapped(" > x", 5)), (vec![], vec!["> x".to_owned()]));
    }
}
