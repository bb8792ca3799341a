//! One picture of the state.

use std::sync::Arc;

use image::RgbaImage;

use crate::jobs::Progress;
use crate::render::{FrameInput, Headless, Scene, SkinningDevice};
use crate::skinning::Centers;
use crate::state::AppState;
use crate::view::{PerSide, Side};

/// Draws what states show, on the thread that made it. What was uploaded for one picture serves the next.
pub struct Studio {
    // The scene goes first.
    scene: Scene,
    _context: Headless,
    centers: Option<Arc<Centers>>,
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
        Ok(Self { scene, _context: context, centers: None })
    }

    /// What the state shows, in pixels; top row first.
    ///
    /// *Errors*: in words for the user: a method that cannot serve the rig, a picture or rig too large for the driver.
    pub fn picture(&mut self, state: &AppState, size: [u32; 2]) -> Result<RgbaImage, String> {
        self.find_centers(state)?;
        let frame = FrameInput {
            rig: state.rig(),
            sides: PerSide::from_fn(|side| state.shown(side)),
            centers: self.centers.as_ref(),
            pose: state.pose(),
            view: &state.open.view,
            size,
            pixels_per_point: 1.0,
            version: state.version(),
        };
        self.scene.draw(&frame).map_err(|e| e.to_string())?;
        self.scene.pixels().map_err(|e| e.to_string())
    }

    /// The centres of rotation that what is shown needs.
    fn find_centers(&mut self, state: &AppState) -> Result<(), String> {
        let compare = state.open.view.compare;
        let shown = || Side::ALL.into_iter().filter(|&side| compare.shows(side)).map(|side| state.skinning(side));
        shown().try_for_each(|skinning| skinning.check(state.rig())).map_err(|e| e.to_string())?;
        if self.centers.is_none() && shown().any(|skinning| skinning.method.needs_centers()) {
            let known = state.centers().cloned();
            self.centers = known.or_else(|| Centers::new(state.rig(), &Progress::default()).map(Arc::new));
        }
        Ok(())
    }
}
