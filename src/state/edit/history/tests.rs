//! Tests that steps restore values exactly and count their bytes, and that the oldest steps are dropped first.

use super::*;
use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::actor::Counterparts;
use crate::matching::NodeMatch;
use crate::posing::JointLimits;
use crate::rig::testing::{any_trs, chain, faces};
use crate::rig::{MorphIndex, NodeIndex, Pin, Pose, Rig, Trs};
use crate::skinning::JointMethod;
use crate::stage::{BuiltIn, Document, Source, Stage};
use crate::view::View;
use proptest::prelude::*;

/// Returns a stage for tests that need only a pose.
fn stage(pose: Pose) -> Stage {
    let document = Document::new(Source::BuiltIn(BuiltIn::Tube), Rig::default(), Vec::new());
    Stage::with_view(Document { pose, ..document }, &View::default())
}

fn step(history: &mut History, stage: &mut Stage, label: &str, edit: impl FnOnce(&mut Pose)) {
    history.begin(stage);
    edit(&mut stage.document.pose);
    history.end(stage, |_| label.to_owned());
}

/// Returns the history for another rig. `nodes` maps nodes to that rig's nodes.
fn on_nodes(history: History, nodes: &[Option<NodeIndex>]) -> History {
    let rig = Arc::new(Rig::default());
    let counterparts = Counterparts::from_nodes(NodeMatch::known(nodes.to_vec(), nodes.len()));
    history.carried(ReloadedRig { old: &rig, new: &rig, counterparts: &counterparts })
}

proptest! {
    #[test]
    fn every_step_can_be_gone_to_and_is_the_pose_that_it_was(edits in prop::collection::vec((0_u32..4, any_trs(1.0), any::<bool>()), 1..12),
        visits in prop::collection::vec(any::<prop::sample::Index>(), 1..8)) {
        let hierarchy = chain(4, Trs::IDENTITY);
        let mut stage = stage(Pose::rest(&hierarchy));
        let (mut history, mut poses) = (History::default(), vec![stage.document.pose.clone()]);
        for (node, trs, only_rotates) in edits {
            step(&mut history, &mut stage, "Edit", |p| {
                let unchanged = *p.user_local(NodeIndex(node));
                let trs = if only_rotates { Trs { rotation: trs.rotation, ..unchanged } } else { trs };
                p.set_user_local(NodeIndex(node), trs);
            });
            poses.push(stage.document.pose.clone());
        }
        for visit in visits {
            let at = visit.index(poses.len());
            history.go_to(at, &mut stage);
            prop_assert_eq!(history.done(), at);
            prop_assert_eq!(&stage.document.pose, &poses[at]);
        }
    }
}

#[test]
fn a_new_step_replaces_the_undone_ones_and_their_bytes() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&hierarchy)));
    let turn =
        |angle| move |p: &mut Pose| p.set_user_local(NodeIndex(1), Trs::from_rotation(Quat::from_rotation_x(angle)));
    step(&mut history, &mut stage, "one", turn(0.1));
    let one = history.bytes();
    step(&mut history, &mut stage, "two", turn(0.2));
    step(&mut history, &mut stage, "thr", turn(0.3));
    assert_eq!(history.bytes(), 3 * one);
    history.go_to(1, &mut stage);
    step(&mut history, &mut stage, "new", turn(0.4));
    assert_eq!((history.len(), history.bytes()), (2, 2 * one));
    assert_eq!((history.undo_label(), history.redo_label()), (Some("new"), None));
    step(&mut history, &mut stage, "nothing", |_| {});
    assert_eq!(history.len(), 2, "nothing changed is no step");
}

fn pin_at(node: NodeIndex) -> Pin {
    Pin { node, position: glam::DVec3::X, rotation: None }
}

#[test]
fn memory_of_undone_steps_is_counted() {
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&chain(3, Trs::IDENTITY))));
    let pin = |history: &mut History, stage: &mut Stage, pinned: &[u32]| {
        history.begin(stage);
        stage.document.pins = pinned.iter().map(|&node| pin_at(NodeIndex(node))).collect();
        history.end(stage, |_| "Pin".to_owned());
    };
    pin(&mut history, &mut stage, &[0, 1, 2]);
    let none = history.bytes();
    history.undo(&mut stage);
    assert!(history.bytes() > none, "now it keeps what was pinned");
    history.redo(&mut stage);
    assert_eq!(history.bytes(), none);
    history.undo(&mut stage);
    pin(&mut history, &mut stage, &[1, 2]);
    assert_eq!((history.len(), history.bytes()), (1, none));
    pin(&mut history, &mut stage, &[]);
    let two = history.bytes();
    let history = on_nodes(history, &[None, Some(NodeIndex(0)), None]);
    assert_eq!(two - history.bytes(), size_of::<Pin>(), "a joint that is gone is kept no longer");
}

