use glam::Vec3;
use three_d::Context;

use super::overlay_textures::PrimitiveOverlay;
use crate::render::RenderError;
use crate::render::gl::gpu_buffer::GpuBuffer;
use crate::render::gl::vertex_program::VertexProgram;
use crate::render::rig::primitive::GpuPrimitive;

#[derive(Default)]
pub(crate) struct Readback {
    program: Option<VertexProgram>,
}

impl Readback {
    /// Returns each vertex's overlay value: a scalar in x or an encoded colour; `None` if it has no value.
    pub(crate) fn painted(
        &mut self,
        context: &Context,
        primitive: &GpuPrimitive,
        painted: Option<PrimitiveOverlay<'_>>,
    ) -> Result<Vec<Option<Vec3>>, RenderError> {
        let count = primitive.vertex_count;
        let (Some(painted), Some(inputs)) = (painted, primitive.attributes()) else { return Ok(vec![None; count]) };
        let known = self.program.take();
        let program = self.program.insert(known.map_or_else(|| compiled(context), Ok)?);
        let values = GpuBuffer::new(context, "the overlay of a mesh", count * size_of::<[f32; 4]>())?;
        program.run(inputs, count, &[&values], |program| painted.set_uniforms(program));
        let values: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&values.read());
        Ok(values.iter().map(|v| (v[3] > 0.0).then(|| Vec3::new(v[0], v[1], v[2]))).collect())
    }
}

fn compiled(context: &Context) -> Result<VertexProgram, RenderError> {
    let source =
        concat!(include_str!("../gl/texels.glsl"), include_str!("overlay.glsl"), include_str!("readback.vert"));
    VertexProgram::new(context, "readback", source, &["outOverlay"])
}
