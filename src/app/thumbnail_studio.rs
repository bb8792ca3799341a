use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::actor::{Actor, SharedPose, ShownActor};
use crate::jobs::Progress;
use crate::render::{FrameInput, RemoteScene, RemoteScenes, RenderError};
use crate::rig::{ClipMoment, NodeIndex, Pose, Rig, bones_of, evaluate};
use crate::skinning::{SkinnedRig, Skinning};
use crate::stage::{joint_bounds, look_from_side};
use crate::state::Thumbnail;
use crate::view::{Camera, Display, PerSide, View};

/// Camera distance as a fraction of the distance in a window. Small images need less margin.
const CLOSER: f32 = 0.9;
/// Camera distance relative to that at which the joint's longest bone fills the image. Stocky limbs need more room.
const WIDER: f32 = 1.15;
/// Maximum time to wait for textures that other threads prepare. After that, the thumbnail is drawn without them.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A character in a pose.
#[derive(Clone)]
pub(super) struct ThumbnailPose {
    pub skin: SkinnedRig,
    /// Clip below the pose, if any.
    pub moment: Option<ClipMoment>,
    pub pose: Pose,
    /// Joint to frame; `None` for the whole character.
    pub joint: Option<NodeIndex>,
}

impl ThumbnailPose {
    /// Creates an image of the whole character with linear blend skinning.
    pub(super) fn new(rig: &Arc<Rig>, pose: &Pose) -> Self {
        let skin = SkinnedRig::new(rig, Cow::Owned(Skinning::default()), None);
        Self { skin, moment: None, pose: pose.clone(), joint: None }
    }

    fn actor(&self) -> Actor {
        let rig = &self.skin.rig;
        Actor::new(rig, SharedPose::new(rig, evaluate(rig, self.moment, &self.pose)))
    }

    fn view(&self, actor: &Actor, is_dark: bool) -> View {
        let rig = &actor.rig;
        let display = Display { bones: rig.instances.is_empty(), grid: false, is_dark, ..Display::default() };
        let mut camera = Camera::facing(rig.front());
        let all = actor.bounds();
        camera.show_all((all, rig.size_of(all)), &actor.points(), 1.0);
        if let Some(joint) = self.joint {
            let at = actor.pose.posed.world_from_node[joint.index()].translation;
            look_from_side(&mut camera, rig, at, all.center());
            camera.frame(joint_bounds(rig, at, bones_of(rig, &actor.pose.posed, joint)), 1.0);
            camera.distance *= WIDER;
        } else {
            camera.distance *= CLOSER;
        }
        View { camera, display, ..View::default() }
    }
}

/// Draws thumbnails for background threads in the window's OpenGL context. The last character stays uploaded.
pub(super) struct ThumbnailStudio {
    scene: RemoteScene,
    pictures: u64,
}

impl ThumbnailStudio {
    pub(super) fn new(scenes: &RemoteScenes) -> Self {
        Self { scene: scenes.open(), pictures: 0 }
    }

    /// Draws a square image. Returns `None` if cancelled, or if the window was closed.
    pub(super) fn picture(
        &mut self,
        shown: ThumbnailPose,
        side: u32,
        is_dark: bool,
        progress: &Arc<Progress>,
    ) -> Result<Option<Thumbnail>, RenderError> {
        self.pictures += 1;
        let (version, progress, begin) = (self.pictures, Arc::clone(progress), Instant::now());
        let actor = shown.actor();
        let view = shown.view(&actor, is_dark);
        let drawn = self.scene.draw(move |scene| {
            if progress.is_cancelled() {
                return Some(Ok(None));
            }
            let ThumbnailPose { skin: SkinnedRig { skinning, centers, .. }, pose, .. } = &shown;
            let sides =
                PerSide::from_fn(|_| ShownActor { centers: centers.as_ref(), ..ShownActor::new(&actor, skinning) });
            let frame = FrameInput::for_sides(&actor.rig, sides, (pose, &view), [side; 2]);
            let frame = FrameInput { version, ..frame };
            match scene.draw_complete(&frame) {
                Ok(false) if begin.elapsed() < MAX_WAIT => None,
                Ok(_) => Some(scene.picture(&frame, false).map(Some)),
                Err(problem) => Some(Err(problem)),
            }
        });
        let picture = drawn.unwrap_or(Ok(None))?;
        Ok(picture.map(|picture| Thumbnail { side, rgba: picture.into_raw() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::render::{Headless, SceneHost};
    use crate::stage::{BuiltIn, Document};

    #[test]
    fn a_thumbnail_is_drawn_by_the_thread_of_the_window_a_step_in_each_frame() {
        let headless = Headless::new().expect("Mesa's software device is enough");
        let time = Duration::from_millis(1);
        let (mut host, scenes) = SceneHost::new(headless.context(), time, || {});
        let rig = Document::built_in(BuiltIn::Figure).rig;
        let other = std::thread::Builder::new()
            .name("other".to_owned())
            .spawn(move || {
                let pose = Pose::rest(&rig.hierarchy);
                let mut studio = ThumbnailStudio::new(&scenes);
                let drawn =
                    studio.picture(ThumbnailPose::new(&rig, &pose), Thumbnail::SIDE, true, &Arc::default()).unwrap();
                let cancelled = studio.picture(
                    ThumbnailPose::new(&rig, &pose),
                    Thumbnail::SIDE,
                    true,
                    &Arc::new(Progress::cancelled()),
                );
                (drawn.unwrap(), cancelled.unwrap().is_none())
            })
            .unwrap();
        while !other.is_finished() {
            host.go_on(time);
        }
        let (thumbnail, is_cancelled) = other.join().unwrap();
        assert!(is_cancelled && thumbnail.rgba.len() == 4 * (Thumbnail::SIDE * Thumbnail::SIDE) as usize);
        let first = &thumbnail.rgba[..4];
        let other = thumbnail.rgba.chunks_exact(4).filter(|pixel| *pixel != first).count();
        assert!(other > 2000, "the figure is in the picture: {other}");
    }

    #[test]
    fn nothing_is_drawn_without_a_window() {
        let rig = Document::built_in(BuiltIn::Tube).rig;
        let pose = Pose::rest(&rig.hierarchy);
        let mut studio = ThumbnailStudio::new(&RemoteScenes::default());
        assert!(
            studio.picture(ThumbnailPose::new(&rig, &pose), Thumbnail::SIDE, true, &Arc::default()).unwrap().is_none()
        );
    }
}
