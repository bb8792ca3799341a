//! Draws one actor as glass over another. A separate layer ensures that only the front surface of the glass is visible.

use three_d::{Blend, BlendEquationType, BlendMultiplierType, Context, DepthTest, Program};

use crate::render::RenderError;
use crate::render::gl::framebuffer::{Attachment, Framebuffer};
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::picture::OffscreenImage;
use crate::render::gl::quad::{Quad, quad_program};
use crate::render::panes::eye::PaneCamera;

const PREMULTIPLIED: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::One,
    source_alpha_multiplier: BlendMultiplierType::Zero,
    destination_rgb_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    destination_alpha_multiplier: BlendMultiplierType::One,
    rgb_equation: BlendEquationType::Add,
    alpha_equation: BlendEquationType::Add,
};

pub(crate) struct Glass {
    program: Program,
    layers: Option<GlassLayers>,
}

struct GlassLayers {
    glass: OffscreenImage,
    solid_depth: Framebuffer,
    depth_texture: GpuTexture,
}

impl Glass {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self { program: quad_program(context, "ghost", include_str!("glass.frag"))?, layers: None })
    }

    pub(crate) fn clear(&mut self) {
        self.layers = None;
    }

    pub(crate) fn prepare(&mut self, context: &Context, size: [u32; 2], samples: u32) -> Result<(), RenderError> {
        let existing = self.layers.take().filter(|layers| layers.glass.is_for(size, samples));
        self.layers = Some(existing.map_or_else(|| GlassLayers::new(context, size, samples), Ok)?);
        Ok(())
    }

    /// Renders the glass with `draw`, which receives the depth of the solid image, and composites the glass over that
    /// image.
    pub(crate) fn draw(
        &self,
        quad: &Quad,
        (eye, solid): (&PaneCamera, &OffscreenImage),
        draw: impl FnOnce(&GpuTexture) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let Some(GlassLayers { glass, solid_depth, depth_texture, .. }) = &self.layers else { return Ok(()) };
        solid.drawn.copy_depth_to(solid_depth);
        glass.drawn.clear(Some([0.0; 4]));
        glass.drawn.write(|| draw(depth_texture))?;
        glass.resolve();
        solid.drawn.write(|| {
            self.program.use_texture("glass", glass.texture());
            quad.draw(&self.program, (DepthTest::Always, PREMULTIPLIED), eye.viewport);
        });
        Ok(())
    }
}

impl GlassLayers {
    fn new(context: &Context, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        let glass = OffscreenImage::new(context, size, samples)?;
        let depth_texture = GpuTexture::for_depth(context, size);
        let solid_depth = Framebuffer::new(context, size, Attachment::None, Attachment::Texture(&depth_texture))?;
        Ok(Self { glass, solid_depth, depth_texture })
    }
}
