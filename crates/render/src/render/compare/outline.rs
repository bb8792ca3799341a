use three_d::{Context, Program};

use crate::render::RenderError;
use crate::render::color::{Rgb, SIDE_B};
use crate::render::gl::picture::OffscreenImage;
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::{BLEND, Quad, quad_program};
use crate::render::panes::eye::PaneCamera;

const COLOR: Rgb = SIDE_B;
/// Widths of the line and of the dark line outside it, in points.
const WIDTHS: [f32; 2] = [1.6, 2.6];
/// Number of mipmap levels of the mask. A texel of the last level is 64 image pixels wide, which is enough for an
/// interface scale of 10.
const LEVELS: u32 = 7;

pub(crate) struct Outline {
    program: Program,
    mask: Option<OffscreenImage>,
}

impl Outline {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self { program: quad_program(context, "outline", include_str!("outline.frag"))?, mask: None })
    }

    pub(crate) fn clear(&mut self) {
        self.mask = None;
    }

    /// Renders the mask with `draw`, which draws the actor in white.
    pub(crate) fn update(
        &mut self,
        context: &Context,
        (size, samples): ([u32; 2], u32),
        draw: impl FnOnce() -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let existing = self.mask.take().filter(|m| m.is_for(size, samples));
        let levels = LEVELS.min(size[0].max(size[1]).ilog2() + 1);
        let create = || OffscreenImage::with_levels(context, size, samples, levels);
        let mask = self.mask.insert(existing.map_or_else(create, Ok)?);
        mask.drawn.clear(Some([0.0, 0.0, 0.0, 1.0]));
        mask.drawn.write(draw)?;
        mask.resolve();
        mask.make_levels();
        Ok(())
    }

    pub(crate) fn draw(&self, quad: &Quad, eye: &PaneCamera) {
        let Some(mask) = &self.mask else { return };
        self.program.use_texture("mask", mask.texture());
        self.program.set("lineWidth", WIDTHS[0] * eye.pixels_per_point);
        self.program.set("shadeWidth", WIDTHS[1] * eye.pixels_per_point);
        self.program.set("coarseLevel", coarse_level(WIDTHS[1] * eye.pixels_per_point));
        self.program.set("lineColor", COLOR);
        quad.draw(&self.program, BLEND, eye.viewport);
    }
}

/// Returns the mask's mipmap level at which a texel and its neighbours cover a radius of `pixels`.
fn coarse_level(pixels: f32) -> f32 {
    (2.0 * pixels + 2.0).log2().ceil().clamp(0.0, LEVELS as f32 - 1.0)
}
