use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Quat;

use crate::analysis::sides::measure;
use crate::import::Job;
use crate::jobs::Progress;
use crate::rig::{Channel, Clip, Property, Rig, Trs};
use crate::skinning::Skinner;
use crate::stage::points::testing::csv;
use crate::stage::{
    BuiltIn, ChangeState, ChoiceState, CurrentRequest, DerivedKind, DiagnosisPlan, Document, MeasurePlan, RequestState,
    RigChoice, Session, TrackState, WorstEquation,
};
use crate::state::{Action, AfterLoad, AppState, Command, JobResult, PathUse, Settings};
use crate::view::{Layout, Overlay, PerSide, PointsFile, ShownFile, ShownPose, Side, SideOptions};

fn tube() -> Document {
    Document::built_in(BuiltIn::Tube)
}

/// Returns the tube with a joint turned.
fn posed() -> AppState {
    let mut state = AppState::new(tube(), Settings::default());
    let joint = state.open.stage.rig().skins[0].joints[1];
    let user_local = Trs::from_rotation(Quat::from_euler(glam::EulerRot::XYZ, 0.7, 0.4, -0.3));
    state.apply(Command::Edit { node: joint, user_local });
    state.open.stage.refresh();
    state
}

/// Writes the points of the shown pose in units of `unit` metres, and shows them on side B.
fn with_points(state: &mut AppState, folder: &Path, unit: f32) -> PathBuf {
    let path = folder.join("mine.csv");
    std::fs::write(&path, csv(&state.open.stage, unit)).unwrap();
    state.apply(Command::UsePath(PathUse::CompareWithPoints, path.clone()));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    state.open.stage.refresh();
    path
}

/// Returns the largest distance between the skins of both sides, metres.
pub(super) fn farthest(state: &AppState) -> f32 {
    let points = |side| {
        let actor = state.open.stage.actor(side);
        let skinner = Skinner::new(&actor.rig, &state.open.stage.skinning_on(side)).unwrap();
        let parts = skinner.deform(&actor.pose.posed).into_iter().flatten();
        parts.flat_map(|part| part.positions).collect::<Vec<_>>()
    };
    let [a, b] = Side::ALL.map(points);
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn diagnose(state: &mut AppState) {
    state.apply(Command::Do(Action::DiagnosePoints));
    let done = DerivedKind::new::<DiagnosisPlan>().wanted(&state.open.stage).unwrap().run(&Job::default());
    state.receive(JobResult::Derived(done));
}

#[test]
fn points_lie_on_the_skin_of_their_pose_and_stay_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    with_points(&mut state, folder.path(), 1.0);
    assert_eq!(state.open.stage.view.compare.layout, Layout::Wipe);
    assert!(farthest(&state) < 1e-6, "{}", farthest(&state));
    let points = state.open.stage.actor(Side::B);
    assert!(points.bones.is_empty() && points.unmatched_bones.is_empty() && points.rig.skins.is_empty());
    assert!(
        matches!(ChangeState::new(&state.open.stage), ChangeState::Nothing),
        "points are no other version of the rig"
    );
    assert_eq!(state.open.stage.side_name(Side::B), "Points, mine.csv");
    state.apply(Command::Do(Action::ResetAll));
    state.open.stage.refresh();
    assert!(farthest(&state) > 0.05, "the points stay: {}", farthest(&state));
    state.apply(Command::Do(Action::SwapSides));
    state.open.stage.refresh();
    assert!(state.open.stage.points_on(Side::A).is_some());
    for _ in 0..3 {
        state.apply(Command::Do(Action::Undo));
    }
    assert!(state.open.stage.view.sides.b.file.is_open());
    state.apply(Command::Do(Action::Redo));
    state.open.stage.refresh();
    assert!(state.open.stage.points_on(Side::B).is_some());
}

