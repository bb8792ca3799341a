use std::sync::Arc;
use std::time::Duration;

use three_d::Context;

use super::Scene;
use crate::render::RenderError;
use crate::render::frame::FrameInput;
use crate::render::gl::gl_state::{Offscreen, check_errors};
use crate::render::rig::gpu_rig::GpuRig;
use crate::render::rig::upload::{UploadBudget, Wake};
use rigscope_core::actor::Actor;
use rigscope_core::rig::Rig;

impl Scene {
    /// Limits the upload time of each [`Self::prepare`] and [`Self::draw`]. Without a limit, each call uploads
    /// everything.
    pub fn limit_uploads(&mut self, time: Duration) {
        self.time_to_upload = Some(time);
    }

    /// Returns true if [`Self::limit_uploads`] was called.
    pub fn limits_uploads(&self) -> bool {
        self.time_to_upload.is_some()
    }

    /// Sets a function that other threads call when they have data for the next [`Self::draw`].
    pub fn wake_by(&mut self, wake: impl Fn() + Send + Sync + 'static) {
        self.wake = Arc::new(wake);
    }

    /// Uploads part of a rig while a different rig is still on screen. Returns the fraction of the rig's geometry that
    /// is uploaded, 0 to 1.
    ///
    /// *Errors*: a rig too large for the driver or its memory, a lost context.
    pub fn prepare(&mut self, rig: &Arc<Rig>) -> Result<f32, RenderError> {
        if let Some(known) = self.characters.iter().find(|known| known.is_for(rig)) {
            return Ok(known.progress());
        }
        let _offscreen = Offscreen::begin(&self.context);
        let next = self.next.take().filter(|next| next.is_for(rig));
        let next = self.next.insert(next.unwrap_or_else(|| GpuRig::new(&self.context, rig, &self.wake)));
        next.upload_geometry(&UploadBudget::new(self.time_to_upload))?;
        check_errors(&self.context)?;
        Ok(next.progress())
    }

    /// Uploads part of a frame's data and draws the uploaded part. Returns true once all data is uploaded. *Errors*:
    /// see [`Self::draw`].
    pub fn draw_complete(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        // Drawing waits for the open character's meshes.
        let shows_open = frame.actors.iter().any(|shown| shown.actor.is_open());
        if shows_open && self.prepare(frame.open)? < 1.0 {
            return Ok(false);
        }
        self.draw(frame)?;
        Ok(!self.is_uploading())
    }

    /// Frees the data that [`Self::prepare`] uploaded for a rig that won't be drawn.
    pub fn drop_prepared(&mut self) {
        self.next = None;
    }

    /// Returns true while some of an actor's data is missing, usually because another thread is still computing it.
    pub fn is_uploading(&self) -> bool {
        self.characters.iter().any(GpuRig::is_uploading)
    }

    /// Returns true if the time limit ended the last upload early. The next [`Self::draw`] continues it.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Continues uploading for a frame's actors and frees other data. Returns true if the image changes.
    pub(super) fn load(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        let budget = UploadBudget::new(self.time_to_upload);
        let mut is_more = self.name_characters(frame);
        let wake = &self.wake;
        self.characters.iter_mut().for_each(|rig| want_more(rig, frame, wake));
        self.is_interrupted = false;
        if self.is_uploading() {
            let _offscreen = Offscreen::begin(&self.context);
            for rig in &mut self.characters {
                is_more |= go_on(rig, frame, (&self.context, wake), &budget)?;
            }
            check_errors(&self.context)?;
            self.is_interrupted = budget.is_spent() && self.is_uploading();
        }
        if is_more {
            (self.drawn, self.shadow_input) = (None, None);
            self.key_shadow_inputs.clear();
        }
        Ok(is_more)
    }

    /// Updates the list of characters to match the frame. Returns true if the list changed.
    fn name_characters(&mut self, frame: &FrameInput<'_>) -> bool {
        let known = self.characters.len();
        // Free old characters first, because both may not fit.
        self.characters.retain(|known| actors_of(frame, known.rig()).next().is_some());
        self.actors.make_room(frame);
        let mut is_other = self.characters.len() < known;
        for rig in frame.actors.iter().map(|shown| frame.geometry(shown)) {
            if !self.characters.iter().any(|known| known.is_for(rig)) {
                let prepared = self.next.take_if(|next| next.is_for(rig));
                self.characters.push(prepared.unwrap_or_else(|| GpuRig::new(&self.context, rig, &self.wake)));
                is_other = true;
            }
        }
        is_other
    }
}

fn actors_of<'a>(frame: &'a FrameInput<'_>, rig: &'a Arc<Rig>) -> impl Iterator<Item = &'a Actor> + Clone {
    frame.actors.iter().filter(|shown| Arc::ptr_eq(frame.geometry(shown), rig)).map(|shown| shown.actor)
}

fn want_more(character: &mut GpuRig, frame: &FrameInput<'_>, wake: &Wake) {
    if character.has_geometry() {
        let rig = Arc::clone(character.rig());
        character.want_weights(actors_of(frame, &rig).map(|actor| &actor.rig));
        if frame.view.display.wireframe {
            character.prepare_edges(wake);
        }
    }
}

/// Uploads a character's data within the budget. Returns true if more of the character can be shown than before. Waits
/// only for the open character; other characters are drawn once their meshes are complete.
fn go_on(
    character: &mut GpuRig,
    frame: &FrameInput<'_>,
    (context, wake): (&Context, &Wake),
    budget: &UploadBudget,
) -> Result<bool, RenderError> {
    let mut is_more = false;
    if !character.has_geometry() {
        let is_awaited = actors_of(frame, character.rig()).any(Actor::is_open);
        let budget = if is_awaited { &UploadBudget::new(None) } else { budget };
        is_more = character.upload_geometry(budget)?;
        want_more(character, frame, wake);
    }
    if character.has_geometry() {
        is_more |= character.upload_weights(budget)?;
        is_more |= character.upload_textures(context, budget);
        is_more |= character.upload_edges(budget)?;
    }
    Ok(is_more)
}
