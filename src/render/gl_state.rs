//! OpenGL state that drawing offscreen changes and its surroundings count on.

use three_d::context::{
    BLEND, CULL_FACE, DEPTH_TEST, DRAW_FRAMEBUFFER, DRAW_FRAMEBUFFER_BINDING, Framebuffer, NO_ERROR, READ_FRAMEBUFFER,
    READ_FRAMEBUFFER_BINDING, SCISSOR_BOX, SCISSOR_TEST, TEXTURE0, VIEWPORT,
};
use three_d::{Context, CoreError, HasContext};

use super::RenderError;

/// `GL_CONTEXT_LOST` of OpenGL 4.5 and the robustness extensions.
const CONTEXT_LOST: u32 = 0x0507;

/// The bound framebuffers, viewport and scissor box, put back when dropped, and the rest of what drawing changes as OpenGL starts it.
///
/// egui sets the rest by itself before it paints, but clears the window before that, through whatever colour mask is set.
pub(super) struct GlState<'a> {
    context: &'a Context,
    draw: Option<Framebuffer>,
    read: Option<Framebuffer>,
    viewport: [i32; 4],
    scissor: [i32; 4],
    is_scissored: bool,
}

impl<'a> GlState<'a> {
    #[expect(unsafe_code, reason = "three-d cannot read state")]
    pub fn save(context: &'a Context) -> Self {
        let (mut viewport, mut scissor) = ([0; 4], [0; 4]);
        // SAFETY: reads state that every context has into arrays of the size that it has.
        unsafe {
            // Errors that others left would be taken for ours. A lost context never stops reporting.
            for _ in 0..8 {
                if context.get_error() == NO_ERROR {
                    break;
                }
            }
            context.get_parameter_i32_slice(VIEWPORT, &mut viewport);
            context.get_parameter_i32_slice(SCISSOR_BOX, &mut scissor);
            Self {
                context,
                draw: context.get_parameter_framebuffer(DRAW_FRAMEBUFFER_BINDING),
                read: context.get_parameter_framebuffer(READ_FRAMEBUFFER_BINDING),
                viewport,
                scissor,
                is_scissored: context.is_enabled(SCISSOR_TEST),
            }
        }
    }
}

/// Fails where drawing since [`GlState::save`] has left an error. The bound framebuffer is not looked at: headless there is none.
#[expect(unsafe_code, reason = "three-d's own check looks at the framebuffer too")]
pub(super) fn check_errors(context: &Context) -> Result<(), RenderError> {
    // SAFETY: reads the error flag.
    let error = unsafe { context.get_error() };
    let meaning = match error {
        NO_ERROR => return Ok(()),
        three_d::context::OUT_OF_MEMORY => "the graphics card is out of memory".to_owned(),
        CONTEXT_LOST => "the graphics driver was reset".to_owned(),
        other => format!("OpenGL error {other:#06x}"),
    };
    Err(RenderError::Drawing(CoreError::ContextError(meaning)))
}

impl Drop for GlState<'_> {
    #[expect(unsafe_code, reason = "three-d cannot bind the framebuffer of others")]
    fn drop(&mut self) {
        let ([x, y, width, height], [left, bottom, across, up]) = (self.viewport, self.scissor);
        // SAFETY: the values were read from this context and nothing here deletes a framebuffer of others.
        unsafe {
            self.context.bind_framebuffer(DRAW_FRAMEBUFFER, self.draw);
            self.context.bind_framebuffer(READ_FRAMEBUFFER, self.read);
            self.context.viewport(x, y, width, height);
            self.context.scissor(left, bottom, across, up);
            self.context.color_mask(true, true, true, true);
            self.context.depth_mask(true);
            self.context.disable(DEPTH_TEST);
            self.context.disable(CULL_FACE);
            self.context.disable(BLEND);
            self.context.active_texture(TEXTURE0);
            if self.is_scissored {
                self.context.enable(SCISSOR_TEST);
            } else {
                self.context.disable(SCISSOR_TEST);
            }
        }
    }
}
