use three_d::{Blend, Context, DepthTest, InstanceBuffer, Program};

use super::{annotation_program, use_shared_uniforms};
use crate::render::RenderError;
use crate::render::color::Rgb;
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::Quad;
use crate::render::panes::eye::PaneCamera;
use crate::render::panes::pane::ClipHalfPlane;

pub(super) struct Dots {
    program: Program,
}

impl Dots {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        let sources = [include_str!("dots.vert"), include_str!("dots.frag")];
        Ok(Self { program: annotation_program(context, "marks", sources)? })
    }

    /// Draws a dot at each world position. `radius` is in points.
    pub(super) fn draw(
        &self,
        eye: &PaneCamera,
        cut: ClipHalfPlane,
        quad: &Quad,
        positions: &InstanceBuffer<[f32; 3]>,
        (color, alpha, radius): (Rgb, f32, f32),
        depth_test: DepthTest,
    ) {
        let (program, count) = (&self.program, positions.instance_count());
        if count == 0 {
            return;
        }
        use_shared_uniforms(program, eye, cut);
        let pixels = [eye.viewport.width as f32, eye.viewport.height as f32];
        program.set("pointInClip", pixels.map(|side| 2.0 * eye.pixels_per_point / side));
        program.set("dotColor", color);
        program.set("alpha", alpha);
        program.set("radius", radius);
        program.use_instance_attribute("head", positions);
        quad.draw_instanced(program, (depth_test, Blend::TRANSPARENCY), eye.viewport, count);
    }
}
