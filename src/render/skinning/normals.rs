use glam::Vec3;
use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{TexelsFrom, VertexTexels};
use crate::skinning::RecomputedNormals;

#[derive(Default)]
pub(super) struct GpuNormals {
    version: Option<u64>,
    texels: Option<VertexTexels<[f32; 4]>>,
}

impl GpuNormals {
    /// Uploads changed normals. `vertex_counts` is per primitive. Vertices without a recomputed normal keep the transformed normal.
    pub(super) fn update(
        &mut self,
        context: &Context,
        vertex_counts: &[usize],
        normals: Option<&RecomputedNormals>,
    ) -> Result<(), RenderError> {
        let version = normals.map(|n| n.version);
        if self.version == version {
            return Ok(());
        }
        self.version = None;
        let previous = self.texels.take();
        let Some(normals) = normals else { return Ok(()) };
        let values = (normals.parts.iter().map(Vec::as_slice), vertex_counts);
        let texel = |normal: Vec3| normal.extend(0.0).to_array();
        self.texels = Some(VertexTexels::new(context, "the normals of a mesh", previous, values, ([0.0; 4], texel))?);
        self.version = version;
        Ok(())
    }

    pub(super) fn part(&self, part: usize) -> Option<TexelsFrom<'_, [f32; 4]>> {
        self.texels.as_ref()?.primitive(part)
    }
}
