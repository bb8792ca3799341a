//! The turned angle as a fan to draw.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::ring::Ring;
use crate::view::Lens;

/// The part of a ring's disc that a turn has passed, viewport points.
#[derive(Clone, Debug, PartialEq)]
pub struct Sector {
    /// Tip of the fan.
    pub center: Vec2,
    /// Arc along the ring from where it was grabbed to where that point is now, without full turns.
    pub arc: Vec<Vec2>,
    /// Number of full turns, unsigned.
    pub turns: u32,
    /// The edge of the whole disc, to fill where there are full turns; else empty.
    pub disc: Vec<Vec2>,
}

impl Sector {
    /// Sector of a turn by `angle` that started at the world direction `grab`.
    pub(super) fn new(ring: &Ring, grab: Vec3, angle: f32, lens: &Lens) -> Option<Self> {
        let center = lens.project(ring.origin)?;
        let start = ring.angle(grab);
        let turns = (angle.abs() / TAU).floor();
        let disc = if turns > 0.0 { ring.arc(lens, start, start + TAU)? } else { Vec::new() };
        let arc = ring.arc(lens, start, start + angle % TAU)?;
        Some(Self { center, arc, turns: turns as u32, disc })
    }
}
