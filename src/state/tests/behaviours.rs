//! Tests that disabling behaviours is an undo step and is stored in sessions. A pose stores only the user's transforms.

use glam::{Quat, Vec3};

use crate::export::PoseFile;
use crate::rig::{
    Constraint, ConstraintAxis, ConstraintKind, Expression, ExpressionIndex, FirstPersonVisibility, LookAt,
    LookAtOutput, LookAtRange, LookAtTarget, NodeIndex, Rig, RigData, SpringBones, SpringChain, SpringJoint, Trs,
};
use crate::stage::{BuiltIn, Document, Session, Source};
use crate::state::edit::steps::is_first_person;
use crate::state::{Action, AppState, Command, Settings};

/// Returns the tube with a constraint that makes its second joint roll half as far as the last one.
fn rolling() -> AppState {
    let job = crate::import::Job::default();
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &job).unwrap();
    let joints: Vec<NodeIndex> = document.rig.hierarchy.nodes().filter(|&node| document.rig.is_joint(node)).collect();
    let kind = ConstraintKind::Roll(ConstraintAxis::X);
    let roll = Constraint { node: joints[1], source: joints[3], kind, weight: 0.5 };
    let rig = Rig::new(RigData { constraints: vec![roll], ..RigData::clone(&document.rig) });
    let mut state = AppState::new(Document::new(document.source, rig, Vec::new()), Settings::default());
    let user_local = Trs::from_rotation(Quat::from_rotation_x(1.0));
    state.apply(Command::Edit { node: joints[3], user_local });
    state.open.stage.refresh();
    state
}

fn count(state: &mut AppState) -> usize {
    state.open.stage.refresh();
    state.open.stage.posed().replaced.len()
}

#[test]
fn switching_constraints_is_a_step_of_undo() {
    let mut state = rolling();
    let pose = state.open.stage.pose().clone();
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
    assert_eq!((state.open.stage.pose(), state.open.history.undo_label().is_some()), (&pose, true));
    state.apply(Command::Do(Action::Redo));
    assert_eq!(count(&mut state), 0);
}

#[test]
fn sessions_keep_the_switch_and_poses_do_not() {
    let mut state = rolling();
    let pose = |state: &AppState| PoseFile::from_pose(state.open.stage.rig(), state.open.stage.pose());
    let running = state.open.snapshot().session();
    assert!(!running.to_json().contains("switched_off"), "older programs open it too");
    let before = pose(&state);
    state.apply(Command::Do(Action::ToggleConstraints));
    assert_eq!((count(&mut state), pose(&state)), (0, before));
    let json = state.open.snapshot().session().to_json();
    let session = Session::parse(json.as_bytes()).unwrap();
    let mut again = rolling();
    assert_eq!(session.restore(&mut again.open.stage), [""; 0]);
    assert_eq!(count(&mut again), 0);
    assert_eq!(running.restore(&mut again.open.stage), [""; 0]);
    assert_eq!(count(&mut again), 1);
}

#[test]
fn a_file_without_constraints_has_nothing_to_switch() {
    let state = AppState::with_built_in(BuiltIn::Tube);
    assert_eq!(state.obstacle(Action::ToggleConstraints), Some("This file has no constraints"));
    assert!(rolling().can(Action::ToggleConstraints));
}

/// Returns the tube with an empty expression and a look-at on its last joint.
fn facing() -> AppState {
    let document = Document::built_in(BuiltIn::Tube);
    let joints: Vec<NodeIndex> = document.rig.hierarchy.nodes().filter(|&node| document.rig.is_joint(node)).collect();
    let range = LookAtRange { max_deg: 90.0, output: 10.0 };
    let by = LookAtOutput::Eyes([joints.last().copied(), None]);
    let look_at = LookAt {
        head: joints[0],
        offset: Vec3::ZERO,
        by,
        inner: range,
        outer: range,
        down: range,
        up: range,
        faces_back: false,
    };
    let expressions =
        ["happy", "sad"].map(|name| Expression { name: name.to_owned(), ..Expression::default() }).to_vec();
    let rig = Rig::new(RigData { expressions, look_at: Some(look_at), ..RigData::clone(&document.rig) });
    let mut state = AppState::new(Document::new(document.source, rig, Vec::new()), Settings::default());
    state.open.stage.refresh();
    state
}

