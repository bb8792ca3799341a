//! Several samples a pixel that are averaged by a program of our own.

use std::convert::Infallible;

use three_d::context::{RGBA8, SRGB8_ALPHA8, TEXTURE_2D_MULTISAMPLE, TEXTURE0, Texture};
use three_d::{Context, DepthTest, HasContext, Program, RenderStates, Viewport, WriteMask};

use super::driver::{is_software, renderer};
use super::framebuffer::Framebuffer;
use super::program::{SetUniform, program};
use super::quad::Quad;
use crate::render::RenderError;

/// Colour with several samples a pixel, which programs can read.
pub struct SampleTexture {
    context: Context,
    id: Texture,
}

impl SampleTexture {
    /// `None` where the driver's own copy into one sample is faster: on all but those that draw on the processor, which compile it
    /// anew in every process and keep our programs.
    ///
    /// *Errors*: a driver that makes no more textures.
    pub fn where_faster(
        context: &Context,
        size: [u32; 2],
        samples: u32,
        is_encoded: bool,
    ) -> Result<Option<Self>, RenderError> {
        // OpenGL ES reads samples from 3.1 on.
        let is_faster = samples > 1 && !context.version().is_embedded && is_software(&renderer(context));
        is_faster.then(|| Self::new(context, size, samples, is_encoded)).transpose()
    }

    /// With room for so many samples a pixel, eight bits a channel; where `is_encoded`, what is read is light.
    ///
    /// *Errors*: a driver that makes no more textures.
    #[expect(unsafe_code, reason = "three-d has no such textures")]
    fn new(context: &Context, size: [u32; 2], samples: u32, is_encoded: bool) -> Result<Self, RenderError> {
        let format = if is_encoded { SRGB8_ALPHA8 } else { RGBA8 };
        let [samples, format] = [samples, format].map(u32::cast_signed);
        let [width, height] = size.map(u32::cast_signed);
        // SAFETY: makes a texture with storage; nothing is bound afterwards.
        unsafe {
            let id = context.create_texture().map_err(RenderError::Drawing)?;
            context.bind_texture(TEXTURE_2D_MULTISAMPLE, Some(id));
            context.tex_image_2d_multisample(TEXTURE_2D_MULTISAMPLE, samples, format, width, height, true);
            context.bind_texture(TEXTURE_2D_MULTISAMPLE, None);
            Ok(Self { context: context.clone(), id })
        }
    }

    pub fn id(&self) -> Texture {
        self.id
    }
}

impl Drop for SampleTexture {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows it.
        unsafe { self.context.delete_texture(self.id) };
    }
}

/// Draws the mean of the samples of each pixel.
pub struct SampleMean {
    samples: SampleTexture,
    program: Program,
    quad: Quad,
}

impl SampleMean {
    /// Of a texture with so many samples a pixel.
    ///
    /// *Errors*: [`RenderError::Program`].
    pub fn new(context: &Context, samples: SampleTexture, count: u32) -> Result<Self, RenderError> {
        let fragment = format!("#define COUNT {count}\n{}", include_str!("sample_mean.frag"));
        let program = program(context, "samples", include_str!("quad.vert"), &fragment)?;
        Ok(Self { samples, program, quad: Quad::new(context) })
    }

    /// Draws them into a framebuffer of the same size, with a sample a pixel.
    pub fn draw_into(&self, framebuffer: &Framebuffer) {
        let Ok(()) = framebuffer.write(|| {
            self.draw(framebuffer.whole());
            Ok::<(), Infallible>(())
        });
    }

    #[expect(unsafe_code, reason = "three-d binds textures of its own only")]
    fn draw(&self, part: Viewport) {
        let context = &self.samples.context;
        // SAFETY: binds a texture that exists.
        unsafe {
            context.active_texture(TEXTURE0);
            context.bind_texture(TEXTURE_2D_MULTISAMPLE, Some(self.samples.id));
        }
        self.program.set("samples", 0);
        let states =
            RenderStates { depth_test: DepthTest::Always, write_mask: WriteMask::COLOR, ..RenderStates::default() };
        self.quad.draw(&self.program, states, part);
    }
}
