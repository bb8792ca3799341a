//! A rectangle of two triangles for full-viewport passes.

use three_d::{Context, Program, RenderStates, VertexBuffer, Viewport};

/// Corners from -1 to 1 in the attribute `corner`.
pub(crate) struct Quad {
    corners: VertexBuffer<[f32; 2]>,
}

impl Quad {
    pub(crate) fn new(context: &Context) -> Self {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        Self { corners: VertexBuffer::new_with_data(context, &corners) }
    }

    pub(crate) fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        program.use_vertex_attribute("corner", &self.corners);
        program.draw_arrays(states, viewport, self.corners.vertex_count());
    }

    pub(crate) fn draw_instanced(&self, program: &Program, states: RenderStates, viewport: Viewport, count: u32) {
        program.use_vertex_attribute("corner", &self.corners);
        program.draw_arrays_instanced(states, viewport, self.corners.vertex_count(), count);
    }
}
