//! A skinning method with its settings: one way in which a skin can follow its joints.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Antipodality, Centers, InfluenceLimit, Method, ScaleHandling};
use crate::rig::NodeIndex;

/// One way in which a skin can follow its joints.
///
/// The default is what a file means by a skin: linear blending with all influences unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skinning {
    /// How the transforms of a vertex's joints are blended.
    pub method: Method,
    /// How methods that blend rigid motions handle scale.
    pub scale: ScaleHandling,
    /// How methods that blend quaternions handle opposite signs.
    pub antipodality: Antipodality,
    /// Where normals come from.
    pub normals: Normals,
    /// How many influences count, and how exactly.
    pub influences: InfluenceLimit,
    /// Joints with a method of their own, by rising node index, each once; a vertex mixes LBS and DQS by its weights.
    pub by_joint: Vec<(NodeIndex, JointMethod)>,
}

impl Skinning {
    /// A method with the default settings.
    pub fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

/// How a whole rig is skinned: the settings, and what they need of the rig.
#[derive(Clone, Copy, Debug)]
pub struct RigSkinning<'a> {
    /// Method and options.
    pub skinning: &'a Skinning,
    /// The rig's centres of rotation, for methods that need them; without them each vertex is its own centre, which gives LBS.
    pub centers: Option<&'a Arc<Centers>>,
}

impl From<Method> for Skinning {
    fn from(method: Method) -> Self {
        Self::new(method)
    }
}

/// Where the normals of a deformed surface come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normals {
    /// The file's normals, transformed like the surface.
    #[default]
    Transformed,
    /// Normals computed from the triangles of the deformed surface.
    Recomputed,
}

/// A joint's own skinning method, as riggers paint it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JointMethod {
    /// Linear blend skinning.
    #[default]
    Lbs,
    /// Dual quaternion skinning.
    Dqs,
}
