use std::sync::Arc;

use super::thumbnail_studio::{ThumbnailPose, ThumbnailStudio};
use crate::analysis::flex::FlexResult;
use crate::jobs::{JobKind, Jobs, Worker, WorkerChannel};
use crate::render::RemoteScenes;
use crate::skinning::SkinnedRig;
use crate::stage::{BendTest, BendTestPlan, CurrentRequest, RequestState};
use crate::state::{AppState, BendThumbnails, JobResult, SidePanel};

const BEND: JobKind = JobKind::new(
    "bend thumbnails",
    "Drawing the poses of the bend test",
    "Poses may be without a picture; a click still shows them.",
);

/// Draws thumbnails of the listed poses of a bend test, once the Compare panel shows them.
#[derive(Default)]
pub(super) struct BendThumbnailJobs {
    running: Option<(Subject, Worker<Subject, JobResult>)>,
}

#[derive(Clone)]
struct Subject {
    test: Arc<BendTest>,
    /// The character as tested.
    skin: SkinnedRig,
    is_dark: bool,
    /// Width and height of a thumbnail, pixels.
    side: u32,
}

impl Subject {
    fn new(state: &AppState, pixels_per_point: f32) -> Option<Self> {
        let RequestState::Known { value: test, input: plan, .. } = BendTestPlan::state(&state.open.stage) else {
            return None;
        };
        Some(Self {
            test: Arc::clone(test),
            skin: plan.skin.clone(),
            is_dark: state.open.stage.view.display.is_dark,
            side: (BendThumbnails::SIDE * pixels_per_point).round().clamp(1.0, 512.0) as u32,
        })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.test, &other.test) && (self.is_dark, self.side) == (other.is_dark, other.side)
    }

    fn pose(&self, result: &FlexResult) -> ThumbnailPose {
        ThumbnailPose {
            skin: self.skin.clone().ready(),
            moment: result.pose.moment,
            pose: result.pose.pose(&self.skin.rig),
            joint: result.pose.joint,
        }
    }
}

impl BendThumbnailJobs {
    /// Starts drawing when a test becomes visible. Starts again for another test, theme or resolution.
    pub(super) fn follow(&mut self, state: &AppState, pixels_per_point: f32, (jobs, scenes): (&Jobs, &RemoteScenes)) {
        let Some(subject) = Subject::new(state, pixels_per_point) else {
            self.running = None;
            return;
        };
        let is_same = self.running.as_ref().is_some_and(|(running, _)| running.is(&subject));
        if is_same || !state.panels.is_shown(SidePanel::Compare, &state.settings) {
            return;
        }
        let scenes = scenes.clone();
        let worker = Worker::start(jobs, &BEND, move |channel: &WorkerChannel<Subject, JobResult>| {
            while let Some(subject) = channel.next() {
                draw(&subject, channel, &scenes);
            }
        });
        worker.send(subject.clone());
        self.running = Some((subject, worker));
    }

    pub(super) fn results(&self) -> impl Iterator<Item = JobResult> + '_ {
        self.running.iter().flat_map(|(_, worker)| worker.results())
    }
}

/// Draws the thumbnails in the order of the list, until cancelled.
fn draw(subject: &Subject, channel: &WorkerChannel<Subject, JobResult>, scenes: &RemoteScenes) {
    let (listed, progress) = (subject.test.listed(), channel.progress());
    let mut studio = ThumbnailStudio::new(scenes);
    progress.enter("", 0, listed.len());
    for (index, result) in listed.iter().enumerate() {
        match studio.picture(subject.pose(result), subject.side, subject.is_dark, &progress) {
            Ok(Some(image)) => {
                channel.send(JobResult::BendPoseDrawn(Arc::clone(&subject.test), index, Arc::new(image)));
            }
            Ok(None) => return,
            Err(problem) => return log::warn!("poses of the bend test have no thumbnails: {problem}"),
        }
        progress.add(1);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::import::Job;
    use crate::jobs::testing::jobs;
    use crate::render::{Headless, SceneHost};
    use crate::stage::{BendTestPlan, BuiltIn, DerivedKind};
    use crate::state::{Command, Thumbnail};

    fn tested() -> AppState {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        run(&mut state);
        state
    }

    fn run(state: &mut AppState) {
        state.apply(Command::TestBend(true));
        let done = state.next_wanted(DerivedKind::new::<BendTestPlan>()).unwrap().run(&Job::default());
        state.receive(JobResult::Derived(done));
    }

    fn images(state: &AppState) -> Vec<Arc<Thumbnail>> {
        let RequestState::Known { value: test, .. } = BendTestPlan::state(&state.open.stage) else {
            panic!("not tested")
        };
        (0..test.listed().len()).filter_map(|index| state.open.bend_thumbnails.image(test, index).cloned()).collect()
    }

    #[test]
    fn listed_poses_are_drawn_once_the_panel_shows_them_and_again_for_another_test() {
        let headless = Headless::new().expect("Mesa's software device is enough");
        let (mut host, scenes) = SceneHost::new(headless.context(), Duration::from_millis(1), || {});
        let ((jobs, _news), mut state) = (jobs(), tested());
        let mut thumbnails = BendThumbnailJobs::default();
        let mut draw = |state: &mut AppState, count: usize| {
            for _ in 0..2000 {
                thumbnails.follow(state, 1.0, (&jobs, &scenes));
                let results: Vec<JobResult> = thumbnails.results().collect();
                for result in results {
                    state.receive(result);
                }
                if images(state).len() >= count {
                    return thumbnails.running.is_some();
                }
                host.go_on(Duration::from_millis(5));
                std::thread::sleep(Duration::from_millis(2));
            }
            panic!("{} images of {count}", images(state).len())
        };
        assert!(!draw(&mut state, 0), "the panel is hidden");
        state.apply(Command::SetSidePanel(SidePanel::Compare));
        assert!(draw(&mut state, 20));
        let first = images(&state);
        assert!(first.len() == 20 && first.iter().all(|image| image.side == 56));
        assert!(first.windows(2).any(|pair| pair[0] != pair[1]), "poses differ");
        draw(&mut state, 20);
        assert!(Arc::ptr_eq(&first[3], &images(&state)[3]), "nothing is drawn twice");
        run(&mut state);
        assert!(images(&state).is_empty(), "of another test");
        draw(&mut state, 20);
    }
}
