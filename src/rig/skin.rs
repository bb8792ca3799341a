//! Which nodes are the joints of a mesh, and where they were when it was bound.

use glam::Affine3;

use super::NodeIndex;

/// The joints of a skin and their inverse bind matrices, in the file's order.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// The file's number of the skin.
    pub source: usize,
    /// The file's name; may be empty.
    pub name: String,
    /// Nodes that influences refer to by position.
    pub joints: Vec<NodeIndex>,
    /// `IB_j`, joint from skin, one per joint; the identity where the file has none.
    pub inverse_bind: Vec<Affine3>,
    /// What the file says that its vertices are skinned by.
    pub authored: AuthoredMethod,
}

/// The method of skinning that a file was authored with, where its format has more than one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthoredMethod {
    /// Linear blend skinning.
    #[default]
    Linear,
    /// Each vertex follows one joint.
    Rigid,
    /// Dual quaternion skinning.
    DualQuaternion,
    /// Linear blend and dual quaternion skinning, mixed by `Primitive::dq_weights`.
    Blended,
}
