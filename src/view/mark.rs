//! Vertices highlighted in a picture.

use std::sync::Arc;

use glam::Vec3;

use crate::rig::{PartIndex, Rig};
use crate::skinning::{RigSkinning, SkinPose, deform_some};

/// Vertices of one primitive of one mesh instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Primitive and instance that the vertices belong to.
    pub part: PartIndex,
    /// Numbers of the vertices within the primitive.
    pub vertices: Arc<[u32]>,
}

impl Mark {
    /// World positions of the vertices in a pose; empty where the mark is of another rig.
    pub fn positions(&self, rig: &Rig, pose: SkinPose<'_>, skinning: RigSkinning<'_>) -> Vec<Vec3> {
        deform_some(rig, self.part, &self.vertices, pose, skinning)
    }
}