#[test]
fn points_after_another_character_have_none_of_its_bones() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    let other = folder.path().join("other.glb");
    let file = crate::export::rig_glb(state.open.stage.rig(), &Progress::default()).unwrap();
    file.write(&other).unwrap();
    state.apply(Command::UsePath(PathUse::CompareWith, other));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    assert!(!state.open.stage.actor(Side::B).bones.is_empty());
    with_points(&mut state, folder.path(), 1.0);
    let points = state.open.stage.actor(Side::B);
    assert!(points.bones.is_empty() && points.unmatched_bones.is_empty());
}

#[test]
fn points_have_no_rest_pose() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    state.apply(Command::SetLayout(Layout::Wipe));
    let rest = SideOptions { pose: ShownPose::Rest, ..SideOptions::default() };
    state.apply(Command::SetSideOptions(Side::B, rest));
    with_points(&mut state, folder.path(), 1.0);
    assert_eq!(state.open.stage.view.sides.b.options.pose, ShownPose::Current);
    state.apply(Command::Do(Action::Undo));
    assert_eq!(state.open.stage.view.sides.b.options.pose, ShownPose::Rest);
}

#[test]
fn the_unit_is_found_unless_it_is_stated() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    let path = with_points(&mut state, folder.path(), 0.01);
    assert!(farthest(&state) < 1e-5, "{}", farthest(&state));
    let info = &state.open.stage.points_on(Side::B).unwrap().info;
    assert!(info.iter().any(|line| line.contains("in centimetres")), "{info:?}");
    let stated = PointsFile { unit: "m".parse().ok(), ..PointsFile::new(&path) };
    state.apply(Command::CompareWith(ShownFile::Points(stated)));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    assert!(farthest(&state) > 10.0);
    state.apply(Command::Do(Action::Undo));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    assert!(farthest(&state) < 1e-5);
}

#[test]
fn a_diagnosis_names_the_mistake_and_is_outdated_after_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    assert!(
        !state.can(Action::DiagnosePoints) && matches!(DiagnosisPlan::state(&state.open.stage), RequestState::Missing)
    );
    with_points(&mut state, folder.path(), 0.01);
    diagnose(&mut state);
    let RequestState::Known { value: diagnosis, is_current: true, .. } = DiagnosisPlan::state(&state.open.stage) else {
        panic!("{:?}", DiagnosisPlan::state(&state.open.stage))
    };
    assert_eq!(diagnosis.best().unwrap().ids(), ["centimetres"], "{}", diagnosis.summary());
    state.apply(Command::Do(Action::ResetAll));
    assert!(matches!(DiagnosisPlan::state(&state.open.stage), RequestState::Known { is_current: false, .. }));
    state.apply(Command::Do(Action::Undo));
    assert!(matches!(DiagnosisPlan::state(&state.open.stage), RequestState::Known { is_current: true, .. }));
    state.apply(Command::Do(Action::StopComparing));
    assert!(matches!(DiagnosisPlan::state(&state.open.stage), RequestState::Missing));
    state.apply(Command::DiagnosePoints(true));
    assert!(DerivedKind::new::<DiagnosisPlan>().wanted(&state.open.stage).is_none(), "no side shows points");
}

#[test]
fn sessions_keep_the_points_and_how_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    let path = with_points(&mut state, folder.path(), 0.01);
    let stated = PointsFile { unit: "cm".parse().ok(), up: "y".parse().ok(), ..PointsFile::new(&path) };
    state.apply(Command::CompareWith(ShownFile::Points(stated.clone())));
    let relative = state.open.snapshot().session().to_json().replace(&*folder.path().to_string_lossy(), ".");
    let file = folder.path().join("session.json");
    std::fs::write(&file, relative).unwrap();
    let session = Session::read(&file).unwrap();
    let mut other = AppState::new(tube(), Settings::default());
    other.receive(JobResult::Document(Box::new(tube()), AfterLoad::Restore(Box::new(session))));
    other.open.stage.compute_pending(&Job::default());
    other.open.stage.refresh();
    let restored = other.open.stage.view.sides.b.file.points().unwrap();
    assert_eq!((restored.unit, restored.up), (stated.unit, stated.up));
    assert!(farthest(&other) < 1e-5, "{}", farthest(&other));
}

