use three_d::context::{TEXTURE_2D_MULTISAMPLE, TEXTURE0};
use three_d::{Context, HasContext, Program, Viewport};

use super::framebuffer::Framebuffer;
use super::program::SetUniform;
use super::quad::{Quad, REPLACE, quad_program};
use super::sample_texture::SampleTexture;
use crate::render::RenderError;

pub(crate) struct SampleMean {
    samples: SampleTexture,
    program: Program,
    quad: Quad,
}

impl SampleMean {
    pub(crate) fn new(context: &Context, samples: SampleTexture, count: u32) -> Result<Self, RenderError> {
        let fragment = format!("#define COUNT {count}\n{}", include_str!("sample_mean.frag"));
        let program = quad_program(context, "samples", &fragment)?;
        Ok(Self { samples, program, quad: Quad::new(context) })
    }

    pub(crate) fn draw_into(&self, framebuffer: &Framebuffer) {
        framebuffer.write(|| self.draw(framebuffer.whole()));
    }

    #[expect(unsafe_code, reason = "three-d binds textures of its own only")]
    fn draw(&self, part: Viewport) {
        let context = self.samples.context();
        // SAFETY: binds a live texture.
        unsafe {
            context.active_texture(TEXTURE0);
            context.bind_texture(TEXTURE_2D_MULTISAMPLE, Some(self.samples.id()));
        }
        self.program.set("samples", 0);
        self.quad.draw(&self.program, REPLACE, part);
    }
}
