//! Steps restore exactly, are counted in bytes, and the oldest are dropped first.

use super::*;
use crate::rig::Rig;
use crate::rig::testing::{any_trs, chain};
use crate::skinning::JointMethod;
use crate::stage::{BuiltIn, Source};
use proptest::prelude::*;

/// A character for tests in which only the pose matters.
fn document(pose: Pose) -> Document {
    Document { pose, ..Document::new(Source::BuiltIn(BuiltIn::Tube), Rig::default(), Vec::new()) }
}

fn step(history: &mut History, document: &mut Document, label: &str, edit: impl FnOnce(&mut Pose)) {
    history.begin(document, &View::default());
    edit(&mut document.pose);
    history.end(document, &View::default(), |_| label.to_owned());
}

fn go_to(history: &mut History, done: usize, document: &mut Document) {
    history.go_to(done, document, &mut View::default());
}

proptest! {
    #[test]
    fn every_step_can_be_gone_to_and_is_the_pose_that_it_was(edits in prop::collection::vec((0_u32..4, any_trs(1.0)), 1..12),
        visits in prop::collection::vec(any::<prop::sample::Index>(), 1..8)) {
        let hierarchy = chain(4, Trs::IDENTITY);
        let mut document = document(Pose::rest(&hierarchy));
        let (mut history, mut poses) = (History::default(), vec![document.pose.clone()]);
        for (node, trs) in edits {
            step(&mut history, &mut document, "Edit", |p| p.set_user_local(NodeIndex(node), trs));
            poses.push(document.pose.clone());
        }
        for visit in visits {
            let at = visit.index(poses.len());
            go_to(&mut history, at, &mut document);
            prop_assert_eq!(history.done(), at);
            prop_assert_eq!(&document.pose, &poses[at]);
        }
    }
}

#[test]
fn a_new_step_replaces_the_undone_ones_and_their_bytes() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let (mut history, mut document) = (History::default(), document(Pose::rest(&hierarchy)));
    let turn =
        |angle| move |p: &mut Pose| p.set_user_local(NodeIndex(1), Trs::from_rotation(Quat::from_rotation_x(angle)));
    step(&mut history, &mut document, "one", turn(0.1));
    let one = history.bytes();
    step(&mut history, &mut document, "two", turn(0.2));
    step(&mut history, &mut document, "thr", turn(0.3));
    assert_eq!(history.bytes(), 3 * one);
    go_to(&mut history, 1, &mut document);
    step(&mut history, &mut document, "new", turn(0.4));
    assert_eq!((history.len(), history.bytes()), (2, 2 * one));
    assert_eq!((history.undo_label(), history.redo_label()), (Some("new"), None));
    step(&mut history, &mut document, "nothing", |_| {});
    assert_eq!(history.len(), 2, "nothing changed is no step");
}

#[test]
fn what_a_step_keeps_once_it_is_undone_is_counted_too() {
    let (mut history, mut document) = (History::default(), document(Pose::rest(&chain(3, Trs::IDENTITY))));
    let mut view = View::default();
    let pin = |history: &mut History, document: &mut Document, pinned: &[u32]| {
        history.begin(document, &View::default());
        document.pinned = pinned.iter().copied().map(NodeIndex).collect();
        history.end(document, &View::default(), |_| "Pin".to_owned());
    };
    pin(&mut history, &mut document, &[0, 1, 2]);
    let none = history.bytes();
    history.undo(&mut document, &mut view);
    assert!(history.bytes() > none, "now it keeps what was pinned");
    history.redo(&mut document, &mut view);
    assert_eq!(history.bytes(), none);
    history.undo(&mut document, &mut view);
    pin(&mut history, &mut document, &[1, 2]);
    assert_eq!((history.len(), history.bytes()), (1, none));
    pin(&mut history, &mut document, &[]);
    let two = history.bytes();
    assert!(history.carry(&[None, Some(NodeIndex(0)), None], &[], Some, Hidden::clone));
    assert_eq!(two - history.bytes(), size_of::<NodeIndex>(), "a joint that is gone is kept no longer");
}

#[test]
fn five_hundred_steps_of_ten_thousand_joints_fit() {
    let every: Vec<JointChange> = (0..10_000)
        .map(|i| {
            let after = Trs { translation: Vec3::X, rotation: Quat::from_rotation_x(1.0), scale: Vec3::splat(2.0) };
            JointChange { node: NodeIndex(i), before: Trs::IDENTITY, after }
        })
        .collect();
    let every = Changes { joints: every, ..Changes::default() };
    let whole = HistoryStep::new("Edit 10000 joints".to_owned(), every).bytes();
    assert!(500 * whole <= History::MAX_BYTES, "{whole} bytes a step");
}

