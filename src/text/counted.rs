//! Counts with their nouns.

/// Number with its noun: "1 vertex", "2 vertices".
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