#[test]
fn points_that_are_written_again_are_read_again_and_a_broken_file_keeps_the_last_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    let path = with_points(&mut state, folder.path(), 1.0);
    let text = std::fs::read_to_string(&path).unwrap();
    let reread = |state: &mut AppState, text: &str| {
        std::fs::write(&path, text).unwrap();
        state.open.stage.others.read_again(&state.open.stage.view.sides.b.file);
        let notes = state.open.stage.compute_pending(&Job::default());
        state.open.stage.refresh();
        notes
    };
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1] = "5,5,5";
    assert_eq!(reread(&mut state, &lines.join("\n")), [""; 0]);
    assert!(farthest(&state) > 1.0);
    let notes = reread(&mut state, "nothing");
    assert!(notes[0].starts_with("Showing the last readable version"), "{notes:?}");
    assert!(farthest(&state) > 1.0);
    lines[1] = "nan,0,0";
    let notes = reread(&mut state, &lines.join("\n"));
    assert_eq!(notes, ["1 point is not finite and shown at the origin"]);
}

#[test]
fn points_of_another_mesh_are_refused_with_the_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("few.csv");
    std::fs::write(&path, "x,y,z\n0,0,0\n1,1,1\n").unwrap();
    let mut state = posed();
    state.apply(Command::UsePath(PathUse::CompareWithPoints, path));
    state.open.stage.compute_pending(&Job::default());
    let ChoiceState::Missing(problem) = ShownFile::state(&state.open.stage, Side::B) else { panic!("shown") };
    assert!(problem.contains("The file has 2 points, but the rig draws"), "{problem}");
}

#[test]
fn the_worst_vertex_has_its_equation() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    let path = with_points(&mut state, folder.path(), 0.01);
    // Moves the points 100 and 200 by one and two metres.
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (point, shift) in [(100, 100.0), (200, 200.0)] {
        let numbers = lines[point + 1].split(',').map(|number| number.parse::<f64>().unwrap());
        let moved: Vec<String> = numbers.enumerate().map(|(i, x)| (x + [shift, 0.0, 0.0][i]).to_string()).collect();
        lines[point + 1] = moved.join(",");
    }
    std::fs::write(&path, lines.join("\n")).unwrap();
    state.open.stage.others.read_again(&state.open.stage.view.sides.b.file);
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    let distance = |state: &AppState| {
        let stage = &state.open.stage;
        let skinner = |side| Arc::new(Skinner::new(&stage.actor(side).rig, &stage.skinning_on(side)).unwrap());
        let job = MeasurePlan::new(stage).job(PerSide::from_fn(skinner), 1);
        measure(&job, &Progress::default()).unwrap().distance
    };
    let check = |state: &AppState| {
        let found = WorstEquation::new(&state.open.stage, &distance(state)).unwrap();
        assert_eq!((found.point_index, found.place.vertex), (200, 200));
        let off = found.point - found.expected;
        assert!(off.distance(glam::Vec3::X * 2.0) < 1e-4, "{off}");
        assert!(found.file_point.distance(found.point.as_dvec3() * 100.0) < 1e-2, "{}", found.file_point);
        let sum: glam::Vec3 = found.probe.rows.iter().map(|row| row.point * row.weight).sum();
        assert!(sum.distance(found.expected) < 1e-5, "linear blending is the sum of the terms");
    };
    check(&state);
    state.apply(Command::Do(Action::SwapSides));
    state.open.stage.refresh();
    check(&state);
    state.apply(Command::Do(Action::StopComparing));
    state.open.stage.refresh();
    assert!(WorstEquation::new(&state.open.stage, &distance(&state)).is_none());
}

