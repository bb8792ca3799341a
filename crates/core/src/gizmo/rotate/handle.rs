use glam::Vec3;

use crate::gizmo::{GizmoFrame, GizmoSize};
use crate::view::Lens;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RotateHandle {
    X,
    Y,
    Z,
    View,
    /// Disc for free rotation.
    Trackball,
}

impl RotateHandle {
    pub const ALL: [Self; 5] = [Self::X, Self::Y, Self::Z, Self::View, Self::Trackball];
    pub const RINGS: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::View];

    /// Returns the handle's world axis; for the view ring and the trackball, the direction towards the viewer.
    pub(super) fn axis(self, frame: &GizmoFrame, lens: &Lens) -> Vec3 {
        match self {
            Self::X => frame.axes * Vec3::X,
            Self::Y => frame.axes * Vec3::Y,
            Self::Z => frame.axes * Vec3::Z,
            Self::View | Self::Trackball => lens.to_viewer(frame.origin),
        }
    }

    /// Returns the handle's radius, relative to the radius of the axis rings.
    pub(super) fn size(self) -> f32 {
        match self {
            Self::X | Self::Y | Self::Z => 1.0,
            Self::View => GizmoSize::VIEW_RING,
            Self::Trackball => 0.8,
        }
    }
}
