//! Text: escaping of names from files, counts with nouns, lists of names, dates and wildcards.

mod escape;

pub use escape::{escaped, escaped_json, is_spelt_out};

/// Formats a count with its noun: "1 vertex", "2 vertices".
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Formats a number with up to six significant digits, without zeros at the end and without a negative zero.
pub fn number(value: impl Into<f64>) -> String {
    let rounded = format!("{:.5e}", value.into()).parse::<f64>().unwrap_or(f64::NAN);
    (rounded + 0.0).to_string()
}

/// Changes the first letter to upper case.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Lists up to `max` names: "Hips, Spine and 3 more".
pub fn listed(names: impl IntoIterator<Item: AsRef<str>, IntoIter: ExactSizeIterator>, max: usize) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(max).map(|name| name.as_ref().to_owned()).collect();
    match names.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Truncates text to `max` characters, for messages.
pub fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Formats a Unix time in seconds as a UTC date, such as `2026-11-24`. *Source*: Howard Hinnant, "chrono-compatible
/// low-level date algorithms", `civil_from_days`.
pub fn day(secs: u64) -> String {
    let days = secs / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // Months since March.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

/// Returns whether a pattern matches a list. An element for which `is_any` is true matches any number of items; others
/// match one item if `is_here` is true. *Cost*: at most pattern length times list length.
pub fn fits<P, T>(pattern: &[P], items: &[T], is_any: impl Fn(&P) -> bool, is_here: impl Fn(&P, &T) -> bool) -> bool {
    let (mut p, mut i) = (0, 0);
    // Index of the last wildcard, and of the item up to which it matches.
    let mut any: Option<(usize, usize)> = None;
    while i < items.len() {
        match pattern.get(p) {
            Some(piece) if is_any(piece) => {
                any = Some((p, i));
                p += 1;
            }
            Some(piece) if is_here(piece, &items[i]) => (p, i) = (p + 1, i + 1),
            _ => {
                let Some((at, until)) = any else { return false };
                any = Some((at, until + 1));
                (p, i) = (at + 1, until + 1);
            }
        }
    }
    pattern[p..].iter().all(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_zeros_at_the_end() {
        let cases = [
            (0.025_400_000_000_000_002, "0.0254"),
            (f64::from(1.0_f32 / 30.0), "0.0333333"),
            (-0.0, "0"),
            (-0.000_000_12, "-0.00000012"),
            (2.0, "2"),
            (1_234_567.8, "1234570"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }
}
