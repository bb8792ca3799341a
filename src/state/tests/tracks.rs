//! Tests that tracks are computed only while they are visible, only once per change of their input, and that they are
//! cached.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::analysis::motion::motions;
use crate::analysis::tracks::{Line, SkinTracks, TrackKind};
use crate::analysis::twist::TestRange;
use crate::export::rig_glb;
use crate::import::Job;
use crate::jobs::Progress;
use crate::rig::{MorphIndex, MorphTarget, NodeIndex, Rig, RigData, Trs};
use crate::skinning::{Antipodality, InfluenceLimit, JointMethod, Method, Normals, ScaleHandling, Skinner, Skinning};
use crate::stage::{
    BuiltIn, ClipRankingPlan, CurrentRequest, DerivedKind, DerivedResult, Document, JointPlan, JointRankingPlan,
    MAX_KEPT_TRACKS, RequestState, TrackPlan, TrackState,
};
use crate::state::{Action, AppState, Command, JobResult, PathUse, Settings, TrackDrawer};
use crate::view::{Layout, Overlay, PerSide, ShownPose, Side, SideOptions};
use crate::weights::{Recipe, WeightChoice, Weighting};

/// Returns a state with a built-in character, its first clip and the track drawer open. The clip is eight times as
/// fast, so that it has few frames.
fn state(built_in: BuiltIn) -> AppState {
    let document = Document::built_in(built_in);
    let mut parts = RigData::clone(&document.rig);
    for clip in &mut parts.clips {
        clip.duration_secs /= 8.0;
        for channel in &mut clip.channels {
            channel.times_secs = channel.times_secs.iter().map(|time| time / 8.0).collect();
        }
    }
    opened(Document::new(document.source, Rig::new(parts), Vec::new()))
}

fn opened(document: Document) -> AppState {
    let settings = Settings { tracks: TrackDrawer { is_open: true, ..TrackDrawer::default() }, ..Settings::default() };
    let mut state = AppState::new(document, settings);
    state.apply(Command::SetSkinning(Side::B, Method::Dqs.into()));
    state.apply(Command::SetClip(Some(0)));
    state.open.stage.refresh();
    state
}

fn is_measured(state: &AppState) -> bool {
    matches!(TrackState::new(&state.open.stage), TrackState::Measured(_))
}

fn measure(state: &mut AppState) {
    while let Some(wanted) = state.next_wanted(DerivedKind::new::<TrackPlan>()) {
        state.receive(JobResult::Derived(wanted.run(&Job::default())));
    }
}

fn change(state: &mut AppState, command: Command) {
    state.apply(command);
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
}

fn turn(node: usize, angle: f32) -> Command {
    Command::Edit { node: NodeIndex(node as u32), user_local: Trs::from_rotation(Quat::from_rotation_x(angle)) }
}

fn by(side: Side, skinning: Skinning) -> Command {
    Command::SetSkinning(side, skinning)
}

#[test]
fn everything_that_changes_the_numbers_asks_for_them_again_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.glb");
    let tube = Document::built_in(BuiltIn::Tube);
    rig_glb(&tube.rig, &Progress::default()).unwrap().write(&other).unwrap();
    let rigid = WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() });
    let dqs = || Skinning::new(Method::Dqs);
    let inputs = [
        ("clip", Command::SetClip(Some(1))),
        ("method of A", by(Side::A, Method::Sclerp.into())),
        ("method of B", by(Side::B, Method::Blend(0.5).into())),
        ("share", by(Side::B, Method::Blend(0.6).into())),
        ("centres", by(Side::B, Method::Cor.into())),
        ("joint", by(Side::B, Skinning { by_joint: vec![(NodeIndex(2), JointMethod::Lbs)], ..dqs() })),
        ("scale", by(Side::B, Skinning { scale: ScaleHandling::Drop, ..dqs() })),
        ("signs", by(Side::B, Skinning { antipodality: Antipodality::Unchecked, ..dqs() })),
        (
            "influences",
            by(Side::B, Skinning { influences: InfluenceLimit { count: Some(1), ..Default::default() }, ..dqs() }),
        ),
        ("weights", Command::SetWeights(Side::B, rigid)),
        ("pose", turn(2, 0.5)),
        ("other pose", turn(2, 0.6)),
        ("rest", Command::SetSideOptions(Side::B, SideOptions { pose: ShownPose::Rest, ..SideOptions::default() })),
        ("other file", Command::UsePath(PathUse::CompareWith, other)),
    ];
    let mut state = state(BuiltIn::Tube);
    measure(&mut state);
    for (name, input) in inputs {
        assert!(is_measured(&state), "before {name}");
        let back = if name == "clip" { Command::SetClip(Some(0)) } else { Command::Do(Action::Undo) };
        change(&mut state, input);
        let TrackState::Awaited(last) = TrackState::new(&state.open.stage) else { panic!("{name} asks for nothing") };
        assert_eq!(last.is_some(), name != "clip", "{name}: what is shown until then");
        change(&mut state, back);
    }
    assert!(is_measured(&state), "what was measured before is known still");
    measure(&mut state);
    change(&mut state, turn(2, 0.5));
    measure(&mut state);
    assert!(is_measured(&state), "measured again");
}

