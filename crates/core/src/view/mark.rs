use std::sync::Arc;

use glam::Vec3;

use crate::rig::{PrimitiveIndex, Rig};
use crate::skinning::{RigSkinning, SkinPose, deform_some};

/// Vertices of one primitive of a mesh instance.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexSet {
    /// Primitive and instance.
    pub part: PrimitiveIndex,
    /// Vertex indices within the primitive.
    pub vertices: Arc<[u32]>,
}

impl VertexSet {
    /// Returns the vertices' world positions in a pose. Empty for another rig.
    pub fn positions(&self, rig: &Rig, pose: SkinPose<'_>, skinning: RigSkinning<'_>) -> Vec<Vec3> {
        deform_some(rig, self.part, &self.vertices, pose, skinning)
    }
}
