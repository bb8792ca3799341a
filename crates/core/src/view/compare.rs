use glam::Vec2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Side;

/// Layout of the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Side A only.
    #[default]
    Single,
    /// A line divides the view, with A on one side and B on the other.
    Wipe,
    /// A on the left and B on the right, with the same camera.
    SideBySide,
    /// B drawn over A, translucent or as an outline.
    Ghost,
}

impl Layout {
    /// All layouts, in cycling order.
    pub const ALL: [Self; 4] = [Self::Single, Self::Wipe, Self::SideBySide, Self::Ghost];

    /// Returns the next layout in [`Self::ALL`].
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

/// Style of side B in the ghost layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ghost {
    /// Transparent teal surface.
    #[default]
    Translucent,
    /// Silhouette only.
    Outline,
}

/// Dividing line of the wipe layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Wipe {
    /// Clockwise rotation of the line from vertical, radians. At 0, A is on the left; at π/2, A is at the top.
    pub angle: f32,
    /// Offset from the view's centre towards B, as a fraction of the view's height.
    pub offset: f32,
}

impl Wipe {
    /// Returns the line's unit normal towards B; x right, y down.
    pub fn normal(self) -> Vec2 {
        Vec2::new(self.angle.cos(), self.angle.sin())
    }

    /// Returns the line's end points on the edges of a view of this size, relative to the top left corner. The upper or
    /// left point comes first. Both are outside the view if the line misses it.
    pub fn ends(self, size: Vec2) -> [Vec2; 2] {
        let (across, along) = (self.normal(), self.normal().perp());
        let foot = size * 0.5 + across * (self.offset * size.y);
        let (mut from, mut to) = (f32::NEG_INFINITY, f32::INFINITY);
        for axis in 0..2 {
            if along[axis].abs() < 1e-6 {
                continue;
            }
            let [a, b] = [0.0, size[axis]].map(|edge| (edge - foot[axis]) / along[axis]);
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        [foot + along * from, foot + along * to.max(from)]
    }

    /// Returns the signed distance of a point from the line, positive towards B, in the unit of `size`.
    pub fn distance(self, point: Vec2, size: Vec2) -> f32 {
        (point - size * 0.5).dot(self.normal()) - self.offset * size.y
    }
}

/// Arrangement of the two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compare {
    /// Layout of the sides.
    pub layout: Layout,
    /// Dividing line of [`Layout::Wipe`].
    pub wipe: Wipe,
    /// Style of [`Layout::Ghost`].
    pub ghost: Ghost,
    /// True while a held key shows B instead of A.
    pub is_blinking: bool,
    /// True if comparisons use clay shading.
    pub is_clay: bool,
}

impl Default for Compare {
    fn default() -> Self {
        let (layout, wipe, ghost) = Default::default();
        Self { layout, wipe, ghost, is_blinking: false, is_clay: true }
    }
}

impl Compare {
    /// Returns A if it is visible, otherwise B.
    pub fn leading(&self) -> Side {
        if self.shows(Side::A) { Side::A } else { Side::B }
    }

    /// Returns the displayed layout: a single side while blinking, except in [`Layout::SideBySide`].
    pub fn shown_layout(&self) -> Layout {
        if self.is_blinking && self.layout != Layout::SideBySide { Layout::Single } else { self.layout }
    }

    /// Returns whether a side is visible.
    pub fn shows(&self, side: Side) -> bool {
        match (self.shown_layout(), side) {
            (Layout::Single, Side::A) => !self.is_blinking,
            (Layout::Single, Side::B) => self.is_blinking,
            (_, _) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blinking_shows_side_b_alone_except_side_by_side() {
        let held = |layout| Compare { layout, is_blinking: true, ..Compare::default() };
        for layout in [Layout::Single, Layout::Wipe, Layout::Ghost] {
            let (held, free) = (held(layout), Compare { layout, ..Compare::default() });
            assert_eq!((held.shown_layout(), free.shown_layout()), (Layout::Single, layout));
            assert_eq!((held.leading(), free.leading()), (Side::B, Side::A), "{layout:?}");
        }
        let halves = held(Layout::SideBySide);
        assert_eq!((halves.shown_layout(), halves.leading()), (Layout::SideBySide, Side::A));
        assert!(halves.shows(Side::A) && halves.shows(Side::B));
    }
}
