//! The user's pose: `Ul_j` of every node.

use super::{Hierarchy, NodeIndex, Trs};

/// `Ul_j` of every node, the identity until edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    user_local: Vec<Trs>,
}

impl Pose {
    /// Nothing posed.
    pub fn rest(hierarchy: &Hierarchy) -> Self {
        Self { user_local: vec![Trs::IDENTITY; hierarchy.len()] }
    }

    /// `Ul_j`.
    pub fn user_local(&self, node: NodeIndex) -> &Trs {
        &self.user_local[node.index()]
    }

    /// Sets `Ul_j` with its rotation normalised; a transform that is not finite or has no rotation is ignored.
    pub fn set_user_local(&mut self, node: NodeIndex, user_local: Trs) {
        let length = user_local.rotation.length();
        let is_usable =
            length > 1e-6 && length.is_finite() && user_local.translation.is_finite() && user_local.scale.is_finite();
        if is_usable {
            self.user_local[node.index()] = Trs { rotation: user_local.rotation * length.recip(), ..user_local };
        }
    }

    /// True where the user moved this node.
    pub fn is_posed(&self, node: NodeIndex) -> bool {
        !self.user_local(node).is_identity()
    }

    /// True where the user moved any node.
    pub fn is_any_posed(&self) -> bool {
        self.user_local.iter().any(|t| !t.is_identity())
    }
}
