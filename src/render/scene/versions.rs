//! Sides that show another character in place of the picture's.

use std::sync::Arc;

use super::Scene;
use super::loaded::Loaded;
use crate::render::RenderError;
use crate::render::frame::FrameInput;
use crate::render::rig::gpu_rig::GpuRig;
use crate::render::rig::upload::UploadBudget;
use crate::rig::Rig;
use crate::view::{Hidden, PerSide, Side, View};

/// Contents of a picture, side by side: a side with a character of its own has a view of its own.
pub(super) struct SideFrames<'a> {
    frame: &'a FrameInput<'a>,
    views: PerSide<Option<View>>,
}

impl<'a> SideFrames<'a> {
    pub(super) fn new(frame: &'a FrameInput<'a>) -> Self {
        let views = frame.sides.map(|side| {
            let other = side.other()?;
            let mut view = View { hidden: Hidden::clone(&other.hidden), hovered: None, ..frame.view.clone() };
            // They name joints of the picture's character.
            view.sides.iter_mut().for_each(|side| side.skinning.by_joint.clear());
            Some(view)
        });
        Self { frame, views }
    }

    /// The frame as if the character of a side were the only one.
    pub(super) fn of(&self, side: Side) -> FrameInput<'_> {
        let shown = self.frame.sides[side];
        match (shown.other(), &self.views[side]) {
            (Some(other), Some(view)) => {
                FrameInput { rig: &other.rig, view, sides: PerSide::both(shown), ..*self.frame }
            }
            _ => *self.frame,
        }
    }

    /// View of a side.
    pub(super) fn view(&self, side: Side) -> &View {
        self.views[side].as_ref().unwrap_or(self.frame.view)
    }
}

/// Character that a side shows in place of the picture's.
#[derive(Default)]
pub(super) enum VersionSlot {
    /// None: the side shows the picture's character.
    #[default]
    Unused,
    /// A character whose geometry is on its way: until it is there, the side is empty.
    Coming(Box<GpuRig>),
    /// Another character, which is shown.
    Shown(Box<Loaded>),
}

impl VersionSlot {
    /// The character to draw, where `open` is the picture's.
    pub(super) fn or<'a>(&'a self, open: Option<&'a Loaded>) -> Option<&'a Loaded> {
        match self {
            Self::Unused => open,
            Self::Coming(_) => None,
            Self::Shown(loaded) => Some(loaded),
        }
    }

    /// The character to skin, where `open` is the picture's.
    pub(super) fn or_mut<'a>(&'a mut self, open: Option<&'a mut Loaded>) -> Option<&'a mut Loaded> {
        match self {
            Self::Unused => open,
            Self::Coming(_) => None,
            Self::Shown(loaded) => Some(loaded),
        }
    }

    /// True while a part of the character is not uploaded yet.
    pub(super) fn is_uploading(&self) -> bool {
        match self {
            Self::Unused => false,
            Self::Coming(_) => true,
            Self::Shown(loaded) => loaded.rig.is_uploading(),
        }
    }

    fn is_of(&self, rig: &Arc<Rig>) -> bool {
        match self {
            Self::Unused => false,
            Self::Coming(coming) => coming.is_of(rig),
            Self::Shown(loaded) => loaded.rig.is_of(rig),
        }
    }
}

impl Scene {
    /// The character that a side shows, in its newest frame.
    pub(super) fn loaded(&self, side: Side) -> Option<&Loaded> {
        self.versions[side].or(self.rig.as_ref())
    }

    /// Uploads the characters that sides show in place of the picture's, and lets go of others.
    ///
    /// *Errors*: as [`Scene::draw`].
    pub(super) fn load_versions(&mut self, frames: &SideFrames<'_>) -> Result<(), RenderError> {
        for side in Side::ALL {
            let Some(other) = frames.frame.sides[side].other() else {
                self.forget_version(side);
                continue;
            };
            if !self.versions[side].is_of(&other.rig) {
                self.forget_version(side);
                let coming = GpuRig::new(&self.context, &other.rig, &self.wake);
                self.versions[side] = VersionSlot::Coming(Box::new(coming));
            }
            self.go_on_with_version(side)?;
            let (context, frame) = (self.context.clone(), frames.of(side));
            if let VersionSlot::Shown(loaded) = &mut self.versions[side] {
                loaded.update(&context, &frame)?;
                if frame.view.display.wireframe {
                    loaded.rig.prepare_edges(&self.wake);
                }
            }
        }
        if self.time_to_upload.is_none() {
            self.upload_rest_of_versions(&UploadBudget::new(None))?;
        }
        Ok(())
    }

    /// Uploads geometry that is on its way, within the time of a frame.
    fn go_on_with_version(&mut self, side: Side) -> Result<(), RenderError> {
        if !matches!(self.versions[side], VersionSlot::Coming(_)) {
            return Ok(());
        }
        let VersionSlot::Coming(mut coming) = std::mem::take(&mut self.versions[side]) else { return Ok(()) };
        let is_all = coming.upload_geometry(&UploadBudget::new(self.time_to_upload))?;
        self.is_interrupted |= !is_all;
        self.versions[side] =
            if is_all { VersionSlot::Shown(Box::new(Loaded::new(*coming))) } else { VersionSlot::Coming(coming) };
        Ok(())
    }

    fn forget_version(&mut self, side: Side) {
        if !matches!(std::mem::take(&mut self.versions[side]), VersionSlot::Unused) {
            (self.shadowed, self.key_shadowed) = (None, PerSide::default());
        }
    }

    /// Goes on with the textures and edges of what sides show in place of the picture's character; true where more can be shown.
    pub(super) fn upload_rest_of_versions(&mut self, budget: &UploadBudget) -> Result<bool, RenderError> {
        let mut is_any_there = false;
        for slot in self.versions.iter_mut().filter(|slot| slot.is_uploading()) {
            let VersionSlot::Shown(loaded) = slot else { continue };
            is_any_there |= loaded.rig.upload_textures(&self.context, budget);
            is_any_there |= loaded.rig.upload_edges(budget)?;
        }
        Ok(is_any_there)
    }

    /// True where every side shows the character that the frame has for it.
    pub(super) fn shows_versions(&self, frame: &FrameInput<'_>) -> bool {
        Side::ALL.into_iter().all(|side| match (frame.sides[side].other(), &self.versions[side]) {
            (Some(other), VersionSlot::Shown(loaded)) => loaded.rig.is_of(&other.rig),
            (None, VersionSlot::Unused) => true,
            _ => false,
        })
    }
}
