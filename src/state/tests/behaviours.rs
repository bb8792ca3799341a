//! Constraints are switched as a step of undo, and sessions keep it; a pose keeps the user's part alone.

use glam::Quat;

use crate::export::PoseFile;
use crate::rig::{Axis, Constraint, ConstraintKind, NodeIndex, Rig, RigParts, Trs};
use crate::stage::{BuiltIn, Document, Session, Source};
use crate::state::{Action, AppState, Command, Settings};

/// The tube, whose second joint rolls half as far as the last.
fn rolling() -> AppState {
    let job = crate::import::Job::default();
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &job).unwrap();
    let joints: Vec<NodeIndex> = document.rig.hierarchy.nodes().filter(|&node| document.rig.is_joint(node)).collect();
    let kind = ConstraintKind::Roll(Axis::X);
    let roll = Constraint { node: joints[1], source: joints[3], kind, weight: 0.5 };
    let rig = Rig::new(RigParts { constraints: vec![roll], ..RigParts::clone(&document.rig) });
    let mut state = AppState::new(Document::new(document.source, rig, Vec::new()), Settings::default());
    let user_local = Trs::from_rotation(Quat::from_rotation_x(1.0));
    state.apply(Command::Edit { node: joints[3], user_local });
    state.open.refresh();
    state
}

fn count(state: &mut AppState) -> usize {
    state.open.refresh();
    state.open.posed().replaced.len()
}

#[test]
fn switching_constraints_is_a_step_of_undo() {
    let mut state = rolling();
    let pose = state.open.pose().clone();
    assert_eq!(count(&mut state), 1);
    state.apply(Command::Do(Action::ToggleConstraints));
    assert_eq!((count(&mut state), state.open.history.undo_label()), (0, Some("Constraints off")));
    state.apply(Command::Do(Action::RestPose));
    assert_eq!(count(&mut state), 0, "another pose does not switch them on");
    state.apply(Command::Do(Action::UserPose));
    state.apply(Command::Do(Action::ToggleConstraints));
    assert_eq!((count(&mut state), state.open.history.undo_label()), (1, Some("Constraints on")));
    for expected in [0, 0, 0, 1] {
        state.apply(Command::Do(Action::Undo));
        assert_eq!(count(&mut state), expected);
    }
    assert_eq!((state.open.pose(), state.open.history.undo_label().is_some()), (&pose, true));
    state.apply(Command::Do(Action::Redo));
    assert_eq!(count(&mut state), 0);
}

#[test]
fn sessions_keep_the_switch_and_poses_do_not() {
    let mut state = rolling();
    let pose = |state: &AppState| PoseFile::from_pose(state.open.rig(), state.open.pose());
    let running = state.open.snapshot().session();
    assert!(!running.to_json().contains("switched_off"), "older programs open it too");
    let before = pose(&state);
    state.apply(Command::Do(Action::ToggleConstraints));
    assert_eq!((count(&mut state), pose(&state)), (0, before));
    let json = state.open.snapshot().session().to_json();
    assert!(json.contains("\"version\": 9"), "{json}");
    let session = Session::parse(json.as_bytes()).unwrap();
    let mut again = rolling();
    assert_eq!(again.open.restore(&session), [""; 0]);
    assert_eq!(count(&mut again), 0);
    assert_eq!(again.open.restore(&running), [""; 0]);
    assert_eq!(count(&mut again), 1);
}

#[test]
fn a_file_without_constraints_has_nothing_to_switch() {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &crate::import::Job::default()).unwrap();
    let state = AppState::new(document, Settings::default());
    assert_eq!(state.obstacle(Action::ToggleConstraints), Some("This file has no constraints"));
    assert!(rolling().can(Action::ToggleConstraints));
}
