//! Saved views.

use super::Camera;

/// A saved camera.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedView {
    /// Name that no other view has.
    pub name: String,
    /// Position, direction and lens.
    pub camera: Camera,
    /// The joint that the camera follows, as pose files name it.
    pub follows: Option<String>,
}

impl SavedView {
    /// Memory that the view takes, bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.follows.as_ref().map_or(0, String::len)
    }
}
