//! How frames of the window are drawn, and how long they take.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Anti-aliasing samples per pixel of the viewport. Saved pictures always have four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Smoothing {
    /// Four samples; where the driver draws on the processor, one while something moves.
    #[default]
    Automatic,
    /// One sample per pixel.
    Off,
    /// Four samples, also while something moves.
    Four,
    /// Eight samples, also while something moves, or as many as the driver has.
    Eight,
}

impl Smoothing {
    /// All choices, in the order of menus.
    pub const ALL: [Self; 4] = [Self::Automatic, Self::Off, Self::Four, Self::Eight];

    /// Samples per pixel while nothing moves.
    pub fn samples(self) -> u32 {
        match self {
            Self::Off => 1,
            Self::Automatic | Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Samples per pixel while something moves, where these are fewer; `None` otherwise.
    pub fn samples_in_motion(self, draws_on_processor: bool) -> Option<u32> {
        (self == Self::Automatic && draws_on_processor).then_some(1)
    }
}

/// Times of the newest frame of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTimes {
    /// Time to draw the picture, from start to end: skinning, shadow, all layers.
    pub picture: Duration,
    /// Time of the frame without the wait for the screen.
    pub frame: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_saved_only_in_motion_and_only_where_the_processor_draws() {
        assert_eq!(Smoothing::default().samples(), 4);
        assert_eq!(Smoothing::Automatic.samples_in_motion(true), Some(1));
        assert_eq!(Smoothing::Automatic.samples_in_motion(false), None);
        for chosen in [Smoothing::Off, Smoothing::Four, Smoothing::Eight] {
            assert_eq!(chosen.samples_in_motion(true), None, "{chosen:?} was asked for");
        }
    }
}
