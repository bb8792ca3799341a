use three_d::context::{
    BUFFER_UPDATE_BARRIER_BIT, COMPUTE_SHADER, MAX_COMPUTE_SHADER_STORAGE_BLOCKS, MAX_SHADER_STORAGE_BLOCK_SIZE,
    VERTEX_ATTRIB_ARRAY_BARRIER_BIT,
};
use three_d::{Context, HasContext};

use super::gpu_buffer::GpuBuffer;
use super::gpu_program::GpuProgram;
use crate::render::RenderError;

pub(crate) const GROUP_SIZE: usize = 128;
/// Number of work groups per axis that every driver supports.
pub(crate) const MAX_GROUPS: usize = 65_535;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ComputeLimits {
    max_buffers: usize,
    max_buffer_bytes: usize,
}

impl ComputeLimits {
    #[expect(unsafe_code, reason = "three-d does not report limits")]
    pub(crate) fn new(context: &Context) -> Option<Self> {
        let version = context.version();
        let wanted = if version.is_embedded { (3, 1) } else { (4, 3) };
        if (version.major, version.minor) < wanted {
            return None;
        }
        // SAFETY: reads numbers that a context of this version has.
        let [max_buffers, max_buffer_bytes] = unsafe {
            [MAX_COMPUTE_SHADER_STORAGE_BLOCKS, MAX_SHADER_STORAGE_BLOCK_SIZE]
                .map(|name| context.get_parameter_i64(name))
        };
        Some(Self {
            max_buffers: usize::try_from(max_buffers).ok()?,
            max_buffer_bytes: usize::try_from(max_buffer_bytes).ok()?,
        })
    }

    pub(crate) fn allow(self, buffers: &[&GpuBuffer]) -> bool {
        buffers.len() <= self.max_buffers && buffers.iter().all(|buffer| buffer.whole_bytes() <= self.max_buffer_bytes)
    }
}

/// A compute shader over storage buffers (OpenGL 4.3, OpenGL ES 3.1) that handles one element per invocation.
pub(crate) struct ComputeProgram {
    context: Context,
    program: GpuProgram,
}

impl ComputeProgram {
    /// Compiles `source`, after prepending definitions of `GROUP_SIZE` (invocations per group) and `MAX_GROUPS`.
    pub(crate) fn new(context: &Context, name: &'static str, source: &str) -> Result<Self, RenderError> {
        let source = format!("#define GROUP_SIZE {GROUP_SIZE}\n#define MAX_GROUPS {MAX_GROUPS}\n{source}");
        let program = GpuProgram::linked(context, name, &[(COMPUTE_SHADER, &source)], &[])?;
        Ok(Self { context: context.clone(), program })
    }

    /// Runs the shader on `count` elements, with buffers in order of binding index. `set` sets uniforms and textures.
    /// Call [`finish`] before anything reads the results.
    #[expect(unsafe_code, reason = "three-d has no compute shaders")]
    pub(crate) fn run(&self, count: usize, buffers: &[&GpuBuffer], set: impl FnOnce(&GpuProgram)) {
        self.program.bind();
        set(&self.program);
        let groups = count.div_ceil(GROUP_SIZE);
        let (rows, columns) = (groups.div_ceil(MAX_GROUPS), groups.min(MAX_GROUPS));
        for (index, buffer) in (0..).zip(buffers) {
            buffer.bind_as_storage(index);
        }
        // SAFETY: the shader accesses only the ranges given by the array starts and the count, which are within the
        // arrays.
        unsafe {
            self.context.dispatch_compute(columns as u32, rows as u32, 1);
            self.context.use_program(None);
        }
    }
}

#[expect(unsafe_code, reason = "three-d has no compute shaders")]
pub(crate) fn finish(context: &Context) {
    // SAFETY: only orders memory accesses.
    unsafe { context.memory_barrier(VERTEX_ATTRIB_ARRAY_BARRIER_BIT | BUFFER_UPDATE_BARRIER_BIT) };
}
