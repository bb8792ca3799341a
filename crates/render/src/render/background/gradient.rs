use three_d::{Context, Program};

use super::ground::GroundStyle;
use crate::render::RenderError;
use crate::render::color::{Rgb, srgb};
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::{Quad, REPLACE, quad_program};
use crate::render::panes::eye::PaneCamera;

const DARK: [Rgb; 2] = [srgb(0x24_26_2B), srgb(0x17_18_1B)];
/// Gradient behind file materials: dark but not black, because materials may be black.
const DARK_BEHIND_MATERIALS: [Rgb; 2] = [srgb(0x3B_3F_47), srgb(0x26_29_2F)];
const LIGHT: [Rgb; 2] = [srgb(0xF2_F3_F5), srgb(0xDD_E0_E4)];

pub(crate) struct GradientBackground {
    program: Program,
}

impl GradientBackground {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self { program: quad_program(context, "background", include_str!("gradient.frag"))? })
    }

    pub(crate) fn draw(&self, quad: &Quad, look: GroundStyle, eye: &PaneCamera, height: u32) {
        let [top, bottom] = match (look.is_dark, look.is_lit) {
            (true, true) => DARK_BEHIND_MATERIALS,
            (true, false) => DARK,
            (false, _) => LIGHT,
        };
        self.program.set("top", top);
        self.program.set("bottom", bottom);
        self.program.set("height", height as f32);
        eye.use_uniforms(&self.program);
        quad.draw(&self.program, REPLACE, eye.viewport);
    }
}
