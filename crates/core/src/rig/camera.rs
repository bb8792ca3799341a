use glam::{Affine3, Quat};

use super::NodeIndex;

/// A camera in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCamera {
    /// Camera number in the file.
    pub source: usize,
    /// Name of the camera, or of its node.
    pub name: String,
    /// Node that carries the camera.
    pub node: NodeIndex,
    /// Rotation from camera space (view along -Z, +Y up) to node space, unit length; the identity in glTF.
    pub turn: Quat,
    /// Projection.
    pub lens: FileLens,
}

/// Projection of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileLens {
    /// Vertical field of view, radians.
    Perspective(f32),
    /// Half of the visible height, metres.
    Orthographic(f32),
}

impl FileCamera {
    /// Computes the camera's world transform from the world transform of its node.
    pub fn world_from_camera(&self, world_from_node: &Affine3) -> Affine3 {
        *world_from_node * Affine3::from_quat(self.turn)
    }
}

impl FileLens {
    /// Returns the lens if its value is positive, finite and, for a field of view, below 180°; otherwise `None`.
    pub fn usable(self) -> Option<Self> {
        let (size, max_size) = match self {
            Self::Perspective(fov) => (fov, std::f32::consts::PI),
            Self::Orthographic(half_height) => (half_height, f32::INFINITY),
        };
        (size > 0.0 && size < max_size).then_some(self)
    }
}
