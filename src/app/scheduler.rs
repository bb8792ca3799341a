//! Computes derived values in the background, one of each kind at a time. Cancels jobs that are no longer needed.

use std::sync::Arc;

use crate::import::Job;
use crate::jobs::{Jobs, Outcome, Task};
use crate::stage::{ComparisonFilePlan, DerivedKind, DerivedRequest, DerivedResult};
use crate::state::{AppState, JobResult};
use crate::view::ShownFile;

pub(super) struct Scheduler {
    memory_limit: u64,
    run: fn(&DerivedRequest, &Job) -> DerivedResult,
    running: Vec<(DerivedRequest, Task<DerivedResult>)>,
}

impl Scheduler {
    /// Creates a scheduler. `memory_limit` is the maximum decoded size per file, in bytes.
    pub(super) fn new(memory_limit: u64) -> Self {
        Self { memory_limit, run: DerivedRequest::run, running: Vec::new() }
    }

    /// Starts missing jobs, cancels jobs that are no longer needed, and updates the progress of each kind in the state.
    pub(super) fn follow(&mut self, state: &mut AppState, jobs: &Jobs) {
        for kind in DerivedKind::ALL {
            let wanted = state.next_wanted(kind);
            self.running.retain(|(running, _)| {
                running.kind() != kind || wanted.as_ref().is_some_and(|wanted| wanted.is(running))
            });
            let is_running = |running: &Self| running.task(kind).is_some();
            if let Some(wanted) = wanted.filter(|_| !is_running(self)) {
                self.start(wanted, jobs);
            }
            state.open.stage.progress.set(kind, self.task(kind).map(|task| task.progress().fraction()));
        }
    }

    fn task(&self, kind: DerivedKind) -> Option<&Task<DerivedResult>> {
        self.running.iter().find(|(wanted, _)| wanted.kind() == kind).map(|(_, task)| task)
    }

    fn start(&mut self, wanted: DerivedRequest, jobs: &Jobs) {
        let (run, memory_limit, work) = (self.run, self.memory_limit, wanted.clone());
        let pause = wanted.pause();
        let task = Task::start(jobs, wanted.job(), move |progress| {
            std::thread::sleep(pause);
            run(&work, &Job::with_memory_limit(memory_limit).with_progress(Arc::clone(progress)))
        });
        self.running.push((wanted, task));
    }

    /// Cancels reading a comparison file that changed again, so that it is read from the start.
    pub(super) fn begin_anew(&mut self, file: &ShownFile) {
        self.running.retain(|(wanted, _)| wanted.input::<ComparisonFilePlan>().is_none_or(|plan| plan.file != *file));
    }

