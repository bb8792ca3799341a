//! Captions over an image: side labels and overlay legends. Positions are in points from the upper left corner. The
//! window draws captions with its own fonts; [`draw_captions`] and [`draw_lines`] draw into images.

mod canvas;
mod drawing;
mod labels;
mod legend_content;
mod text_layout;

use glam::Vec2;

pub use canvas::{CaptionColors, PILL_PADDING};
pub use drawing::{caption_text, draw_captions, draw_lines, scale_for};
pub use labels::{Label, labels};
pub use legend_content::{JOINT_COLORS_NOTE, Legend, Tick, legends, missing, ticks};

/// A rectangle in points from the image's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaptionRect {
    pub min: Vec2,
    pub max: Vec2,
}

impl CaptionRect {
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

    /// Moves the rectangle into `room`. If it doesn't fit, aligns the upper left corners.
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
