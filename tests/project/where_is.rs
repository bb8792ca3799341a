//! The "Where is…" table in `lib.rs` refers to files and items that exist.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::fs::read_to_string;
use std::path::Path;

/// Returns the noun, file and item of each row.
fn rows(lib: &str) -> Vec<[String; 3]> {
    let (_, list) = lib.split_once("//! # Where is…\n").unwrap();
    let rows = list.lines().take_while(|line| line.starts_with("//! |")).skip(2);
    let cells = |row: &str| -> Vec<String> {
        row.trim_start_matches("//! |").split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
    };
    rows.map(|row| cells(row).into_iter().take(3).collect::<Vec<_>>().try_into().unwrap()).collect()
}

/// Returns whether a text contains an item as a whole word.
fn has(text: &str, item: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == item)
}

#[test]
fn each_noun_is_in_the_listed_file() {
    let root = Path::new(rigscope_tests::ROOT);
    let rows = rows(&read_to_string(root.join("src/lib.rs")).unwrap());
    assert!(rows.len() >= 20, "{} rows", rows.len());
    for [noun, file, item] in &rows {
        let text = read_to_string(root.join(file)).unwrap_or_else(|_| panic!("{noun}: there is no {file}"));
        assert!(has(&text, item), "{noun}: {file} has no {item}");
    }
    assert!(rows.is_sorted_by_key(|[noun, ..]| noun.to_lowercase()), "nouns stand by the alphabet");
}

#[test]
fn an_item_that_is_gone_is_missed() {
    assert!(has("pub const MAX: u8 = 1;", "MAX") && !has("pub const MAX_BYTES: u8 = 1;", "MAX"));
    let lib =
        "//! # Where is…\n//! | a | b | c |\n//! | --- | --- | --- |\n//! | wipe | `a.rs` | `Wipe` |\n//!\n//! | x |\n";
    assert_eq!(rows(lib), [["wipe", "a.rs", "Wipe"].map(str::to_owned)]);
}
