use std::sync::Arc;

use crate::import::FileState;
use crate::rig::Pose;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseListing {
    /// Cards, sorted by name.
    pub cards: Vec<PoseCard>,
    /// Which files or folders could not be listed, and why.
    pub problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PoseCard {
    /// File name without extension.
    pub name: String,
    /// State of the file when it was read.
    pub file: FileState,
    /// The pose for the open character, or why its file cannot be read.
    pub content: Result<CardPose, String>,
    /// Image of the character in this pose; `None` until drawn.
    pub thumbnail: Option<Arc<Thumbnail>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CardPose {
    /// The pose; joints that the file does not contain are at rest.
    pub pose: Arc<Pose>,
    /// Text about how many joints and morph targets the pose moves, and which names are unknown.
    pub about: String,
}

/// A small square image.
#[derive(Debug, Default, PartialEq)]
pub struct Thumbnail {
    /// Width and height, pixels.
    pub side: u32,
    /// sRGB with alpha, top row first.
    pub rgba: Vec<u8>,
}

impl Thumbnail {
    /// Width and height, points.
    pub const SIDE: u32 = 160;

    /// Returns width and height in pixels: [`Self::SIDE`], or twice that for more than 1.2 pixels per point.
    pub fn side_on(pixels_per_point: f32) -> u32 {
        if pixels_per_point > 1.2 { 2 * Self::SIDE } else { Self::SIDE }
    }
}
