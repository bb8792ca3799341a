//! Words that the code does not use, since another one is the field's or this project's word for the same thing.

use crate::common;

use std::fs::read_to_string;
use std::path::Path;

/// Beginnings of names in code that are not used, and what is written instead.
const NAMES: [(&str, &str); 2] = [("LEAST_", "MIN_"), ("MOST_", "MAX_")];

/// Names in a source that begin with a word of [`NAMES`].
fn unused_words(text: &str) -> Vec<(&str, &'static str)> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let names = text.split(|letter| !is_of_name(letter));
    names.filter_map(|name| Some((name, NAMES.iter().find(|(word, _)| name.starts_with(word))?.1))).collect()
}

#[test]
fn names_are_in_the_words_of_the_project() {
    let root = Path::new(rigscope_tests::ROOT);
    for folder in ["src", "benches", "python", "tests"] {
        for path in common::files_below(&root.join(folder), &["rs"]) {
            // This file has the words themselves.
            if path.ends_with("project/words.rs") || path.components().any(|part| part.as_os_str() == "target") {
                continue;
            }
            let text = read_to_string(&path).unwrap();
            let found = unused_words(&text);
            assert!(found.is_empty(), "{}: names, and how they should begin: {found:?}", path.display());
        }
    }
}

#[test]
fn a_word_is_found_at_the_beginning_of_a_name_alone() {
    assert_eq!(
        unused_words("const MOST_KEPT: usize = ALMOST_ALL + LEAST_ROW;"),
        [("MOST_KEPT", "MAX_"), ("LEAST_ROW", "MIN_")]
    );
    assert_eq!(unused_words("TOP_MOST_ROW at most_kept"), []);
}
