//! Shader programs for frequent draws: they send only changed uniforms and can capture vertex outputs. three-d sends
//! every uniform for every draw, and it links programs before outputs can be named.

use std::cell::Cell;
use std::collections::BTreeMap;

use three_d::context::{
    COMPUTE_SHADER, FRAGMENT_SHADER, Program, SAMPLER_2D, SAMPLER_2D_ARRAY, SEPARATE_ATTRIBS, Shader, TEXTURE_2D,
    TEXTURE_2D_ARRAY, TEXTURE0, Texture, UniformLocation, VERTEX_SHADER,
};
use three_d::{Context, HasContext};

use super::program::{SetUniform, Uniform, UniformValue};
use crate::render::RenderError;

/// Textures that many programs read. Their texture units are fixed, so that each texture is bound only once.
const SHARED_UNITS: [(&str, u32); 3] = [("environment", 29), ("reflectance", 30), ("keyShadow", 31)];

#[expect(unsafe_code, reason = "three-d binds textures to its own programs only")]
pub(crate) fn bind_shared(context: &Context, name: &str, texture: Option<Texture>) {
    let Some((_, unit)) = SHARED_UNITS.into_iter().find(|(shared, _)| *shared == name) else { return };
    // SAFETY: every context has 32 combined units.
    unsafe {
        context.active_texture(TEXTURE0 + unit);
        context.bind_texture(TEXTURE_2D, texture);
    }
}

pub(crate) struct GpuProgram {
    context: Context,
    id: Program,
    uniforms: BTreeMap<String, Variable>,
}

struct Variable {
    location: UniformLocation,
    sent: Cell<Option<UniformValue>>,
    /// Texture unit and target, for samplers.
    texture: Option<(u32, u32)>,
}

