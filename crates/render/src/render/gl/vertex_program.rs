//! Transform feedback programs, which capture the outputs of a vertex shader in buffers, without rasterisation.

use three_d::context::{
    COLOR_ATTACHMENT0, FRAMEBUFFER, Framebuffer, POINTS, RASTERIZER_DISCARD, RENDERBUFFER, RGBA8, Renderbuffer,
    TRANSFORM_FEEDBACK_BUFFER,
};
use three_d::{Context, HasContext};

use super::convert::int;
use super::gpu_buffer::{GpuBuffer, VertexInputs};
use super::gpu_program::GpuProgram;
use crate::render::RenderError;

pub(crate) struct VertexProgram {
    context: Context,
    program: GpuProgram,
    target: EmptyTarget,
}

/// A one-pixel framebuffer: OpenGL runs no program without a framebuffer, and a windowless context has none.
struct EmptyTarget {
    context: Context,
    framebuffer: Framebuffer,
    pixel: Renderbuffer,
}

impl VertexProgram {
    pub(crate) fn new(
        context: &Context,
        name: &'static str,
        source: &str,
        outputs: &[&'static str],
    ) -> Result<Self, RenderError> {
        let program = GpuProgram::new(context, name, [source, "void main() {}\n"], outputs)?;
        Ok(Self { context: context.clone(), program, target: EmptyTarget::new(context).map_err(RenderError::Drawing)? })
    }

    /// Runs over the first `count` vertices and fills the buffers of `outputs`. `set` sets uniforms and textures.
    #[expect(unsafe_code, reason = "three-d has no transform feedback")]
    pub(crate) fn run(
        &self,
        inputs: &VertexInputs,
        count: usize,
        outputs: &[&GpuBuffer],
        set: impl FnOnce(&GpuProgram),
    ) {
        let context = &self.context;
        self.program.bind();
        set(&self.program);
        inputs.bind(None);
        // SAFETY: OpenGL checks buffer sizes and writes nothing if one is too small; everything is unbound afterwards.
        unsafe {
            context.bind_framebuffer(FRAMEBUFFER, Some(self.target.framebuffer));
            for (index, output) in outputs.iter().enumerate() {
                output.bind_as_output(index as u32);
            }
            context.enable(RASTERIZER_DISCARD);
            context.begin_transform_feedback(POINTS);
            context.draw_arrays(POINTS, 0, int(count));
            context.end_transform_feedback();
            context.disable(RASTERIZER_DISCARD);
            for index in 0..outputs.len() {
                context.bind_buffer_base(TRANSFORM_FEEDBACK_BUFFER, index as u32, None);
            }
            context.bind_framebuffer(FRAMEBUFFER, None);
            context.bind_vertex_array(None);
            context.use_program(None);
        }
    }
}

impl EmptyTarget {
    #[expect(unsafe_code, reason = "three-d binds targets only to draw into them")]
    fn new(context: &Context) -> Result<Self, String> {
        // SAFETY: creates a one-pixel framebuffer; nothing stays bound.
        unsafe {
            let framebuffer = context.create_framebuffer()?;
            let pixel = context.create_renderbuffer()?;
            context.bind_renderbuffer(RENDERBUFFER, Some(pixel));
            context.renderbuffer_storage(RENDERBUFFER, RGBA8, 1, 1);
            context.bind_framebuffer(FRAMEBUFFER, Some(framebuffer));
            context.framebuffer_renderbuffer(FRAMEBUFFER, COLOR_ATTACHMENT0, RENDERBUFFER, Some(pixel));
            context.bind_framebuffer(FRAMEBUFFER, None);
            context.bind_renderbuffer(RENDERBUFFER, None);
            Ok(Self { context: context.clone(), framebuffer, pixel })
        }
    }
}

impl Drop for EmptyTarget {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else refers to these objects.
        unsafe {
            self.context.delete_framebuffer(self.framebuffer);
            self.context.delete_renderbuffer(self.pixel);
        }
    }
}
