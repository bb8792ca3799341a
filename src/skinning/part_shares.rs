//! DQ blend weight of a primitive, from settings and file.

use super::{JointBlendWeights, JointMethod, Method, Skinning};
use crate::rig::{AuthoredMethod, Skin};

/// Returns the DQ blend weight, 0 to 1, of vertices without their own: the method's; for [`Method::WeightedBlend`] 1 if the file
/// declares DQS for the skin, else 0.
pub fn unpainted_share(method: Method, skin: Option<&Skin>) -> f32 {
    match method {
        Method::WeightedBlend if skin.is_some_and(|skin| skin.authored == AuthoredMethod::DualQuaternion) => 1.0,
        method => method.dqs_share(),
    }
}

/// Returns each joint's mapping of the DQ blend weight; empty if no joint has its own method.
pub fn joint_shares(skin: &Skin, skinning: &Skinning) -> Vec<JointBlendWeights> {
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
