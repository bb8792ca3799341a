//! Multisample resolve in a shader.

use std::convert::Infallible;

use three_d::context::{TEXTURE_2D_MULTISAMPLE, TEXTURE0};
use three_d::{Context, DepthTest, HasContext, Program, RenderStates, Viewport, WriteMask};

use super::framebuffer::Framebuffer;
use super::program::{SetUniform, program};
use super::quad::Quad;
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
        let program = program(context, "samples", include_str!("quad.vert"), &fragment)?;
        Ok(Self { samples, program, quad: Quad::new(context) })
    }

    pub(crate) fn draw_into(&self, framebuffer: &Framebuffer) {
        let Ok(()) = framebuffer.write(|| {
            self.draw(framebuffer.whole());
            Ok::<(), Infallible>(())
        });
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
        let states =
            RenderStates { depth_test: DepthTest::Always, write_mask: WriteMask::COLOR, ..RenderStates::default() };
        self.quad.draw(&self.program, states, part);
    }
}
