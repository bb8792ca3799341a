use glam::{Quat, Vec3};

use crate::export::rig_glb;
use crate::gizmo::Tool;
use crate::import::Job;
use crate::jobs::Progress;
use crate::rig::{Hierarchy, NodeDescription, NodeIndex, PosedJoint, Rig, RigData, Trs, polar};
use crate::stage::{BuiltIn, Document, Session, Source, Stage};
use crate::state::edit::clipboard::copied_pose;
use crate::state::{Action, AppState, Command, JobResult, Request, Settings};

const FEET: [&str; 2] = ["LeftFoot", "RightFoot"];

fn figure() -> AppState {
    AppState::new(Document::built_in(BuiltIn::Figure), Settings::default())
}

fn node(state: &AppState, name: &str) -> NodeIndex {
    state.open.stage.rig().hierarchy.node_named(name).unwrap()
}

fn at(state: &mut AppState, name: &str) -> Vec3 {
    let node = node(state, name);
    state.open.stage.refresh();
    state.open.stage.posed().world_from_node[node.index()].translation
}

fn turned(state: &mut AppState, name: &str) -> Quat {
    let node = node(state, name);
    state.open.stage.refresh();
    polar(state.open.stage.posed().world_from_node[node.index()].matrix3).0
}

fn pin(state: &mut AppState, names: &[&str], presses: usize) {
    let nodes = names.iter().map(|name| node(state, name)).collect();
    state.apply(Command::SelectAll(nodes));
    for _ in 0..presses {
        state.apply(Command::Do(Action::TogglePin));
    }
}

/// Moves a joint by IK, in one drag.
fn pull(state: &mut AppState, name: &str, by: Vec3) {
    let (node, from) = (node(state, name), at(state, name));
    state.apply(Command::BeginEdit);
    for share in [0.3, 1.0] {
        state.apply(Command::Pull { node, target: from + by * share });
    }
    state.apply(Command::EndEdit);
}

/// Moves a joint as the gizmo does, in one drag. The joint's parent must not be scaled.
fn drag(state: &mut AppState, name: &str, by: Vec3, turn: Quat) {
    state.open.stage.refresh();
    let node = node(state, name);
    let before_user = state.open.stage.posed().world_before_user(&state.open.stage.rig().hierarchy, node);
    let start = *state.open.stage.pose().user_local(node);
    state.apply(Command::BeginEdit);
    for share in [0.4, 1.0] {
        let turned = crate::rig::rotate_in_world(&start, &before_user, Quat::IDENTITY.slerp(turn, share));
        let translation = start.translation + before_user.matrix3.inverse() * (by * share);
        state.apply(Command::EditMany(vec![PosedJoint { node, user_local: Trs { translation, ..turned } }]));
        state.open.stage.refresh();
    }
    state.apply(Command::EndEdit);
}

#[test]
fn each_press_holds_more_and_the_third_nothing() {
    let mut state = figure();
    let label = |state: &AppState| state.open.history.undo_label().unwrap().to_owned();
    let mut labels = Vec::new();
    for _ in 0..3 {
        pin(&mut state, &["LeftFoot"], 1);
        labels.push(label(&state));
    }
    assert_eq!(labels, ["Pin LeftFoot", "Pin LeftFoot with rotation", "Unpin LeftFoot"]);
    assert!(state.open.stage.document.pins.is_empty());
    pin(&mut state, &["RightFoot"], 2);
    pin(&mut state, &FEET, 1);
    assert_eq!(label(&state), "Pin LeftFoot", "what is not pinned comes first");
    pin(&mut state, &FEET, 1);
    assert_eq!(label(&state), "Pin LeftFoot with rotation");
    pin(&mut state, &FEET, 1);
    assert_eq!(label(&state), "Unpin 2 joints");
}

#[test]
fn pinned_feet_hold_while_the_hips_are_dragged_and_one_step_undoes_it() {
    let mut state = figure();
    pin(&mut state, &FEET, 2);
    let before = FEET.map(|foot| (at(&mut state, foot), turned(&mut state, foot)));
    let (hips, steps) = (at(&mut state, "Hips"), state.open.history.len());
    state.settings.posing.ik = true;
    let by = Vec3::new(0.12, -0.25, 0.05);
    pull(&mut state, "Hips", by);
    assert!(at(&mut state, "Hips").distance(hips + by) < 1e-4, "with IK, the hips move");
    for (foot, (position, rotation)) in FEET.into_iter().zip(before) {
        assert!(at(&mut state, foot).distance(position) < 1e-4, "{foot}");
        assert!(turned(&mut state, foot).angle_between(rotation) < 2e-3, "{foot}");
    }
    assert!(state.open.stage.posed().missed_pins(state.open.stage.rig()).next().is_none());
    assert_eq!(state.open.history.len(), steps + 1);
    assert!(state.open.history.undo_label().unwrap().starts_with("Move Hips"));
    state.apply(Command::Do(Action::Undo));
    assert_eq!(at(&mut state, "Hips"), hips);
    assert!(!state.open.stage.pose().is_any_posed());
}

