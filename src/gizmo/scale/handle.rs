//! The handles of the scale gizmo.

use glam::Vec3;

/// A draggable part of the scale gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScaleHandle {
    /// All three axes alike.
    Uniform,
    /// Along the joint's X axis.
    X,
    /// Along the joint's Y axis.
    Y,
    /// Along the joint's Z axis.
    Z,
}

impl ScaleHandle {
    /// All handles in order of precedence under the pointer.
    pub const ALL: [Self; 4] = [Self::Uniform, Self::X, Self::Y, Self::Z];
    /// Handles along one axis, in the order of the axes.
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// 1 for each axis that the handle scales, 0 for the others.
    pub(super) fn mask(self) -> Vec3 {
        match self {
            Self::Uniform => Vec3::ONE,
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }
}