#[test]
fn a_morph_target_asks_for_the_numbers_again() {
    let tube = state(BuiltIn::Tube);
    let mut parts = RigData::clone(tube.open.stage.rig());
    let mesh = &mut parts.meshes[0];
    mesh.target_names = vec!["Bulge".to_owned()];
    for primitive in &mut mesh.primitives {
        let positions = vec![Vec3::X; primitive.positions.len()];
        primitive.morph_targets = vec![MorphTarget { positions, ..MorphTarget::default() }];
    }
    for instance in &mut parts.instances {
        instance.morph_weights = vec![0.0];
    }
    let mut state = opened(Document::new(tube.open.stage.document.source.clone(), Rig::new(parts), Vec::new()));
    let plan = state.next_wanted(DerivedKind::new::<TrackPlan>()).unwrap();
    change(&mut state, Command::SetMorphs(vec![(MorphIndex(0), 0.5)]));
    assert!(!state.next_wanted(DerivedKind::new::<TrackPlan>()).unwrap().is(&plan));
    change(&mut state, Command::Do(Action::Undo));
    assert!(state.next_wanted(DerivedKind::new::<TrackPlan>()).unwrap().is(&plan));
}

#[test]
fn nothing_else_asks_for_the_numbers_again() {
    let others = [
        ("time", Command::Seek(0.3)),
        ("selection", Command::Select(Some(NodeIndex(2)))),
        ("camera", Command::Orbit { yaw: 0.3, pitch: 0.1 }),
        ("layout", Command::SetLayout(Layout::Ghost)),
        ("overlay", Command::SetOverlay(Side::A, Some(Overlay::Distance))),
        ("normals", by(Side::B, Skinning { normals: Normals::Recomputed, ..Skinning::new(Method::Dqs) })),
        ("part", Command::SetPlayedPart(Some([0.1, 0.5]))),
        ("speed", Command::SetSpeed(0.5)),
        ("play", Command::Do(Action::TogglePlay)),
        ("bones", Command::Do(Action::ToggleBones)),
    ];
    let mut state = state(BuiltIn::Tube);
    measure(&mut state);
    for (name, other) in others {
        change(&mut state, other);
        assert!(is_measured(&state) && state.next_wanted(DerivedKind::new::<TrackPlan>()).is_none(), "{name}");
    }
}

#[test]
fn only_a_handful_of_measurements_is_kept() {
    let mut state = state(BuiltIn::Tube);
    let count = MAX_KEPT_TRACKS + 3;
    for step in 0..count {
        change(&mut state, turn(2, step as f32 * 0.1 + 0.1));
        measure(&mut state);
    }
    for step in (0..count).rev() {
        let is_kept = count - step <= MAX_KEPT_TRACKS;
        assert_eq!(is_measured(&state), is_kept, "{step} of {count}");
        change(&mut state, Command::Do(Action::Undo));
    }
}

#[test]
fn tracks_wait_until_they_are_seen_and_an_edit_has_ended() {
    let mut state = state(BuiltIn::Tube);
    let is_wanted = |state: &AppState| state.next_wanted(DerivedKind::new::<TrackPlan>()).is_some();
    assert!(is_wanted(&state));
    state.apply(Command::Do(Action::ToggleTracks));
    assert!(!is_wanted(&state), "closed");
    state.apply(Command::Do(Action::ToggleTracks));
    change(&mut state, Command::BeginEdit);
    change(&mut state, turn(2, 0.5));
    assert!(!is_wanted(&state), "in a drag");
    change(&mut state, Command::EndEdit);
    assert!(is_wanted(&state));
    let shown = vec![TrackKind::Rotation];
    state.apply(Command::SetTrackDrawer(TrackDrawer { shown, ..state.settings.tracks.clone() }));
    assert!(!is_wanted(&state), "only joints");
    assert!(state.next_wanted(DerivedKind::new::<JointPlan>()).is_none(), "none is selected");
    change(&mut state, Command::Select(Some(NodeIndex(2))));
    let joints = state.next_wanted(DerivedKind::new::<JointPlan>()).unwrap();
    state.receive(JobResult::Derived(joints.run(&Job::default())));
    assert!(
        state.open.stage.tracks.joints(&state.open.stage).is_some()
            && state.next_wanted(DerivedKind::new::<JointPlan>()).is_none()
    );
    change(&mut state, Command::SetClip(Some(1)));
    assert!(state.open.stage.tracks.joints(&state.open.stage).is_none(), "those of another clip");
    change(&mut state, Command::SetClip(None));
    assert!(matches!(TrackState::new(&state.open.stage), TrackState::NoClip));
}

