use std::collections::BTreeMap;
use std::sync::Arc;

use super::primitive::GpuPrimitive;
use super::upload::UploadBudget;
use crate::render::RenderError;
use crate::render::gl::vertex_pool::VertexPool;
use rigscope_core::rig::{Mesh, Rig};

pub(crate) struct WeightedMeshes {
    rig: Arc<Rig>,
    meshes: BTreeMap<usize, Vec<GpuPrimitive>>,
    is_complete: bool,
    pub number: u64,
}

impl WeightedMeshes {
    /// Shares all data of the skinned `meshes` except the influences. The meshes must be complete.
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

    pub(crate) fn is_for(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(&self.rig, rig)
    }

    pub(crate) fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    pub(crate) fn upload(&mut self, pool: &VertexPool, budget: &UploadBudget) -> Result<bool, RenderError> {
        for (mesh, uploaded) in &mut self.meshes {
            for (primitive, source) in uploaded.iter_mut().zip(&self.rig.meshes[*mesh].primitives) {
                if !primitive.upload(pool, source, budget)? {
                    return Ok(false);
                }
            }
        }
        self.is_complete = true;
        Ok(true)
    }

    pub(crate) fn primitives(&self, mesh: usize) -> Option<&[GpuPrimitive]> {
        self.meshes.get(&mesh).map(Vec::as_slice)
    }

    pub(crate) fn share_edges(&mut self, mesh: usize, primitives: &[GpuPrimitive]) {
        let own = self.meshes.get_mut(&mesh).into_iter().flatten();
        own.zip(primitives).for_each(|(own, primitive)| own.share_edges(primitive));
    }
}

/// Returns true if the rigs have the same numbers of instances, meshes, primitives and vertices, so that they can share
/// GPU data.
pub(crate) fn is_alike(rig: &Rig, other: &Rig) -> bool {
    let lengths = |mesh: &Mesh| -> Vec<(usize, bool)> {
        mesh.primitives.iter().map(|p| (p.positions.len(), p.influences.is_some())).collect()
    };
    rig.instances.len() == other.instances.len()
        && rig.meshes.len() == other.meshes.len()
        && rig.meshes.iter().zip(&other.meshes).all(|(a, b)| lengths(a) == lengths(b))
}
