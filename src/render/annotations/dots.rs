//! Dots of constant screen size.

use three_d::{Blend, Context, DepthTest, InstanceBuffer, Program, RenderStates, Viewer, WriteMask};

use crate::render::RenderError;
use crate::render::color::{EDGE, Rgb};
use crate::render::gl::program::{SetUniform, program};
use crate::render::gl::quad::Quad;
use crate::render::panes::eye::Eye;
use crate::render::panes::pane::Cut;

pub(super) struct Dots {
    program: Program,
}

impl Dots {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        let vertex = concat!(include_str!("../panes/eye.glsl"), "\n", include_str!("dots.vert"));
        Ok(Self {
            program: program(
                context,
                "marks",
                vertex,
                concat!(include_str!("../panes/cut.glsl"), include_str!("dots.frag")),
            )?,
        })
    }

    /// Draws a dot at each world position; `radius` is in points.
    pub(super) fn draw(
        &self,
        eye: &Eye,
        cut: Cut,
        quad: &Quad,
        places: &InstanceBuffer<[f32; 3]>,
        (color, alpha, radius): (Rgb, f32, f32),
        depth_test: DepthTest,
    ) {
        let (program, count) = (&self.program, places.instance_count());
        if count == 0 {
            return;
        }
        eye.use_uniforms(program);
        cut.use_uniforms(program);
        program.set("viewProjection", eye.projection() * eye.view());
        program.set("pixelsPerPoint", eye.pixels_per_point);
        let pixels = [eye.viewport.width as f32, eye.viewport.height as f32];
        program.set("pointInClip", pixels.map(|side| 2.0 * eye.pixels_per_point / side));
        program.set("dotColor", color);
        program.set("edgeColor", EDGE);
        program.set("alpha", alpha);
        program.set("radius", radius);
        program.use_instance_attribute("head", places);
        let states = RenderStates {
            depth_test,
            write_mask: WriteMask::COLOR,
            blend: Blend::TRANSPARENCY,
            ..RenderStates::default()
        };
        quad.draw_instanced(program, states, eye.viewport, count);
    }
}
