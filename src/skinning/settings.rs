//! A method together with its settings: one way in which a skin can follow its joints.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Antipodality, Centers, InfluenceLimit, Method, ScaleHandling};
use crate::rig::NodeIndex;

/// One way in which a skin can follow its joints.
///
/// The default is what a file means by its skin: linear blending by all influences as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skinning {
    /// How the transforms of a vertex's joints are blended.
    pub method: Method,
    /// What methods that blend rigid motions do with scale.
    pub scale: ScaleHandling,
    /// What methods that blend quaternions do with opposite signs.
    pub antipodality: Antipodality,
    /// Where normals come from.
    pub normals: Normals,
    /// How many influences count, and how exactly.
    pub influences: InfluenceLimit,
    /// Joints with a method of their own, by rising node index, none twice; a vertex takes the mix of LBS and DQS by its weights.
    pub by_joint: Vec<(NodeIndex, JointMethod)>,
}

impl Skinning {
    /// A method with the default settings.
    pub fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

/// How a whole rig is skinned: the settings, and what was found of the rig for them.
#[derive(Clone, Copy, Debug)]
pub struct RigSkinning<'a> {
    /// Method and options.
    pub skinning: &'a Skinning,
    /// The rig's centres of rotation, for methods that need them; without, each vertex is its own, which is LBS.
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
    /// The file's normals, turned by the blended transform.
    #[default]
    Transformed,
    /// Normals computed from the triangles of the deformed surface.
    Recomputed,
}

/// A joint's own method, as riggers paint it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JointMethod {
    /// Linear blend skinning.
    #[default]
    Lbs,
    /// Dual quaternion skinning.
    Dqs,
}
