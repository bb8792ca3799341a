use three_d::{Context, Program};

use crate::render::RenderError;
use crate::render::gl::program::{SetUniform, use_texture};
use crate::render::gl::quad::{Quad, REPLACE, quad_program};
use crate::render::light::lights::Lights;
use crate::render::panes::eye::PaneCamera;

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
        Ok(Self { program: quad_program(context, "environment", fragment)? })
    }

    pub(crate) fn draw(&self, quad: &Quad, lights: &Lights, eye: &PaneCamera) {
        eye.use_uniforms(&self.program);
        lights.use_environment(&self.program);
        use_texture(&self.program, "environment", lights.reflections().texture());
        self.program.set("rayFromPicture", eye.rays());
        self.program.set("viewportOrigin", [eye.viewport.x as f32, eye.viewport.y as f32]);
        self.program.set("viewportSize", [eye.viewport.width as f32, eye.viewport.height as f32]);
        quad.draw(&self.program, REPLACE, eye.viewport);
    }
}