/// Returns the tube with a clip of 30 frames that carries it by 3 m.
fn travelling() -> AppState {
    let tube = tube();
    let root = tube.rig.skins[0].joints[0];
    let channel = Channel::linear(root, Property::Translation, [0.0, 1.0], vec![0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    let clip = Clip { name: "go".to_owned(), channels: vec![channel], duration_secs: 1.0, authored_rate: Some(30.0) };
    let rig = Rig::clone(&tube.rig).with_clips(vec![clip]);
    let last = rig.clips.len() - 1;
    let mut state = AppState::new(Document::new(tube.source.clone(), rig, Vec::new()), Settings::default());
    state.apply(Command::SetClip(Some(last)));
    seek(&mut state, 0.5);
    state
}

fn seek(state: &mut AppState, time_secs: f32) {
    state.apply(Command::Seek(time_secs));
    state.open.stage.refresh();
}

fn hold(state: &mut AppState, is_held: bool) {
    state.open.stage.playback.holds_root = is_held;
    state.open.stage.refresh();
}

/// Returns the points of each frame as CSV.
fn frames(state: &mut AppState) -> String {
    let mut text = "frame,x,y,z\n".to_owned();
    for frame in 0..=30 {
        seek(state, frame as f32 / 30.0);
        let points = csv(&state.open.stage, 1.0);
        for line in points.lines().skip(1) {
            let _ = writeln!(text, "{frame},{line}");
        }
    }
    seek(state, 0.5);
    text
}

#[test]
fn points_that_travel_are_held_in_place_with_the_character() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.csv");
    let show = |state: &mut AppState, text: &str| {
        std::fs::write(&path, text).unwrap();
        state.apply(Command::UsePath(PathUse::CompareWithPoints, path.clone()));
        state.open.stage.compute_pending(&Job::default());
        state.open.stage.refresh();
    };
    for is_one_frame in [false, true] {
        let mut state = travelling();
        let text = if is_one_frame { csv(&state.open.stage, 1.0) } else { frames(&mut state) };
        for held_before in [false, true] {
            hold(&mut state, held_before);
            show(&mut state, &text);
            for is_held in [false, true] {
                hold(&mut state, is_held);
                assert!(farthest(&state) < 1e-4, "{is_one_frame} {held_before} {is_held}: {}", farthest(&state));
            }
        }
        diagnose(&mut state);
        let RequestState::Known { value: diagnosis, .. } = DiagnosisPlan::state(&state.open.stage) else {
            panic!("no diagnosis")
        };
        assert!(diagnosis.is_right(), "{}", diagnosis.summary());
        let tracks = TrackState::new(&state.open.stage);
        let is_off = matches!(&tracks, TrackState::Off(why) if why.contains("no frames of the clip \"go\""));
        assert_eq!(is_off, is_one_frame, "{tracks:?}");
    }
}

#[test]
fn points_that_are_held_in_place_already_are_not_moved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.csv");
    for is_one_frame in [false, true] {
        let mut state = travelling();
        hold(&mut state, true);
        let text = if is_one_frame { csv(&state.open.stage, 1.0) } else { frames(&mut state) };
        std::fs::write(&path, text).unwrap();
        state.apply(Command::UsePath(PathUse::CompareWithPoints, path.clone()));
        state.open.stage.compute_pending(&Job::default());
        state.open.stage.refresh();
        assert!(farthest(&state) < 1e-4, "{is_one_frame}: {}", farthest(&state));
        let info = &state.open.stage.points_on(Side::B).unwrap().info;
        assert!(info.iter().any(|line| line.contains("carries the character")), "{info:?}");
        hold(&mut state, false);
        assert!((farthest(&state) - 1.5).abs() < 1e-3, "{is_one_frame}: {}", farthest(&state));
    }
}

#[test]
fn the_heat_map_shows_distances_to_points() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = posed();
    with_points(&mut state, folder.path(), 1.0);
    state.apply(Command::Do(Action::ResetAll));
    state.apply(Command::SetOverlay(Side::B, Some(Overlay::Distance)));
    state.open.stage.refresh();
    let skinner = |side| {
        let rig = &state.open.stage.actor(side).rig;
        Arc::new(Skinner::new(rig, &state.open.stage.skinning_on(side)).unwrap())
    };
    let job = MeasurePlan::new(&state.open.stage).job(PerSide::from_fn(skinner), 1);
    let measured = measure(&job, &Progress::default()).unwrap();
    assert!((measured.distance.max - f64::from(farthest(&state))).abs() < 1e-6, "{}", measured.distance.max);
    assert!(measured.overlays.b.is_some() && measured.unmatched.is_none());
}
