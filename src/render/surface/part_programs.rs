//! The programs that draw parts: one for each kind of part and shading, compiled when first needed.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use three_d::context::{POINTS, PROGRAM_POINT_SIZE, SAMPLE_ALPHA_TO_COVERAGE};
use three_d::{Context, HasContext, RenderStates, Viewer};

use super::posed_primitive::PosedPrimitive;
use crate::render::RenderError;
use crate::render::gl::draw_queue::DrawQueue;
use crate::render::gl::driver::{is_software, renderer};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::panes::eye::Eye;
use crate::render::rig::features::Features;

/// Shading of a part's fragments.
pub(crate) trait Shading {
    /// Name in errors; with [`Self::variant`] it identifies the fragment shader.
    const NAME: &'static str;

    /// Number of the fragment shader's set of constants.
    fn variant(&self) -> u64;

    /// Source of the fragment shader, without its version.
    fn fragment_shader(&self) -> String;

    /// Source of light on vertices, where the vertex shader computes it.
    fn vertex_light(&self) -> String {
        String::new()
    }

    fn set_uniforms(&self, program: &GpuProgram);

    fn states(&self) -> RenderStates;

    /// True where alpha is converted to sample coverage.
    fn covers_by_alpha(&self) -> bool {
        false
    }
}

/// The programs of all parts of all rigs.
pub(crate) struct PartPrograms {
    context: Context,
    known: RefCell<BTreeMap<(&'static str, u64, Features), GpuProgram>>,
    /// True where the driver draws on the processor.
    is_software: bool,
}

impl PartPrograms {
    pub(crate) fn new(context: &Context) -> Self {
        let is_software = is_software(&renderer(context));
        Self { context: context.clone(), known: RefCell::default(), is_software }
    }

    /// Starts drawing parts as an eye sees them, into the bound framebuffer.
    pub(crate) fn begin<'a>(&'a self, eye: &'a Eye) -> PartDraws<'a> {
        self.context.set_viewport(eye.viewport);
        let queue = DrawQueue::new(&self.context, self.is_software);
        PartDraws { programs: self, eye, states: Cell::new(None), queue }
    }
}

/// Consecutive draws of parts, with no other draws between them.
pub(crate) struct PartDraws<'a> {
    programs: &'a PartPrograms,
    eye: &'a Eye,
    /// States of the last draw.
    states: Cell<Option<RenderStates>>,
    queue: DrawQueue<'a>,
}

impl PartDraws<'_> {
    /// Draws a part.
    ///
    /// *Errors*: [`RenderError::Program`].
    #[expect(unsafe_code, reason = "three-d draws triangles by its own programs only")]
    pub(crate) fn draw<S: Shading>(&self, part: &PosedPrimitive<'_>, shading: &S) -> Result<(), RenderError> {
        let Some((mode, numbers, count)) = part.elements() else { return Ok(()) };
        let context = &self.programs.context;
        let mut known = self.programs.known.borrow_mut();
        let program = match known.entry((S::NAME, shading.variant(), part.features())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(room) => {
                let sources = [&*part.vertex_shader(&shading.vertex_light()), &*shading.fragment_shader()];
                room.insert(GpuProgram::new(context, S::NAME, sources, &[])?)
            }
        };
        program.bind();
        program.set("viewProjection", self.eye.projection() * self.eye.view());
        part.set_uniforms(program, self.eye);
        shading.set_uniforms(program);
        self.set_states(shading.states());
        part.vertices.inputs().bind(Some(numbers));
        // OpenGL ES always takes the size of points from the shader.
        let is_sized = mode == POINTS && !context.version().is_embedded;
        let covers_by_alpha = shading.covers_by_alpha();
        // SAFETY: the bound buffers hold `count` vertex numbers, all valid in the bound vertex buffers.
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

    /// Eye that sees the parts.
    pub(crate) fn eye(&self) -> &Eye {
        self.eye
    }

    fn set_states(&self, states: RenderStates) {
        let of = |s: RenderStates| (s.cull, s.write_mask, s.depth_test, s.blend);
        if self.states.replace(Some(states)).map(of) != Some(of(states)) {
            self.programs.context.set_render_states(states);
        }
    }
}

impl Drop for PartDraws<'_> {
    #[expect(unsafe_code, reason = "three-d unbinds only what it has bound")]
    fn drop(&mut self) {
        // SAFETY: nothing of ours is bound afterwards, which three-d's draws would change.
        unsafe {
            self.programs.context.bind_vertex_array(None);
            self.programs.context.use_program(None);
        }
    }
}
