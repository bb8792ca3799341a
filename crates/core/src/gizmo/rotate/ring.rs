use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::RotateHandle;
use crate::gizmo::GizmoFrame;
use crate::view::Lens;

/// Number of segments in a full circle. At a radius of 112 points, the segments deviate from the circle by less than
/// 0.1 points.
const SEGMENTS: f32 = 96.0;
/// Sine of the angle (12°) between view direction and ring plane below which the plane gives no useful reading.
const EDGE_ON: f32 = 0.208;
/// Sine of the tilt (about 3°) from face-on below which the whole ring counts as near.
const FACE_ON: f32 = 0.05;
/// Radius of the hold zone around the centre, where directions are too noisy to use, as a fraction of the ring's
/// radius.
const HOLD: f32 = 0.12;

/// A circle in world space. Angle 0 is at the point nearest to the viewer; angles increase in the positive direction
/// about the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ring {
    pub origin: Vec3,
    pub axis: Vec3,
    /// World units.
    pub radius: f32,
    /// Unit vector in the plane, towards the viewer.
    pub front: Vec3,
    /// Unit vector in the plane, 90° after `front`.
    pub across: Vec3,
    /// Cosine of the angle between the axis and the direction towards the viewer: 0 if edge-on, negative if seen from
    /// behind.
    facing: f32,
}

impl Ring {
    pub(super) fn new(handle: RotateHandle, frame: &GizmoFrame, lens: &Lens) -> Self {
        Self::about(handle.axis(frame, lens), handle.size(), frame, lens)
    }

    /// `size` is the radius relative to the radius of the axis rings.
    pub(super) fn about(axis: Vec3, size: f32, frame: &GizmoFrame, lens: &Lens) -> Self {
        let to_viewer = lens.to_viewer(frame.origin);
        let facing = axis.dot(to_viewer);
        let towards = to_viewer - axis * facing;
        let front = if towards.length() < 1e-3 {
            axis.any_orthonormal_vector()
        } else {
            // Rounding tilts a short vector off the plane, so project it again after normalising.
            towards.normalize_or_zero().reject_from_normalized(axis).normalize_or_zero()
        };
        let radius = frame.world_radius(lens) * size;
        Self { origin: frame.origin, axis, radius, front, across: axis.cross(front), facing }
    }

    pub(super) fn is_edge_on(&self) -> bool {
        self.facing.abs() < EDGE_ON
    }

    pub(super) fn is_face_on(&self) -> bool {
        self.facing.mul_add(-self.facing, 1.0) < FACE_ON * FACE_ON
    }

    pub(super) fn direction(&self, angle: f32) -> Vec3 {
        self.front * angle.cos() + self.across * angle.sin()
    }

    pub(super) fn angle(&self, direction: Vec3) -> f32 {
        direction.dot(self.across).atan2(direction.dot(self.front))
    }

    /// Returns the viewport points of an arc between two angles in radians; `None` if any point is behind the eye.
    pub(super) fn arc(&self, lens: &Lens, from: f32, to: f32) -> Option<Vec<Vec2>> {
        let count = ((to - from).abs() / TAU * SEGMENTS).ceil().max(1.0);
        (0..=count as usize)
            .map(|i| {
                let angle = from + (to - from) * (i as f32 / count);
                lens.project(self.origin + self.direction(angle) * self.radius)
            })
            .collect()
    }

    /// Intersects the cursor ray with the ring's plane. Returns (front, across, rim) up to a common factor. (front,
    /// across) points from the centre to the intersection; inside the hold zone, it is shorter than `rim`.
    ///
    /// With `m` from eye to centre, ray `d` and axis `n`, the ray meets the plane at `n × (d × m) / (n · d)` from the
    /// centre. Without the division, this is linear in the cursor: straight paths stay straight and continue past the
    /// plane's horizon, where the intersection itself would jump to the other side.
    fn sight(&self, lens: &Lens, cursor: Vec2) -> Vec3 {
        let ray = lens.ray(cursor);
        let direction = ray.direction / ray.direction.dot(lens.forward) * -self.facing.signum();
        let reach = self.axis.cross(direction.cross(self.origin - ray.origin));
        let rim = self.axis.dot(direction) * self.radius * HOLD;
        Vec3::new(reach.dot(self.front), reach.dot(self.across), rim)
    }

