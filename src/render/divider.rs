//! The line between the two sides of a picture.

use three_d::{Blend, Context, DepthTest, Program, RenderStates, Viewport, WriteMask};

use super::RenderError;
use super::color::{SIDE_A, SIDE_B};
use super::frame::FrameInput;
use super::pane::Cut;
use super::program::{SetUniform, program};
use super::quad::Quad;
use crate::view::{Layout, Side, Wipe};

/// Draws it over everything.
pub(super) struct Divider {
    program: Program,
}

impl Divider {
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        let fragment = concat!(include_str!("cut.glsl"), include_str!("divider.frag"));
        Ok(Self { program: program(context, "divider", include_str!("background.vert"), fragment)? })
    }

    /// Nothing where the sides do not lie side by side.
    pub fn draw(&self, quad: &Quad, frame: &FrameInput<'_>) {
        let wipe = match frame.view.compare.shown_layout() {
            Layout::Wipe => frame.view.compare.wipe,
            Layout::SideBySide => Wipe::default(),
            Layout::Single | Layout::Ghost => return,
        };
        Cut::new(wipe, Side::B, frame.size).use_uniforms(&self.program);
        self.program.set("pixelsPerPoint", frame.pixels_per_point);
        self.program.set("sideA", SIDE_A);
        self.program.set("sideB", SIDE_B);
        let states = RenderStates {
            depth_test: DepthTest::Always,
            write_mask: WriteMask::COLOR,
            blend: Blend::TRANSPARENCY,
            ..RenderStates::default()
        };
        quad.draw(&self.program, states, Viewport::new_at_origo(frame.size[0], frame.size[1]));
    }
}
