//! Recomputed normals of an actor: uploaded on change, read by vertex index.

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, TexelsFrom};
use crate::render::overlay::overlay_textures::{filled, flattened, starts};
use crate::skinning::RecomputedNormals;

#[derive(Default)]
pub(super) struct GpuNormals {
    version: Option<u64>,
    texels: Option<DataTexture<[f32; 4]>>,
    /// Texel of the first vertex of each primitive.
    starts: Vec<usize>,
}

impl GpuNormals {
    /// Uploads changed normals. `vertex_counts` is per primitive, in the order of the normals; vertices without one keep the transformed normal.
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
        let room = self.texels.take();
        let Some(normals) = normals else { return Ok(()) };
        let flat = flattened(&normals.parts, vertex_counts, [0.0; 4], |n| n.extend(0.0).to_array());
        self.texels = Some(filled(context, "the normals of a mesh", room, &flat)?);
        self.starts = starts(vertex_counts);
        self.version = version;
        Ok(())
    }

    pub(super) fn part(&self, part: usize) -> Option<TexelsFrom<'_, [f32; 4]>> {
        Some(TexelsFrom { data: self.texels.as_ref()?, start: *self.starts.get(part)? })
    }
}
