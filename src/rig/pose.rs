//! The user's pose: `Ul_j` of every node.

use glam::Affine3;

use super::{Hierarchy, NodeIndex, Trs};

/// `Ul_j` of every node, the identity until edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    user_local: Vec<Trs>,
    /// The same as matrices, `None` for the identity: a pose is evaluated far more often than it is edited.
    matrices: Vec<Option<Affine3>>,
}

impl Pose {
    /// Nothing posed.
    pub fn rest(hierarchy: &Hierarchy) -> Self {
        Self { user_local: vec![Trs::IDENTITY; hierarchy.len()], matrices: vec![None; hierarchy.len()] }
    }

    /// `Ul_j`.
    pub fn user_local(&self, node: NodeIndex) -> &Trs {
        &self.user_local[node.index()]
    }

    /// `Ul_j` as a matrix, `None` for the identity.
    pub(super) fn user_matrix(&self, node: NodeIndex) -> Option<&Affine3> {
        self.matrices[node.index()].as_ref()
    }

    /// Sets `Ul_j` with its rotation normalised; a transform that is not finite or has no rotation is ignored.
    pub fn set_user_local(&mut self, node: NodeIndex, user_local: Trs) {
        let length = user_local.rotation.length();
        let is_usable =
            length > 1e-6 && length.is_finite() && user_local.translation.is_finite() && user_local.scale.is_finite();
        if is_usable {
            let user_local = Trs { rotation: user_local.rotation * length.recip(), ..user_local };
            self.user_local[node.index()] = user_local;
            self.matrices[node.index()] = (!user_local.is_identity()).then(|| user_local.to_affine());
        }
    }

    /// True where the user moved this node.
    pub fn is_posed(&self, node: NodeIndex) -> bool {
        self.matrices[node.index()].is_some()
    }

    /// True where the user moved any node.
    pub fn is_any_posed(&self) -> bool {
        self.matrices.iter().any(Option::is_some)
    }
}
