//! Vertices that a picture points out.

use std::sync::Arc;

use glam::Vec3;

use crate::rig::{Posed, Rig};
use crate::skinning::{Centers, Palette, Skinning, deform_some};

/// Vertices of one primitive of one mesh instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Position in the list of the mesh's primitives.
    pub primitive: usize,
    /// Which.
    pub vertices: Arc<[u32]>,
}

impl Mark {
    /// Where the vertices are in a pose, world space; none where the mark is of another rig.
    ///
    /// *Shapes*: as [`deform_some`].
    pub fn positions(&self, rig: &Rig, pose: (&Posed, &[Palette]), way: (&Skinning, Option<&Centers>)) -> Vec<Vec3> {
        deform_some(rig, (self.instance, self.primitive), &self.vertices, pose, way)
    }
}
