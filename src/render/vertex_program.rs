//! Programs that write what their vertex shader makes of each vertex into buffers, by transform feedback; nothing is drawn.

use std::collections::BTreeMap;

use three_d::context::{
    COLOR_ATTACHMENT0, FRAGMENT_SHADER, FRAMEBUFFER, Framebuffer, POINTS, Program, RASTERIZER_DISCARD, RENDERBUFFER,
    RGBA8, Renderbuffer, SAMPLER_2D, SEPARATE_ATTRIBS, Shader, TEXTURE_2D, TEXTURE0, TRANSFORM_FEEDBACK_BUFFER,
    UniformLocation, VERTEX_SHADER,
};
use three_d::{Context, CoreError, HasContext};

use super::RenderError;
use super::convert::int;
use super::data_texture::{DataTexture, Texel};
use super::gpu_buffer::{GpuBuffer, VertexInputs};

/// A vertex shader whose outputs are kept.
pub(super) struct VertexProgram {
    context: Context,
    id: Program,
    uniforms: BTreeMap<String, UniformLocation>,
    /// The texture unit of each sampler.
    units: BTreeMap<String, u32>,
    target: EmptyTarget,
}

/// A pixel that nothing is drawn into: OpenGL runs no program without a picture to draw, and a context without a window has none.
struct EmptyTarget {
    context: Context,
    framebuffer: Framebuffer,
    pixel: Renderbuffer,
}

impl VertexProgram {
    /// Compiles `source`, which `outputs` are kept of, each in a buffer of its own.
    ///
    /// *Errors*: [`RenderError::Program`] with the driver's log.
    #[expect(unsafe_code, reason = "three-d links before the outputs can be named")]
    pub fn new(
        context: &Context,
        name: &'static str,
        source: &str,
        outputs: &[&'static str],
    ) -> Result<Self, RenderError> {
        let failed = |log: String| RenderError::Program { program: name, source: CoreError::ShaderLink(log) };
        // SAFETY: compiles and links sources; nothing that is made here is used before its status was asked for.
        unsafe {
            let id = context.create_program().map_err(failed)?;
            let shaders = [(VERTEX_SHADER, source), (FRAGMENT_SHADER, "void main() {}\n")]
                .map(|(kind, source)| compiled(context, kind, source));
            for shader in shaders.iter().flatten() {
                context.attach_shader(id, *shader);
            }
            context.transform_feedback_varyings(id, outputs, SEPARATE_ATTRIBS);
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
                return Err(failed(log.trim().to_owned()));
            }
            let target = EmptyTarget::new(context).map_err(failed)?;
            let (uniforms, units) = (BTreeMap::new(), BTreeMap::new());
            let mut program = Self { context: context.clone(), id, uniforms, units, target };
            program.find_uniforms();
            Ok(program)
        }
    }

    #[expect(unsafe_code, reason = "three-d knows the uniforms of its own programs only")]
    fn find_uniforms(&mut self) {
        let (context, id) = (&self.context, self.id);
        // SAFETY: asks a linked program for its uniforms.
        unsafe {
            for index in 0..context.get_active_uniforms(id) {
                let Some(uniform) = context.get_active_uniform(id, index) else { continue };
                let Some(location) = context.get_uniform_location(id, &uniform.name) else { continue };
                if uniform.utype == SAMPLER_2D {
                    self.units.insert(uniform.name.clone(), self.units.len() as u32);
                }
                self.uniforms.insert(uniform.name, location);
            }
        }
    }