#[test]
fn the_oldest_steps_make_room_and_what_is_left_still_undoes() {
    let hierarchy = chain(100, Trs::IDENTITY);
    let (mut history, mut document) = (History::default(), document(Pose::rest(&hierarchy)));
    let mut poses = Vec::new();
    for i in 0..20 {
        poses.push(document.pose.clone());
        step(&mut history, &mut document, "Turn", |p| {
            for node in hierarchy.nodes() {
                p.set_user_local(node, Trs::from_rotation(Quat::from_rotation_y(0.1 * (i + 1) as f32)));
            }
        });
    }
    let all = history.bytes();
    history.forget(all / 2);
    history.done = history.len();
    assert!(history.bytes() <= all / 2 && history.len() == 10 && history.forgotten() == 10);
    go_to(&mut history, 0, &mut document);
    assert_eq!(document.pose, poses[10]);
    history.forget(0);
    assert_eq!(history.len(), 1, "the newest stays");
}

#[test]
fn limits_are_undone_like_the_pose_and_both_in_one_step() {
    let (mut history, mut document) = (History::default(), document(Pose::rest(&chain(2, Trs::IDENTITY))));
    let view = View::default();
    let locked = |angle| JointLimits { axes: [crate::posing::Freedom::Locked(angle); 3], ..JointLimits::default() };
    let mut seen = vec![(document.pose.clone(), document.limits.clone())];
    for (angle, turn) in [(0.1, 0.0), (0.2, 0.5), (0.2, 0.7)] {
        history.begin(&document, &view);
        document.limits.set(NodeIndex(1), locked(angle));
        document.pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_x(turn)));
        history.end(&document, &view, |changes| format!("{} {}", changes.joints.len(), changes.limited.len()));
        seen.push((document.pose.clone(), document.limits.clone()));
    }
    assert_eq!([0, 1, 2].map(|step| history.label(step)), [Some("0 1"), Some("1 1"), Some("1 0")]);
    for at in [0, 2, 1, 3, 0] {
        go_to(&mut history, at, &mut document);
        assert_eq!((&document.pose, &document.limits), (&seen[at].0, &seen[at].1));
    }
    assert!(history.carry(&[Some(NodeIndex(1)), Some(NodeIndex(0))], &[], Some, Hidden::clone));
    history.redo(&mut document, &mut View::default());
    assert!(document.limits.of(NodeIndex(0)).is_some(), "a reloaded file may number its joints anew");
}

#[test]
fn pins_and_joints_with_methods_of_their_own_go_where_a_reloaded_file_has_them() {
    let (mut history, mut document) = (History::default(), document(Pose::rest(&chain(3, Trs::IDENTITY))));
    let mut view = View::default();
    let [gone, kept] = [0, 2].map(NodeIndex);
    document.pinned = vec![gone, kept];
    view.sides.b.skinning.by_joint = vec![(gone, JointMethod::Dqs), (kept, JointMethod::Lbs)];
    history.begin(&document, &view);
    document.pinned.clear();
    view.sides.b.skinning.by_joint.clear();
    history.end(&document, &view, |_| String::new());
    let now = NodeIndex(1);
    assert!(history.carry(&[None, None, Some(now)], &[], Some, Hidden::clone), "no reason to drop a step");
    history.undo(&mut document, &mut view);
    assert_eq!((document.pinned, view.sides.b.skinning.by_joint), (vec![now], vec![(now, JointMethod::Lbs)]));
}

#[test]
fn weights_of_morph_targets_are_undone_and_go_where_a_reloaded_file_has_them() {
    let (mut history, mut document) = (History::default(), document(Pose::rest(&chain(1, Trs::IDENTITY))));
    let mut seen = vec![document.pose.clone()];
    for (morph, weight) in [(0, 0.5), (3, -0.25), (0, 0.0)] {
        let before = history.bytes();
        step(&mut history, &mut document, "Morph", |p| p.set_morph_weight(MorphIndex(morph), weight));
        assert!(history.bytes() > before);
        seen.push(document.pose.clone());
    }
    for at in [0, 3, 1, 2, 0] {
        go_to(&mut history, at, &mut document);
        assert_eq!(document.pose, seen[at]);
    }
    let gone = [Some(MorphIndex(0)), None, None, None];
    assert!(!history.carry(&[], &gone, Some, Hidden::clone));
    go_to(&mut history, 1, &mut document);
    assert_eq!(document.pose, seen[1], "it is as it was");
    go_to(&mut history, 0, &mut document);
    let moved = [Some(MorphIndex(7)), None, None, Some(MorphIndex(1))];
    assert!(history.carry(&[], &moved, Some, Hidden::clone));
    go_to(&mut history, 2, &mut document);
    assert_eq!(document.pose.morph_weights().collect::<Vec<_>>(), [(MorphIndex(1), -0.25), (MorphIndex(7), 0.5)]);
}

#[test]
fn steps_that_are_carried_over_leave_an_open_edit_behind() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let (mut history, mut document) = (History::default(), document(Pose::rest(&hierarchy)));
    step(&mut history, &mut document, "Turn", |p| {
        p.set_user_local(NodeIndex(1), Trs::from_rotation(Quat::from_rotation_x(0.1)));
    });
    history.begin(&document, &View::default());
    assert!(history.carry(&[None, Some(NodeIndex(0))], &[], Some, Hidden::clone));
    assert_eq!((history.is_open(), history.undo_label()), (false, Some("Turn")));
}
