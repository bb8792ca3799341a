//! A rig on its way to the graphics card.

use std::sync::Arc;
use std::time::Duration;

use super::Scene;
use super::loaded::Loaded;
use super::versions::VersionSlot;
use crate::render::RenderError;
use crate::render::frame::FrameInput;
use crate::render::gl::gl_state::{Offscreen, check_errors};
use crate::render::rig::gpu_rig::GpuRig;
use crate::render::rig::upload::UploadBudget;
use crate::rig::Rig;
use crate::view::PerSide;

impl Scene {
    /// Spends no more time than this on uploading in one call of [`Self::prepare`] or [`Self::draw`]; otherwise each uploads everything.
    pub fn limit_uploads(&mut self, time: Duration) {
        self.time_to_upload = Some(time);
    }

    /// Sets a function to call on another thread whenever that has made something for the next [`Self::draw`] to go on with.
    pub fn wake_by(&mut self, wake: impl Fn() + Send + Sync + 'static) {
        self.wake = Arc::new(wake);
    }

    /// Uploads a part of a rig that is to be drawn soon, while another one still is; how much of its geometry is there, 1 when all is.
    ///
    /// *Errors*: a rig too large for the driver or its memory, a lost context.
    pub fn prepare(&mut self, rig: &Arc<Rig>) -> Result<f32, RenderError> {
        if self.rig.as_ref().is_some_and(|l| l.rig.is_of(rig)) {
            return Ok(1.0);
        }
        let _offscreen = Offscreen::begin(&self.context);
        let budget = UploadBudget::new(self.time_to_upload);
        let next = self.next.take().filter(|n| n.is_of(rig));
        let mut next = next.unwrap_or_else(|| GpuRig::new(&self.context, rig, &self.wake));
        let is_all = next.upload_geometry(&budget)?;
        check_errors(&self.context)?;
        // Rounding must not say that all is there.
        let progress = if is_all { 1.0 } else { next.progress().min(0.999) };
        self.next = Some(next);
        Ok(progress)
    }

    /// Lets go of what [`Self::prepare`] has uploaded of a rig that will not be drawn.
    pub fn drop_prepared(&mut self) {
        self.next = None;
    }

    /// True while weights of a side, textures or edges of the drawn rig are missing, most of the time because another thread makes them.
    pub fn is_uploading(&self) -> bool {
        self.rig.as_ref().is_some_and(|l| l.rig.is_uploading()) || self.versions.iter().any(VersionSlot::is_uploading)
    }

    /// True where the next [`Self::draw`] has more to upload already, which the time limit kept from the last one.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Uploads what is not on the graphics card yet.
    pub(super) fn load(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        if let Some(loaded) = self.rig.as_mut().filter(|l| l.rig.is_of(frame.rig)) {
            loaded.update(&self.context, frame)?;
        } else {
            // The old rig goes first: both may not fit.
            self.rig = None;
            self.versions = PerSide::default();
            (self.shadowed, self.key_shadowed) = (None, PerSide::default());
            let prepared = self.next.take().filter(|n| n.is_of(frame.rig));
            let mut next = prepared.unwrap_or_else(|| GpuRig::new(&self.context, frame.rig, &self.wake));
            next.upload_geometry(&UploadBudget::new(None))?;
            check_errors(&self.context)?;
            // What has been made for it meanwhile wakes nobody any more.
            self.is_interrupted = next.is_uploading();
            self.rig.insert(Loaded::new(next)).update(&self.context, frame)?;
        }
        if let Some(loaded) = self.rig.as_mut().filter(|_| frame.view.display.wireframe) {
            loaded.rig.prepare_edges(&self.wake);
        }
        if self.time_to_upload.is_none() {
            self.upload_rest(frame)?;
        }
        Ok(())
    }

    /// Goes on with the weights of sides, the textures and the edges of the rig that is drawn; true where more can be shown.
    pub(super) fn upload_rest(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        self.is_interrupted = false;
        let budget = UploadBudget::new(self.time_to_upload);
        let Some(loaded) = self.rig.as_mut().filter(|l| l.rig.is_of(frame.rig)) else { return Ok(false) };
        let PerSide { a, b } = frame.sides.map(|side| side.weighted(frame.rig));
        loaded.rig.want_weights([a, b].into_iter().flatten());
        if !loaded.rig.is_uploading() {
            let is_more = self.upload_rest_of_versions(&budget)?;
            self.is_interrupted = budget.is_spent();
            return Ok(is_more);
        }
        let _offscreen = Offscreen::begin(&self.context);
        let has_weights = loaded.rig.upload_weights(&budget)?;
        if has_weights {
            (self.shadowed, self.key_shadowed) = (None, PerSide::default());
        }
        let has_texture = loaded.rig.upload_textures(&self.context, &budget);
        let has_edges = loaded.rig.upload_edges(&budget)?;
        self.is_interrupted = budget.is_spent();
        check_errors(&self.context)?;
        Ok(has_weights || has_edges || has_texture)
    }
}