    /// Returns the angle under the cursor, radians; meaningless in the hold zone.
    pub(super) fn angle_under(&self, lens: &Lens, cursor: Vec2) -> f32 {
        let sight = self.sight(lens, cursor);
        sight.y.atan2(sight.x)
    }

    /// Returns the fractions of a straight path at which it enters and leaves the hold zone; `None` if it misses the
    /// zone.
    pub(super) fn held(&self, lens: &Lens, from: Vec2, to: Vec2) -> Option<(f32, f32)> {
        let start = self.sight(lens, from);
        let way = self.sight(lens, to) - start;
        // The quadratic form is 0 on the rim of the hold zone and positive outside.
        let form = |a: Vec3, b: Vec3| a.truncate().dot(b.truncate()) - a.z * b.z;
        let (a, b, c) = (form(way, way), form(start, way), form(start, start));
        if a <= 0.0 {
            return (c <= 0.0).then_some((0.0, 1.0));
        }
        let root = (b * b - a * c).max(0.0).sqrt();
        let (enter, leave) = (((-b - root) / a).max(0.0), ((root - b) / a).min(1.0));
        (enter < leave).then_some((enter, leave))
    }
}

/// Swept sector of a ring, viewport points.
#[derive(Clone, Debug, PartialEq)]
pub struct Sector {
    pub center: Vec2,
    /// Arc from the grabbed point to its current position, without full turns.
    pub arc: Vec<Vec2>,
    /// Number of full turns.
    pub turns: u32,
    /// Edge of the disc to fill if there are full turns; otherwise empty.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmo::rotate::testing::{any_scene, rotated};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_positive_turn_goes_to_larger_angles(scene in any_scene(), from in -3.0_f32..3.0, by in -3.0_f32..3.0) {
            let (frame, lens) = scene;
            for handle in RotateHandle::RINGS {
                let ring = Ring::new(handle, &frame, &lens);
                let turned = rotated(ring.axis, by, ring.direction(from));
                prop_assert!(turned.distance(ring.direction(from + by)) < 1e-4);
            }
        }

        #[test]
        fn a_ring_seen_nearly_face_on_lies_in_its_plane(scene in any_scene(), digits in 1.0_f32..4.0, angle in -3.0_f32..3.0) {
            let (frame, lens) = scene;
            let to_viewer = lens.to_viewer(frame.origin);
            let axis = rotated(to_viewer.any_orthonormal_vector(), 0.1_f32.powf(digits), to_viewer);
            let ring = Ring::about(axis, 1.0, &frame, &lens);
            prop_assert!(ring.direction(angle).dot(axis).abs() < 1e-6);
            prop_assert!((ring.direction(angle).length() - 1.0).abs() < 1e-6);
        }

        #[test]
        fn angle_zero_is_the_point_nearest_to_the_viewer(scene in any_scene(), angle in 0.1_f32..6.2) {
            let (frame, lens) = scene;
            let ring = Ring::new(RotateHandle::Y, &frame, &lens);
            let depth = |angle: f32| ring.direction(angle).dot(lens.to_viewer(frame.origin));
            prop_assert!(depth(angle) <= depth(0.0) + 1e-4);
        }

        #[test]
        fn rings_have_their_size_on_the_screen_at_any_distance(scene in any_scene()) {
            let (frame, lens) = scene;
            let ring = Ring::new(RotateHandle::View, &frame, &lens);
            for p in ring.arc(&lens, 0.0, TAU).unwrap() {
                let radius = p.distance(frame.center(&lens).unwrap());
                // Away from the centre of the view, perspective stretches slightly.
                prop_assert!((radius - frame.radius * crate::gizmo::GizmoSize::VIEW_RING).abs() < 9.0, "{radius}");
            }
        }
    }
}
