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
    /// Inverse bind matrices `IB_j` (joint-from-skin), one per joint; the identity if the file has none.
    pub inverse_bind: Vec<Affine3>,
    /// Skinning method of the authoring tool, if the file states it.
    pub authored: AuthoredMethod,
}

crate::named_enum! {
    /// Skinning method of an authoring tool.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum AuthoredMethod {
        /// Linear blend skinning, the method of glTF.
        #[default]
        Linear = "linear";
        /// One joint per vertex.
        Rigid = "rigid";
        /// Dual quaternion skinning.
        DualQuaternion = "dual-quaternion";
        /// Blend of linear and dual quaternion skinning by `Primitive::dq_weights`.
        Blended = "blended";
    }
}

impl AuthoredMethod {
    /// Finds a method by [`Self::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}
