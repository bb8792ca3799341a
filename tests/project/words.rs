//! Words and phrases that code and docs must not use. Extend the list; an exception is one line with its reason.

use crate::common;

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// A word or phrase, and what to write instead. It is matched as whole words, ignoring case; `word*` also matches
/// longer words.
const PATTERNS: &[(&str, &str)] = &[
    ("LEAST_*", "MIN_, the usual prefix of a lower limit"),
    ("MOST_*", "MAX_, the usual prefix of an upper limit"),
    ("heed*", "apply: settings apply to files"),
    ("painted share*", "DQ blend weight, the field's term"),
    ("numbered pictures", "image sequence, the field's term"),
    ("fn of", "new, from_x, for_x or a noun, which a search finds"),
    ("of which", "two sentences, or \"whose\""),
    ("mend*", "fix or repair"),
    ("MOST", "MAX_ and what is limited: a constant is understood where it is used"),
    ("LEAST", "MIN_ and what is limited: a constant is understood where it is used"),
    ("is told", "is reported, is warned, is explained"),
    ("suspicious", "weight problems, or what is wrong"),
    ("suspects", "weight problems, the name in window, report and JSON"),
    ("voxel distance", "geodesic voxel, the field's term"),
    ("\"beside\":", "comparison_file, the key in every format"),
    ("gaze\":", "look_at, VRM's term; \"gaze\" is for labels that people read"),
];

/// File, pattern, and why the exception is justified.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("src/cli/weights/mod.rs", "suspicious", "the old name of --problems, which the guide has shown"),
    ("src/state/action.rs", "suspicious", "a word to search for in the palette"),
];

const FOLDERS: [&str; 9] =
    ["src", "crates", "benches", "python", "integrations", "tests", "docs", "assets", "screenshots"];

const ENDINGS: [&str; 9] = ["rs", "py", "pyi", "md", "toml", "glsl", "frag", "vert", "comp"];

/// Returns whether a text contains a pattern as whole words.
fn has(text: &str, pattern: &str) -> bool {
    let (words, is_prefix) = pattern.strip_suffix('*').map_or((pattern, false), |words| (words, true));
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    // Patterns for constants only match capitals.
    let is_constant = words.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let (text, words) =
        if is_constant { (text.to_owned(), words.to_owned()) } else { (text.to_lowercase(), words.to_lowercase()) };
    let (bytes, length) = (text.as_bytes(), words.len());
    text.match_indices(&words).any(|(at, _)| {
        let begins = at == 0 || !is_letter(bytes[at - 1]);
        begins && (is_prefix || !bytes.get(at + length).copied().is_some_and(is_letter))
    })
}

fn files(root: &Path) -> impl Iterator<Item = PathBuf> {
    let in_folders = FOLDERS.into_iter().flat_map(|folder| common::files_below(&root.join(folder), &ENDINGS));
    let pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    // This file contains the patterns themselves.
    let all = in_folders.chain(pages).filter(|path| !path.ends_with("project/words.rs"));
    all.filter(|path| path.components().all(|part| part.as_os_str() != "target")).collect::<Vec<_>>().into_iter()
}

#[test]
fn code_and_docs_are_in_the_words_of_the_project() {
    let root = Path::new(rigscope_tests::ROOT);
    let mut found = Vec::new();
    for path in files(root) {
        let text = read_to_string(&path).unwrap();
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        for (number, line) in text.lines().enumerate() {
            let is_excepted =
                |pattern: &str| EXCEPTIONS.iter().any(|(file, word, _)| *file == name && *word == pattern);
            let wrong = PATTERNS.iter().filter(|(pattern, _)| has(line, pattern) && !is_excepted(pattern));
            found.extend(wrong.map(|(pattern, instead)| format!("{name}:{}: {pattern}; write {instead}", number + 1)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn patterns_are_found_as_whole_words() {
    assert!(has("const MOST: usize = 1;", "MOST") && !has("at most one", "MOST") && !has("MOST_KEPT", "MOST"));
    assert!(has(r#"{"open":[],"beside":"/b.glb"}"#, "\"beside\":") && !has("beside: it", "\"beside\":"));
    assert!(has("const MOST_KEPT: usize = 1;", "MOST_*") && !has("TOP_MOST_ROW at most_kept", "MOST_*"));
    assert!(has("the window heeds it", "heed*") && has("Heeded", "heed*") && !has("unheeded", "heed*"));
    assert!(has("those of which", "of which") && !has("that of whichever", "of which"));
    assert!(has("pub fn of(x)", "fn of") && !has("fn of_x(", "fn of"));
}