#[test]
fn five_hundred_steps_of_ten_thousand_joints_fit() {
    let before = Choices::from_stage(&stage(Pose::rest(&chain(10_000, Trs::IDENTITY))));
    let mut after = before.clone();
    let moved = Trs { translation: Vec3::X, rotation: Quat::from_rotation_x(1.0), scale: Vec3::splat(2.0) };
    (0..10_000).map(NodeIndex).for_each(|node| after.pose.set_user_local(node, moved));
    let whole = HistoryStep { label: "Edit 10000 joints".to_owned(), difference: before.difference(&after) }.bytes();
    assert!(500 * whole <= History::MAX_BYTES, "{whole} bytes a step");
}

#[test]
fn the_oldest_steps_make_room_and_what_is_left_still_undoes() {
    let hierarchy = chain(100, Trs::IDENTITY);
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&hierarchy)));
    let mut poses = Vec::new();
    for i in 0..20 {
        poses.push(stage.document.pose.clone());
        step(&mut history, &mut stage, "Turn", |p| {
            for node in hierarchy.nodes() {
                p.set_user_local(node, Trs::from_rotation(Quat::from_rotation_y(0.1 * (i + 1) as f32)));
            }
        });
    }
    let all = history.bytes();
    history.forget(all / 2);
    history.done = history.len();
    assert!(history.bytes() <= all / 2 && history.len() == 10 && history.forgotten() == 10);
    history.go_to(0, &mut stage);
    assert_eq!(stage.document.pose, poses[10]);
    history.forget(0);
    assert_eq!(history.len(), 1, "the newest stays");
}

#[test]
fn limits_are_undone_like_the_pose_and_both_in_one_step() {
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&chain(2, Trs::IDENTITY))));
    let locked = |angle| JointLimits { axes: [crate::posing::AxisLimit::Locked(angle); 3], ..JointLimits::default() };
    let mut seen = vec![(stage.document.pose.clone(), stage.document.limits.clone())];
    for (angle, turn) in [(0.1, 0.0), (0.2, 0.5), (0.2, 0.7)] {
        history.begin(&stage);
        stage.document.limits.set(NodeIndex(1), locked(angle));
        stage.document.pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_x(turn)));
        history.end(&stage, |changes| {
            format!("{} {}", changes.pose.joints(&stage.document.pose).len(), changes.limits.is_some())
        });
        seen.push((stage.document.pose.clone(), stage.document.limits.clone()));
    }
    assert_eq!([0, 1, 2].map(|step| history.label(step)), [Some("0 true"), Some("1 true"), Some("1 false")]);
    for at in [0, 2, 1, 3, 0] {
        history.go_to(at, &mut stage);
        assert_eq!((&stage.document.pose, &stage.document.limits), (&seen[at].0, &seen[at].1));
    }
    let mut history = on_nodes(history, &[Some(NodeIndex(1)), Some(NodeIndex(0))]);
    history.redo(&mut stage);
    assert!(stage.document.limits.get(NodeIndex(0)).is_some(), "a reloaded file may number its joints anew");
}

#[test]
fn pins_and_joints_with_methods_of_their_own_go_where_a_reloaded_file_has_them() {
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&chain(3, Trs::IDENTITY))));
    let [gone, kept] = [0, 2].map(NodeIndex);
    stage.document.pins = vec![pin_at(gone), pin_at(kept)];
    stage.view.sides.b.skinning.by_joint = vec![(gone, JointMethod::Dqs), (kept, JointMethod::Lbs)];
    history.begin(&stage);
    stage.document.pins.clear();
    stage.view.sides.b.skinning.by_joint.clear();
    history.end(&stage, |_| String::new());
    let now = NodeIndex(1);
    let mut history = on_nodes(history, &[None, None, Some(now)]);
    history.undo(&mut stage);
    assert_eq!(
        (stage.document.pins, stage.view.sides.b.skinning.by_joint),
        (vec![pin_at(now)], vec![(now, JointMethod::Lbs)])
    );
}

