//! Cameras that a file places in its scene.

use super::NodeIndex;

/// A camera of a file; it looks along -Z of its node, +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCamera {
    /// The file's name for it, or for its node.
    pub name: String,
    /// The node that carries it.
    pub node: NodeIndex,
    /// What it sees.
    pub lens: FileLens,
}

/// How much a camera of a file sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileLens {
    /// Vertical field of view, radians.
    Perspective(f32),
    /// Half of the height that is seen, metres.
    Orthographic(f32),
}
