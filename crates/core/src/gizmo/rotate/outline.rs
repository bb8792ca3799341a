use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::Vec2;

use super::RotateHandle;
use super::ring::Ring;
use crate::gizmo::GizmoFrame;
use crate::view::Lens;

#[derive(Clone, Debug, PartialEq)]
pub struct RingLine {
    pub handle: RotateHandle,
    /// One polyline if the ring faces the viewer, otherwise its near and far halves.
    pub arcs: Vec<RingArc>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RingArc {
    pub points: Vec<Vec2>,
    /// False for the far half, which is drawn faint.
    pub is_near: bool,
}

/// Outlines all handles, in viewport points. Empty if the joint is behind the eye. The trackball's outline is the edge
/// of its disc.
pub fn outline(frame: &GizmoFrame, lens: &Lens) -> Vec<RingLine> {
    let line = |handle: RotateHandle| RingLine { handle, arcs: arcs(&Ring::new(handle, frame, lens), lens) };
    match frame.center(lens) {
        Some(_) => RotateHandle::ALL.into_iter().map(line).collect(),
        None => Vec::new(),
    }
}

/// Returns the ring's arcs, without halves that reach behind the eye.
pub(super) fn arcs(ring: &Ring, lens: &Lens) -> Vec<RingArc> {
    let arc = |from: f32, to: f32, is_near: bool| ring.arc(lens, from, to).map(|points| RingArc { points, is_near });
    let arcs = if ring.is_face_on() {
        [arc(0.0, TAU, true), None]
    } else {
        [arc(-FRAC_PI_2, FRAC_PI_2, true), arc(FRAC_PI_2, FRAC_PI_2 + PI, false)]
    };
    arcs.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmo::rotate::testing::{any_scene, seen_with};
    use glam::Vec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_halves_join_to_a_closed_ring(scene in any_scene()) {
            let (frame, lens) = scene;
            for line in outline(&frame, &lens) {
                let first = line.arcs.first().unwrap().points.first().unwrap();
                let last = line.arcs.last().unwrap().points.last().unwrap();
                prop_assert!(first.distance(*last) < 0.05, "{first} {last}");
                for pair in line.arcs.windows(2) {
                    prop_assert!(pair[0].points.last().unwrap().distance(pair[1].points[0]) < 0.05);
                }
                prop_assert!(line.arcs[0].is_near);
            }
        }
    }

    #[test]
    fn the_far_half_is_behind_the_joint() {
        // Seen from above, the near half of the ring about Y is lower on the screen.
        let (frame, lens) = seen_with(0.0, 0.4, false);
        let center = frame.center(&lens).unwrap();
        let lines = outline(&frame, &lens);
        let ring = lines.iter().find(|line| line.handle == RotateHandle::Y).unwrap();
        for arc in &ring.arcs {
            let middle = arc.points[arc.points.len() / 2];
            assert_eq!(middle.y > center.y, arc.is_near, "{middle} around {center}");
        }
        assert_eq!(ring.arcs.len(), 2);
        let view = lines.iter().find(|line| line.handle == RotateHandle::View).unwrap();
        assert!(view.arcs.len() == 1 && view.arcs[0].is_near);
    }

    #[test]
    fn nothing_is_drawn_behind_the_eye() {
        let (mut frame, lens) = seen_with(0.3, 0.2, false);
        assert_eq!(outline(&frame, &lens).len(), 5);
        for origin in [lens.eye - lens.forward, lens.eye, Vec3::NAN] {
            frame.origin = origin;
            assert_eq!(outline(&frame, &lens), Vec::new());
        }
    }
}