impl GpuProgram {
    /// Compiles both shaders, after prepending the version and the precision. Transform feedback captures each of the
    /// vertex `outputs` in its own buffer.
    pub(crate) fn new(
        context: &Context,
        name: &'static str,
        [vertex, fragment]: [&str; 2],
        outputs: &[&'static str],
    ) -> Result<Self, RenderError> {
        Self::linked(context, name, &[(VERTEX_SHADER, vertex), (FRAGMENT_SHADER, fragment)], outputs)
    }

    #[expect(unsafe_code, reason = "three-d links before outputs can be named")]
    pub(super) fn linked(
        context: &Context,
        name: &'static str,
        sources: &[(u32, &str)],
        outputs: &[&'static str],
    ) -> Result<Self, RenderError> {
        let failed = |log: String| RenderError::refused(name, &log);
        // SAFETY: compiles and links; the status of each object is checked before use.
        unsafe {
            let id = context.create_program().map_err(failed)?;
            let shaders: Vec<Option<Shader>> =
                sources.iter().map(|&(kind, source)| compiled(context, kind, source)).collect();
            for shader in shaders.iter().flatten() {
                context.attach_shader(id, *shader);
            }
            if !outputs.is_empty() {
                context.transform_feedback_varyings(id, outputs, SEPARATE_ATTRIBS);
            }
            context.link_program(id);
            let is_linked = context.get_program_link_status(id);
            let mut log = if is_linked { String::new() } else { context.get_program_info_log(id) };
            for shader in shaders.into_iter().flatten() {
                if !is_linked {
                    log = format!("{}\n{log}", context.get_shader_info_log(shader));
                }
                context.detach_shader(id, shader);
                context.delete_shader(shader);
            }
            if !is_linked {
                context.delete_program(id);
                return Err(failed(log));
            }
            Ok(Self { uniforms: uniforms(context, id), context: context.clone(), id })
        }
    }

    #[expect(unsafe_code, reason = "three-d uses its own programs only")]
    pub(crate) fn bind(&self) {
        // SAFETY: the program is linked.
        unsafe { self.context.use_program(Some(self.id)) };
    }

    /// Binds a texture if the program has this sampler. The program must be bound.
    #[expect(unsafe_code, reason = "three-d binds textures to its own programs only")]
    pub(crate) fn set_texture(&self, name: &str, texture: impl Into<Option<Texture>>) {
        let Some((unit, kind)) = self.uniforms.get(name).and_then(|variable| variable.texture) else { return };
        // SAFETY: the unit is within the minimum that every context has.
        unsafe {
            self.context.active_texture(TEXTURE0 + unit);
            self.context.bind_texture(kind, texture.into());
        }
    }

    #[expect(unsafe_code, reason = "three-d knows the uniforms of its own programs only")]
    fn send(&self, location: UniformLocation, value: &UniformValue) {
        let (context, at) = (&self.context, Some(&location));
        // SAFETY: the location belongs to this program, which is bound.
        unsafe {
            match value {
                UniformValue::Int(v) => context.uniform_1_i32(at, *v),
                UniformValue::Ints(v) => context.uniform_2_i32_slice(at, v),
                UniformValue::Float(v) => context.uniform_1_f32(at, *v),
                UniformValue::Floats2(v) => context.uniform_2_f32_slice(at, v),
                UniformValue::Floats3(v) => context.uniform_3_f32_slice(at, v),
                UniformValue::Floats4(v) => context.uniform_4_f32_slice(at, v),
                UniformValue::Matrix3(v) => context.uniform_matrix_3_f32_slice(at, false, v.as_flattened()),
                UniformValue::Matrix4(v) => context.uniform_matrix_4_f32_slice(at, false, v.as_flattened()),
            }
        }
    }
}

impl SetUniform for GpuProgram {
    fn set(&self, name: &str, value: impl Uniform) {
        let Some(variable) = self.uniforms.get(name) else { return };
        let value = value.value();
        if variable.sent.replace(Some(value)) != Some(value) {
            self.send(variable.location, &value);
        }
    }
}

impl Drop for GpuProgram {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else refers to this program.
        unsafe { self.context.delete_program(self.id) };
    }
}

#[expect(unsafe_code, reason = "three-d knows the uniforms of its own programs only")]
fn uniforms(context: &Context, id: Program) -> BTreeMap<String, Variable> {
    let (mut found, mut units) = (BTreeMap::new(), 0..);
    // SAFETY: queries a linked program.
    unsafe {
        for index in 0..context.get_active_uniforms(id) {
            let Some(uniform) = context.get_active_uniform(id, index) else { continue };
            let Some(location) = context.get_uniform_location(id, &uniform.name) else { continue };
            let shared = SHARED_UNITS.into_iter().find(|(name, _)| *name == uniform.name).map(|(_, unit)| unit);
            let kind = match uniform.utype {
                SAMPLER_2D => Some(TEXTURE_2D),
                SAMPLER_2D_ARRAY => Some(TEXTURE_2D_ARRAY),
                _ => None,
            };
            let own = kind.filter(|_| shared.is_none()).and_then(|kind| Some((units.next()?, kind)));
            // Also set the unit of unused samplers: samplers of different types must not share a unit.
            if let Some(unit) = shared.or(own.map(|(unit, _)| unit)) {
                context.use_program(Some(id));
                context.uniform_1_i32(Some(&location), unit.cast_signed());
            }
            found.insert(uniform.name, Variable { location, sent: Cell::new(None), texture: own });
        }
    }
    found
}

const PRECISION: &str = "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\nprecision highp sampler2DArray;\nprecision highp sampler2DShadow;\n";

#[expect(unsafe_code, reason = "three-d compiles only what it links itself")]
fn compiled(context: &Context, kind: u32, source: &str) -> Option<Shader> {
    let version = match (context.version().is_embedded, kind == COMPUTE_SHADER) {
        (false, false) => "#version 330 core\n".to_owned(),
        (false, true) => "#version 430 core\n".to_owned(),
        (true, is_compute) => format!("#version {} es\n{PRECISION}", if is_compute { 310 } else { 300 }),
    };
    // SAFETY: sets the source of a new shader.
    unsafe {
        let shader = context.create_shader(kind).ok()?;
        context.shader_source(shader, &format!("{version}{source}"));
        context.compile_shader(shader);
        Some(shader)
    }
}
