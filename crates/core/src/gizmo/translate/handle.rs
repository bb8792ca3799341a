use glam::{Vec2, Vec3};

use crate::gizmo::GizmoFrame;
use crate::gizmo::marks::{HandleMark, HandleShape, handle_at};
use crate::view::Lens;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveHandle {
    View,
    X,
    Y,
    Z,
    Yz,
    Zx,
    Xy,
}

/// Unit vectors along a handle's line or plane, world space.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandleSpan {
    pub u: Vec3,
    /// Perpendicular to `u`; `None` for a single axis.
    pub v: Option<Vec3>,
}

impl MoveHandle {
    /// All handles, in order of precedence under the pointer.
    pub const ALL: [Self; 7] = [Self::View, Self::X, Self::Y, Self::Z, Self::Yz, Self::Zx, Self::Xy];
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    pub(super) fn span(self, frame: &GizmoFrame, lens: &Lens) -> HandleSpan {
        let [x, y, z] = [0, 1, 2].map(|i| frame.axes.col(i));
        let (u, v) = match self {
            Self::View => (lens.right, Some(lens.up)),
            Self::X => (x, None),
            Self::Y => (y, None),
            Self::Z => (z, None),
            Self::Yz => (y, Some(z)),
            Self::Zx => (z, Some(x)),
            Self::Xy => (x, Some(y)),
        };
        HandleSpan { u, v }
    }
}

/// Outlines the visible handles in order of precedence. Empty if the joint is behind the eye.
pub fn outline(frame: &GizmoFrame, lens: &Lens) -> Vec<HandleMark<MoveHandle>> {
    if frame.center(lens).is_none() {
        return Vec::new();
    }
    let shape = |handle: MoveHandle| match handle.span(frame, lens) {
        _ if handle == MoveHandle::View => HandleShape::middle(frame, lens),
        HandleSpan { u, v: None } => HandleShape::shaft(u, frame, lens),
        HandleSpan { u, v: Some(v) } => HandleShape::square(u, v, frame, lens),
    };
    MoveHandle::ALL.into_iter().filter_map(|handle| Some(HandleMark { handle, shape: shape(handle)? })).collect()
}

pub fn hit(frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<MoveHandle> {
    handle_at(&outline(frame, lens), cursor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmo::rotate::testing::{any_scene, seen_with};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_arrow_is_hit_at_its_tip_and_nothing_far_away(scene in any_scene(), which in 0_usize..3, turn in 0.0_f32..6.2) {
            let (frame, lens) = scene;
            let axis = frame.axes.col(which);
            let tip = lens.project(frame.origin + axis * frame.world_radius(&lens)).unwrap();
            let sine = axis.cross(lens.to_viewer(frame.origin)).length();
            let others = (0..3).filter(|i| *i != which).map(|i| frame.axes.col(i));
            let is_alone = others.into_iter().all(|a| lens.project(frame.origin + a * frame.world_radius(&lens)).unwrap().distance(tip) > 20.0);
            if sine > 0.7 && is_alone {
                prop_assert_eq!(hit(&frame, &lens, tip), Some(MoveHandle::AXES[which]));
            }
            let far = frame.center(&lens).unwrap() + Vec2::from_angle(turn) * 130.0;
            prop_assert_eq!(hit(&frame, &lens, far), None);
        }
    }

    #[test]
    fn the_middle_wins_and_what_is_seen_from_its_end_is_not_there() {
        let (frame, lens) = seen_with(0.0, 0.0, true);
        let center = frame.center(&lens).unwrap();
        assert_eq!(hit(&frame, &lens, center), Some(MoveHandle::View));
        let handles: Vec<MoveHandle> = outline(&frame, &lens).into_iter().map(|mark| mark.handle).collect();
        assert_eq!(handles, [MoveHandle::View, MoveHandle::X, MoveHandle::Y, MoveHandle::Xy], "Z points at the viewer");
        assert_eq!(hit(&frame, &lens, center + Vec2::new(36.0, -36.0)), Some(MoveHandle::Xy));
    }

    #[test]
    fn nothing_is_drawn_behind_the_eye() {
        let (mut frame, lens) = seen_with(0.3, 0.2, false);
        frame.origin = lens.eye - lens.forward;
        assert!(outline(&frame, &lens).is_empty());
    }
}
