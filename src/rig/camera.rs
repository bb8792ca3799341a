//! Cameras that a file places in its scene.

use glam::{Affine3, Quat};

use super::NodeIndex;

/// A camera of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCamera {
    /// Name of the camera in the file, or of its node.
    pub name: String,
    /// The node that carries the camera.
    pub node: NodeIndex,
    /// Rotation from the camera, which looks along -Z with +Y up, to its node. Unit length; the identity in glTF.
    pub turn: Quat,
    /// Perspective or orthographic, with angle or height.
    pub lens: FileLens,
}

/// Projection of a camera, and how much it sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileLens {
    /// Vertical field of view, radians.
    Perspective(f32),
    /// Half of the visible height, metres.
    Orthographic(f32),
}

impl FileCamera {
    /// Transform of the camera in the world, without scale, from that of its node.
    pub fn world_from_camera(&self, world_from_node: &Affine3) -> Affine3 {
        *world_from_node * Affine3::from_quat(self.turn)
    }
}

impl FileLens {
    /// The lens, if anything can be seen through it.
    pub fn usable(self) -> Option<Self> {
        let (size, most) = match self {
            Self::Perspective(fov) => (fov, std::f32::consts::PI),
            Self::Orthographic(half_height) => (half_height, f32::INFINITY),
        };
        (size > 0.0 && size < most).then_some(self)
    }
}
