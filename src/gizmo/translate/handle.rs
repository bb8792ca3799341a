//! The handles of the move gizmo.

use glam::Vec3;

use crate::gizmo::Frame;
use crate::view::Lens;

/// A draggable part of the move gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveHandle {
    /// In the plane of the picture.
    View,
    /// Along the frame's X axis.
    X,
    /// Along the frame's Y axis.
    Y,
    /// Along the frame's Z axis.
    Z,
    /// In the plane of Y and Z.
    Yz,
    /// In the plane of Z and X.
    Zx,
    /// In the plane of X and Y.
    Xy,
}

/// The unit vectors, world space, along which a handle moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandleSpan {
    pub u: Vec3,
    /// Direction at right angles to `u`; `None` for a handle that moves along one axis.
    pub v: Option<Vec3>,
}

impl MoveHandle {
    /// All handles in order of precedence under the pointer.
    pub const ALL: [Self; 7] = [Self::View, Self::X, Self::Y, Self::Z, Self::Yz, Self::Zx, Self::Xy];
    /// Handles along one axis, in the order of the axes.
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// World directions along which the handle moves.
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
