//! Frames reuse memory: playing a clip and orbiting allocate nothing.

use crate::common::allocations;

use allocations::allocated;
use rigscope::import::Job;
use rigscope::rig::{
    ClipMoment, Constraint, ConstraintAxis, ConstraintKind, NodeIndex, Pose, Posed, PrimitiveIndex, Rig, RigData,
    SamplingBuffers, evaluate_into,
};
use rigscope::skinning::{Deformed, Method, SkinPose, Skinner, Skinning};
use rigscope::stage::{BuiltIn, DerivedKind, Document, JointPlan, Source, TrackPlan};
use rigscope::state::{Action, AppState, Command, JobResult, Settings};

const FRAME_SECS: f32 = 1.0 / 60.0;

/// The built-in figure while its second clip plays, with preallocated memory for each primitive.
struct Playing {
    state: AppState,
    skinner: Skinner,
    parts: Vec<(PrimitiveIndex, Deformed)>,
}

impl Playing {
    fn new(method: Method) -> Self {
        let figure = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).expect("it is in the program");
        let mut state = AppState::new(figure, Settings::default());
        state.apply(Command::SetClip(Some(1)));
        if !state.open.stage.playback.is_playing {
            state.apply(Command::Do(Action::TogglePlay));
        }
        let skinner =
            Skinner::new(state.open.stage.rig(), &Skinning::new(method)).expect("the figure suits all methods");
        let parts = state.open.stage.rig().parts().map(|part| (part, Deformed::default())).collect();
        Self { state, skinner, parts }
    }

    /// Samples the clip, evaluates kinematics and palettes, and skins.
    fn frame(&mut self) {
        self.state.open.stage.advance(FRAME_SECS);
        self.state.open.stage.refresh();
        let pose = SkinPose {
            posed: self.state.open.stage.posed(),
            palettes: &self.state.open.stage.characters.pose().palettes,
        };
        for (part, deformed) in &mut self.parts {
            self.skinner.deform_drawn_into(*part, pose, false, deformed);
        }
    }
}

/// Runs a test on a single thread, because allocations are counted per thread.
fn on_one_thread(test: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started").install(test);
}

#[test]
fn a_frame_of_a_clip_that_plays_allocates_nothing() {
    on_one_thread(|| {
        for method in [Method::Lbs, Method::Dqs] {
            let mut playing = Playing::new(method);
            let ((), at_first) = allocated(|| playing.frame());
            assert!(at_first > 0, "the first frame makes room");
            for frame in 0..60 {
                let version = playing.state.open.stage.characters.version();
                let ((), bytes) = allocated(|| playing.frame());
                assert_eq!(bytes, 0, "{method} allocates in frame {frame}");
                assert_ne!(playing.state.open.stage.characters.version(), version, "the clip plays");
            }
        }
    });
}

#[test]
fn a_moment_of_a_rig_with_constraints_allocates_nothing() {
    let figure = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).expect("it is in the program");
    let mut parts = RigData::clone(&figure.rig);
    let aim = ConstraintKind::Aim { axis: ConstraintAxis::Y, is_negative: false };
    let kinds = [ConstraintKind::Roll(ConstraintAxis::X), aim, ConstraintKind::Rotation];
    let constrained = (10..30_u32).zip(kinds.into_iter().cycle());
    parts.constraints = constrained
        .map(|(node, kind)| Constraint { node: NodeIndex(node), source: NodeIndex(node + 20), kind, weight: 0.5 })
        .collect();
    let rig = Rig::new(parts);
    assert!(rig.behaviours().constraints().len() > 10);
    let (pose, mut buffers, mut posed) = (Pose::rest(&rig.hierarchy), SamplingBuffers::default(), Posed::default());
    let mut moment = |time_secs| {
        allocated(|| evaluate_into(&rig, Some(ClipMoment::new(1, time_secs)), &pose, &mut buffers, &mut posed)).1
    };
    assert!(moment(0.0) > 0, "the first moment makes room");
    assert_eq!([0.1, 0.2, 0.3].map(moment), [0; 3]);
}

#[test]
fn orbiting_allocates_nothing() {
    let mut state = Playing::new(Method::Lbs).state;
    state.apply(Command::Do(Action::TogglePlay));
    state.open.stage.refresh();
    let yaw = state.open.stage.view.camera.yaw;
    let ((), bytes) = allocated(|| {
        for _ in 0..100 {
            state.apply(Command::Orbit { yaw: 0.01, pitch: 0.001 });
            state.open.stage.refresh();
        }
    });
    assert_eq!(bytes, 0);
    assert_ne!(state.open.stage.view.camera.yaw, yaw);
}

#[test]
fn tracks_cost_a_frame_nothing_while_they_are_closed_and_once_they_are_measured() {
    let mut state = Playing::new(Method::Lbs).state;
    state.open.stage.refresh();
    let cost = |state: &AppState| {
        let wanted =
            || [DerivedKind::new::<TrackPlan>(), DerivedKind::new::<JointPlan>()].map(|kind| state.next_wanted(kind));
        let (wanted, bytes) = allocated(wanted);
        (wanted.iter().any(Option::is_some), bytes)
    };
    assert_eq!(cost(&state), (false, 0), "closed");
    state.apply(Command::Do(Action::ToggleTracks));
    assert!(cost(&state).0, "open");
    while let Some(wanted) = state.next_wanted(DerivedKind::new::<TrackPlan>()) {
        state.receive(JobResult::Derived(wanted.run(&Job::default())));
    }
    for _ in 0..10 {
        state.open.stage.advance(FRAME_SECS);
        state.open.stage.refresh();
        assert_eq!(cost(&state), (false, 0), "measured");
    }
}

#[test]
fn a_pose_that_somebody_still_reads_is_not_written_over() {
    let mut playing = Playing::new(Method::Lbs);
    playing.frame();
    let kept = playing.state.open.stage.actor(rigscope::view::Side::A).pose.clone();
    let before = kept.posed.world_from_node.clone();
    playing.frame();
    assert_eq!(kept.posed.world_from_node, before);
    assert_ne!(playing.state.open.stage.posed().world_from_node, before);
}
