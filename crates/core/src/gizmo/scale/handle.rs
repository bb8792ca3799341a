use glam::{Vec2, Vec3};

use crate::gizmo::GizmoFrame;
use crate::gizmo::marks::{HandleMark, HandleShape, handle_at};
use crate::view::Lens;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScaleHandle {
    Uniform,
    X,
    Y,
    Z,
}

impl ScaleHandle {
    /// All handles, in order of precedence under the pointer.
    pub const ALL: [Self; 4] = [Self::Uniform, Self::X, Self::Y, Self::Z];
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    pub(super) fn mask(self) -> Vec3 {
        match self {
            Self::Uniform => Vec3::ONE,
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }
}

pub fn outline(frame: &GizmoFrame, lens: &Lens) -> Vec<HandleMark<ScaleHandle>> {
    if frame.center(lens).is_none() {
        return Vec::new();
    }
    let shape = |handle: ScaleHandle| match handle {
        ScaleHandle::Uniform => HandleShape::middle(frame, lens),
        _ => HandleShape::shaft(frame.axes * handle.mask(), frame, lens),
    };
    ScaleHandle::ALL.into_iter().filter_map(|handle| Some(HandleMark { handle, shape: shape(handle)? })).collect()
}

pub fn hit(frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<ScaleHandle> {
    handle_at(&outline(frame, lens), cursor)
}
