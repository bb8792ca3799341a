use std::collections::HashMap;
use std::sync::Arc;

use super::mesh_pair::{MeshPair, mesh_pairs};
use super::rig_match::{MeshAndSkin, RigMatch};
use super::{IndexMatch, NodeMatch, SpaceMapping, VertexMatch};
use crate::jobs::Progress;
use crate::rig::Rig;

/// Counterparts of nodes, meshes and vertices in two versions of a rig.
#[derive(Clone, Debug)]
pub struct RigCounterparts {
    /// Matched nodes.
    pub joints: NodeMatch,
    /// Transform from the old world to the new one.
    pub space: SpaceMapping,
    /// Matched mesh instances.
    pub meshes: IndexMatch,
    /// Vertex matches, keyed by the mesh and skin of the old and the new instance.
    vertices: HashMap<[MeshAndSkin; 2], Arc<VertexMatch>>,
    drawn: [Vec<MeshAndSkin>; 2],
}

impl RigCounterparts {
    /// Matches two rigs; `None` if cancelled. Vertices at most `reach_m` metres apart in the old world space count as
    /// equal.
    pub fn between(old: &Rig, new: &Rig, reach_m: f32, progress: &Progress) -> Option<Self> {
        let both = RigMatch::new(old, new);
        let meshes = both.mesh_match();
        let pairs = mesh_pairs(&both, &meshes, reach_m, progress)?;
        let drawn = [old, new].map(|rig| rig.instances.iter().map(|i| (i.mesh, i.skin)).collect::<Vec<_>>());
        let vertices = pairs
            .into_iter()
            .map(|MeshPair { instances, vertices, .. }| (both.drawn(instances.into()), Arc::new(vertices)));
        Some(Self { vertices: vertices.collect(), joints: both.joints, space: both.space, meshes, drawn })
    }

    /// Returns the vertex match of an old instance; `None` if the instance is unmatched.
    pub fn vertices(&self, old_instance: usize) -> Option<&VertexMatch> {
        let new = self.meshes.new_for(old_instance)?;
        self.vertices.get(&[self.drawn[0][old_instance], self.drawn[1][new]]).map(Arc::as_ref)
    }
}
