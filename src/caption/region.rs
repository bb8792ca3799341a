//! Upright rectangles in points.

use glam::Vec2;

/// A part of a picture, points from its upper left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Upper left corner.
    pub min: Vec2,
    /// Lower right corner.
    pub max: Vec2,
}

impl Region {
    /// Region of a size with its upper left corner at a point.
    pub fn new(min: Vec2, size: Vec2) -> Self {
        Self { min, max: min + size }
    }

    /// Width and height.
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// The left half and the right one.
    pub fn halves(self) -> [Self; 2] {
        let middle = f32::midpoint(self.min.x, self.max.x);
        [Self { max: Vec2::new(middle, self.max.y), ..self }, Self { min: Vec2::new(middle, self.min.y), ..self }]
    }

    /// The region moved into another one; where that is smaller, its upper left is there.
    #[must_use]
    pub fn moved_into(self, room: Self) -> Self {
        let beyond = (self.max - room.max).max(Vec2::ZERO);
        let min = (self.min - beyond).max(room.min);
        Self::new(min, self.size())
    }

    /// The region, smaller by `by` on every side.
    #[must_use]
    pub fn shrunk(self, by: Vec2) -> Self {
        Self { min: self.min + by, max: self.max - by }
    }
}
