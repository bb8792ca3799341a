//! Swept angle of a rotation drag, for drawing.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::ring::Ring;
use crate::view::Lens;

/// Swept sector of a ring, viewport points.
#[derive(Clone, Debug, PartialEq)]
pub struct Sector {
    pub center: Vec2,
    /// Arc from the grabbed point to its current position, without full turns.
    pub arc: Vec<Vec2>,
    /// Number of full turns, unsigned.
    pub turns: u32,
    /// Edge of the disc, to fill after full turns; else empty.
    pub disc: Vec<Vec2>,
}

impl Sector {
    pub(super) fn new(ring: &Ring, grab: Vec3, angle: f32, lens: &Lens) -> Option<Self> {
        let center = lens.project(ring.origin)?;
        let start = ring.angle(grab);
        let turns = (angle.abs() / TAU).floor();
        let disc = if turns > 0.0 { ring.arc(lens, start, start + TAU)? } else { Vec::new() };
        let arc = ring.arc(lens, start, start + angle % TAU)?;
        Some(Self { center, arc, turns: turns as u32, disc })
    }
}