#[test]
fn hips_lifted_out_of_reach_stay_where_the_legs_are_straight_and_come_down_at_once() {
    let mut state = figure();
    pin(&mut state, &FEET, 1);
    let feet = FEET.map(|foot| at(&mut state, foot));
    drag(&mut state, "Hips", Vec3::Y, Quat::IDENTITY);
    let lifted = at(&mut state, "Hips");
    assert_eq!(state.open.stage.posed().missed_pins(state.open.stage.rig()).count(), 0, "the body comes down");
    drag(&mut state, "Hips", Vec3::NEG_Y * 0.1, Quat::IDENTITY);
    assert!(at(&mut state, "Hips").distance(lifted - Vec3::Y * 0.1) < 1e-3, "the next drag starts where the hips are");
    for (foot, position) in FEET.into_iter().zip(feet) {
        assert!(at(&mut state, foot).distance(position) < 1e-4);
    }
}

#[test]
fn pins_hold_in_every_clip_and_every_blend() {
    let mut state = figure();
    pin(&mut state, &["LeftFoot", "RightHand"], 2);
    let before = ["LeftFoot", "RightHand"].map(|joint| at(&mut state, joint));
    for clip in 0..state.open.stage.rig().clips.len() {
        state.apply(Command::SetClip(Some(clip)));
        for share in [0.0, 0.3, 0.7, 1.0] {
            let secs = state.open.stage.rig().clips[clip].duration_secs * share;
            state.apply(Command::Seek(secs));
            for (joint, position) in ["LeftFoot", "RightHand"].into_iter().zip(before) {
                let off = at(&mut state, joint).distance(position);
                let mut missed = state.open.stage.posed().missed_pins(state.open.stage.rig());
                let missed = missed.any(|missed| missed.node == node(&state, joint));
                assert!(off < 1e-3 || missed, "clip {clip} at {secs} s: {joint} is {off} m away and not reported");
            }
        }
    }
    state.apply(Command::SetClip(None));
    drag(&mut state, "Hips", Vec3::NEG_Y * 0.2, Quat::from_rotation_x(0.3));
    for share in [0.2, 0.5, 0.9] {
        state.apply(Command::BlendPose(share));
        for (joint, position) in ["LeftFoot", "RightHand"].into_iter().zip(before) {
            assert!(at(&mut state, joint).distance(position) < 1e-3, "{share}: {joint}");
        }
    }
}

#[test]
fn dragging_a_pinned_joint_moves_its_pin_and_rotating_it_turns_what_is_held() {
    let mut state = figure();
    pin(&mut state, &["LeftHand"], 2);
    let (start, turn) = (at(&mut state, "LeftHand"), turned(&mut state, "LeftHand"));
    let by = Vec3::new(-0.1, -0.15, 0.1);
    drag(&mut state, "LeftHand", by, Quat::IDENTITY);
    assert!(at(&mut state, "LeftHand").distance(start + by) < 1e-3);
    assert!(turned(&mut state, "LeftHand").angle_between(turn) < 2e-3);
    assert!(
        state.open.history.undo_label().unwrap().starts_with("Move the pin of LeftHand 0.2"),
        "{:?}",
        state.open.history.undo_label()
    );
    pull(&mut state, "LeftHand", -by);
    assert!(at(&mut state, "LeftHand").distance(start) < 1e-3, "with IK too");
    let by = Quat::from_rotation_y(0.7);
    drag(&mut state, "LeftHand", Vec3::ZERO, by);
    assert!(turned(&mut state, "LeftHand").angle_between(by * turn) < 2e-3);
    assert!(at(&mut state, "LeftHand").distance(start) < 1e-3);
    for _ in 0..3 {
        state.apply(Command::Do(Action::Undo));
    }
    assert!(at(&mut state, "LeftHand").distance(start) < 1e-5);
    let hand = node(&state, "LeftHand");
    let user_local = Trs::from_rotation(Quat::from_rotation_x(0.5));
    state.apply(Command::Edit { node: hand, user_local });
    let typed = turned(&mut state, "LeftHand");
    assert!((typed.angle_between(turn) - 0.5).abs() < 2e-3, "a typed rotation turns what is held by as much");
}

