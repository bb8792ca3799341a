use super::Camera;

/// A named camera.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedView {
    /// Unique name.
    pub name: String,
    /// Position, direction and projection.
    pub camera: Camera,
    /// Joint that the camera follows, by its pose-file name.
    pub follows: Option<String>,
}

impl SavedView {
    /// Returns the size, bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.follows.as_ref().map_or(0, String::len)
    }
}
