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
    /// Of each character that was drawn by them: the file's, and those by weights of a side.
    centers: Vec<(Arc<Rig>, Arc<Centers>)>,
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
        Ok(Self { scene, _context: context, centers: Vec::new() })
    }

    /// A studio that is opened on this thread while `work` runs on another one, and what `work` returns.
    ///
    /// *Errors*: those of `work`; as [`Self::new`].
    pub fn beside<T: Send>(
        device: Option<SkinningDevice>,
        work: impl FnOnce() -> Result<T, String> + Send,
    ) -> Result<(Self, T), String> {
        std::thread::scope(|scope| {
            let working = scope.spawn(work);
            let studio = Self::new(device);
            let done = working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok((studio?, done))
        })
    }

    /// What the state shows, in pixels; top row first.
    ///
    /// *Errors*: in words for the user: a method that cannot serve the rig, a picture or rig too large for the driver.
    pub fn picture(&mut self, state: &AppState, size: [u32; 2]) -> Result<RgbaImage, String> {
        self.drawn(state, size, false)
    }

    /// What the state shows before a transparent background: colours and straight alpha; top row first. Of the ground only the shadow is there.
    ///
    /// *Errors*: as [`Self::picture`].
    pub fn cut_out(&mut self, state: &AppState, size: [u32; 2]) -> Result<RgbaImage, String> {
        self.drawn(state, size, true)
    }

    fn drawn(&mut self, state: &AppState, size: [u32; 2], is_transparent: bool) -> Result<RgbaImage, String> {
        self.find_centers(state)?;
        let frame = FrameInput {
            rig: state.rig(),
            sides: PerSide::from_fn(|side| ShownSide {
                centers: centers_of(&self.centers, state.rig_of(side)),
                ..state.shown(side)
            }),
            pose: state.pose(),
            view: &state.open.view,
            size,
            pixels_per_point: 1.0,
            version: state.version(),
        };
        self.scene.picture(&frame, is_transparent).map_err(|e| e.to_string())
    }

    /// The centres of rotation that what is shown needs.
    fn find_centers(&mut self, state: &AppState) -> Result<(), String> {
        let rigs = Side::ALL.map(|side| state.rig_of(side));
        self.centers.retain(|(known, _)| rigs.iter().any(|rig| Arc::ptr_eq(known, rig)));
        for side in Side::ALL.into_iter().filter(|&side| state.open.view.compare.shows(side)) {
            let (rig, skinning) = (state.rig_of(side), state.skinning(side));
            skinning.check(rig).map_err(|e| e.to_string())?;
            if skinning.method.needs_centers() && centers_of(&self.centers, rig).is_none() {
                let known = state.centers(side).cloned();
                let found = known.or_else(|| Centers::new(rig, &Progress::default()).map(Arc::new));
                self.centers.extend(found.map(|centers| (Arc::clone(rig), centers)));
            }
        }
        Ok(())
    }
}

fn centers_of<'a>(known: &'a [(Arc<Rig>, Arc<Centers>)], rig: &Arc<Rig>) -> Option<&'a Arc<Centers>> {
    known.iter().find(|(of, _)| Arc::ptr_eq(of, rig)).map(|(_, centers)| centers)
}
