use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::suggestion::nearest;

#[derive(Clone, Debug, Default)]
pub(super) struct TableLines {
    pub rules: Vec<usize>,
    pub clips: Vec<usize>,
}

impl TableLines {
    pub(super) fn new(text: &str) -> Self {
        DeTable::parse(text).map(|table| Self::within(text, table.get_ref())).unwrap_or_default()
    }

    fn within(text: &str, table: &DeTable<'_>) -> Self {
        let lines = |key: &str| {
            let tables = table.get(key).and_then(|tables| tables.get_ref().as_array());
            tables.map(|list| list.iter().map(|one| line_at(text, one.span().start)).collect()).unwrap_or_default()
        };
        Self { rules: lines("rule"), clips: lines("clips") }
    }
}

/// Returns the line of each override in a config file, and the lines of the override's tables.
pub(super) fn override_lines(text: &str) -> Vec<(usize, TableLines)> {
    let line_and_tables = |change: &Spanned<DeValue<'_>>| {
        let tables = change.get_ref().as_table().map(|table| TableLines::within(text, table)).unwrap_or_default();
        (line_at(text, change.span().start), tables)
    };
    let table = DeTable::parse(text);
    let overrides = table.as_ref().ok().and_then(|table| table.get_ref().get("override")?.get_ref().as_array());
    overrides.map(|list| list.iter().map(line_and_tables).collect()).unwrap_or_default()
}

fn line_at(text: &str, byte: usize) -> usize {
    1 + text.as_bytes().iter().take(byte).filter(|b| **b == b'\n').count()
}

/// Describes an error with line, key, allowed values and a suggestion.
pub(super) fn explain_toml_error(problem: &toml::de::Error, text: &str) -> String {
    let span = problem.span().unwrap_or_default();
    let line = line_at(text, span.start);
    let keys = DeTable::parse(text).map(|table| keys_at(table.get_ref(), &span)).unwrap_or_default();
    let place = if keys.is_empty() { String::new() } else { format!("{}: ", keys.join(".")) };
    let message = problem.message().trim_end();
    // Serde's message: unknown field `limts`, expected one of `limits`, `strict`.
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let explanation = match (message.split_once(", expected "), quoted.as_slice()) {
        (_, [unknown, known @ ..]) if message.starts_with("unknown ") => {
            let kind = if message.starts_with("unknown field") { "unknown key" } else { "unknown value" };
            let meant = nearest(unknown, known.iter().copied());
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            format!("{kind}; there are {}{meant}", known.join(", "))
        }
        (Some((given, expected)), _) if message.starts_with("invalid ") => {
            format!("{}, not {}", in_words(expected), given_in_words(given))
        }
        _ => message.to_owned(),
    };
    format!("line {line}: {place}{explanation}")
}

fn in_words(expected: &str) -> &str {
    match expected {
        "usize" | "u64" | "u32" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" | "path string" => "text",
        "a sequence" => "a list",
        "an array of length 3" => "a list of 3 numbers",
        "an array of length 4" => "a list of 4 numbers",
        other if other.starts_with("struct ") || other == "a map" => "a table",
        other => other,
    }
}

/// Describes the value that was given, from a message such as "invalid type: integer `5`".
fn given_in_words(given: &str) -> &str {
    let value = given.split_once(": ").map_or(given, |(_, value)| value);
    let quoted = || value.split('`').nth(1).unwrap_or(value);
    match value {
        "map" => "a table",
        "sequence" => "a list",
        text if text.starts_with("string ") => "text",
        other if other.contains('`') => quoted(),
        other => other,
    }
}

/// Returns the keys that lead to a span of the text.
fn keys_at(table: &DeTable<'_>, at: &Range<usize>) -> Vec<String> {
    let holds = |span: Range<usize>| span.start <= at.start && at.end <= span.end && at.start < span.end;
    // A table's span covers only its heading, so its content is searched separately.
    let inside = |key: &str, value: &Spanned<DeValue<'_>>| {
        match value.get_ref() {
            DeValue::Table(table) => Some(keys_at(table, at)).filter(|keys| !keys.is_empty() || holds(value.span())),
            _ => holds(value.span()).then(Vec::new),
        }
        .map(|below| [key.to_owned()].into_iter().chain(below).collect())
    };
    table
        .iter()
        .find_map(|(key, value)| {
            let name = key.get_ref();
            inside(name, value).or_else(|| holds(key.span()).then(|| vec![name.to_string()]))
        })
        .unwrap_or_default()
}
