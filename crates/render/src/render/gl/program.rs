use three_d::{Context, CoreError, Program, vec2, vec3, vec4};

use super::convert;
use crate::render::RenderError;

/// Compiles a three-d program. Prepends `srgb.glsl` and `picture.glsl` to the fragment shader.
pub(crate) fn program(
    context: &Context,
    name: &'static str,
    vertex: &str,
    fragment: &str,
) -> Result<Program, RenderError> {
    let fragment = concat!(include_str!("srgb.glsl"), include_str!("picture.glsl")).to_owned() + fragment;
    Program::from_source(context, vertex, &fragment).map_err(|error| match error {
        CoreError::ShaderCompilation(_, _, log) | CoreError::ShaderLink(log) => RenderError::refused(name, &log),
        other => RenderError::refused(name, &other.to_string()),
    })
}

/// Sets a uniform if the program has it. three-d itself panics if the compiler has removed the uniform.
pub(crate) trait SetUniform {
    fn set(&self, name: &str, value: impl Uniform);
}

impl SetUniform for Program {
    fn set(&self, name: &str, value: impl Uniform) {
        if !self.requires_uniform(name) {
            return;
        }
        match value.value() {
            UniformValue::Int(v) => self.use_uniform(name, v),
            UniformValue::Ints([x, y]) => self.use_uniform(name, vec2(x, y)),
            UniformValue::Float(v) => self.use_uniform(name, v),
            UniformValue::Floats2([x, y]) => self.use_uniform(name, vec2(x, y)),
            UniformValue::Floats3([x, y, z]) => self.use_uniform(name, vec3(x, y, z)),
            UniformValue::Floats4([x, y, z, w]) => self.use_uniform(name, vec4(x, y, z, w)),
            UniformValue::Matrix3(columns) => self.use_uniform(name, three_d::Mat3::from(columns)),
            UniformValue::Matrix4(columns) => self.use_uniform(name, three_d::Mat4::from(columns)),
        }
    }
}

/// A uniform in OpenGL's memory layout. Matrices are column-major.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UniformValue {
    Int(i32),
    Ints([i32; 2]),
    Float(f32),
    Floats2([f32; 2]),
    Floats3([f32; 3]),
    Floats4([f32; 4]),
    Matrix3([[f32; 3]; 3]),
    Matrix4([[f32; 4]; 4]),
}

pub(crate) trait Uniform {
    fn value(self) -> UniformValue;
}

macro_rules! uniforms {
    ($($type:ty: $value:ident => $kind:ident($converted:expr)),+ $(,)?) => {$(
        impl Uniform for $type {
            fn value(self) -> UniformValue {
                let $value = self;
                UniformValue::$kind($converted)
            }
        }
    )+};
}

uniforms! {
    f32: v => Float(v),
    i32: v => Int(v),
    usize: v => Int(convert::int(v)),
    bool: v => Int(i32::from(v)),
    [i32; 2]: v => Ints(v),
    [f32; 2]: v => Floats2(v),
    [f32; 3]: v => Floats3(v),
    [f32; 4]: v => Floats4(v),
    glam::Vec2: v => Floats2(v.to_array()),
    glam::Vec3: v => Floats3(v.to_array()),
    glam::Vec4: v => Floats4(v.to_array()),
    glam::Mat3: v => Matrix3(v.to_cols_array_2d()),
    glam::Mat4: v => Matrix4(v.to_cols_array_2d()),
}

pub(crate) fn use_texture(program: &Program, name: &str, texture: &three_d::Texture2D) {
    if program.requires_uniform(name) {
        program.use_texture(name, texture);
    }
}
