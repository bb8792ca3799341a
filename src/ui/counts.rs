//! Counts in words.

use crate::analysis::lint::Severity;
use crate::state::Lint;

/// "1 error, 2 warnings", leaving out what there is none of.
pub fn by_severity(lint: &Lint) -> String {
    let counts = Severity::ALL.map(|severity| (lint.count(severity), severity.name()));
    let said = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, name)| counted(count, name));
    said.collect::<Vec<_>>().join(", ")
}

/// "1 joint", "2 joints".
pub fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A count with its thousands set apart.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), text);
        }
    }
}
