use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::analysis::sides::measure;
use crate::export::rig_glb;
use crate::import::Job;
use crate::jobs::Progress;
use crate::matching::VertexPairs;
use crate::rig::{MeshInstance, Rig, Trs, WeightSet};
use crate::skinning::Skinner;
use crate::stage::Document;
use crate::stage::{
    BuiltIn, ChoiceState, ComparisonFilePlan, ComparisonRig, DerivedKind, MeasurePlan, RigChoice, Stage,
};
use crate::state::compare::comparison_files::unmatched_joint_notice;
use crate::state::{
    Action, AfterLoad, AppState, Command, JobResult, PathUse, Request, Settings, listed_joints_source,
    unmatched_joint_name,
};
use crate::view::{Layout, Overlay, PerSide, ShownFile, Side};

fn tube() -> Document {
    Document::built_in(BuiltIn::Tube)
}

/// Writes the tube to a file, with vertex positions changed by `change`.
fn changed(folder: &Path, change: impl FnOnce(&mut Vec<Vec3>)) -> PathBuf {
    let Document { rig, .. } = tube();
    let mut parts = (**rig).clone();
    change(&mut parts.meshes[0].primitives[0].positions);
    let file = rig_glb(&Rig::new(parts), &Progress::default()).unwrap();
    let path = folder.join("changed.glb");
    file.write(&path).unwrap();
    path
}

fn comparing(path: &Path) -> AppState {
    let mut state = AppState::new(tube(), Settings::default());
    state.apply(Command::UsePath(PathUse::CompareWith, path.to_owned()));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    state.open.stage.refresh();
    state
}

fn distances(state: &AppState) -> (f64, PerSide<usize>) {
    let skinner =
        |side| Arc::new(Skinner::new(&state.open.stage.actor(side).rig, &state.open.stage.skinning_on(side)).unwrap());
    let measured =
        measure(&MeasurePlan::new(&state.open.stage).job(PerSide::from_fn(skinner), 1), &Progress::default()).unwrap();
    let count = |side| measured.positions[side].iter().map(Vec::len).sum();
    (measured.distance.max, PerSide::from_fn(count))
}

#[test]
fn a_file_beside_itself_is_nowhere_apart_in_any_pose() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = comparing(&changed(folder.path(), |_| {}));
    assert_eq!(state.open.stage.view.compare.layout, Layout::Wipe);
    let joint = state.open.stage.rig().skins[0].joints[1];
    let turned = Trs::from_rotation(Quat::from_rotation_x(1.0));
    let mut pose = state.open.stage.pose().clone();
    pose.set_user_local(joint, turned);
    state.apply(Command::SetPose { pose, label: "Turn".to_owned() });
    state.open.stage.refresh();
    assert!(distances(&state).0 < 1e-6, "{}", distances(&state).0);
    assert!(
        !Arc::ptr_eq(&state.open.stage.actor(Side::B).rig, state.open.stage.rig())
            && Arc::ptr_eq(&state.open.stage.actor(Side::A).rig, state.open.stage.rig())
    );
}

#[test]
fn a_vertex_that_was_moved_is_as_far_as_it_was_moved_whatever_the_order() {
    let folder = tempfile::tempdir().unwrap();
    let moved = changed(folder.path(), |positions| positions[7].x += 0.02);
    let mut state = comparing(&moved);
    assert!((distances(&state).0 - 0.02).abs() < 1e-5, "{}", distances(&state).0);

    let Document { rig, .. } = tube();
    let mut parts = (**rig).clone();
    let primitive = &mut parts.meshes[0].primitives[0];
    primitive.positions[7].x += 0.02;
    // Moves the last triangle to the front, so that vertices cannot be matched by index.
    primitive.indices.rotate_right(3);
    rig_glb(&Rig::new(parts), &Progress::default()).unwrap().write(&moved).unwrap();
    state.apply(Command::UsePath(PathUse::CompareWith, moved));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    let other = state.open.stage.other_on(Side::B).unwrap();
    assert!(matches!(other.matching.as_deref(), Ok(VertexPairs::ByPlace { .. })));
    for side in Side::ALL {
        state.apply(Command::SetOverlay(side, Some(Overlay::Distance)));
    }
    let (max_distance, counts) = distances(&state);
    assert!((max_distance - 0.02).abs() < 1e-5, "{max_distance}");
    assert_eq!(
        (counts.a, counts.b),
        (state.open.stage.rig().vertex_count(), state.open.stage.actor(Side::B).rig.vertex_count())
    );
}

