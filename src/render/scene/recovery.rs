use super::Scene;
use super::actors::Actors;
use crate::render::RenderError;
use crate::render::gl::gl_state::check_errors;

impl Scene {
    /// Replaces an error by its root cause, if the driver reports one. If memory is exhausted, frees everything for a retry.
    pub(super) fn resolve_error<T>(&mut self, result: Result<T, RenderError>) -> Result<T, RenderError> {
        let error = match result {
            Ok(done) => return Ok(done),
            Err(error) => match check_errors(&self.context) {
                Err(cause @ (RenderError::ContextLost | RenderError::OutOfMemory)) => cause,
                _ => error,
            },
        };
        if matches!(error, RenderError::OutOfMemory) {
            self.characters.clear();
            (self.actors, self.next, self.drawn) = (Actors::default(), None, None);
            (self.shadow, self.lights, self.outline, self.glass) = (None, None, None, None);
            self.shadow_input = None;
            self.key_shadow_inputs.clear();
            self.pictures.free();
        }
        Err(error)
    }
}
