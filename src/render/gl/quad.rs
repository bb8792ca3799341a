//! Two triangles over a rectangle: background, ground and the copy onto the screen.

use three_d::{Context, Program, RenderStates, VertexBuffer, Viewport};

/// Corners from -1 to 1 as the attribute `corner`.
pub(crate) struct Quad {
    corners: VertexBuffer<[f32; 2]>,
}

impl Quad {
    pub(crate) fn new(context: &Context) -> Self {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        Self { corners: VertexBuffer::new_with_data(context, &corners) }
    }

    /// Draws with a program whose vertex shader reads `corner`.
    pub(crate) fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        program.use_vertex_attribute("corner", &self.corners);
        program.draw_arrays(states, viewport, self.corners.vertex_count());
    }

    /// Draws the quad once per instance.
    pub(crate) fn draw_instanced(&self, program: &Program, states: RenderStates, viewport: Viewport, count: u32) {
        program.use_vertex_attribute("corner", &self.corners);
        program.draw_arrays_instanced(states, viewport, self.corners.vertex_count(), count);
    }
}
