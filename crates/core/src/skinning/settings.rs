use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dq_blend_weight::JointBlendWeights;
use super::{Antipodality, Centers, InfluenceLimit, Method, ScaleHandling};
use crate::rig::{AuthoredMethod, NodeIndex, Skin};

/// A skinning method with settings. The default is glTF skinning: LBS with all influences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Skinning {
    /// Skinning method.
    pub method: Method,
    /// Scale handling of methods that blend rigid motions.
    pub scale: ScaleHandling,
    /// Handling of opposite signs by methods that blend quaternions.
    pub antipodality: Antipodality,
    /// Source of normals.
    pub normals: Normals,
    /// Influence limit.
    pub influences: InfluenceLimit,
    /// Joints with their own method, sorted by node without duplicates; a vertex blends LBS and DQS by its joints'
    /// weights. Not serialized, because files store joints by name.
    #[serde(skip)]
    pub by_joint: Vec<(NodeIndex, JointMethod)>,
}

impl Skinning {
    /// Creates default settings for a method.
    pub fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

/// Skinning settings, and the data that they need for a rig.
#[derive(Clone, Copy, Debug)]
pub struct RigSkinning<'a> {
    /// Method and options.
    pub skinning: &'a Skinning,
    /// Centres of rotation for methods that need them; without them, each vertex is its own centre, which is equivalent
    /// to LBS.
    pub centers: Option<&'a Arc<Centers>>,
}

impl From<Method> for Skinning {
    fn from(method: Method) -> Self {
        Self::new(method)
    }
}

/// Source of the normals of a deformed surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Normals {
    /// The file's normals, transformed with the surface.
    #[default]
    Transformed,
    /// Computed from the deformed triangles.
    Recomputed,
}

/// Skinning method of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JointMethod {
    /// Linear blend skinning.
    #[default]
    Lbs,
    /// Dual quaternion skinning.
    Dqs,
}

/// Returns the DQ blend weight, 0 to 1, of vertices that have no weight of their own. For [`Method::WeightedBlend`] it
/// is 1 if the file declares DQS for the skin, otherwise 0; for other methods it is the method's weight.
pub fn default_blend_weight(method: Method, skin: Option<&Skin>) -> f32 {
    match method {
        Method::WeightedBlend if skin.is_some_and(|skin| skin.authored == AuthoredMethod::DualQuaternion) => 1.0,
        method => method.dq_blend_weight(),
    }
}

/// Returns how each joint maps the DQ blend weight; empty if no joint has its own method.
pub fn joint_blend_weights(skin: &Skin, skinning: &Skinning) -> Vec<JointBlendWeights> {
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
