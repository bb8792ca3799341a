use std::ops::RangeInclusive;

/// Parses a number within a range. The error states the allowed range.
pub(super) fn within(text: &str, range: RangeInclusive<f32>, unit: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|n| range.contains(n));
    number.ok_or_else(|| format!("give a number of {unit} from {} to {}", range.start(), range.end()))
}

/// Parses a time, seconds.
pub(super) fn time(text: &str) -> Result<f32, String> {
    within(text, -1e6..=1e6, "seconds")
}

/// Parses an angle between -360 and 360 degrees.
#[cfg(feature = "gl")]
pub(super) fn turn(text: &str) -> Result<f32, String> {
    within(text, -360.0..=360.0, "degrees")
}

/// Parses an angle above the horizon, between -90 and 90 degrees.
#[cfg(feature = "gl")]
pub(super) fn elevation(text: &str) -> Result<f32, String> {
    within(text, -90.0..=90.0, "degrees")
}

#[cfg(feature = "gl")]
pub(super) fn samples(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|n| [1, 2, 4, 8, 16].contains(n)).ok_or_else(|| "give 1, 2, 4, 8 or 16".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_sense_are_refused_with_the_range() {
        assert_eq!(time("-0.5"), Ok(-0.5));
        for bad in ["", "1s", "nan", "inf", "-inf", "1e99", "200000000"] {
            assert_eq!(time(bad), Err("give a number of seconds from -1000000 to 1000000".to_owned()), "{bad}");
        }
    }

    #[cfg(feature = "gl")]
    #[test]
    fn angles_beyond_a_turn_or_the_zenith_are_refused_with_the_range() {
        assert_eq!((turn("-360"), elevation("90")), (Ok(-360.0), Ok(90.0)));
        assert!(turn("361").is_err());
        assert_eq!(elevation("200"), Err("give a number of degrees from -90 to 90".to_owned()));
    }
}
