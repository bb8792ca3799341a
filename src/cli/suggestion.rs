//! What somebody probably meant who mistyped a word.

/// The nearest of some words, if at most two letters are wrong, missing, too many or swapped, and most are right.
pub(super) fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 2).min(2);
    let near = words.into_iter().map(|known| (edits(word, known), known)).filter(|(edits, _)| *edits <= most);
    near.min_by_key(|(edits, _)| *edits).map(|(_, known)| known)
}

/// Letters to replace, insert, remove or swap with their neighbour: optimal string alignment.
fn edits(a: &str, b: &str) -> usize {
    let [a, b]: [Vec<char>; 2] = [a, b].map(|text| text.chars().collect());
    let (mut above, mut last) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let before: &Vec<usize> = &above;
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
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
    fn edits_are_counted_as_people_make_them() {
        for (a, b, expected) in
            [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 1), ("chek", "check", 1)]
        {
            assert_eq!((edits(a, b), edits(b, a)), (expected, expected), "{a} {b}");
        }
    }
}