fn set(state: &mut AppState, weight: f32) {
    state.apply(Command::SetExpressions(vec![(ExpressionIndex(0), weight)]));
}

#[test]
fn a_drag_of_an_expression_is_one_step_and_undo_gives_back_each_weight() {
    let mut state = facing();
    state.apply(Command::BeginEdit);
    for weight in [0.25, 0.5, 0.75] {
        set(&mut state, weight);
    }
    state.apply(Command::EndEdit);
    assert_eq!(state.open.history.undo_label(), Some("happy 0.75"));
    state.apply(Command::SetLookAt(Some(LookAtTarget::Camera)));
    assert_eq!(state.open.history.undo_label(), Some("Look at the camera"));
    let face = state.open.stage.pose().face().clone();
    for expected in [Some(0.75), Some(0.0)] {
        state.apply(Command::Do(Action::Undo));
        assert_eq!(Some(state.open.stage.pose().face().expression(ExpressionIndex(0))), expected);
    }
    assert!(state.open.stage.pose().face().is_empty());
    state.apply(Command::Do(Action::Redo));
    state.apply(Command::Do(Action::Redo));
    assert_eq!(state.open.stage.pose().face(), &face);
    state.apply(Command::Do(Action::ResetMorphs));
    assert!(state.open.stage.pose().face().is_empty());
}

#[test]
fn eyes_follow_the_camera_without_a_step_of_undo() {
    let mut state = facing();
    state.apply(Command::SetLookAt(Some(LookAtTarget::Camera)));
    assert_eq!(count(&mut state), 1);
    let before = state.open.stage.posed().look_at.unwrap();
    let version = state.open.stage.characters.version();
    state.open.stage.refresh();
    assert_eq!(state.open.stage.characters.version(), version, "a camera that stands still poses nothing again");
    state.apply(Command::Orbit { yaw: 0.5, pitch: 0.0 });
    state.open.stage.refresh();
    assert_ne!(state.open.stage.posed().look_at.unwrap(), before);
    assert_eq!(state.open.history.undo_label(), Some("Look at the camera"));
    state.apply(Command::Do(Action::ToggleLookAt));
    assert_eq!((count(&mut state), state.open.history.undo_label()), (0, Some("Gaze off")));
}

#[test]
fn sessions_and_poses_keep_the_face() {
    let mut state = facing();
    set(&mut state, 0.5);
    state.apply(Command::SetLookAt(Some(LookAtTarget::Point([1.0, 2.0, 3.0]))));
    let file = PoseFile::from_pose(state.open.stage.rig(), state.open.stage.pose()).to_json();
    let (pose, warnings) = PoseFile::parse(file.as_bytes()).unwrap().pose_for(state.open.stage.rig());
    assert_eq!((pose.face(), warnings.len()), (state.open.stage.pose().face(), 0));
    state.apply(Command::Do(Action::ToggleExpressions));
    let json = state.open.snapshot().session().to_json();
    let mut again = facing();
    assert_eq!(Session::parse(json.as_bytes()).unwrap().restore(&mut again.open.stage), [""; 0]);
    assert_eq!(again.open.stage.pose().face(), state.open.stage.pose().face());
    assert!(again.open.stage.document.switched_off.expressions && !again.open.stage.document.switched_off.look_at);
    let other = PoseFile::parse(br#"{"version":1,"joints":{},"expressions":{"glad":1}}"#).unwrap();
    let (_, warnings) = other.pose_for(state.open.stage.rig());
    assert_eq!(warnings.len(), 1, "a missing expression is reported");
    for bad in [r#""look_at":{"point":[1,2]}"#, r#""look_at":"moon""#, r#""expressions":{"happy":1e99}"#] {
        assert!(PoseFile::parse(format!("{{\"version\":1,\"joints\":{{}},{bad}}}").as_bytes()).is_err(), "{bad}");
    }
}

/// Returns the tube with springs on its last two bones.
fn swinging() -> AppState {
    let job = crate::import::Job::default();
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &job).unwrap();
    let joints: Vec<NodeIndex> = document.rig.hierarchy.nodes().filter(|&node| document.rig.is_joint(node)).collect();
    let spring = |pair: &[NodeIndex]| SpringJoint {
        node: pair[0],
        tail: document.rig.hierarchy.rest(pair[1]).translation,
        is_leaf: false,
        stiffness: 0.5,
        gravity: Vec3::new(0.3, -0.4, 0.0),
        drag: 0.4,
        hit_radius: 0.0,
    };
    let swinging = joints.windows(2).skip(1).map(spring).collect();
    let chain = SpringChain { joints: swinging, ..SpringChain::default() };
    let spring_bones = SpringBones { chains: vec![chain], ..SpringBones::default() };
    let rig = Rig::new(RigData { spring_bones, ..RigData::clone(&document.rig) });
    let mut state = AppState::new(Document::new(document.source, rig, Vec::new()), Settings::default());
    state.open.stage.refresh();
    state
}

