//! Axis-aligned rectangles in points.

use glam::Vec2;

/// A rectangle in points from the image's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Upper left corner.
    pub min: Vec2,
    /// Lower right corner.
    pub max: Vec2,
}

impl Region {
    pub fn new(min: Vec2, size: Vec2) -> Self {
        Self { min, max: min + size }
    }

    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    pub fn halves(self) -> [Self; 2] {
        let middle = f32::midpoint(self.min.x, self.max.x);
        [Self { max: Vec2::new(middle, self.max.y), ..self }, Self { min: Vec2::new(middle, self.min.y), ..self }]
    }

    /// Moves the region into `room`; if `room` is smaller, their upper left corners coincide.
    #[must_use]
    pub fn moved_into(self, room: Self) -> Self {
        let beyond = (self.max - room.max).max(Vec2::ZERO);
        let min = (self.min - beyond).max(room.min);
        Self::new(min, self.size())
    }

    #[must_use]
    pub fn shrunk(self, by: Vec2) -> Self {
        Self { min: self.min + by, max: self.max - by }
    }
}
