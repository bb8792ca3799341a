//! Calendar dates.

/// Returns the UTC date of a Unix time in seconds, as `2026-11-24`. *Source*: Howard Hinnant, "chrono-compatible
/// low-level date algorithms", `civil_from_days`.
pub(crate) fn day(secs: u64) -> String {
    let days = secs / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // Months from March on.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}
