use glam::Vec2;

use super::RotateHandle;
use super::ring::Ring;
use crate::gizmo::GizmoFrame;
use crate::view::Lens;

/// A method of converting pointer positions to angles, chosen at the start of a drag and when the view changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PointerReading {
    /// Angle about the centre in the ring's plane; wraps at a full turn.
    Plane(Ring),
    /// Position along the projected line of an edge-on ring; one radius is one radian.
    Along {
        ring: Ring,
        center: Vec2,
        /// Viewport motion, in points, that rotates the grabbed half by +1 radian.
        radian: Vec2,
        is_far: bool,
    },
    /// Position along both screen axes; one radius is one radian.
    Ball { radius: f32 },
}

impl PointerReading {
    /// Returns `None` if the joint is behind the eye.
    pub(super) fn new(handle: RotateHandle, ring: Ring, is_far: bool, frame: &GizmoFrame, lens: &Lens) -> Option<Self> {
        let center = frame.center(lens)?;
        if handle == RotateHandle::Trackball {
            return Some(Self::Ball { radius: frame.radius });
        }
        if !ring.is_edge_on() {
            return Some(Self::Plane(ring));
        }
        let end = lens.project(ring.origin + ring.across * ring.radius)?;
        let side = if is_far { -1.0 } else { 1.0 };
        let radian = (end - center).normalize_or(Vec2::X) * (frame.radius * side);
        Some(Self::Along { ring, center, radian, is_far })
    }

    /// Returns angles in radians: x for a ring; x (right) and y (down) for the trackball.
    pub(super) fn read(&self, lens: &Lens, cursor: Vec2) -> Vec2 {
        match self {
            Self::Plane(ring) => Vec2::new(ring.angle_under(lens, cursor), 0.0),
            Self::Along { center, radian, .. } => {
                Vec2::new((cursor - center).dot(*radian) / radian.length_squared(), 0.0)
            }
            Self::Ball { radius } => cursor / radius,
        }
    }

    /// Returns the fractions of a straight path at which it enters and leaves the hold zone; `None` if it misses the
    /// zone.
    pub(super) fn held(&self, lens: &Lens, from: Vec2, to: Vec2) -> Option<(f32, f32)> {
        match self {
            Self::Plane(ring) => ring.held(lens, from, to),
            Self::Along { .. } | Self::Ball { .. } => None,
        }
    }

    pub(super) fn repeats(&self) -> bool {
        matches!(self, Self::Plane(_))
    }

    /// Returns the grabbed angle on the ring, for drawing the sector.
    pub(super) fn held_angle(&self, lens: &Lens, cursor: Vec2) -> f32 {
        let along = self.read(lens, cursor).x;
        match self {
            Self::Along { is_far: false, .. } => along.clamp(-1.0, 1.0).asin(),
            Self::Along { is_far: true, .. } => std::f32::consts::PI + along.clamp(-1.0, 1.0).asin(),
            Self::Plane(_) | Self::Ball { .. } => along,
        }
    }
}
