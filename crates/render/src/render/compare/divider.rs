use three_d::{Context, Program, Viewport};

use crate::render::RenderError;
use crate::render::color::{SIDE_A, SIDE_B};
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::{BLEND, Quad, quad_program};
use crate::render::panes::pane::ClipHalfPlane;

pub(crate) struct Divider {
    program: Program,
}

impl Divider {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let fragment = concat!(include_str!("../panes/cut.glsl"), include_str!("divider.frag"));
        Ok(Self { program: quad_program(context, "divider", fragment)? })
    }

    pub(crate) fn draw(&self, quad: &Quad, (b, viewport): (ClipHalfPlane, Viewport), pixels_per_point: f32) {
        b.use_uniforms(&self.program);
        self.program.set("pixelsPerPoint", pixels_per_point);
        self.program.set("sideA", SIDE_A);
        self.program.set("sideB", SIDE_B);
        quad.draw(&self.program, BLEND, viewport);
    }
}
