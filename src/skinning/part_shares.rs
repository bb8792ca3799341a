//! DQS share of a primitive, by the settings and by the file.

use super::{JointMethod, JointShare, Method, Skinning};
use crate::rig::{AuthoredMethod, Skin};

/// DQS share, 0 to 1, of vertices without a painted one that a skin moves.
///
/// The method's own share; for [`Method::Painted`] it is 1 where the file wants the skin moved by dual quaternions, and 0 elsewhere.
pub fn unpainted_share(method: Method, skin: Option<&Skin>) -> f32 {
    match method {
        Method::Painted if skin.is_some_and(|skin| skin.authored == AuthoredMethod::DualQuaternion) => 1.0,
        method => method.dqs_share(),
    }
}

/// How each joint of a skin changes the DQS share of its vertices; empty where no joint has a method of its own.
pub fn joint_shares(skin: &Skin, skinning: &Skinning) -> Vec<JointShare> {
    if skinning.by_joint.is_empty() {
        return Vec::new();
    }
    let own =
        |joint| skinning.by_joint.binary_search_by_key(joint, |(node, _)| *node).map(|at| skinning.by_joint[at].1);
    let share = |joint| match own(joint) {
        Ok(JointMethod::Lbs) => [0.0, 0.0],
        Ok(JointMethod::Dqs) => [1.0, 0.0],
        Err(_) => [0.0, 1.0],
    };
    skin.joints.iter().map(share).collect()
}
