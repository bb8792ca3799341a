use std::ops::RangeInclusive;

/// Returns a parser for numbers within a range. The parser's error states the allowed range.
pub(super) fn within(
    range: RangeInclusive<f32>,
    unit: &'static str,
) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().ok().filter(|n| range.contains(n));
        number.ok_or_else(|| format!("give a number of {unit} from {} to {}", range.start(), range.end()))
    }
}

/// Returns a parser for frame rates, in frames per second.
pub(super) fn frame_rate() -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync {
    within(0.1..=1000.0, "frames per second")
}

/// Range of times, seconds.
pub(super) const TIMES: RangeInclusive<f32> = -1e6..=1e6;

/// Range of angles of up to a full turn in either direction, degrees.
#[cfg(feature = "gl")]
pub(super) const TURNS: RangeInclusive<f32> = -360.0..=360.0;

#[cfg(feature = "gl")]
pub(super) fn samples(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|n| [1, 2, 4, 8, 16].contains(n)).ok_or_else(|| "give 1, 2, 4, 8 or 16".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_sense_are_refused_with_the_range() {
        let time = within(TIMES, "seconds");
        assert_eq!(time("-0.5"), Ok(-0.5));
        for bad in ["", "1s", "nan", "inf", "-inf", "1e99", "200000000"] {
            assert_eq!(time(bad), Err("give a number of seconds from -1000000 to 1000000".to_owned()), "{bad}");
        }
    }

    #[cfg(feature = "gl")]
    #[test]
    fn angles_beyond_a_turn_or_the_zenith_are_refused_with_the_range() {
        let (turn, elevation) = (within(TURNS, "degrees"), within(-90.0..=90.0, "degrees"));
        assert_eq!((turn("-360"), elevation("90")), (Ok(-360.0), Ok(90.0)));
        assert!(turn("361").is_err());
        assert_eq!(elevation("200"), Err("give a number of degrees from -90 to 90".to_owned()));
    }
}
