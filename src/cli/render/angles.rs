//! Angles of the camera and of the wipe line, each within a sensible range.

use crate::cli::numbers::within;

/// Parses an angle about an axis, up to a full turn in either direction.
pub(super) fn turn(text: &str) -> Result<f32, String> {
    within(text, -360.0..=360.0, "degrees")
}

/// Parses an angle above the horizon.
pub(super) fn height(text: &str) -> Result<f32, String> {
    within(text, -90.0..=90.0, "degrees")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_beyond_a_turn_or_the_zenith_are_refused_with_the_range() {
        assert_eq!((turn("-360"), height("90")), (Ok(-360.0), Ok(90.0)));
        assert!(turn("361").is_err());
        assert_eq!(height("200"), Err("give a number of degrees from -90 to 90".to_owned()));
    }
}
