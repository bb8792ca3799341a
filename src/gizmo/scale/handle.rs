//! Handles of the scale gizmo.

use glam::Vec3;

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

    /// 1 for each scaled axis, 0 for the others.
    pub(super) fn mask(self) -> Vec3 {
        match self {
            Self::Uniform => Vec3::ONE,
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }
}
