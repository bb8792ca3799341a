use crate::analysis::lint::Severity;
use crate::stage::LintStatus;
use crate::view::Side;

/// Returns the number of open findings per severity as text, such as "1 error, 2 warnings".
pub(super) fn by_severity(status: &LintStatus<'_>) -> String {
    let counts = Severity::ALL.map(|severity| (status.left().filter(|f| f.severity == severity).count(), severity));
    let said =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, severity)| counted(count, severity.name()));
    said.collect::<Vec<_>>().join(", ")
}

/// Returns the number of findings fixed on each side as text, such as "4 fixed on A".
pub(super) fn repaired(status: &LintStatus<'_>) -> Vec<(Side, String)> {
    let counts = Side::ALL.map(|side| (side, status.repaired_on(side)));
    let said = counts.into_iter().filter(|(_, count)| *count > 0);
    said.map(|(side, count)| (side, format!("{} fixed on {side:?}", grouped(count)))).collect()
}

pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

pub(super) fn grouped(count: usize) -> String {
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
