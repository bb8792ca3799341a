use super::search::search_key;

/// Scores how well the letters of `query` match `text`, in order. Matches at word starts and adjacent matches score
/// higher. Returns `None` if a letter is missing. Ignores case, character width, and spaces in the query.
pub(super) fn score(query: &str, text: &str) -> Option<i32> {
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
            // The next letter may match after a gap.
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

    fn best<'a>(query: &str, texts: &[&'a str]) -> Option<&'a str> {
        texts.iter().copied().filter(|t| score(query, t).is_some()).max_by_key(|t| score(query, t))
    }

    #[test]
    fn letters_must_come_in_order() {
        assert_eq!(score("xyz", "reset"), None);
        assert_eq!(score("ters", "reset"), None);
        assert_eq!(score("", "anything"), Some(0));
        assert_eq!(score("a", ""), None);
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