    pub(super) fn poll(&mut self) -> Vec<JobResult> {
        let mut arrived = Vec::new();
        self.running.retain(|(wanted, task)| {
            arrived.push(match task.poll() {
                Outcome::Pending => return true,
                Outcome::Done(done) => JobResult::Derived(done),
                Outcome::Died => JobResult::Derived(wanted.died()),
            });
            false
        });
        arrived
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use glam::Quat;

    use super::*;
    use crate::analysis::tracks::TrackKind;
    use crate::jobs::Progress;
    use crate::jobs::testing::{fault, jobs};
    use crate::posing::ClipCorrection;
    use crate::skinning::Method;
    use crate::stage::points::testing::csv;
    use crate::stage::{
        BendTestPlan, BuiltIn, CentersPlan, ChangePlan, ChangeState, ChoiceState, ClipRankingPlan, ComparisonRig,
        CorrectionPlan, CurrentRequest, Derived, DiagnosisPlan, Document, EditMeshPlan, EnvironmentPlan, JointPlan,
        JointRankingPlan, Lint, LintPlan, MeanPlan, RequestState, RigChoice, SelectPlan, SimulationPlan, Source,
        TrackPlan, TrackState, TwistPlan, WeightEditPlan, WeightPlan,
    };
    use crate::state::{Action, AfterLoad, Command, PathUse, SidePanel, TrackDrawer};
    use crate::view::Side;
    use crate::weights::{Recipe, WeightChoice};

    fn state() -> AppState {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        // Provides lint results, so that the scheduler computes only what the test requests.
        let rig = Arc::clone(state.open.stage.rig());
        state.receive(JobResult::Derived(DerivedResult::findings(rig, Some(Vec::new().into()))));
        state
    }

    fn derive(state: &mut AppState, kind: DerivedKind) {
        let done = kind.wanted(&state.open.stage).unwrap().run(&Job::default());
        state.receive(JobResult::Derived(done));
    }

    type Case = (DerivedKind, &'static str, fn(&mut AppState), fn(&AppState) -> bool);

    fn cases() -> Vec<Case> {
        [&[case_of_clips()], &cases_of_sides()[..], &cases_of_analysis(), &cases_of_tests_and_edits()].concat()
    }

    fn case_of_clips() -> Case {
        const TUBE: Source = Source::BuiltIn(BuiltIn::Tube);
        (
            DerivedKind::new::<CorrectionPlan>(),
            "Correcting clips",
            |state| {
                let document = Document::open_with_clips(&TUBE, &[TUBE], &Job::default()).unwrap();
                state.receive(JobResult::Document(Box::new(document), AfterLoad::UseClips));
                let rig = Arc::clone(state.open.stage.rig());
                state.receive(JobResult::Derived(DerivedResult::findings(Arc::clone(&rig), Some(Vec::new().into()))));
                let turned = rig.hierarchy.nodes().map(|node| (node, Quat::from_rotation_x(0.5)));
                state.open.stage.document.clip_corrections.set(&TUBE, ClipCorrection::new(turned));
            },
            |state| state.open.stage.document.clip_corrections.is_empty(),
        )
    }

    fn cases_of_sides() -> [Case; 7] {
        [
            (
                DerivedKind::new::<ComparisonFilePlan>(),
                "Opening hero.glb",
                |state| _ = state.apply(Command::UsePath(PathUse::CompareWith, PathBuf::from("hero.glb"))),
                |state| matches!(ShownFile::state(&state.open.stage, Side::B), ChoiceState::Missing(why) if why.contains("fault in Rigscope")),
            ),
            (
                DerivedKind::new::<WeightPlan>(),
                "Computing weights",
                |state| {
                    state.apply(Command::SetWeights(Side::B, WeightChoice::Computed(Recipe::default())));
                },
                |state| matches!(WeightChoice::state(&state.open.stage, Side::B), ChoiceState::Missing(why) if why.contains("fault in Rigscope")),
            ),
            (
                DerivedKind::new::<CentersPlan>(),
                "Finding centres of rotation",
                |state| _ = state.apply(Command::SetSkinning(Side::B, Method::Cor.into())),
                |state| state.open.stage.view.sides.b.skinning.method == Method::Lbs,
            ),
            (
                DerivedKind::new::<EnvironmentPlan>(),
                "Reading the environment map",
                |state| _ = state.apply(Command::UsePath(PathUse::OpenEnvironment, PathBuf::from("sky.hdr"))),
                |state| state.open.stage.view.environment_file.wanted.is_none(),
            ),
            (
                DerivedKind::new::<EditMeshPlan>(),
                "Preparing weight editing",
                |state| _ = state.apply(Command::Do(Action::ToggleWeightEditing)),
                |state| !state.open.stage.editing.is_on,
            ),
            (
                DerivedKind::new::<SelectPlan>(),
                "Selecting vertices",
                |state| {
                    state.apply(Command::Do(Action::ToggleWeightEditing));
                    derive(state, DerivedKind::new::<EditMeshPlan>());
                    state.apply(Command::Do(Action::InvertVertices));
                },
                |state| !state.open.stage.editing.is_selecting() && state.open.stage.editing.selected().is_empty(),
            ),
            (
                DerivedKind::new::<MeanPlan>(),
                "Averaging weights of the selected vertices",
                |state| {
                    state.apply(Command::Do(Action::ToggleWeightEditing));
                    derive(state, DerivedKind::new::<EditMeshPlan>());
                    state.apply(Command::Do(Action::InvertVertices));
                    derive(state, DerivedKind::new::<SelectPlan>());
                },
                |state| state.open.stage.editing.means().is_empty(),
            ),
        ]
    }

    fn cases_of_analysis() -> [Case; 7] {
        [
            (
                DerivedKind::new::<LintPlan>(),
                "Looking for findings",
                |state| state.open.stage.lint = Lint::default(),
                |state| !state.open.stage.requests.has::<LintPlan>(),
            ),
            (
                DerivedKind::new::<ChangePlan>(),
                "Comparing the files",
                |state| {
                    state.open.stage.view.sides.b.file = ShownFile::Previous;
                    let (rig, before) = (Arc::clone(state.open.stage.rig()), Arc::clone(state.open.stage.rig()));
                    let other = ComparisonRig::between(&rig, before, &Progress::default()).map(Ok);
                    let plan = ComparisonFilePlan::wanted(&state.open.stage).unwrap();
                    state.receive(JobResult::Derived(DerivedResult::new(plan, other)));
                    state.apply(Command::SetSidePanel(SidePanel::Changes));
                },
                |state| matches!(ChangeState::new(&state.open.stage), ChangeState::Stopped),
            ),
            (
                DerivedKind::new::<JointPlan>(),
                "Sampling the selected joints",
                |state| {
                    state.apply(Command::Do(Action::ToggleTracks));
                    let shown = vec![TrackKind::Rotation];
                    state.apply(Command::SetTrackDrawer(TrackDrawer { shown, ..state.settings.tracks.clone() }));
                    state.apply(Command::SetClip(Some(0)));
                    state.apply(Command::Select(state.open.stage.rig().hierarchy.nodes().next()));
                },
                |state| state.open.stage.tracks.joints(&state.open.stage).is_none(),
            ),
            (
                DerivedKind::new::<TrackPlan>(),
                "Measuring the clip",
                |state| {
                    state.apply(Command::Do(Action::ToggleTracks));
                    state.apply(Command::SetClip(Some(0)));
                },
                |state| matches!(TrackState::new(&state.open.stage), TrackState::Stopped(None)),
            ),
            (
                DerivedKind::new::<ClipRankingPlan>(),
                "Ranking the clips",
                |state| _ = state.apply(Command::RankClips(true)),
                |state| matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Missing),
            ),
            (
                DerivedKind::new::<DiagnosisPlan>(),
                "Diagnosing the points",
                |state| {
                    let folder = tempfile::tempdir().unwrap();
                    let path = folder.path().join("mine.csv");
                    std::fs::write(&path, csv(&state.open.stage, 1.0)).unwrap();
                    state.apply(Command::UsePath(PathUse::CompareWithPoints, path));
                    state.open.stage.compute_pending(&Job::default());
                    state.apply(Command::Do(Action::DiagnosePoints));
                },
                |state| matches!(DiagnosisPlan::state(&state.open.stage), RequestState::Failed(why) if why.contains("fault in Rigscope")),
            ),
            (
                DerivedKind::new::<JointRankingPlan>(),
                "Ranking the joints",
                |state| _ = state.apply(Command::Do(Action::RankJoints)),
                |state| state.open.stage.joint_ranking.known().is_none(),
            ),
        ]
    }

    fn cases_of_tests_and_edits() -> [Case; 4] {
        [
            (
                DerivedKind::new::<BendTestPlan>(),
                "Testing how the skin bends",
                |state| _ = state.apply(Command::TestBend(true)),
                |state| matches!(BendTestPlan::state(&state.open.stage), RequestState::Missing),
            ),
            (
                DerivedKind::new::<TwistPlan>(),
                "Testing twist and bend",
                |state| {
                    state.apply(Command::Select(state.open.stage.rig().hierarchy.nodes().next()));
                    state.apply(Command::Do(Action::TestTwist));
                },
                |state| state.open.stage.twist_test.known().is_none(),
            ),
            (
                DerivedKind::new::<SimulationPlan>(),
                "Simulating engines",
                |state| _ = state.apply(Command::Simulate { is_clip: false }),
                |state| state.open.stage.simulation.known().is_none(),
            ),
            (
                DerivedKind::new::<WeightEditPlan>(),
                "Editing weights",
                |state| {
                    state.apply(Command::Do(Action::ToggleWeightEditing));
                    derive(state, DerivedKind::new::<EditMeshPlan>());
                    state.apply(Command::Do(Action::InvertVertices));
                    derive(state, DerivedKind::new::<SelectPlan>());
                    derive(state, DerivedKind::new::<MeanPlan>());
                    state.apply(Command::Do(Action::SmoothWeights));
                },
                |state| state.open.stage.view.sides.a.weights.is_file() && state.can(Action::SmoothWeights),
            ),
        ]
    }

    #[test]
    fn panicked_job_is_reported_once_and_not_restarted() {
        let cases = cases();
        let has_case = |kind: &DerivedKind| cases.iter().any(|(known, ..)| known == kind);
        for kind in DerivedKind::ALL {
            // Values of the sides need only a request.
            assert!(has_case(&kind) || kind.is_on_request(), "{kind:?} has no case");
        }
        for (kind, does, ask, is_lacking) in &cases {
            dies(*kind, does, ask, is_lacking);
        }
        for kind in DerivedKind::ALL.into_iter().filter(|kind| !has_case(kind)) {
            let ask = |state: &mut AppState| _ = state.apply(Command::Request(kind, true));
            dies(kind, &kind.job().activity, ask, |state| kind.wanted(&state.open.stage).is_none());
        }
    }

    fn dies(kind: DerivedKind, does: &str, ask: impl Fn(&mut AppState), is_lacking: impl Fn(&AppState) -> bool) {
        let (jobs, news) = jobs();
        let mut state = state();
        ask(&mut state);
        let mut scheduler = Scheduler { run: |_, _| panic!("index 7"), ..Scheduler::new(0) };
        scheduler.follow(&mut state, &jobs);
        assert_eq!(state.open.stage.progress.for_kind(kind), Some(0.0), "{does}");
        let told = fault(&jobs, &news, || {
            scheduler.poll().into_iter().for_each(|arrived| _ = state.receive(arrived));
            scheduler.follow(&mut state, &jobs);
            state.open.stage.progress.for_kind(kind).is_none()
        });
        assert!(told.starts_with(&format!("{does} stopped because of a fault in Rigscope (index 7).")), "{told}");
        assert!(is_lacking(&state), "{does}");
    }

    #[test]
    fn every_file_that_is_read_for_a_side_keeps_to_the_memory_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.glb");
        std::fs::write(&path, BuiltIn::Figure.bytes()).unwrap();
        for command in [
            Command::UsePath(PathUse::CompareWith, path.clone()),
            Command::UsePath(PathUse::TransferWeights(Side::B), path),
        ] {
            let (jobs, news) = jobs();
            let mut state = state();
            state.apply(command);
            let mut scheduler = Scheduler::new(1000);
            scheduler.follow(&mut state, &jobs);
            while !scheduler.running.is_empty() {
                news.recv().unwrap();
                scheduler.poll().into_iter().for_each(|arrived| _ = state.receive(arrived));
            }
            let told = state.notices.newest().map(|notice| notice.text.clone()).unwrap_or_default();
            assert!(told.contains("memory"), "{told}");
        }
    }
}