/// Returns a state that compares a built-in character with a file that contains another one.
fn beside(folder: &Path, open: BuiltIn, other: BuiltIn) -> AppState {
    let path = folder.join("other.glb");
    std::fs::write(&path, other.bytes()).unwrap();
    let mut state = AppState::with_built_in(open);
    state.apply(Command::UsePath(PathUse::CompareWith, path));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    state
}

#[test]
fn the_camera_shows_all_of_both_files() {
    let folder = tempfile::tempdir().unwrap();
    for [open, other] in [[BuiltIn::Tube, BuiltIn::Figure], [BuiltIn::Figure, BuiltIn::Tube]] {
        let mut state = beside(folder.path(), open, other);
        let (all, camera) = (state.open.stage.all_points(), state.open.stage.view.camera);
        let is_whole = state.open.stage.all_bounds().diagonal() > 1.7 && camera.sees_all(&all, state.open.stage.aspect);
        assert!(is_whole, "{open:?} {camera:?}");
        state.apply(Command::Zoom { factor: 0.3, cursor: glam::Vec2::ZERO, viewport: glam::Vec2::ONE });
        assert!(!state.open.stage.view.camera.sees_all(&all, state.open.stage.aspect));
        for aspect in [0.5, 1.4] {
            state.apply(Command::SetAspect(aspect));
            state.apply(Command::Do(Action::FrameAll));
            assert!(state.open.stage.view.camera.sees_all(&all, aspect), "{open:?} at {aspect}");
        }
        let close = state.open.stage.view.camera;
        state.apply(Command::Orbit { yaw: 0.1, pitch: 0.0 });
        state.apply(Command::Do(Action::SwapSides));
        state.open.stage.refresh();
        assert_eq!(state.open.stage.view.camera.distance, close.distance, "once, when the file has come");
    }
}

#[test]
fn bone_missing_from_the_open_file_is_labelled_and_lists_name_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = beside(folder.path(), BuiltIn::Tube, BuiltIn::Figure);
    assert_eq!(listed_joints_source(&state.open.stage).as_deref(), Some("tube, side A"));
    assert!(state.open.stage.actor(Side::A).unmatched_bones.is_empty());
    let joint = state.open.stage.actor(Side::B).unmatched_bones[0].joint;
    let name = state.open.stage.actor(Side::B).rig.hierarchy.name(joint).to_owned();
    assert_eq!(unmatched_joint_name(&state.open.stage, Side::B, joint), Some(format!("{name} (only in other.glb)")));
    let told = unmatched_joint_notice(&state.open.stage, Side::B, joint).unwrap().text;
    assert!(told.starts_with(&format!("{name} of other.glb has no counterpart in tube, ")), "{told}");
    let ray = crate::view::Ray { origin: Vec3::new(0.0, 1.2, 9.0), direction: Vec3::NEG_Z };
    state.apply(Command::PickSkin { side: Side::B, ray, adds: false });
    assert!(state.open.stage.view.active_joint().is_none());
    assert!(state.notices.dismiss().is_some_and(|notice| notice.text.contains("has no counterpart in tube")));
    state.apply(Command::Do(Action::SwapSides));
    state.open.stage.refresh();
    assert_eq!(listed_joints_source(&state.open.stage).as_deref(), Some("tube, side B"));
    assert!(state.open.stage.actor(Side::B).is_open() && !state.open.stage.actor(Side::A).is_open());
}

#[test]
fn comparing_is_a_step_and_ends_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = comparing(&changed(folder.path(), |_| {}));
    assert_eq!(state.open.history.undo_label(), Some("File of B: changed.glb"));
    state.apply(Command::Do(Action::StopComparing));
    state.open.stage.refresh();
    assert!(
        state.open.stage.other_on(Side::B).is_none()
            && Arc::ptr_eq(&state.open.stage.actor(Side::B).rig, state.open.stage.rig())
    );
    state.apply(Command::Do(Action::Undo));
    state.open.stage.refresh();
    let wanted = DerivedKind::wanted_for_image(&state.open.stage);
    assert!(state.open.stage.other_on(Side::B).is_some() && wanted.is_none(), "it is not read again");
}