#[test]
fn measuring_that_was_stopped_begins_again_when_asked() {
    let mut state = state(BuiltIn::Tube);
    let wanted = state.next_wanted(DerivedKind::new::<TrackPlan>()).unwrap();
    state.receive(JobResult::Derived(wanted.died()));
    assert!(matches!(TrackState::new(&state.open.stage), TrackState::Stopped(None)));
    change(&mut state, turn(2, 0.5));
    assert!(state.next_wanted(DerivedKind::new::<TrackPlan>()).is_none(), "not by an edit");
    state.apply(Command::request::<TrackPlan>(true));
    measure(&mut state);
    state.apply(Command::request::<TrackPlan>(false));
    assert!(is_measured(&state), "what is known stays");
    change(&mut state, turn(2, 0.7));
    assert!(matches!(TrackState::new(&state.open.stage), TrackState::Stopped(Some(_))));
}

#[test]
fn going_to_a_frame_is_no_step_of_undo() {
    let mut state = state(BuiltIn::Tube);
    measure(&mut state);
    let label = state.open.history.undo_label().map(str::to_owned);
    change(&mut state, Command::Seek(0.2));
    assert_eq!(state.open.history.undo_label().map(str::to_owned), label);
}

fn tracks(state: &AppState) -> &SkinTracks {
    let TrackState::Measured(tracks) = TrackState::new(&state.open.stage) else { panic!("not measured") };
    tracks
}

#[test]
fn numbers_and_worst_frames_are_those_of_motion() {
    let mut state = state(BuiltIn::Figure);
    measure(&mut state);
    let tracks = tracks(&state);
    let skinner =
        |side| Arc::new(Skinner::new(state.open.stage.rig(), &state.open.stage.view.sides[side].skinning).unwrap());
    let job = state.open.stage.motion_job(PerSide::from_fn(skinner), vec![0], None);
    let motions = motions(&job, &Progress::default()).unwrap();
    let clip = &motions.clips[0];
    assert_eq!(tracks.times_secs, clip.times_secs);
    let lines = |kind| tracks.track(kind).unwrap().lines.iter().collect::<Vec<&Line>>();
    let worst = motions.worst_frame(0).unwrap();
    let loss = lines(TrackKind::Loss)[0];
    assert_eq!((loss.worst, loss.joints[worst.frame]), (Some(worst.frame), Some(worst.joint)));
    assert_eq!(loss.values[worst.frame], worst.loss.a);
    for (side, line) in Side::ALL.into_iter().zip(lines(TrackKind::Volume)) {
        let volume = &clip.sides[side].volume;
        let smallest = volume.iter().copied().fold(f64::INFINITY, f64::min);
        let share = |volume: f64| (volume / motions.rest_volume[side]) as f32;
        assert!(line.values.iter().zip(volume).all(|(value, volume)| *value == share(*volume)), "{side:?}");
        assert!(line.worst.is_none_or(|at| line.values[at] == share(smallest)), "{side:?}");
    }
    for (side, line) in Side::ALL.into_iter().zip(lines(TrackKind::LeastArea)) {
        assert_eq!(line.values, clip.sides[side].min_area_ratio);
    }
    for (side, line) in Side::ALL.into_iter().zip(lines(TrackKind::Flipped)) {
        let flipped: Vec<f32> = clip.sides[side].flipped.iter().map(|count| *count as f32).collect();
        assert_eq!(line.values, flipped);
    }
    let distance = lines(TrackKind::WorstDistance)[0];
    let furthest = clip.distances.iter().map(|distance| distance.max as f32).fold(0.0, f32::max);
    assert_eq!(distance.worst.map(|at| distance.values[at]), Some(furthest));
    assert_eq!(lines(TrackKind::MeanDistance)[0].values[3], clip.distances[3].mean as f32);
}

#[test]
fn numbers_of_a_character_that_is_gone_are_not_taken() {
    let (mut one, mut other) = (state(BuiltIn::Tube), state(BuiltIn::Tube));
    let wanted = one.next_wanted(DerivedKind::new::<TrackPlan>()).unwrap();
    let done: DerivedResult = wanted.run(&Job::default());
    other.receive(JobResult::Derived(done));
    assert!(!is_measured(&other));
    measure(&mut one);
    assert!(is_measured(&one));
}

