use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use three_d::context::{POINTS, PROGRAM_POINT_SIZE, SAMPLE_ALPHA_TO_COVERAGE};
use three_d::{Context, HasContext, RenderStates};

use super::posed_primitive::PosedPrimitive;
use crate::render::RenderError;
use crate::render::gl::draw_queue::DrawQueue;
use crate::render::gl::driver::is_software;
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::panes::eye::PaneCamera;
use crate::render::rig::features::Features;

pub(crate) trait Shading {
    /// Name in error messages. Together with [`Self::variant`], it identifies the fragment shader.
    const NAME: &'static str;

    fn variant(&self) -> u64;

    /// Returns the source without `#version`.
    fn fragment_shader(&self) -> String;

    /// Returns the source of per-vertex lighting, or an empty string.
    fn vertex_light(&self) -> String {
        String::new()
    }

    fn set_uniforms(&self, program: &GpuProgram);

    fn states(&self) -> RenderStates;

    /// Returns true if alpha is converted to sample coverage.
    fn covers_by_alpha(&self) -> bool {
        false
    }
}

pub(crate) struct PrimitivePrograms {
    context: Context,
    compiled: RefCell<BTreeMap<(&'static str, u64, Features), GpuProgram>>,
    is_software: bool,
}

impl PrimitivePrograms {
    pub(crate) fn new(context: &Context) -> Self {
        let is_software = is_software(context);
        Self { context: context.clone(), compiled: RefCell::default(), is_software }
    }

    pub(crate) fn begin<'a>(&'a self, eye: &'a PaneCamera) -> PrimitiveDraws<'a> {
        self.context.set_viewport(eye.viewport);
        let queue = DrawQueue::new(&self.context, self.is_software);
        PrimitiveDraws { programs: self, eye, states: Cell::new(None), queue }
    }
}

/// Scope for consecutive draws of primitives, with no other draws in between.
pub(crate) struct PrimitiveDraws<'a> {
    programs: &'a PrimitivePrograms,
    eye: &'a PaneCamera,
    states: Cell<Option<RenderStates>>,
    queue: DrawQueue<'a>,
}

impl PrimitiveDraws<'_> {
    #[expect(unsafe_code, reason = "three-d draws triangles by its own programs only")]
    pub(crate) fn draw<S: Shading>(&self, part: &PosedPrimitive<'_>, shading: &S) -> Result<(), RenderError> {
        let Some((mode, numbers, count)) = part.elements() else { return Ok(()) };
        let context = &self.programs.context;
        let mut compiled = self.programs.compiled.borrow_mut();
        let program = match compiled.entry((S::NAME, shading.variant(), part.features())) {
            Entry::Occupied(compiled) => compiled.into_mut(),
            Entry::Vacant(vacant) => {
                let sources = [&*part.vertex_shader(&shading.vertex_light()), &*shading.fragment_shader()];
                vacant.insert(GpuProgram::new(context, S::NAME, sources, &[])?)
            }
        };
        program.bind();
        program.set("viewProjection", self.eye.clip_from_world());
        part.set_uniforms(program, self.eye);
        shading.set_uniforms(program);
        self.set_states(shading.states());
        part.vertices.inputs().bind(Some(numbers));
        // OpenGL ES always reads the point size from the shader.
        let is_sized = mode == POINTS && !context.version().is_embedded;
        let covers_by_alpha = shading.covers_by_alpha();
        // SAFETY: the bound buffers hold `count` indices, all valid for the bound vertex buffers.
        unsafe {
            if is_sized {
                context.enable(PROGRAM_POINT_SIZE);
            }
            if covers_by_alpha {
                context.enable(SAMPLE_ALPHA_TO_COVERAGE);
            }
            self.queue.draw(mode, numbers.start(), count);
            if is_sized {
                context.disable(PROGRAM_POINT_SIZE);
            }
            if covers_by_alpha {
                context.disable(SAMPLE_ALPHA_TO_COVERAGE);
            }
        }
        Ok(())
    }

    pub(crate) fn eye(&self) -> &PaneCamera {
        self.eye
    }

    fn set_states(&self, states: RenderStates) {
        let of = |s: RenderStates| (s.cull, s.write_mask, s.depth_test, s.blend);
        if self.states.replace(Some(states)).map(of) != Some(of(states)) {
            self.programs.context.set_render_states(states);
        }
    }
}

impl Drop for PrimitiveDraws<'_> {
    #[expect(unsafe_code, reason = "three-d unbinds only what it has bound")]
    fn drop(&mut self) {
        // SAFETY: unbinds our objects, which three-d's draws would otherwise modify.
        unsafe {
            self.programs.context.bind_vertex_array(None);
            self.programs.context.use_program(None);
        }
    }
}