#[test]
fn springs_move_a_pinned_joint_below_them_which_is_reported() {
    let mut state = swinging();
    let springs: Vec<NodeIndex> =
        state.open.stage.rig().behaviours().springs().joints().iter().map(|joint| joint.node).collect();
    let [first, last] = [springs[0], springs[springs.len() - 1]];
    state.apply(Command::SelectAll(vec![first, last]));
    let moved =
        |state: &AppState, node| state.open.stage.document.springs_move(state.open.stage.document.pin(node).unwrap());
    state.apply(Command::Do(Action::TogglePin));
    assert!(!moved(&state, first) && moved(&state, last));
    state.apply(Command::Do(Action::TogglePin));
    assert!(moved(&state, first), "its rotation");
    state.apply(Command::Do(Action::ToggleSprings));
    assert!(!moved(&state, first) && !moved(&state, last));
}

/// Advances in frames of 1/60 s until nothing moves. Returns the number of frames.
fn frames(state: &mut AppState) -> usize {
    let mut count = 0;
    while state.open.stage.playback.is_playing || state.open.stage.springs.are_moving(&state.open.stage.document) {
        state.open.stage.advance(1.0 / 60.0);
        state.open.stage.refresh();
        count += 1;
        assert!(count < 10_000);
    }
    count
}

#[test]
fn springs_move_after_a_change_and_come_to_rest() {
    let mut state = swinging();
    assert_eq!(frames(&mut state), 0, "a file that was opened stands still");
    let rest = state.open.stage.posed().world_from_node.clone();
    let root = state.open.stage.rig().behaviours().springs().joints()[0].node;
    let root = state.open.stage.rig().hierarchy.parent(root).unwrap();
    state.apply(Command::Edit { node: root, user_local: Trs::from_rotation(Quat::from_rotation_x(1.0)) });
    state.open.stage.refresh();
    let count = frames(&mut state);
    assert!((30..1800).contains(&count), "{count}");
    let (version, settled) = (state.open.stage.characters.version(), state.open.stage.posed().world_from_node.clone());
    state.open.stage.advance(1.0);
    state.open.stage.refresh();
    assert_eq!((frames(&mut state), state.open.stage.characters.version()), (0, version), "nothing is drawn again");
    let mut again = swinging();
    again.apply(Command::Edit { node: root, user_local: Trs::from_rotation(Quat::from_rotation_x(1.0)) });
    again.open.stage.refresh();
    frames(&mut again);
    assert_eq!(again.open.stage.posed().world_from_node, settled);
    state.apply(Command::Do(Action::Undo));
    state.open.stage.refresh();
    assert!(frames(&mut state) > 0, "a step of undo moves them");
    assert_ne!(state.open.stage.posed().world_from_node, rest, "they hang by their own weight");
    state.apply(Command::Do(Action::ResetSprings));
    state.open.stage.refresh();
    assert_eq!((frames(&mut state), &state.open.stage.posed().world_from_node), (0, &rest));
    state.apply(Command::Do(Action::SettleSprings));
    assert!(frames(&mut state) > 0);
}

