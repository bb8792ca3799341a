mod dots;
pub(super) mod marks;
mod ribbons;
pub(super) mod skeleton;
pub(super) mod trails;

use three_d::{Context, Program};

use crate::render::RenderError;
use crate::render::color::EDGE;
use crate::render::gl::program::{SetUniform, program};
use crate::render::panes::eye::PaneCamera;
use crate::render::panes::pane::ClipHalfPlane;

fn annotation_program(
    context: &Context,
    name: &'static str,
    [vertex, fragment]: [&str; 2],
) -> Result<Program, RenderError> {
    let (eye, cut) = (include_str!("../panes/eye.glsl"), include_str!("../panes/cut.glsl"));
    program(context, name, &format!("{eye}\n{vertex}"), &format!("{cut}\n{fragment}"))
}

fn use_shared_uniforms(program: &Program, eye: &PaneCamera, cut: ClipHalfPlane) {
    eye.use_uniforms(program);
    cut.use_uniforms(program);
    program.set("viewProjection", eye.clip_from_world());
    program.set("pixelsPerPoint", eye.pixels_per_point);
    program.set("edgeColor", EDGE);
}
