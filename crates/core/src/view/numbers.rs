/// Formats a number with three significant digits.
pub fn significant(value: f32) -> String {
    let digits = if value == 0.0 || !value.is_finite() { 0 } else { 2 - value.abs().log10().floor() as i32 };
    let text = signed(value, digits.clamp(0, 9) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a number with `digits` decimals and a typographic minus. Zero has no sign.
pub fn signed(value: f32, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(number) if number.chars().all(|c| matches!(c, '0' | '.')) => number.to_owned(),
        Some(number) => format!("−{number}"),
        None => text,
    }
}
