//! Cards of a pose library.

use std::sync::Arc;

use super::super::Thumbnail;
use crate::import::FileState;
use crate::rig::Pose;

/// The poses in the folders of a library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseListing {
    /// Cards, by name.
    pub cards: Vec<PoseCard>,
    /// Sentence on what could not be listed, and why.
    pub problem: Option<String>,
}

/// One pose of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseCard {
    /// File name of the pose without its extension.
    pub name: String,
    /// State of the pose's file when it was read.
    pub file: FileState,
    /// The pose for the open character, or why the file cannot be read.
    pub content: Result<CardPose, String>,
    /// The character in this pose; `None` until drawn.
    pub thumbnail: Option<Arc<Thumbnail>>,
}

/// A library pose for the open character.
#[derive(Clone, Debug, PartialEq)]
pub struct CardPose {
    /// User transforms; joints that the file does not name are at rest.
    pub pose: Arc<Pose>,
    /// Sentence on how many joints the pose moves, and which names match none.
    pub about: String,
}
