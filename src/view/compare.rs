//! Arrangement of the two sides of a comparison in one picture.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::Side;

/// How two sides share the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Side A alone.
    #[default]
    Single,
    /// A on one side of a line, B on the other.
    Wipe,
    /// A left, B right, by the same camera.
    SideBySide,
    /// B over A, see [`Ghost`].
    Ghost,
}

impl Layout {
    /// All layouts, in the order in which the interface cycles.
    pub const ALL: [Self; 4] = [Self::Single, Self::Wipe, Self::SideBySide, Self::Ghost];

    /// The layout after this one in [`Self::ALL`].
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Single => Self::Wipe,
            Self::Wipe => Self::SideBySide,
            Self::SideBySide => Self::Ghost,
            Self::Ghost => Self::Single,
        }
    }
}

/// Style in which B is drawn over A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ghost {
    /// B in teal glass.
    #[default]
    Translucent,
    /// The silhouette of B alone.
    Outline,
}

/// The line between the sides of [`Layout::Wipe`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wipe {
    /// Angle of the line from upright, clockwise, radians: 0 has A on the left, a quarter turn has it above.
    pub angle: f32,
    /// Distance of the line from the middle of the picture towards B, as a share of its height.
    pub offset: f32,
}

impl Default for Wipe {
    fn default() -> Self {
        Self { angle: 0.0, offset: 0.0 }
    }
}

impl Wipe {
    /// Direction across the line towards B; x right, y down, unit length.
    pub fn normal(self) -> Vec2 {
        Vec2::new(self.angle.cos(), self.angle.sin())
    }

    /// Points where the line enters and leaves a picture of this size: its upper end (left end of a level line), then the other. Both in the unit of
    /// the size, from the top left; beyond the picture where the line does not cross it.
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

    /// Distance of a point of a picture from the line, positive on the side of B. Point and size in the same unit, from the top left.
    pub fn distance(self, point: Vec2, size: Vec2) -> f32 {
        (point - size * 0.5).dot(self.normal()) - self.offset * size.y
    }
}

/// Arrangement of the two sides in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compare {
    /// Parts of the picture that the sides have.
    pub layout: Layout,
    /// Line of [`Layout::Wipe`].
    pub wipe: Wipe,
    /// Style of [`Layout::Ghost`].
    pub ghost: Ghost,
    /// True while a key is held that shows B in place of A.
    pub is_blinking: bool,
    /// True where both sides are shown in clay, which shows their shapes.
    pub is_clay: bool,
}

impl Default for Compare {
    fn default() -> Self {
        let (layout, wipe, ghost) = Default::default();
        Self { layout, wipe, ghost, is_blinking: false, is_clay: true }
    }
}

impl Compare {
    /// The side whose ground and shadow are shown, and whose bones where the other side has none of its own.
    pub fn leading(&self) -> Side {
        if self.shows(Side::A) { Side::A } else { Side::B }
    }

    /// Layout shown now: while blinking B fills the picture, except in halves, which show both.
    pub fn shown_layout(&self) -> Layout {
        if self.is_blinking && self.layout != Layout::SideBySide { Layout::Single } else { self.layout }
    }

    /// True where the picture shows this side.
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
    fn what_is_blinked_fills_the_picture_but_for_halves_and_leads_it() {
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
