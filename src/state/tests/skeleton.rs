use glam::Quat;

use super::points::farthest;
use crate::import::{Job, import_bytes};
use crate::jobs::Progress;
use crate::refit::{Pairing, prove};
use crate::rig::Trs;
use crate::stage::{BuiltIn, ChoiceState, Document, RigChoice, Session};
use crate::state::{Action, AfterLoad, AppState, Command, JobResult, Settings};
use crate::view::{ShownFile, Side};

fn tube() -> AppState {
    AppState::new(Document::built_in(BuiltIn::Tube), Settings::default())
}

fn act(state: &mut AppState, action: Action) {
    state.apply(Command::Do(action));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    state.open.stage.refresh();
}

fn turn(state: &mut AppState, name: &str) {
    let node = state.open.stage.rig().hierarchy.node_named(name).unwrap();
    let user_local = Trs::from_rotation(Quat::from_euler(glam::EulerRot::XYZ, 0.7, 0.4, -0.3));
    state.apply(Command::Edit { node, user_local });
    state.open.stage.refresh();
}

fn operations(state: &AppState) -> Vec<&str> {
    let names = state.open.stage.view.sides.b.file.skeleton_changes().iter();
    names.filter_map(|text| text.split('=').next()).collect()
}

#[test]
fn a_changed_skeleton_is_posed_like_the_open_one_at_rest_and_in_clips() {
    let mut state = tube();
    turn(&mut state, "Middle");
    for action in [Action::AddRoot, Action::PoseAsRest] {
        act(&mut state, action);
        assert!(farthest(&state) < 1e-5, "{action:?}: {}", farthest(&state));
    }
    assert_eq!(operations(&state), ["add-root", "pose-as-rest"]);
    let refit = state.open.stage.refit_on(Side::B).unwrap();
    assert!(refit.proof.holds() && refit.is_proven(), "{}", refit.proof.summary());
    turn(&mut state, "Far");
    assert!(farthest(&state) < 1e-5, "a new pose: {}", farthest(&state));
    state.open.stage.set_clip(Some(0));
    state.open.stage.playback.pause_at(0.4, &state.open.stage.document.rig);
    state.open.stage.refresh();
    assert!(farthest(&state) < 1e-5, "a pose on top of a clip: {}", farthest(&state));
    // The rest pose of a clip's frame, on the skeleton that was changed before.
    act(&mut state, Action::PoseAsRest);
    assert!(farthest(&state) < 1e-5 && state.open.stage.refit_on(Side::B).unwrap().proof.holds());
}

#[test]
fn each_operation_is_one_step_of_undo_and_sessions_keep_them() {
    let mut state = tube();
    act(&mut state, Action::AddRoot);
    act(&mut state, Action::LimitInfluences);
    assert_eq!(state.open.history.undo_label(), Some("File of B: Changed skeleton (limit-influences)"));
    act(&mut state, Action::Undo);
    assert_eq!(operations(&state), ["add-root"]);
    act(&mut state, Action::Redo);
    assert_eq!(operations(&state), ["add-root", "limit-influences"]);
    let session = state.open.snapshot().session().to_json();
    let mut other = tube();
    let session = Session::parse(session.as_bytes()).unwrap();
    let restored = AfterLoad::Restore(Box::new(session));
    other.receive(JobResult::Document(Box::new(Document::built_in(BuiltIn::Tube)), restored));
    other.open.stage.compute_pending(&Job::default());
    assert_eq!(&other.open.stage.view.sides.b.file, &state.open.stage.view.sides.b.file);
    for _ in 0..2 {
        act(&mut state, Action::Undo);
    }
    assert_eq!(&state.open.stage.view.sides.b.file, &ShownFile::Open);
}

#[test]
fn outfits_of_a_session_are_below_its_folder_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let outfit = folder.path().join("outfit.glb");
    let rig = Document::built_in(BuiltIn::Tube).rig;
    std::fs::write(&outfit, crate::export::rig_glb(&rig, &Progress::default()).unwrap().bytes).unwrap();
    let mut state = tube();
    let operations = format!("attach={}:no-joints", outfit.display());
    state.apply(Command::CompareWith(ShownFile::Refit(vec![operations])));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    let session = state.open.snapshot().session().with_digests(&[]).to_json();
    assert_eq!(session.matches("outfit.glb").count(), 2, "the operation and the digest: {session}");
    let path = folder.path().join("session.json");
    std::fs::write(&path, session.replace(&format!("{}/", folder.path().to_string_lossy()), "")).unwrap();
    let session = Session::read(&path).unwrap();
    let mut other = tube();
    let restored = AfterLoad::Restore(Box::new(session));
    other.receive(JobResult::Document(Box::new(Document::built_in(BuiltIn::Tube)), restored));
    other.open.stage.compute_pending(&Job::default());
    let refit = other.open.stage.refit_on(Side::B);
    assert!(refit.is_some_and(|refit| refit.notes[0].starts_with("attach: 1 mesh")), "{refit:?}");
}

#[test]
fn only_what_is_proven_is_exported_and_a_refusal_is_explained() {
    let mut state = tube();
    assert_eq!(state.obstacle(Action::ExportRigOfB), Some("Side B shows no other character"));
    act(&mut state, Action::DropUnusedJoints);
    assert_eq!(state.obstacle(Action::ExportRigOfB), None);
    let other = state.open.stage.other_on(Side::B).unwrap();
    let file = crate::export::rig_glb(&other.own, &Progress::default()).unwrap();
    let read = std::sync::Arc::new(import_bytes(&file.bytes, &Job::default()).unwrap().rig);
    let pairing = Pairing::with_written(&other.own, &read, &Progress::default()).unwrap().unwrap();
    assert!(prove([&other.own, &read], &pairing, &Progress::default()).unwrap().holds());
    // The tube has no ARKit shapes.
    state.apply(Command::CompareWith(ShownFile::Refit(vec!["rename=arkit".to_owned()])));
    state.open.stage.compute_pending(&Job::default());
    assert!(matches!(ShownFile::state(&state.open.stage, Side::B), ChoiceState::Missing(why) if why.contains("ARKit")));
    assert!(state.obstacle(Action::ExportRigOfB).is_some());
    state.apply(Command::CompareWith(ShownFile::Refit(vec!["nonsense".to_owned()])));
    state.open.stage.compute_pending(&Job::default());
    assert!(
        matches!(ShownFile::state(&state.open.stage, Side::B), ChoiceState::Missing(why) if why.contains("no operation"))
    );
}
