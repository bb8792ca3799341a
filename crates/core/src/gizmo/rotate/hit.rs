use glam::Vec2;

use super::ring::Ring;
use super::{RotateHandle, outline};
use crate::gizmo::GizmoFrame;
use crate::gizmo::marks::{REACH, distance_to_segment};
use crate::view::Lens;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RingHit {
    pub is_far: bool,
    pub distance: f32,
}

impl RingHit {
    fn order(self, other: Self) -> std::cmp::Ordering {
        self.is_far.cmp(&other.is_far).then(self.distance.total_cmp(&other.distance))
    }
}

/// Returns the ring within 6 points of the cursor, preferring near halves, or the trackball if the cursor is in its
/// disc.
pub fn hit(frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<RotateHandle> {
    let center = frame.center(lens)?;
    let touches = RotateHandle::RINGS
        .into_iter()
        .filter_map(|handle| Some((touch(&Ring::new(handle, frame, lens), lens, cursor)?, handle)));
    match touches.min_by(|(a, _), (b, _)| a.order(*b)) {
        Some((_, handle)) => Some(handle),
        None => (center.distance(cursor) <= frame.radius * RotateHandle::Trackball.size())
            .then_some(RotateHandle::Trackball),
    }
}

pub(super) fn touch(ring: &Ring, lens: &Lens, cursor: Vec2) -> Option<RingHit> {
    outline::arcs(ring, lens)
        .iter()
        .map(|arc| RingHit { is_far: !arc.is_near, distance: distance(&arc.points, cursor) })
        .filter(|touch| touch.distance <= REACH)
        .min_by(|a, b| a.order(*b))
}

fn distance(line: &[Vec2], point: Vec2) -> f32 {
    line.windows(2).map(|pair| distance_to_segment(point, [pair[0], pair[1]])).fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmo::rotate::testing::{any_scene, ring_point, seen_with};
    use proptest::prelude::*;
    use std::f32::consts::TAU;

    /// Computes distances by brute force, independently of [`Ring`].
    fn distances(frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> [f32; 4] {
        RotateHandle::RINGS.map(|handle| {
            let to_point = |i: u16| {
                let angle = f32::from(i) * TAU / 1000.0;
                lens.project(ring_point(handle, frame, lens, angle)).unwrap().distance(cursor)
            };
            (0..1000).map(to_point).fold(f32::INFINITY, f32::min)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        #[test]
        fn rings_are_hit_within_six_points_and_not_beyond(scene in any_scene(), angle in 0.0..TAU,
            turn in 0.0..TAU, which in 0_usize..4) {
            let (frame, lens) = scene;
            let on_ring = lens.project(ring_point(RotateHandle::RINGS[which], &frame, &lens, angle)).unwrap();
            let center = frame.center(&lens).unwrap();
            for away in [0.0, 5.0, 5.8, 6.2, 9.0, 15.0] {
                let cursor = on_ring + Vec2::from_angle(turn) * away;
                let nearest = distances(&frame, &lens, cursor).into_iter().fold(f32::INFINITY, f32::min);
                let found = hit(&frame, &lens, cursor);
                if nearest < 5.8 {
                    prop_assert!(found.is_some_and(|h| h != RotateHandle::Trackball), "{found:?} at {nearest}");
                } else if nearest > 6.2 {
                    let inside = center.distance(cursor) <= 0.8 * frame.radius;
                    prop_assert_eq!(found, inside.then_some(RotateHandle::Trackball));
                }
            }
        }
    }

    #[test]
    fn the_ring_under_the_cursor_alone_is_the_one_hit() {
        let (frame, lens) = seen_with(0.5, 0.4, false);
        let mut checked = [0; 4];
        for step in 0..360_u16 {
            for (which, handle) in RotateHandle::RINGS.into_iter().enumerate() {
                let angle = f32::from(step).to_radians();
                let cursor = lens.project(ring_point(handle, &frame, &lens, angle)).unwrap() + Vec2::new(0.0, 3.0);
                let distances = distances(&frame, &lens, cursor);
                if distances.iter().enumerate().all(|(other, d)| other == which || *d > 6.5) {
                    assert_eq!(hit(&frame, &lens, cursor), Some(handle));
                    checked[which] += 1;
                }
            }
        }
        assert!(checked.into_iter().all(|count| count > 90), "{checked:?}");
    }

    #[test]
    fn the_near_half_wins_over_the_far_half_of_another_ring() {
        let (frame, lens) = seen_with(0.6, 0.5, true);
        let mut crossings = 0;
        for step in 0..720_u16 {
            let angle = f32::from(step).to_radians() * 0.5;
            let point = ring_point(RotateHandle::X, &frame, &lens, angle);
            let is_near = (point - frame.origin).dot(lens.to_viewer(frame.origin)) > 0.0;
            let cursor = lens.project(point).unwrap();
            let far = touch(&Ring::new(RotateHandle::Y, &frame, &lens), &lens, cursor);
            // The cursor is on the far half of X, and within 5 points of the near half of Y.
            if !is_near && far.is_some_and(|t| !t.is_far && t.distance > 0.5 && t.distance < 5.0) {
                assert_eq!(hit(&frame, &lens, cursor), Some(RotateHandle::Y));
                crossings += 1;
            }
        }
        assert!(crossings > 0);
    }

    #[test]
    fn an_edge_on_ring_is_hit_all_along_its_line() {
        let (frame, lens) = seen_with(0.0, 0.0, true);
        let center = frame.center(&lens).unwrap();
        for x in [-78.0, -60.0, -20.0, 20.0, 60.0, 78.0] {
            for y in [-5.0, 0.0, 5.0] {
                assert_eq!(hit(&frame, &lens, center + Vec2::new(x, y)), Some(RotateHandle::Y), "{x} {y}");
            }
            assert_ne!(hit(&frame, &lens, center + Vec2::new(x, 9.0)), Some(RotateHandle::Y), "{x}");
        }
    }

    #[test]
    fn nothing_is_hit_outside_or_behind_the_eye() {
        let (mut frame, lens) = seen_with(0.3, 0.2, false);
        let center = frame.center(&lens).unwrap();
        assert_eq!(hit(&frame, &lens, center + Vec2::new(100.0, 100.0)), None);
        frame.origin = lens.eye - lens.forward;
        assert_eq!(hit(&frame, &lens, lens.viewport * 0.5), None);
    }
}
