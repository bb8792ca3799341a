//! The environment as background.

use three_d::{Context, DepthTest, Program, RenderStates, WriteMask};

use crate::render::RenderError;
use crate::render::gl::program::{SetUniform, program, use_texture};
use crate::render::gl::quad::Quad;
use crate::render::light::lights::Lights;
use crate::render::panes::eye::Eye;

/// Draws the environment map, blurred, behind the character.
pub(crate) struct EnvironmentBackground {
    program: Program,
}

impl EnvironmentBackground {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let fragment = concat!(
            include_str!("../surface/tone.glsl"),
            include_str!("../light/environment.glsl"),
            include_str!("environment.frag")
        );
        let program = program(context, "environment", include_str!("../gl/quad.vert"), fragment)?;
        Ok(Self { program })
    }

    pub(crate) fn draw(&self, quad: &Quad, lights: &Lights, eye: &Eye) {
        eye.use_uniforms(&self.program);
        lights.use_environment(&self.program);
        use_texture(&self.program, "environment", lights.reflections().texture());
        self.program.set("rayFromPicture", eye.rays());
        self.program.set("viewportOrigin", [eye.viewport.x as f32, eye.viewport.y as f32]);
        self.program.set("viewportSize", [eye.viewport.width as f32, eye.viewport.height as f32]);
        let states =
            RenderStates { depth_test: DepthTest::Always, write_mask: WriteMask::COLOR, ..RenderStates::default() };
        quad.draw(&self.program, states, eye.viewport);
    }
}