fn tail(state: &AppState) -> Vec3 {
    let joint = state.open.stage.rig().behaviours().springs().joints().last().unwrap();
    state.open.stage.posed().world_from_node[joint.node.index()].transform_point3(joint.tail)
}

#[test]
fn wind_wakes_springs_and_calm_brings_them_back() {
    let mut state = swinging();
    frames(&mut state);
    let wind = Vec3::new(0.0, 0.0, 2.0);
    state.apply(Command::SetWind(wind));
    state.open.stage.refresh();
    assert!(frames(&mut state) > 0);
    let blown = tail(&state);
    let still = state.open.stage.still();
    assert_eq!(
        (still.springs.settings().wind, state.open.history.undo_label()),
        (wind, None),
        "pictures show it, undo does not"
    );
    state.apply(Command::SetWind(Vec3::ZERO));
    state.open.stage.refresh();
    assert!(frames(&mut state) > 0);
    let calm = tail(&state);
    assert!(blown.z > calm.z + 0.01, "{calm} {blown}");
}

#[test]
fn the_own_eyes_of_a_character_see_other_meshes_and_undo_brings_back_what_was_hidden() {
    let document = Document::built_in(BuiltIn::Figure);
    let mut parts = RigData::clone(&document.rig);
    let instance = parts.instances[0].clone();
    parts.instances = vec![instance; 3];
    parts.seen_by = vec![FirstPersonVisibility::All, FirstPersonVisibility::Observers, FirstPersonVisibility::Itself];
    let rig = Rig::new(parts);
    let mut state = AppState::new(Document::new(document.source, rig, Vec::new()), Settings::default());
    let hidden = |state: &AppState| state.open.stage.view.hidden.meshes.iter().copied().collect::<Vec<usize>>();
    assert_eq!((hidden(&state), is_first_person(&state.open.stage)), (vec![2], false));
    state.apply(Command::Do(Action::ToggleFirstPerson));
    assert_eq!((hidden(&state), is_first_person(&state.open.stage)), (vec![1], true));
    state.apply(Command::Do(Action::ToggleFirstPerson));
    assert_eq!(hidden(&state), [2]);
    for expected in [1, 2] {
        state.apply(Command::Do(Action::Undo));
        assert_eq!(hidden(&state), [expected]);
    }
    assert_eq!(rolling().obstacle(Action::ToggleFirstPerson), Some("This file has no first-person settings"));
}

#[test]
fn springs_follow_the_clip_while_it_plays_as_they_do_in_files() {
    let mut state = swinging();
    state.apply(Command::SetClip(Some(0)));
    state.open.stage.refresh();
    for _ in 0..30 {
        state.open.stage.advance(1.0 / 60.0);
        state.open.stage.refresh();
    }
    let mut copy = state.open.stage.still();
    copy.springs.set_live(false);
    copy.refresh();
    let apart = |a: &[glam::Affine3], b: &[glam::Affine3]| a.iter().zip(b).all(|(a, b)| a.abs_diff_eq(*b, 1e-3));
    assert!(apart(&copy.posed().world_from_node, &state.open.stage.posed().world_from_node));
    assert!(copy.posed().spring_turns.is_some());
}

#[test]
fn switching_springs_is_a_step_of_undo_and_sessions_keep_it() {
    let mut state = swinging();
    state.apply(Command::Do(Action::ToggleSprings));
    state.open.stage.refresh();
    assert_eq!((count(&mut state), state.open.history.undo_label()), (0, Some("Springs off")));
    assert_eq!(state.obstacle(Action::SettleSprings), Some("Springs are switched off"));
    let json = state.open.snapshot().session().to_json();
    let mut again = swinging();
    assert_eq!(Session::parse(json.as_bytes()).unwrap().restore(&mut again.open.stage), [""; 0]);
    again.open.stage.refresh();
    assert_eq!((count(&mut again), frames(&mut again)), (0, 0));
    state.apply(Command::Do(Action::Undo));
    assert!(count(&mut state) > 0);
    assert_eq!(rolling().obstacle(Action::ToggleSprings), Some("This file has no springs"));
}
