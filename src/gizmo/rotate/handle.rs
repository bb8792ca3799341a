//! The handles of the rotation gizmo.

use glam::Vec3;

use crate::gizmo::Frame;
use crate::view::Lens;

/// A draggable part of the rotation gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RotateHandle {
    /// Ring about the frame's X axis.
    X,
    /// Ring about the frame's Y axis.
    Y,
    /// Ring about the frame's Z axis.
    Z,
    /// Ring about the line of sight.
    View,
    /// The disc for free rotation.
    Trackball,
}

impl RotateHandle {
    pub const ALL: [Self; 5] = [Self::X, Self::Y, Self::Z, Self::View, Self::Trackball];
    /// Handles that turn about one axis.
    pub const RINGS: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::View];

    /// Axis of the handle in world space; for the trackball the line of sight.
    pub(super) fn axis(self, frame: &Frame, lens: &Lens) -> Vec3 {
        match self {
            Self::X => frame.axes * Vec3::X,
            Self::Y => frame.axes * Vec3::Y,
            Self::Z => frame.axes * Vec3::Z,
            Self::View | Self::Trackball => lens.to_viewer(frame.origin),
        }
    }

    /// Radius of the handle relative to the axis rings.
    pub(super) fn size(self) -> f32 {
        match self {
            Self::X | Self::Y | Self::Z => 1.0,
            Self::View => 112.0 / 92.0,
            Self::Trackball => 0.8,
        }
    }
}
