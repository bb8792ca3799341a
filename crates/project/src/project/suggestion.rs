/// Returns the most similar word that is at most two typos away, and at most one typo per two letters of `word`.
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let max_edits = (word.chars().count() / 2).min(2);
    let near = words.into_iter().map(|known| (edits(word, known), known)).filter(|(edits, _)| *edits <= max_edits);
    near.min_by_key(|(edits, _)| *edits).map(|(_, known)| known)
}

/// Returns words that contain `word` or are at most two typos away, best match first. Case-insensitive.
pub fn near<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = word.to_lowercase();
    let max_edits = (typed.chars().count() / 2).min(2);
    let apart = |known: &str| {
        let known = known.to_lowercase();
        let is_part = !typed.is_empty() && known.contains(&typed);
        Some(edits(&typed, &known)).filter(|edits| is_part || *edits <= max_edits)
    };
    let mut near: Vec<(usize, &str)> = words.into_iter().filter_map(|known| Some((apart(known)?, known))).collect();
    near.sort_by_key(|(edits, _)| *edits);
    near.into_iter().map(|(_, known)| known).collect()
}

/// Returns the optimal string alignment distance: the number of letters to replace, insert, remove or swap with a
/// neighbour.
fn edits(a: &str, b: &str) -> usize {
    let [a, b]: [Vec<char>; 2] = [a, b].map(|text| text.chars().collect());
    let (mut above, mut last) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut min_edits = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let before: &Vec<usize> = &above;
                min_edits = min_edits.min(before[j - 2] + 1);
            }
            row.push(min_edits);
        }
        above = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_two_slips_are_forgiven() {
        let words = ["check", "render", "bake", "compare", "info"];
        for (typed, meant) in
            [("chek", "check"), ("rneder", "render"), ("cmopare", "compare"), ("bakee", "bake"), ("inof", "info")]
        {
            assert_eq!(nearest(typed, words), Some(meant), "{typed}");
        }
        for typed in ["character", "", "x", "in", "knight.glb"] {
            assert_eq!(nearest(typed, words), None, "{typed}");
        }
        assert_eq!(nearest("RIG21", ["RIG010", "RIG021"]), Some("RIG021"));
    }

    #[test]
    fn near_words_are_those_mistyped_and_those_that_have_the_word_in_them() {
        let words = ["mouthSmileLeft", "smile", "mouthSmileRight", "Frown", "Pucker"];
        assert_eq!(near("Smile", words), ["smile", "mouthSmileLeft", "mouthSmileRight"]);
        assert_eq!(near("smlie", words), ["smile"]);
        assert!(near("blink", words).is_empty() && near("", words).is_empty());
    }

    #[test]
    fn edits_are_counted_as_people_make_them() {
        for (a, b, expected) in
            [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 1), ("chek", "check", 1)]
        {
            assert_eq!((edits(a, b), edits(b, a)), (expected, expected), "{a} {b}");
        }
    }
}