#[test]
fn weights_of_morph_targets_are_undone_and_go_where_a_reloaded_file_has_them() {
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&chain(1, Trs::IDENTITY))));
    let mut seen = vec![stage.document.pose.clone()];
    for (morph, weight) in [(0, 0.5), (3, -0.25), (0, 0.0)] {
        let before = history.bytes();
        step(&mut history, &mut stage, "Morph", |p| p.set_morph_weight(MorphIndex(morph), weight));
        assert!(history.bytes() > before);
        seen.push(stage.document.pose.clone());
    }
    for at in [0, 3, 1, 2, 0] {
        history.go_to(at, &mut stage);
        assert_eq!(stage.document.pose, seen[at]);
    }
    let old = Arc::new(faces(&[&["a", "b", "c", "d"]]));
    let on = |new: &Rig| {
        let counterparts = Counterparts::between(&old, new);
        history.clone().carried(ReloadedRig { old: &old, new, counterparts: &counterparts })
    };
    let (without_d, label) = (on(&faces(&[&["a"]])), Some("Morph"));
    assert_eq!(
        (without_d.len(), without_d.undo_label(), without_d.redo_label()),
        (1, None, label),
        "up to the lost target"
    );
    let mut history = on(&faces(&[&["x", "d", "y", "a"]]));
    history.go_to(2, &mut stage);
    assert_eq!(stage.document.pose.morph_weights().collect::<Vec<_>>(), [(MorphIndex(1), -0.25), (MorphIndex(3), 0.5)]);
}

#[test]
fn a_lost_joint_takes_its_step_and_those_behind_it() {
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&chain(2, Trs::IDENTITY))));
    let turned = |angle| Trs::from_rotation(Quat::from_rotation_x(angle));
    for (label, node, angle) in [("a", 0, 0.1), ("lost", 1, 0.2), ("b", 0, 0.3), ("c", 0, 0.4), ("lost too", 1, 0.5)] {
        step(&mut history, &mut stage, label, |p| p.set_user_local(NodeIndex(node), turned(angle)));
    }
    history.go_to(3, &mut stage);
    let mut history = on_nodes(history, &[Some(NodeIndex(0)), None]);
    let labels: Vec<_> = (0..history.len()).filter_map(|step| history.label(step)).collect();
    assert_eq!((labels, history.undo_label(), history.forgotten()), (vec!["b", "c"], Some("b"), 2));
    history.go_to(0, &mut stage);
    assert_eq!(*stage.document.pose.user_local(NodeIndex(0)), turned(0.1));
    history.go_to(2, &mut stage);
    assert_eq!(*stage.document.pose.user_local(NodeIndex(0)), turned(0.4));
}

#[test]
fn steps_that_are_carried_over_leave_an_open_edit_behind() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&hierarchy)));
    step(&mut history, &mut stage, "Turn", |p| {
        p.set_user_local(NodeIndex(1), Trs::from_rotation(Quat::from_rotation_x(0.1)));
    });
    history.begin(&stage);
    let history = on_nodes(history, &[None, Some(NodeIndex(0))]);
    assert_eq!((history.is_open(), history.undo_label()), (false, Some("Turn")));
}

#[test]
fn a_thousand_steps_of_one_joint_each_take_little_memory_however_many_joints_there_are() {
    let (mut history, mut stage) = (History::default(), stage(Pose::rest(&chain(10_000, Trs::IDENTITY))));
    for at in 0..1000 {
        step(&mut history, &mut stage, "Rotate joint 12", |p| {
            p.set_user_local(NodeIndex(at * 7), Trs::from_rotation(Quat::from_rotation_y(0.1)));
        });
    }
    assert!(history.bytes() <= 200_000, "{} bytes", history.bytes());
}

#[test]
fn joints_that_only_rotate_take_less_than_half_the_memory() {
    const JOINTS: u32 = 10_000;
    let hierarchy = chain(JOINTS as usize, Trs::IDENTITY);
    let bytes = |trs: Trs| {
        let (mut history, mut stage) = (History::default(), stage(Pose::rest(&hierarchy)));
        step(&mut history, &mut stage, "all", |p| (0..JOINTS).for_each(|node| p.set_user_local(NodeIndex(node), trs)));
        history.bytes()
    };
    let rotation = Trs::from_rotation(Quat::from_rotation_x(0.1));
    let [rotated, moved] = [rotation, Trs { translation: Vec3::X, ..rotation }].map(bytes);
    assert!(rotated < 21 * JOINTS as usize && moved > 2 * rotated, "{rotated} {moved}");
}
