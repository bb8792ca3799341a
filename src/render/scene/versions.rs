//! Sides that show another character in place of the picture's.

use std::sync::Arc;

use super::Scene;
use super::loaded::Loaded;
use crate::render::RenderError;
use crate::render::frame::FrameInput;
use crate::render::rig::gpu_rig::GpuRig;
use crate::render::rig::upload::UploadBudget;
use crate::rig::Rig;
use crate::view::{PerSide, ShownSide, Side, View};

/// What a picture shows, side by side: a side with a character of its own has a view of its own.
pub(super) struct SideFrames<'a> {
    frame: &'a FrameInput<'a>,
    views: PerSide<Option<View>>,
}

impl<'a> SideFrames<'a> {
    pub fn new(frame: &'a FrameInput<'a>) -> Self {
        let views = frame.sides.map(|side| {
            let version = side.version?;
            let mut view = View { hidden: version.hidden.clone(), hovered: None, ..frame.view.clone() };
            // They name joints of the picture's character.
            view.sides.iter_mut().for_each(|side| side.skinning.by_joint.clear());
            Some(view)
        });
        Self { frame, views }
    }

    /// The frame as if the character of a side were the only one.
    pub fn of(&self, side: Side) -> FrameInput<'_> {
        match (self.frame.sides[side].version, &self.views[side]) {
            (Some(version), Some(view)) => {
                let shown = ShownSide { version: None, ..self.frame.sides[side] };
                FrameInput { rig: version.rig, view, sides: PerSide::both(shown), ..*self.frame }
            }
            _ => *self.frame,
        }
    }

    /// The view of a side.
    pub fn view(&self, side: Side) -> &View {
        self.views[side].as_ref().unwrap_or(self.frame.view)
    }
}

impl Scene {
    /// The character that a side shows, in its newest frame.
    pub(super) fn loaded(&self, side: Side) -> Option<&Loaded> {
        self.versions[side].as_ref().or(self.rig.as_ref())
    }

    /// Uploads the characters that sides show in place of the picture's, and lets go of others.
    ///
    /// *Errors*: as [`Scene::draw`].
    pub(super) fn load_versions(&mut self, frames: &SideFrames<'_>) -> Result<(), RenderError> {
        for side in Side::ALL {
            let Some(version) = frames.frame.sides[side].version else {
                self.forget_version(side);
                continue;
            };
            if self.versions[side].as_ref().is_none_or(|known| !known.rig.is_of(version.rig)) {
                self.forget_version(side);
                self.versions[side] = Some(self.uploaded(version.rig)?);
            }
            let (context, frame) = (self.context.clone(), frames.of(side));
            if let Some(loaded) = &mut self.versions[side] {
                loaded.update(&context, &frame)?;
                if frame.view.display.wireframe {
                    loaded.rig.prepare_edges(&self.wake);
                }
            }
        }
        Ok(())
    }

    fn forget_version(&mut self, side: Side) {
        if self.versions[side].take().is_some() {
            (self.shadowed, self.key_shadowed) = (None, PerSide::default());
        }
    }

    fn uploaded(&self, rig: &Arc<Rig>) -> Result<Loaded, RenderError> {
        let mut uploaded = GpuRig::new(&self.context, rig, &self.wake);
        uploaded.upload_geometry(&self.context, &UploadBudget::new(None))?;
        Ok(Loaded::new(uploaded))
    }

    /// Goes on with the textures and edges of what sides show in place of the picture's character; true where more can be shown.
    pub(super) fn upload_rest_of_versions(&mut self, budget: &UploadBudget) -> Result<bool, RenderError> {
        let mut is_any_there = false;
        for loaded in self.versions.iter_mut().flatten().filter(|loaded| loaded.rig.is_uploading()) {
            is_any_there |= loaded.rig.upload_textures(&self.context, budget);
            is_any_there |= loaded.rig.upload_edges(&self.context, budget)?;
        }
        Ok(is_any_there)
    }

    /// True where every side shows the character that the frame has for it.
    pub(super) fn shows_versions(&self, frame: &FrameInput<'_>) -> bool {
        Side::ALL.into_iter().all(|side| match (frame.sides[side].version, &self.versions[side]) {
            (Some(version), Some(loaded)) => loaded.rig.is_of(version.rig),
            (None, None) => true,
            _ => false,
        })
    }
}
