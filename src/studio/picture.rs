//! One picture of the state.

use std::sync::Arc;

use image::RgbaImage;

use crate::jobs::Progress;
use crate::render::{FrameInput, Headless, Scene, SkinningDevice};
use crate::rig::Rig;
use crate::skinning::Centers;
use crate::state::AppState;
use crate::view::{PerSide, ShownSide, Side};

/// Draws what states show, on the thread that made it. What was uploaded for one picture serves the next.
pub struct Studio {
    // The scene goes first.
    scene: Scene,
    _context: Headless,
    /// With the character that they are of.
    centers: PerSide<Option<(Arc<Rig>, Arc<Centers>)>>,
}

impl Studio {
    /// Opens an OpenGL context; vertices are skinned where `device` says, or where it suits the driver.
    ///
    /// *Errors*: in words for the user: no context, an old driver.
    pub fn new(device: Option<SkinningDevice>) -> Result<Self, String> {
        let context = Headless::new().map_err(|e| e.to_string())?;
        let mut scene = context.scene().map_err(|e| e.to_string())?;
        if let Some(device) = device {
            scene.skin_on(device);
        }
        Ok(Self { scene, _context: context, centers: PerSide::default() })
    }

    /// What the state shows, in pixels; top row first.
    ///
    /// *Errors*: in words for the user: a method that cannot serve the rig, a picture or rig too large for the driver.
    pub fn picture(&mut self, state: &AppState, size: [u32; 2]) -> Result<RgbaImage, String> {
        self.find_centers(state)?;
        let frame = FrameInput {
            rig: state.rig(),
            sides: PerSide::from_fn(|side| {
                let centers = self.centers[side].as_ref().map(|(_, centers)| centers);
                ShownSide { centers, ..state.shown(side) }
            }),
            pose: state.pose(),
            view: &state.open.view,
            size,
            pixels_per_point: 1.0,
            version: state.version(),
        };
        self.scene.draw(&frame).map_err(|e| e.to_string())?;
        self.scene.pixels().map_err(|e| e.to_string())
    }

    /// The centres of rotation that each side needs, of those that are shown; found once, for both where both show the same character.
    fn find_centers(&mut self, state: &AppState) -> Result<(), String> {
        let shown = |side: &Side| state.open.view.compare.shows(*side);
        for side in Side::ALL.into_iter().filter(shown) {
            let (rig, skinning) = (state.rig_of(side), state.skinning(side));
            skinning.check(rig).map_err(|e| e.to_string())?;
            if !skinning.method.needs_centers() {
                self.centers[side] = None;
                continue;
            }
            let found = self.centers.iter().flatten().find(|(of, _)| Arc::ptr_eq(of, rig)).cloned();
            let known = || state.centers(side).map(|centers| (Arc::clone(rig), Arc::clone(centers)));
            let new = || Centers::new(rig, &Progress::default()).map(|centers| (Arc::clone(rig), Arc::new(centers)));
            self.centers[side] = found.or_else(known).or_else(new);
        }
        Ok(())
    }
}
