//! Shader programs whose errors are values, and uniforms of our own types.

use three_d::{Context, Program, vec2, vec3, vec4};

use super::RenderError;
use super::convert;

/// A program of our own; `picture.glsl` is put before the fragment shader.
///
/// *Errors*: [`RenderError::Program`] with the driver's log.
pub(super) fn program(
    context: &Context,
    name: &'static str,
    vertex: &str,
    fragment: &str,
) -> Result<Program, RenderError> {
    let fragment = format!("{}\n{fragment}", include_str!("picture.glsl"));
    Program::from_source(context, vertex, &fragment).map_err(|source| RenderError::Program { program: name, source })
}

/// Sets uniforms where the program has them: three-d panics on those that a compiler has removed.
pub(super) trait SetUniform {
    fn set(&self, name: &str, value: impl Uniform);
}

impl SetUniform for Program {
    fn set(&self, name: &str, value: impl Uniform) {
        if self.requires_uniform(name) {
            value.send(self, name);
        }
    }
}

/// A value that a uniform can take.
pub(super) trait Uniform {
    fn send(self, program: &Program, name: &str);
}

macro_rules! uniforms {
    ($($type:ty: $value:ident => $converted:expr),+ $(,)?) => {$(
        impl Uniform for $type {
            fn send(self, program: &Program, name: &str) {
                let $value = self;
                program.use_uniform(name, $converted);
            }
        }
    )+};
}

uniforms! {
    f32: v => v,
    i32: v => v,
    usize: v => convert::int(v),
    bool: v => i32::from(v),
    [i32; 2]: v => vec2(v[0], v[1]),
    [f32; 2]: v => vec2(v[0], v[1]),
    [f32; 3]: v => vec3(v[0], v[1], v[2]),
    [f32; 4]: v => vec4(v[0], v[1], v[2], v[3]),
    glam::Vec2: v => vec2(v.x, v.y),
    glam::Vec3: v => convert::vec3(v),
    glam::Vec4: v => vec4(v.x, v.y, v.z, v.w),
    glam::Mat3: v => convert::mat3(v),
    glam::Mat4: v => convert::mat4(v),
    three_d::Mat4: v => v,
}

/// Textures, where the program has them.
pub(super) fn use_texture(program: &Program, name: &str, texture: &three_d::Texture2D) {
    if program.requires_uniform(name) {
        program.use_texture(name, texture);
    }
}
