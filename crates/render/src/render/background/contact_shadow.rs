use glam::Vec2;
use three_d::{Context, Program, Viewport};

use crate::render::RenderError;
use crate::render::gl::framebuffer::{Attachment, Framebuffer};
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::program::{SetUniform, use_texture};
use crate::render::gl::quad::{Quad, REPLACE, quad_program};
use crate::render::panes::eye::PaneCamera;
use crate::render::surface::cast::CastMap;
use rigscope_core::rig::Bounds;

const SIDE: u32 = 128;
/// Geometry above this height casts no visible contact shadow. In falloff lengths: ln 512, for eight-bit colours.
const MAX_HEIGHT: f32 = 6.25;

/// Contact shadow on the ground: a blurred map, rendered from below, whose values increase where geometry is closer to
/// the ground.
pub(crate) struct ContactShadow {
    near: BlurMap,
    blurred: BlurMap,
    blur: Program,
    pub centre: Vec2,
    pub radius: f32,
}

struct BlurMap {
    target: Framebuffer,
    texture: GpuTexture,
}

impl BlurMap {
    fn new(context: &Context, depth: Attachment<'_>) -> Result<Self, RenderError> {
        let texture = GpuTexture::drawn(context, [SIDE; 2], 1);
        Ok(Self { target: Framebuffer::new(context, [SIDE; 2], Attachment::Texture(&texture), depth)?, texture })
    }
}

impl ContactShadow {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self {
            near: BlurMap::new(context, Attachment::Samples(0))?,
            blurred: BlurMap::new(context, Attachment::None)?,
            blur: quad_program(context, "shadow", include_str!("blur.frag"))?,
            centre: Vec2::ZERO,
            radius: 1.0,
        })
    }

    /// Redraws the map from the geometry within `bounds`. `ground` is the ground's height in metres; `draw` renders the
    /// character.
    pub(crate) fn update(
        &mut self,
        quad: &Quad,
        (bounds, ground): (Bounds, f32),
        draw: impl FnOnce(&PaneCamera, CastMap) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let size = bounds.diagonal().max(1e-6);
        let half = (bounds.max - bounds.min) * 0.5;
        let middle = bounds.center();
        self.centre = Vec2::new(middle.x, middle.z);
        self.radius = half.x.max(half.z) * 1.1 + 0.15 * size;
        let falloff = 0.09 * size;
        let eye = PaneCamera::from_below(
            self.centre,
            self.radius,
            [ground - 0.04 * size, ground + MAX_HEIGHT * falloff],
            SIDE,
        );
        let map = CastMap::Heights { falloff, ground };
        self.near.target.clear(Some([0.0, 0.0, 0.0, 1.0]));
        self.near.target.write(|| draw(&eye, map))?;
        // The blur is wide enough to look soft and narrow enough to show where the feet touch the ground.
        let step = (0.026 * size / self.radius * 0.5) * 2.0 / 3.0;
        self.blur(quad, &self.near, &self.blurred, Vec2::new(step, 0.0));
        self.blur(quad, &self.blurred, &self.near, Vec2::new(0.0, step));
        Ok(())
    }

    fn blur(&self, quad: &Quad, from: &BlurMap, to: &BlurMap, step: Vec2) {
        to.target.write(|| {
            use_texture(&self.blur, "shadowMap", from.texture.texture());
            self.blur.set("stepSize", step);
            self.blur.set("texel", 1.0 / SIDE as f32);
            quad.draw(&self.blur, REPLACE, Viewport::new_at_origo(SIDE, SIDE));
        });
    }

    pub(crate) fn use_uniforms(&self, program: &Program) {
        use_texture(program, "shadowMap", self.near.texture.texture());
        program.set("shadowCentre", self.centre);
        program.set("shadowRadius", self.radius);
    }
}