#[test]
fn a_knee_is_pulled_aside_while_the_foot_holds() {
    let mut state = figure();
    pin(&mut state, &FEET, 1);
    drag(&mut state, "Hips", Vec3::NEG_Y * 0.2, Quat::IDENTITY);
    let (knee, foot) = (at(&mut state, "LeftLowerLeg"), at(&mut state, "LeftFoot"));
    state.settings.posing.tool = Tool::Rotate;
    drag(&mut state, "LeftUpperLeg", Vec3::ZERO, Quat::from_rotation_y(0.5));
    assert!(at(&mut state, "LeftFoot").distance(foot) < 1e-4);
    assert!(at(&mut state, "LeftLowerLeg").distance(knee) > 0.05, "the knee swings about the line from hip to foot");
}

#[test]
fn applied_pins_leave_the_pose_as_it_is_shown_and_a_copied_pose_has_it() {
    let mut state = figure();
    pin(&mut state, &FEET, 2);
    drag(&mut state, "Hips", Vec3::new(0.1, -0.3, 0.0), Quat::from_rotation_y(0.4));
    state.open.stage.refresh();
    let world = state.open.stage.posed().world_from_node.clone();
    let is_same = |stage: &Stage| {
        let now = &stage.posed().world_from_node;
        now.iter().zip(&world).all(|(now, then)| now.abs_diff_eq(*then, 1e-4))
    };
    let all = state.open.stage.rig().hierarchy.nodes().collect();
    state.apply(Command::SelectAll(all));
    let copied = copied_pose(&state.open.stage).unwrap();
    let mut other = figure();
    other.apply(Command::Paste { text: copied, is_mirrored: false });
    other.open.stage.refresh();
    assert!(is_same(&other.open.stage));
    state.apply(Command::Do(Action::ApplyPins));
    state.open.stage.refresh();
    assert!(is_same(&state.open.stage) && state.open.stage.document.pins.is_empty());
    assert_eq!(state.open.history.undo_label(), Some("Apply pins to pose"));
    state.apply(Command::Do(Action::Undo));
    state.open.stage.refresh();
    assert!(is_same(&state.open.stage) && state.open.stage.document.pins.len() == 2);
}

#[test]
fn a_session_restores_pins_and_side_b_holds_them_too() {
    let mut state = figure();
    pin(&mut state, &FEET, 1);
    pin(&mut state, &["RightFoot"], 1);
    drag(&mut state, "Hips", Vec3::new(0.1, -0.3, 0.0), Quat::from_rotation_y(0.4));
    state.open.stage.refresh();
    let json = state.open.snapshot().session().to_json();
    let session = Session::parse(json.as_bytes()).unwrap();
    let mut stage = Stage::new(Document::built_in(BuiltIn::Figure));
    assert_eq!(session.restore(&mut stage), Vec::<String>::new());
    for (restored, pin) in stage.document.pins.iter().zip(&state.open.stage.document.pins) {
        assert_eq!((restored.node, restored.rotation), (pin.node, pin.rotation));
        assert!(restored.position.distance(pin.position) < 1e-8);
    }
    assert_eq!(stage.document.pins.len(), 2);
    let is_close = |(a, b): (&glam::Affine3, &glam::Affine3)| a.abs_diff_eq(*b, 1e-5);
    assert!(stage.posed().world_from_node.iter().zip(&state.open.stage.posed().world_from_node).all(is_close));
    assert_eq!(session.to_json(), json, "read and written, it is the same");
    let counterparts = crate::actor::Counterparts::between(stage.rig(), stage.rig());
    let pose = counterparts.pose(stage.pose(), stage.rig());
    let other = crate::rig::evaluate(stage.rig(), None, &pose);
    assert_eq!(other.world_from_node, stage.posed().world_from_node);

    let old = json.replace("\"pins\"", "\"pinned\"");
    let mut stage = Stage::new(Document::built_in(BuiltIn::Figure));
    let told = Session::parse(old.as_bytes()).unwrap().restore(&mut stage);
    assert!(told.len() == 1 && told[0].contains("pinned"), "{told:?}");
}

#[test]
fn clearing_everything_clears_pins() {
    let mut state = figure();
    let hips = at(&mut state, "Hips");
    pin(&mut state, &FEET, 1);
    drag(&mut state, "LeftFoot", Vec3::Y * 0.3, Quat::IDENTITY);
    state.apply(Command::Do(Action::ResetAll));
    assert!(state.open.stage.document.pins.is_empty());
    assert_eq!(at(&mut state, "Hips"), hips);
    state.apply(Command::Do(Action::Undo));
    assert_eq!(state.open.stage.document.pins.len(), 2, "one step");
}

