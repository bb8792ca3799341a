//! A circle in space, and how it looks through a lens.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::RotateHandle;
use crate::gizmo::Frame;
use crate::view::Lens;

/// Straight segments of a full circle: at a radius of 112 points they deviate by less than a tenth of a point.
const SEGMENTS: f32 = 96.0;
/// Sine of the tilt from edge-on (12°) below which the ring's plane gives no useful reading.
const EDGE_ON: f32 = 0.208;
/// Sine of the tilt from face-on (about 3°) below which no half of the ring counts as the far one.
const FACE_ON: f32 = 0.05;
/// Radius around the centre, as a share of the ring's, in which the direction is noise and the rotation is held.
const HOLD: f32 = 0.12;

/// A circle in world space. Angles on it count from the point nearest to the viewer, positive as a turn about the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ring {
    pub origin: Vec3,
    pub axis: Vec3,
    /// Radius in world units.
    pub radius: f32,
    /// Unit vector in the plane, towards the viewer.
    pub front: Vec3,
    /// Unit vector in the plane: where a positive turn takes `front`.
    pub across: Vec3,
    /// Cosine between axis and line of sight: 0 edge-on, negative seen from behind.
    facing: f32,
}

impl Ring {
    pub(super) fn new(handle: RotateHandle, frame: &Frame, lens: &Lens) -> Self {
        Self::about(handle.axis(frame, lens), handle.size(), frame, lens)
    }

    /// A ring about a world axis; `size` is relative to the radius of the axis rings.
    pub(super) fn about(axis: Vec3, size: f32, frame: &Frame, lens: &Lens) -> Self {
        let to_viewer = lens.to_viewer(frame.origin);
        let facing = axis.dot(to_viewer);
        let towards = to_viewer - axis * facing;
        let front = if towards.length() < 1e-3 {
            axis.any_orthonormal_vector()
        } else {
            // What is left of the line of sight may be so short that rounding tilts it off the plane: rejecting its unit vector once more ends that.
            towards.normalize_or_zero().reject_from_normalized(axis).normalize_or_zero()
        };
        let radius = frame.world_radius(lens) * size;
        Self { origin: frame.origin, axis, radius, front, across: axis.cross(front), facing }
    }

    /// True for a ring seen so nearly edge-on that the pointer is read along it.
    pub(super) fn is_edge_on(&self) -> bool {
        self.facing.abs() < EDGE_ON
    }

    /// True for a ring seen so nearly face-on that all of it counts as near.
    pub(super) fn is_face_on(&self) -> bool {
        self.facing.mul_add(-self.facing, 1.0) < FACE_ON * FACE_ON
    }

    /// Unit vector from the centre at an angle (radians), world space.
    pub(super) fn direction(&self, angle: f32) -> Vec3 {
        self.front * angle.cos() + self.across * angle.sin()
    }

    /// The angle (radians) of a world vector in the ring's plane.
    pub(super) fn angle(&self, direction: Vec3) -> f32 {
        direction.dot(self.across).atan2(direction.dot(self.front))
    }

    /// Viewport points along the ring, both ends included, or `None` where some are behind the eye.
    pub(super) fn arc(&self, lens: &Lens, from: f32, to: f32) -> Option<Vec<Vec2>> {
        let count = ((to - from).abs() / TAU * SEGMENTS).ceil().max(1.0);
        (0..=count as usize)
            .map(|i| {
                let angle = from + (to - from) * (i as f32 / count);
                lens.project(self.origin + self.direction(angle) * self.radius)
            })
            .collect()
    }

    /// Place where the cursor meets the ring's plane, as (front, across, rim) of which only the ratios count: the direction from the centre is
    /// (front, across), and it is shorter than the held zone's radius where `rim` is longer than it.
    ///
    /// With `m` from eye to centre, `d` the ray and `n` the axis, the ray meets the plane at
    /// `n × (d × m) / (n · d)` from the centre. Left as a ratio this is linear in the cursor, so that a straight way
    /// stays straight, and goes on smoothly past the plane's horizon, where the meeting point itself would come back
    /// from the other side.
    fn sight(&self, lens: &Lens, cursor: Vec2) -> Vec3 {
        let ray = lens.ray(cursor);
        let direction = ray.direction / ray.direction.dot(lens.forward) * -self.facing.signum();
        let reach = self.axis.cross(direction.cross(self.origin - ray.origin));
        let rim = self.axis.dot(direction) * self.radius * HOLD;
        Vec3::new(reach.dot(self.front), reach.dot(self.across), rim)
    }

    /// The angle (radians) under the cursor on the ring's plane; noise in the held zone around the centre.
    pub(super) fn angle_under(&self, lens: &Lens, cursor: Vec2) -> f32 {
        let sight = self.sight(lens, cursor);
        sight.y.atan2(sight.x)
    }

    /// Interval of a straight screen path inside the held zone, as shares of the path.
    pub(super) fn held(&self, lens: &Lens, from: Vec2, to: Vec2) -> Option<(f32, f32)> {
        let start = self.sight(lens, from);
        let way = self.sight(lens, to) - start;
        // Outside of the zone, the rim of which is where a point's form with itself is zero, that form is positive.
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
                // Perspective stretches what is away from the middle of the picture a little.
                prop_assert!((radius - 112.0).abs() < 9.0, "{radius}");
            }
        }
    }
}