    /// Runs over the first `count` vertices of the inputs and fills the outputs, a buffer each in the order in which they were named.
    #[expect(unsafe_code, reason = "three-d has no transform feedback")]
    pub fn run(&self, inputs: &VertexInputs, count: usize, outputs: &[&GpuBuffer], set: impl FnOnce(&Self)) {
        let context = &self.context;
        // SAFETY: OpenGL checks the room in the buffers and writes nothing where one is too small; what is bound is unbound again.
        unsafe {
            context.use_program(Some(self.id));
            set(self);
            inputs.bind(None);
            context.bind_framebuffer(FRAMEBUFFER, Some(self.target.framebuffer));
            for (index, output) in outputs.iter().enumerate() {
                context.bind_buffer_base(TRANSFORM_FEEDBACK_BUFFER, index as u32, Some(output.id()));
            }
            context.enable(RASTERIZER_DISCARD);
            context.begin_transform_feedback(POINTS);
            context.draw_arrays(POINTS, 0, int(count));
            context.end_transform_feedback();
            context.disable(RASTERIZER_DISCARD);
            for index in 0..outputs.len() {
                context.bind_buffer_base(TRANSFORM_FEEDBACK_BUFFER, index as u32, None);
            }
            context.bind_framebuffer(FRAMEBUFFER, None);
            inputs.unbind();
            context.use_program(None);
        }
    }

    /// An integer uniform, where the program has it; only within [`Self::run`].
    #[expect(unsafe_code, reason = "three-d knows the uniforms of its own programs only")]
    pub fn set_int(&self, name: &str, value: usize) {
        // SAFETY: the location belongs to this program, which is in use.
        unsafe { self.context.uniform_1_i32(self.uniforms.get(name), int(value)) };
    }

    /// A uniform with a fraction, where the program has it; only within [`Self::run`].
    #[expect(unsafe_code, reason = "three-d knows the uniforms of its own programs only")]
    pub fn set_float(&self, name: &str, value: f32) {
        // SAFETY: the location belongs to this program, which is in use.
        unsafe { self.context.uniform_1_f32(self.uniforms.get(name), value) };
    }

    /// A texture, where the program has it; only within [`Self::run`].
    #[expect(unsafe_code, reason = "three-d binds textures to its own programs only")]
    pub fn set_texels<T: Texel>(&self, name: &str, texels: &DataTexture<T>) {
        let Some(&unit) = self.units.get(name) else { return };
        // SAFETY: the unit is one of the few that every context has.
        unsafe {
            self.context.active_texture(TEXTURE0 + unit);
            self.context.bind_texture(TEXTURE_2D, texels.id());
        }
        self.set_int(name, unit as usize);
    }
}

impl Drop for VertexProgram {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows this program.
        unsafe { self.context.delete_program(self.id) };
    }
}

impl EmptyTarget {
    #[expect(unsafe_code, reason = "three-d binds targets only to draw into them")]
    fn new(context: &Context) -> Result<Self, String> {
        // SAFETY: makes a framebuffer of one pixel; nothing is bound afterwards.
        unsafe {
            let framebuffer = context.create_framebuffer()?;
            let pixel = context.create_renderbuffer()?;
            context.bind_renderbuffer(RENDERBUFFER, Some(pixel));
            context.renderbuffer_storage(RENDERBUFFER, RGBA8, 1, 1);
            context.bind_framebuffer(FRAMEBUFFER, Some(framebuffer));
            context.framebuffer_renderbuffer(FRAMEBUFFER, COLOR_ATTACHMENT0, RENDERBUFFER, Some(pixel));
            context.bind_framebuffer(FRAMEBUFFER, None);
            context.bind_renderbuffer(RENDERBUFFER, None);
            Ok(Self { context: context.clone(), framebuffer, pixel })
        }
    }
}

impl Drop for EmptyTarget {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows these.
        unsafe {
            self.context.delete_framebuffer(self.framebuffer);
            self.context.delete_renderbuffer(self.pixel);
        }
    }
}

/// A shader whose errors appear when it is linked.
#[expect(unsafe_code, reason = "three-d compiles only what it links itself")]
fn compiled(context: &Context, kind: u32, source: &str) -> Option<Shader> {
    let version = if context.version().is_embedded {
        "#version 300 es\nprecision highp float;\nprecision highp int;\n"
    } else {
        "#version 330 core\n"
    };
    // SAFETY: gives a new shader its source.
    unsafe {
        let shader = context.create_shader(kind).ok()?;
        context.shader_source(shader, &format!("{version}{source}"));
        context.compile_shader(shader);
        Some(shader)
    }
}
