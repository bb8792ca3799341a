//! Handles of the move gizmo.

use glam::Vec3;

use crate::gizmo::Frame;
use crate::view::Lens;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveHandle {
    /// View plane.
    View,
    X,
    Y,
    Z,
    Yz,
    Zx,
    Xy,
}

/// Unit vectors of a handle's line or plane, world space.
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

    pub(super) fn span(self, frame: &Frame, lens: &Lens) -> HandleSpan {
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
