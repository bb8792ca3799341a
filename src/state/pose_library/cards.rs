use std::sync::Arc;

use super::super::Thumbnail;
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
    /// State of the file at the time of reading.
    pub file: FileState,
    /// The pose for the open character, or why its file cannot be read.
    pub content: Result<CardPose, String>,
    /// Image of the character in this pose; `None` until drawn.
    pub thumbnail: Option<Arc<Thumbnail>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CardPose {
    /// The pose, with joints that the file does not contain at rest.
    pub pose: Arc<Pose>,
    /// Text on how many joints the pose moves, and which names are unknown.
    pub about: String,
}
