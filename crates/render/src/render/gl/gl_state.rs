use three_d::context::{BLEND, CULL_FACE, DEPTH_TEST, FRAMEBUFFER, NO_ERROR, OUT_OF_MEMORY, SCISSOR_TEST, TEXTURE0};
use three_d::{Context, HasContext};

use crate::render::RenderError;

pub(crate) const CONTEXT_LOST: u32 = 0x0507;

/// Maximum number of error flags to read, because a lost context never stops reporting errors.
const MAX_FLAGS: usize = 8;

/// Scope of offscreen drawing. On drop, binds the window's framebuffer and resets changed state to OpenGL's defaults,
/// because querying the previous state could stall. egui sets viewport, scissor and blending before it paints, but
/// clears the window with the current write mask.
pub(crate) struct Offscreen<'a>(&'a Context);

impl<'a> Offscreen<'a> {
    #[expect(unsafe_code, reason = "three-d does not read the error flag alone")]
    pub(crate) fn begin(context: &'a Context) -> Self {
        // Discard errors from other code.
        for _ in 0..MAX_FLAGS {
            // SAFETY: reads the error flag.
            if unsafe { context.get_error() } == NO_ERROR {
                break;
            }
        }
        Self(context)
    }
}

impl Drop for Offscreen<'_> {
    #[expect(unsafe_code, reason = "three-d binds its own framebuffers only")]
    fn drop(&mut self) {
        // SAFETY: framebuffer 0 and this state exist in every context.
        unsafe {
            self.0.bind_framebuffer(FRAMEBUFFER, None);
            self.0.disable(SCISSOR_TEST);
        }
        tidy(self.0);
    }
}

/// Resets the state that drawing changes, except the viewport.
#[expect(unsafe_code, reason = "three-d sets state only for a draw")]
pub(crate) fn tidy(context: &Context) {
    // SAFETY: sets state that every context has.
    unsafe {
        context.color_mask(true, true, true, true);
        context.depth_mask(true);
        context.disable(DEPTH_TEST);
        context.disable(CULL_FACE);
        context.disable(BLEND);
        context.active_texture(TEXTURE0);
    }
}

/// Reports errors since [`Offscreen::begin`]. Ignores the bound framebuffer: a headless context has none.
#[expect(unsafe_code, reason = "three-d's own check looks at the framebuffer too")]
pub(crate) fn check_errors(context: &Context) -> Result<(), RenderError> {
    // SAFETY: reads the error flag.
    let error = || unsafe { context.get_error() };
    // One failure causes others, so report the root cause.
    let all: Vec<u32> = std::iter::repeat_with(error).take_while(|&error| error != NO_ERROR).take(MAX_FLAGS).collect();
    let cause = [CONTEXT_LOST, OUT_OF_MEMORY].into_iter().find(|cause| all.contains(cause));
    match cause.or(all.first().copied()).unwrap_or(NO_ERROR) {
        NO_ERROR => Ok(()),
        OUT_OF_MEMORY => Err(RenderError::OutOfMemory),
        CONTEXT_LOST => Err(RenderError::ContextLost),
        other => Err(RenderError::Drawing(format!("OpenGL error {other:#06x}"))),
    }
}
