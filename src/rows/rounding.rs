//! Numbers as JSON has them: with no more digits than single precision holds.

/// Degrees, rounded to a thousandth.
pub(crate) fn degrees(radians: f32) -> f64 {
    (f64::from(radians).to_degrees() * 1e3).round() / 1e3
}

/// A weight, a share or a length in metres, rounded to six decimals.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// The number, if it is finite: JSON has `null` for others.
pub(crate) fn finite(number: f32) -> Option<f32> {
    Some(number).filter(|number| number.is_finite())
}
