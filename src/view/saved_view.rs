//! Views that are kept under names.

use super::Camera;

/// Where the camera looks from and through which lens, under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedView {
    /// Each has another.
    pub name: String,
    /// From where.
    pub camera: Camera,
    /// The joint that the camera goes with, as pose files name it.
    pub follows: Option<String>,
}

impl SavedView {
    /// What it takes in memory, in all.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.follows.as_ref().map_or(0, String::len)
    }
}
