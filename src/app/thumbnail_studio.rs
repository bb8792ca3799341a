//! Draws thumbnails beside the frame loop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::actor::{Actor, SharedPose};
use crate::jobs::Progress;
use crate::render::{FrameInput, Headless, RenderError, Scene};
use crate::rig::{Pose, Rig, bounds, evaluate};
use crate::state::Thumbnail;
use crate::view::{Camera, Display, View};

/// Camera distance of a thumbnail as a share of a window's: a small picture needs less margin.
const CLOSER: f32 = 0.9;
/// Time between two checks whether a thumbnail is still wanted.
const TIME_TO_UPLOAD: Duration = Duration::from_millis(20);
/// Longest wait for textures that other threads make ready; a picture without them is better than none.
const MOST_WAIT: Duration = Duration::from_secs(10);

/// An OpenGL context of this thread.
pub(super) struct ThumbnailStudio {
    /// Scene, declared before its context so that it is dropped first.
    scene: Scene,
    _headless: Headless,
    pictures: u64,
}

impl ThumbnailStudio {
    /// *Errors*: there is no OpenGL without a window.
    pub(super) fn new() -> Result<Self, RenderError> {
        let headless = Headless::new()?;
        let mut scene = headless.scene()?;
        scene.limit_uploads(TIME_TO_UPLOAD);
        Ok(Self { scene, _headless: headless, pictures: 0 })
    }

    /// Square picture of a rig in a pose, seen from its front; `None` where it was cancelled.
    ///
    /// *Errors*: those of the renderer.
    pub(super) fn picture(
        &mut self,
        (rig, pose): (&Arc<Rig>, &Pose),
        side: u32,
        is_dark: bool,
        progress: &Progress,
    ) -> Result<Option<Thumbnail>, RenderError> {
        while self.scene.prepare(rig)? < 1.0 {
            if progress.is_cancelled() {
                return Ok(None);
            }
        }
        let posed = evaluate(rig, None, pose);
        let is_skeleton = rig.instances.is_empty();
        let display = Display { bones: is_skeleton, grid: false, is_dark, ..Display::default() };
        let mut camera = Camera::facing(rig.front());
        camera.frame(bounds(rig, &posed), 1.0);
        camera.distance *= CLOSER;
        let actor = Actor::new(rig, SharedPose::of(rig, posed));
        self.pictures += 1;
        let view = View { camera, display, ..View::default() };
        let frame = FrameInput::of_actor(&actor, (pose, &view), [side; 2]);
        let frame = FrameInput { version: self.pictures, ..frame };
        let begin = Instant::now();
        self.scene.draw(&frame)?;
        while self.scene.is_uploading() && begin.elapsed() < MOST_WAIT {
            if progress.is_cancelled() {
                return Ok(None);
            }
            if !self.scene.is_interrupted() {
                std::thread::sleep(TIME_TO_UPLOAD);
            }
            self.scene.draw(&frame)?;
        }
        Ok(Some(Thumbnail { side, rgba: self.scene.pixels()?.into_raw() }))
    }
}
