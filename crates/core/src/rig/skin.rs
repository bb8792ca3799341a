use glam::Affine3;

use super::NodeIndex;

/// Joints of a skin and their inverse bind matrices, in file order.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Index of the skin in the file.
    pub source: usize,
    /// Name in the file; may be empty.
    pub name: String,
    /// Joint nodes; influences contain indices into this list.
    pub joints: Vec<NodeIndex>,
    /// `IB_j`, joint from skin, one per joint; the identity if the file has none.
    pub inverse_bind: Vec<Affine3>,
    /// Skinning method of the authoring tool, if the file states it.
    pub authored: AuthoredMethod,
}

/// Skinning method of an authoring tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthoredMethod {
    /// Linear blend skinning, the method of glTF.
    #[default]
    Linear,
    /// One joint per vertex.
    Rigid,
    /// Dual quaternion skinning.
    DualQuaternion,
    /// Blend of linear and dual quaternion skinning by `Primitive::dq_weights`.
    Blended,
}

impl AuthoredMethod {
    const ALL: [Self; 4] = [Self::Linear, Self::Rigid, Self::DualQuaternion, Self::Blended];

    /// Returns the name in files: `linear`, `rigid`, `dual-quaternion` or `blended`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Rigid => "rigid",
            Self::DualQuaternion => "dual-quaternion",
            Self::Blended => "blended",
        }
    }

    /// Finds a method by its name in files ([`Self::name`]).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}
