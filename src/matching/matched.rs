//! What two versions have in common, for those who show both.

use std::collections::HashMap;
use std::sync::Arc;

use super::mesh_pair::{MeshPair, mesh_pairs};
use super::rig_match::{Drawn, RigMatch};
use super::{MeshMatch, NodeMatch, Space, VertexMatch};
use crate::jobs::Progress;
use crate::rig::Rig;

/// Nodes, meshes and vertices of one rig in another.
#[derive(Clone, Debug)]
pub struct Matched {
    /// Counterparts of the nodes.
    pub joints: NodeMatch,
    /// Transform from the old world to the new one.
    pub space: Space,
    /// Counterparts of the mesh instances.
    pub meshes: MeshMatch,
    /// Counterparts of vertices, by what an instance of the old version and its counterpart draw.
    vertices: HashMap<[Drawn; 2], Arc<VertexMatch>>,
    /// Mesh and skin of each instance, of both versions.
    drawn: [Vec<Drawn>; 2],
}

impl Matched {
    /// Finds them; within `reach_m`, metres of the old version's world, places are the same. `None` where the job was cancelled.
    pub fn between(old: &Rig, new: &Rig, reach_m: f32, progress: &Progress) -> Option<Self> {
        let both = RigMatch::new(old, new);
        let meshes = MeshMatch::between(&both.old, &both.new, &both.joints);
        let pairs = mesh_pairs(&both, &meshes, reach_m, progress)?;
        let drawn = [old, new].map(|rig| rig.instances.iter().map(|i| (i.mesh, i.skin)).collect::<Vec<_>>());
        let vertices = pairs
            .into_iter()
            .map(|MeshPair { instances, vertices, .. }| (both.drawn(instances.into()), Arc::new(vertices)));
        Some(Self { vertices: vertices.collect(), joints: both.joints, space: both.space, meshes, drawn })
    }

    /// The vertices of an instance of the old version in its counterpart, where it has one.
    pub fn vertices(&self, old_instance: usize) -> Option<&VertexMatch> {
        let new = self.meshes.new_of(old_instance)?;
        self.vertices.get(&[self.drawn[0][old_instance], self.drawn[1][new]]).map(Arc::as_ref)
    }
}
