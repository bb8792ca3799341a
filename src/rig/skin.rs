//! Skins: the joints of a mesh, and where they were when it was bound.

use glam::Affine3;

use super::NodeIndex;

/// The joints of a skin and their inverse bind matrices, in the file's order.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// The file's number of the skin.
    pub source: usize,
    /// The file's name; may be empty.
    pub name: String,
    /// Nodes, to which influences refer by position in this list.
    pub joints: Vec<NodeIndex>,
    /// `IB_j`, joint from skin, one per joint; the identity where the file has none.
    pub inverse_bind: Vec<Affine3>,
    /// Skinning method of the program that made the skin, as far as the file says.
    pub authored: AuthoredMethod,
}

/// A skinning method of authoring programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthoredMethod {
    /// Linear blend skinning, as glTF defines it.
    #[default]
    Linear,
    /// Each vertex follows one joint.
    Rigid,
    /// Dual quaternion skinning.
    DualQuaternion,
    /// Linear and dual quaternion skinning mixed by each vertex's share: `Primitive::dq_weights`.
    Blended,
}

impl AuthoredMethod {
    const ALL: [Self; 4] = [Self::Linear, Self::Rigid, Self::DualQuaternion, Self::Blended];

    /// Name of the method in files: `linear`, `rigid`, `dual-quaternion` or `blended`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Rigid => "rigid",
            Self::DualQuaternion => "dual-quaternion",
            Self::Blended => "blended",
        }
    }

    /// The method with this [`Self::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}
