//! Angles of the camera and of the wipe, each within a range that makes sense.

use crate::cli::numbers::within;

/// An angle about an axis: up to a full turn either way.
pub(super) fn turn(text: &str) -> Result<f32, String> {
    within(text, -360.0..=360.0, "degrees")
}

/// An angle above the horizon.
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
