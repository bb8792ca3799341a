use three_d::{Blend, Context, DepthTest, Program, RenderStates, VertexBuffer, Viewport, WriteMask};

use super::program::program;
use crate::render::RenderError;

/// A rectangle with corners from -1 to 1 in the attribute `corner`. Never writes depth.
pub(crate) struct Quad {
    corners: VertexBuffer<[f32; 2]>,
}

pub(crate) type QuadStates = (DepthTest, Blend);

pub(crate) const REPLACE: QuadStates = (DepthTest::Always, Blend::Disabled);
pub(crate) const BLEND: QuadStates = (DepthTest::Always, Blend::TRANSPARENCY);

/// Compiles a program that runs a fragment shader on every pixel of a viewport.
pub(crate) fn quad_program(context: &Context, name: &'static str, fragment: &str) -> Result<Program, RenderError> {
    program(context, name, include_str!("quad.vert"), fragment)
}

impl Quad {
    pub(crate) fn new(context: &Context) -> Self {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        Self { corners: VertexBuffer::new_with_data(context, &corners) }
    }

    pub(crate) fn draw(&self, program: &Program, states: QuadStates, viewport: Viewport) {
        program.use_vertex_attribute("corner", &self.corners);
        program.draw_arrays(render_states(states), viewport, self.corners.vertex_count());
    }

    pub(crate) fn draw_instanced(&self, program: &Program, states: QuadStates, viewport: Viewport, count: u32) {
        program.use_vertex_attribute("corner", &self.corners);
        program.draw_arrays_instanced(render_states(states), viewport, self.corners.vertex_count(), count);
    }
}

fn render_states((depth_test, blend): QuadStates) -> RenderStates {
    RenderStates { depth_test, write_mask: WriteMask::COLOR, blend, ..RenderStates::default() }
}