#[test]
fn undo_of_a_comparison_brings_back_layout_and_camera_and_redo_makes_room_again() {
    let folder = tempfile::tempdir().unwrap();
    let look = |state: &AppState| (state.open.stage.view.compare.layout, state.open.stage.view.camera);
    let go = |state: &mut AppState, action| {
        state.apply(Command::Do(action));
        state.open.stage.compute_pending(&Job::default());
        state.open.stage.refresh();
    };
    let before = look(&AppState::new(tube(), Settings::default()));
    let mut state = beside(folder.path(), BuiltIn::Tube, BuiltIn::Figure);
    let with_other = look(&state);
    assert!(before.0 == Layout::Single && with_other.0 == Layout::Wipe && with_other.1 != before.1);
    go(&mut state, Action::Undo);
    assert_eq!(look(&state), before);
    go(&mut state, Action::Redo);
    assert!(look(&state) == with_other && state.open.stage.other_on(Side::B).is_some());
    go(&mut state, Action::StopComparing);
    go(&mut state, Action::Undo);
    assert_eq!(look(&state), with_other);
    // Keeps later changes by the user.
    state.apply(Command::Orbit { yaw: 0.1, pitch: 0.0 });
    state.apply(Command::SetLayout(Layout::Ghost));
    let changed = look(&state);
    go(&mut state, Action::Undo);
    assert_eq!(look(&state), changed);
    // Stopping the read restores the view.
    let mut state = AppState::new(tube(), Settings::default());
    state.apply(Command::UsePath(PathUse::CompareWith, folder.path().join("other.glb")));
    state.apply(Command::CancelComparisonFile(Side::B));
    state.open.stage.refresh();
    assert_eq!(look(&state), before);
}

#[test]
fn another_file_chosen_again_leaves_the_methods_that_the_sides_had() {
    let mut state = AppState::new(tube(), Settings::default());
    let go = |state: &mut AppState, action| {
        state.apply(Command::Do(action));
        state.open.stage.refresh();
    };
    state.apply(Command::SetLayout(Layout::Wipe));
    state.apply(Command::UsePath(PathUse::CompareWith, PathBuf::from("/nowhere/hero.glb")));
    state.apply(Command::SetLayout(Layout::Single));
    state.open.stage.refresh();
    let sides = state.open.stage.view.sides.clone();
    assert_ne!(sides.a.skinning.method, sides.b.skinning.method);
    go(&mut state, Action::Undo);
    assert!(state.open.stage.view.sides.b.file.is_open());
    go(&mut state, Action::Redo);
    assert_eq!((&state.open.stage.view.sides, state.open.stage.view.compare.layout), (&sides, Layout::Wipe));
}

#[test]
fn unreadable_file_keeps_both_sides_and_reports_the_reason() {
    let mut state = AppState::new(tube(), Settings::default());
    state.apply(Command::UsePath(PathUse::CompareWith, PathBuf::from("/nowhere/hero.glb")));
    let wanted = DerivedKind::new::<ComparisonFilePlan>().wanted(&state.open.stage).unwrap();
    state.receive(JobResult::Derived(wanted.run(&Job::default())));
    state.open.stage.refresh();
    assert!(
        matches!(ShownFile::state(&state.open.stage, Side::B), ChoiceState::Missing(why) if why.contains("Check that it exists"))
    );
    assert!(Arc::ptr_eq(&state.open.stage.actor(Side::B).rig, state.open.stage.rig()));
    let told = state.notices.newest().map(|notice| notice.text.clone()).unwrap_or_default();
    assert!(told.starts_with("Can't show the comparison file: ") && told.contains("hero.glb"), "{told}");
}

#[test]
fn distant_or_different_comparison_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(folder.path(), |positions| positions.iter_mut().for_each(|p| p.y *= 0.2));
    let Document { rig, .. } = tube();
    let mut parts = (**rig).clone();
    let indices = &mut parts.meshes[0].primitives[0].indices;
    indices.truncate(indices.len() - 3);
    let shorter = Arc::new(Rig::new(parts));
    let ComparisonRig { matching, notes, .. } = ComparisonRig::between(&rig, shorter, &Progress::default()).unwrap();
    assert!(matching.is_ok() && notes.is_empty(), "{notes:?}");

    let mut state = AppState::new(tube(), Settings::default());
    state.apply(Command::UsePath(PathUse::CompareWith, path));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    let other = state.open.stage.other_on(Side::B).unwrap();
    assert!(matches!(other.matching.as_deref(), Ok(VertexPairs::InOrder)), "the same triangles are the same");

    let figure = Document::built_in(BuiltIn::Figure);
    let ComparisonRig { matching, notes, .. } = ComparisonRig::between(&rig, figure.rig, &Progress::default()).unwrap();
    assert!(matching.is_err());
    assert!(notes[0].starts_with("Joints that the other file does not have: "), "{notes:?}");
    assert!(notes[1].starts_with("Distances are off: only "), "{notes:?}");
}

