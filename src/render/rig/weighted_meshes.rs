//! The meshes of a rig with other weights: only influences are uploaded again, everything else is shared.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::primitive::GpuPrimitive;
use super::upload::UploadBudget;
use crate::render::RenderError;
use crate::render::gl::vertex_room::VertexRoom;
use crate::rig::{Mesh, Rig};

/// The skinned meshes of a rig with an actor's own weights, uploaded slice by slice.
pub(crate) struct WeightedMeshes {
    rig: Arc<Rig>,
    /// Primitives by mesh index.
    meshes: BTreeMap<usize, Vec<GpuPrimitive>>,
    is_complete: bool,
    /// Number unique among the weight sets of this rig.
    pub number: u64,
}

impl WeightedMeshes {
    /// Meshes of a rig with other weights; `meshes` are those moved by a skin, all complete.
    pub(crate) fn new<'a>(
        rig: &Arc<Rig>,
        number: u64,
        meshes: impl Iterator<Item = (usize, &'a Vec<GpuPrimitive>)>,
    ) -> Self {
        let reweighted = |(mesh, primitives): (usize, &Vec<GpuPrimitive>)| {
            let sources = &rig.meshes[mesh].primitives;
            (mesh, primitives.iter().zip(sources).map(|(own, source)| own.reweighted(source)).collect())
        };
        Self { rig: Arc::clone(rig), meshes: meshes.map(reweighted).collect(), is_complete: false, number }
    }

    /// True for the weights of this very rig, not of an equal one.
    pub(crate) fn is_of(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(&self.rig, rig)
    }

    /// The character with the weights of these meshes.
    pub(crate) fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// True once all meshes are complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Uploads until done or out of budget; true when done.
    ///
    /// *Errors*: more influences than a buffer or texture holds.
    pub(crate) fn upload(&mut self, room: &VertexRoom, budget: &UploadBudget) -> Result<bool, RenderError> {
        for (mesh, uploaded) in &mut self.meshes {
            for (primitive, source) in uploaded.iter_mut().zip(&self.rig.meshes[*mesh].primitives) {
                if !primitive.upload(room, source, budget)? {
                    return Ok(false);
                }
            }
        }
        self.is_complete = true;
        Ok(true)
    }

    /// The primitives of a mesh; `None` for one that no skin moves.
    pub(crate) fn primitives(&self, mesh: usize) -> Option<&[GpuPrimitive]> {
        self.meshes.get(&mesh).map(Vec::as_slice)
    }

    /// Shares the wireframe of a mesh, as far as it is complete.
    pub(crate) fn share_edges(&mut self, mesh: usize, primitives: &[GpuPrimitive]) {
        let own = self.meshes.get_mut(&mesh).into_iter().flatten();
        own.zip(primitives).for_each(|(own, primitive)| own.share_edges(primitive));
    }
}

/// True where rigs differ in no uploaded data but weights, judged by array lengths.
pub(crate) fn is_alike(rig: &Rig, other: &Rig) -> bool {
    let lengths = |mesh: &Mesh| -> Vec<(usize, bool)> {
        mesh.primitives.iter().map(|p| (p.positions.len(), p.influences.is_some())).collect()
    };
    rig.instances.len() == other.instances.len()
        && rig.meshes.len() == other.meshes.len()
        && rig.meshes.iter().zip(&other.meshes).all(|(a, b)| lengths(a) == lengths(b))
}
