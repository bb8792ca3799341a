//! Extracts paths from Rust sources, to find imports.

use std::path::Path;

/// Returns every path in the code. Expands nested `use` lists: `use a::{b, c::d}` gives `a::b` and `a::c::d`.
pub fn paths(text: &str) -> Vec<Vec<&str>> {
    let tokens = tokens(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_use = tokens[at] == "use";
        at += usize::from(is_use);
        let is_path = is_use || (is_name(tokens[at]) && tokens.get(at + 1) == Some(&"::"));
        at = if is_path { expand(&tokens, at, &[], &mut found) } else { at + 1 };
    }
    found
}

/// Returns the top-level module of our crates that a path leads to, if any. `inside` is the file's path in `src`.
pub fn top_module<'a>(path: &[&'a str], inside: &Path) -> Option<&'a str> {
    let ups = path.iter().take_while(|p| **p == "super").count();
    let is_root = matches!(inside.file_name()?.to_str()?, "mod.rs");
    let depth = inside.components().count() - usize::from(is_root);
    match path.first()? {
        name if rigscope_tests::crate_names().any(|own| own == *name) => path.get(1).copied(),
        _ if ups >= depth => path.get(ups).copied(),
        _ => None,
    }
}

/// Adds the paths that begin at a token, each prefixed with `before`. Returns the index of the next token.
fn expand<'a>(tokens: &[&'a str], mut at: usize, before: &[&'a str], found: &mut Vec<Vec<&'a str>>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"::") => at += 1,
            Some(&"{") => {
                at += 1;
                while tokens.get(at).is_some_and(|t| *t != "}") {
                    at = expand(tokens, at, &path, found).max(at + 1);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                return at + 1;
            }
            Some(name) if is_name(name) || *name == "*" => {
                path.push(name);
                at += 1;
                if tokens.get(at) != Some(&"::") {
                    break;
                }
            }
            _ => break,
        }
    }
    at += if tokens.get(at) == Some(&"as") { 2 } else { 0 };
    found.push(path);
    at
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns names, `::` and other single characters, without comments, strings and character literals.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = literal(rest) {
            length
        } else {
            let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if rest.starts_with("::") { 2 } else { name.max(first.len_utf8()) };
            tokens.extend(Some(&rest[..length]).filter(|t| !t.trim().is_empty()));
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the string, character literal or lifetime mark at the start of a text, if there is one.
fn literal(text: &str) -> Option<usize> {
    let plain = text.strip_prefix('b').unwrap_or(text);
    let before = text.len() - plain.len();
    if let Some(raw) = plain.strip_prefix('r').filter(|r| r.starts_with(['#', '"'])) {
        let marks = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw[marks..].strip_prefix('"')?;
        let end = "\"".to_owned() + &"#".repeat(marks);
        return Some(before + 1 + marks + 1 + inner.find(&end).map_or(inner.len(), |at| at + end.len()));
    }
    let quote = plain.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut is_escaped = false;
    let end = plain.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    let end = end.map_or(plain.len(), |(at, _)| at + 1);
    let inner = plain.get(1..end - 1)?;
    let is_lifetime = quote == '\'' && inner.chars().count() != 1 && !inner.starts_with('\\');
    Some(before + if is_lifetime { 1 } else { end })
}