#[test]
fn a_file_that_is_read_again_stays_beside_what_it_is_now_where_that_is_wanted() {
    let mut state = AppState::new(tube(), Settings { keeps_version_before: true, ..Settings::default() });
    let old = Arc::clone(state.open.stage.rig());
    let again = || AfterLoad::Reload { is_asked: false };
    let rigid = WeightSet::unchanged(&old);
    let new = Document { rig: Arc::new(old.with_weights(&rigid)), ..tube() };
    state.receive(JobResult::Document(Box::new(new), again()));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    assert_eq!(
        (&state.open.stage.view.sides.b.file, state.open.stage.view.compare.layout),
        (&ShownFile::Previous, Layout::Wipe)
    );
    assert!(Arc::ptr_eq(&state.open.stage.actor(Side::B).rig, &old));
    let session = state.open.snapshot().session().to_json();
    assert!(!session.contains("before"), "what is in memory alone is in no file");
    state.apply(Command::Do(Action::StopComparing));
    assert!(state.open.stage.view.sides.b.file.is_open() && state.can(Action::ComparePrevious));
    state.apply(Command::Do(Action::ComparePrevious));
    assert_eq!(&state.open.stage.view.sides.b.file, &ShownFile::Previous);
    state.apply(Command::Do(Action::Undo));
    assert!(state.open.stage.view.sides.b.file.is_open());
}

#[test]
fn sessions_keep_the_path_of_the_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let state = comparing(&changed(folder.path(), |_| {}));
    let session = state.open.snapshot().session();
    let mut other = AppState::new(tube(), Settings::default());
    other.receive(JobResult::Document(Box::new(tube()), AfterLoad::Restore(Box::new(session))));
    other.open.stage.compute_pending(&Job::default());
    other.open.stage.refresh();
    assert!(other.open.stage.other_on(Side::B).is_some());
    // Paths in a session may be relative to the session file.
    let relative = state.open.snapshot().session().to_json().replace(&*folder.path().to_string_lossy(), ".");
    let path = folder.path().join("session.json");
    std::fs::write(&path, relative).unwrap();
    let session = crate::stage::Session::read(&path).unwrap();
    other.receive(JobResult::Document(Box::new(tube()), AfterLoad::Restore(Box::new(session))));
    other.open.stage.compute_pending(&Job::default());
    assert!(other.open.stage.other_on(Side::B).is_some(), "{:?}", ShownFile::state(&other.open.stage, Side::B));
}

#[test]
fn session_reports_a_changed_comparison_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = comparing(&changed(folder.path(), |_| {}));
    let path = folder.path().join("session.json");
    let Some(Request::Disk(job)) = state.apply(Command::UsePath(PathUse::SaveSession, path.clone())) else {
        panic!("nothing is written")
    };
    job.run();
    let told = |expected: usize| {
        let session = crate::stage::Session::read(&path).unwrap();
        let mut other = AppState::new(tube(), Settings::default());
        other.receive(JobResult::Document(Box::new(tube()), AfterLoad::Restore(Box::new(session))));
        let text = other.notices.newest().map(|notice| notice.text.clone()).unwrap_or_default();
        assert_eq!(text.matches("changed.glb has changed since the session was saved").count(), expected, "{text}");
    };
    told(0);
    changed(folder.path(), |positions| positions[7].x += 0.02);
    told(1);
}

#[test]
fn side_b_hides_the_meshes_of_the_hidden_names() {
    let document = tube();
    let mut parts = (**document.rig).clone();
    let nodes = document.rig.hierarchy.nodes().take(2);
    parts.instances = nodes.map(|node| MeshInstance { node, ..parts.instances[0].clone() }).collect();
    let open = Rig::new(parts.clone());
    parts.instances.reverse();
    let mut stage = Stage::new(Document { rig: Arc::new(open), ..document });
    stage.view.hidden.meshes.insert(0);
    stage.before = Some(Arc::new(Rig::new(parts)));
    stage.show_previous();
    stage.compute_pending(&Job::default());
    stage.refresh();
    let hidden = |side| stage.actor(side).hidden.meshes.iter().copied().collect::<Vec<_>>();
    assert_eq!((hidden(Side::A), hidden(Side::B)), (vec![0], vec![1]));
}

#[test]
fn the_posed_mesh_of_b_is_exported_only_where_b_is_shown() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    let can = |state: &AppState| state.can(Action::ExportMeshOfB);
    assert!(!can(&state));
    for layout in [Layout::Wipe, Layout::SideBySide, Layout::Ghost] {
        state.apply(Command::SetLayout(layout));
        assert!(can(&state), "{layout:?}");
    }
    state.apply(Command::SetLayout(Layout::Single));
    assert!(!can(&state));
}
