use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Anti-aliasing samples per pixel of the viewport. Saved images always have four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Smoothing {
    /// Four samples; with a software renderer, one during motion.
    #[default]
    Automatic,
    /// One sample per pixel.
    Off,
    /// Four samples, even during motion.
    Four,
    /// Eight samples, or the driver's maximum, even during motion.
    Eight,
}

impl Smoothing {
    pub const ALL: [Self; 4] = [Self::Automatic, Self::Off, Self::Four, Self::Eight];

    /// Returns the samples per pixel without motion.
    pub fn samples(self) -> u32 {
        match self {
            Self::Off => 1,
            Self::Automatic | Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Returns the samples per pixel during motion, if different from [`Self::samples`].
    pub fn samples_in_motion(self, draws_on_processor: bool) -> Option<u32> {
        (self == Self::Automatic && draws_on_processor).then_some(1)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTimes {
    /// Time to draw the viewport, including skinning, shadows and all layers.
    pub picture: Duration,
    /// Duration of the whole frame, without waiting for vertical sync.
    pub frame: Duration,
}

/// The window's graphics driver, as text for the user; empty without a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphicsDriver {
    pub device: String,
    pub vendor: String,
    /// OpenGL and driver version.
    pub version: String,
    /// True for a software rasteriser.
    pub is_software: bool,
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