#[test]
fn live_symmetry_moves_the_pin_of_the_other_foot() {
    let mut state = figure();
    pin(&mut state, &FEET, 2);
    state.settings.posing.symmetry = true;
    let before = FEET.map(|foot| at(&mut state, foot));
    let by = Vec3::new(0.1, 0.15, 0.2);
    let mirrored = Vec3::new(-by.x, by.y, by.z);
    let moved = |state: &mut AppState| [0, 1].map(|side| at(state, FEET[side]) - before[side]);
    pull(&mut state, "LeftFoot", by);
    assert!(moved(&mut state)[0].distance(by) < 1e-3 && moved(&mut state)[1].distance(mirrored) < 1e-3);
    state.apply(Command::Do(Action::Undo));
    assert_eq!(moved(&mut state), [Vec3::ZERO; 2], "one step");
    let turns = FEET.map(|foot| turned(&mut state, foot));
    let turn = Quat::from_euler(glam::EulerRot::YXZ, 0.4, 0.2, 0.1);
    drag(&mut state, "RightFoot", mirrored, turn);
    assert!(moved(&mut state)[0].distance(by) < 1e-3 && moved(&mut state)[1].distance(mirrored) < 1e-3);
    let image = Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w);
    assert!(turned(&mut state, "RightFoot").angle_between(turn * turns[1]) < 2e-3);
    assert!(turned(&mut state, "LeftFoot").angle_between(image * turns[0]) < 2e-3);
    state.settings.posing.symmetry = false;
    let before = at(&mut state, "RightFoot");
    pull(&mut state, "LeftFoot", -by);
    assert_eq!(at(&mut state, "RightFoot"), before);
}

/// Returns the hierarchy with another node above all.
fn with_root(hierarchy: &Hierarchy) -> Hierarchy {
    let description = |node: NodeIndex| {
        let children = hierarchy.children(node).iter().map(|child| child.index() + 1).collect();
        NodeDescription::new(hierarchy.name(node), children, *hierarchy.rest(node))
    };
    let roots = hierarchy.nodes().filter(|node| hierarchy.parent(*node).is_none()).map(|node| node.index() + 1);
    let above = NodeDescription::new("Above", roots.collect(), Trs::IDENTITY);
    let nodes: Vec<NodeDescription> = [above].into_iter().chain(hierarchy.nodes().map(description)).collect();
    Hierarchy::new(&nodes).unwrap()
}

#[test]
fn pins_survive_a_reload_of_the_file_in_which_joints_have_other_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("figure.glb");
    let figure = Document::built_in(BuiltIn::Figure);
    std::fs::write(&path, BuiltIn::Figure.bytes()).unwrap();
    let open = |path: &std::path::Path| Document::open(&Source::File(path.to_owned()), &Job::default()).unwrap();
    let mut state = AppState::new(open(&path), Settings::default());
    pin(&mut state, &FEET, 1);
    pin(&mut state, &["LeftFoot"], 1);
    drag(&mut state, "Hips", Vec3::NEG_Y * 0.2, Quat::IDENTITY);
    let pinned = |state: &AppState| {
        let hierarchy = &state.open.stage.rig().hierarchy;
        let pins = state.open.stage.document.pins.iter();
        let mut pins: Vec<_> =
            pins.map(|pin| (hierarchy.name(pin.node).to_owned(), pin.position, pin.rotation)).collect();
        pins.sort_by(|a, b| a.0.cmp(&b.0));
        pins
    };
    let (before, feet) = (pinned(&state), FEET.map(|foot| at(&mut state, foot)));

    // A joint above all others gives every joint another number.
    let mut parts = RigData::clone(&figure.rig);
    parts.hierarchy = with_root(&parts.hierarchy);
    for node in parts.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        node.0 += 1;
    }
    for instance in &mut parts.instances {
        instance.node.0 += 1;
    }
    parts.clips.clear();
    rig_glb(&Rig::new(parts), &Progress::default()).unwrap().write(&path).unwrap();
    let Some(Request::Load { source, then, .. }) = state.apply(Command::Do(Action::Reload)) else { panic!() };
    let document = Document::open(&source, &Job::default()).unwrap();
    state.receive(JobResult::Document(Box::new(document), then));
    assert_eq!(pinned(&state), before);
    assert_ne!(node(&state, "LeftFoot"), figure.rig.hierarchy.node_named("LeftFoot").unwrap());
    for (foot, position) in FEET.into_iter().zip(feet) {
        assert!(at(&mut state, foot).distance(position) < 1e-4, "{foot}");
    }
    assert!(state.open.stage.posed().missed_pins(state.open.stage.rig()).next().is_none());
    pull(&mut state, "LeftFoot", Vec3::Y * 0.1);
    state.apply(Command::Do(Action::Undo));
    assert_eq!(pinned(&state), before);
}
