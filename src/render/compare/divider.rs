//! The line between the two sides of a picture.

use three_d::{Blend, Context, DepthTest, Program, RenderStates, Viewport, WriteMask};

use crate::render::RenderError;
use crate::render::color::{SIDE_A, SIDE_B};
use crate::render::frame::FrameInput;
use crate::render::gl::program::{SetUniform, program};
use crate::render::gl::quad::Quad;
use crate::render::panes::pane::Cut;
use crate::view::{Layout, Side, Wipe};

/// Line between the sides, drawn over everything.
pub(crate) struct Divider {
    program: Program,
}

impl Divider {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let fragment = concat!(include_str!("../panes/cut.glsl"), include_str!("divider.frag"));
        Ok(Self { program: program(context, "divider", include_str!("../gl/quad.vert"), fragment)? })
    }

    /// Draws the line between the sides; nothing where they do not lie side by side.
    pub(crate) fn draw(&self, quad: &Quad, frame: &FrameInput<'_>) {
        let wipe = match frame.view.compare.shown_layout() {
            Layout::Wipe => frame.view.compare.wipe,
            Layout::SideBySide => Wipe::default(),
            Layout::Single | Layout::Ghost => return,
        };
        let part = frame.drawn_part();
        Cut::new(wipe, Side::B, frame.size).within(part).use_uniforms(&self.program);
        self.program.set("pixelsPerPoint", frame.pixels_per_point);
        self.program.set("sideA", SIDE_A);
        self.program.set("sideB", SIDE_B);
        let states = RenderStates {
            depth_test: DepthTest::Always,
            write_mask: WriteMask::COLOR,
            blend: Blend::TRANSPARENCY,
            ..RenderStates::default()
        };
        quad.draw(&self.program, states, Viewport::new_at_origo(part.size[0], part.size[1]));
    }
}