#[test]
fn clips_are_ranked_once_on_request_and_keep_their_ranking_through_edits() {
    let mut state = state(BuiltIn::Figure);
    let wanted = |state: &AppState| state.next_wanted(DerivedKind::new::<ClipRankingPlan>());
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Missing) && wanted(&state).is_none());
    state.apply(Command::Do(Action::RankClips));
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Awaited));
    let asked = wanted(&state).unwrap();
    let arm =
        state.open.stage.rig().hierarchy.nodes().find(|n| state.open.stage.rig().hierarchy.name(*n) == "LeftLowerArm");
    state.apply(turn(arm.unwrap().index(), 1.0));
    assert!(wanted(&state).unwrap().is(&asked), "an edit does not start the job again");
    state.receive(JobResult::Derived(asked.run(&Job::default())));
    let told = state.notices.newest().map(|notice| notice.text.clone()).unwrap_or_default();
    let RequestState::Known { value: ranking, is_current: false, .. } = ClipRankingPlan::state(&state.open.stage)
    else {
        panic!("{:?}", ClipRankingPlan::state(&state.open.stage))
    };
    let clips = &state.open.stage.rig().clips;
    assert_eq!(ranking.clips.len(), clips.len());
    assert!(told.starts_with(&format!("Worst clip: {}.", clips[ranking.clips[0].clip].title())), "{told}");
    let losses: Vec<f32> = ranking.clips.iter().map(|ranked| ranked.worst.unwrap().0.loss.a).collect();
    assert!(losses.is_sorted_by(|a, b| a >= b) && losses[0] > 0.01, "{losses:?}");
    state.apply(Command::Do(Action::Undo));
    state.open.stage.refresh();
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Known { is_current: true, .. }));
    state.apply(Command::SetSkinning(Side::A, Method::Dqs.into()));
    state.open.stage.refresh();
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Known { is_current: false, .. }));
    state.apply(Command::RankClips(true));
    state.apply(Command::RankClips(false));
    assert!(wanted(&state).is_none(), "cancelled");
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Known { .. }), "the last ranking stays");
    state.receive(JobResult::Document(Box::new(Document::built_in(BuiltIn::Tube)), crate::state::AfterLoad::Show));
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Missing), "that of another file");
}

#[test]
fn a_ranking_that_was_requested_of_a_character_that_is_gone_is_dropped() {
    let mut state = state(BuiltIn::Figure);
    let (clips, joints) = (DerivedKind::new::<ClipRankingPlan>(), DerivedKind::new::<JointRankingPlan>());
    state.apply(Command::RankClips(true));
    state.apply(Command::Do(Action::RankJoints));
    let asked = [clips, joints].map(|kind| state.next_wanted(kind).unwrap());
    // As when clips of another file are corrected.
    state.open.stage.document.rig = Arc::new(Rig::clone(state.open.stage.rig()));
    state.open.stage.pose_changed();
    state.open.stage.refresh();
    assert!([clips, joints].iter().all(|kind| state.next_wanted(*kind).is_none()), "not computed again and again");
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Missing), "nothing is awaited");
    for asked in asked {
        state.receive(JobResult::Derived(asked.run(&Job::default())));
    }
    assert!(matches!(ClipRankingPlan::state(&state.open.stage), RequestState::Missing));
    assert!(state.open.stage.joint_ranking.known().is_none());
}

#[test]
fn the_result_of_an_earlier_request_does_not_end_a_later_one() {
    let mut state = state(BuiltIn::Tube);
    let wanted = |state: &AppState| state.next_wanted(DerivedKind::new::<JointRankingPlan>());
    state.apply(Command::SetRankRange(TestRange::Full));
    let earlier = wanted(&state).unwrap();
    state.apply(Command::SetRankRange(TestRange::Clips));
    state.receive(JobResult::Derived(earlier.run(&Job::default())));
    let later = wanted(&state).expect("the range chosen last is still ranked");
    state.receive(JobResult::Derived(later.run(&Job::default())));
    assert_eq!(state.open.stage.joint_ranking.known().unwrap().0.range, TestRange::Clips);
    assert!(wanted(&state).is_none());
}

#[test]
fn an_overlay_and_its_range_pose_nothing_again() {
    let mut state = state(BuiltIn::Tube);
    let options = state.open.stage.view.sides.a.options;
    let version = |state: &mut AppState, options| {
        state.apply(Command::SetSideOptions(Side::A, options));
        state.open.stage.refresh();
        state.open.stage.characters.version()
    };
    let before = version(&mut state, options);
    let overlay = SideOptions { overlay: Some(Overlay::InfluenceCount), range: Some([0.0, 2.0]), ..options };
    assert_eq!(version(&mut state, overlay), before);
    assert_ne!(version(&mut state, SideOptions { pose: ShownPose::Rest, ..overlay }), before);
}
