//! Numbers of the command line, each within a range that makes sense.

use std::ops::RangeInclusive;

/// Reads a number.
///
/// *Errors*: the range, where it is none of it or no number.
pub(super) fn within(text: &str, range: RangeInclusive<f32>, unit: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|n| range.contains(n));
    number.ok_or_else(|| format!("give a number of {unit} from {} to {}", range.start(), range.end()))
}

/// An angle about an axis: up to a full turn either way.
pub(super) fn turn(text: &str) -> Result<f32, String> {
    within(text, -360.0..=360.0, "degrees")
}

/// An angle above the horizon.
pub(super) fn height(text: &str) -> Result<f32, String> {
    within(text, -90.0..=90.0, "degrees")
}

/// A time of up to about eleven days.
pub(super) fn time(text: &str) -> Result<f32, String> {
    within(text, -1e6..=1e6, "seconds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_sense_are_refused_with_the_range() {
        assert_eq!((time("-0.5"), turn("-360"), height("90")), (Ok(-0.5), Ok(-360.0), Ok(90.0)));
        for bad in ["", "1s", "nan", "inf", "-inf", "1e99", "200000000"] {
            assert!([time(bad), turn(bad), height(bad)].iter().all(Result::is_err), "{bad}");
        }
        assert_eq!(height("200"), Err("give a number of degrees from -90 to 90".to_owned()));
    }
}
