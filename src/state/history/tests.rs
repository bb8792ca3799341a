//! Steps restore exactly, are counted in bytes, and the oldest make room.

use super::*;
use crate::rig::testing::{any_trs, chain};
use proptest::prelude::*;

fn step(history: &mut History, pose: &mut Pose, label: &str, edit: impl FnOnce(&mut Pose)) {
    history.begin(pose, &Limits::default());
    edit(pose);
    history.end(pose, &Limits::default(), |_| label.to_owned());
}

proptest! {
    #[test]
    fn every_step_can_be_gone_to_and_is_the_pose_that_it_was(edits in prop::collection::vec((0_u32..4, any_trs(1.0)), 1..12),
        visits in prop::collection::vec(any::<prop::sample::Index>(), 1..8)) {
        let hierarchy = chain(4, Trs::IDENTITY);
        let mut pose = Pose::rest(&hierarchy);
        let (mut history, mut poses) = (History::default(), vec![pose.clone()]);
        for (node, trs) in edits {
            step(&mut history, &mut pose, "Edit", |p| p.set_user_local(NodeIndex(node), trs));
            poses.push(pose.clone());
        }
        for visit in visits {
            let at = visit.index(poses.len());
            history.go_to(at, &mut pose, &mut Limits::default(), &mut View::default());
            prop_assert_eq!(history.done(), at);
            prop_assert_eq!(&pose, &poses[at]);
        }
    }
}

#[test]
fn a_new_step_replaces_the_undone_ones_and_their_bytes() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let (mut history, mut pose) = (History::default(), Pose::rest(&hierarchy));
    let turn =
        |angle| move |p: &mut Pose| p.set_user_local(NodeIndex(1), Trs::from_rotation(Quat::from_rotation_x(angle)));
    step(&mut history, &mut pose, "one", turn(0.1));
    let one = history.bytes();
    step(&mut history, &mut pose, "two", turn(0.2));
    step(&mut history, &mut pose, "thr", turn(0.3));
    assert_eq!(history.bytes(), 3 * one);
    history.go_to(1, &mut pose, &mut Limits::default(), &mut View::default());
    step(&mut history, &mut pose, "new", turn(0.4));
    assert_eq!((history.len(), history.bytes()), (2, 2 * one));
    assert_eq!((history.undo_label(), history.redo_label()), (Some("new"), None));
    step(&mut history, &mut pose, "nothing", |_| {});
    assert_eq!(history.len(), 2, "nothing changed is no step");
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
    let whole = HistoryStep::new("Edit 10000 joints".to_owned(), &every, Box::default()).bytes();
    assert!(500 * whole <= History::MAX_BYTES, "{whole} bytes a step");
}

#[test]
fn the_oldest_steps_make_room_and_what_is_left_still_undoes() {
    let hierarchy = chain(100, Trs::IDENTITY);
    let (mut history, mut pose) = (History::default(), Pose::rest(&hierarchy));
    let mut poses = Vec::new();
    for i in 0..20 {
        poses.push(pose.clone());
        step(&mut history, &mut pose, "Turn", |p| {
            for node in hierarchy.nodes() {
                p.set_user_local(node, Trs::from_rotation(Quat::from_rotation_y(0.1 * (i + 1) as f32)));
            }
        });
    }
    let all = history.bytes();
    history.forget(all / 2);
    history.done = history.len();
    assert!(history.bytes() <= all / 2 && history.len() == 10 && history.forgotten() == 10);
    history.go_to(0, &mut pose, &mut Limits::default(), &mut View::default());
    assert_eq!(pose, poses[10]);
    history.forget(0);
    assert_eq!(history.len(), 1, "the newest stays");
}

#[test]
fn limits_are_undone_like_the_pose_and_both_in_one_step() {
    let (mut history, mut pose, mut limits) =
        (History::default(), Pose::rest(&chain(2, Trs::IDENTITY)), Limits::default());
    let locked = |angle| JointLimits { axes: [crate::posing::Freedom::Locked(angle); 3], ..JointLimits::default() };
    let mut seen = vec![(pose.clone(), limits.clone())];
    for (angle, turn) in [(0.1, 0.0), (0.2, 0.5), (0.2, 0.7)] {
        history.begin(&pose, &limits);
        limits.set(NodeIndex(1), locked(angle));
        pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_x(turn)));
        history.end(&pose, &limits, |changes| format!("{} {}", changes.joints.len(), changes.limited.len()));
        seen.push((pose.clone(), limits.clone()));
    }
    assert_eq!([0, 1, 2].map(|step| history.label(step)), [Some("0 1"), Some("1 1"), Some("1 0")]);
    for at in [0, 2, 1, 3, 0] {
        history.go_to(at, &mut pose, &mut limits, &mut View::default());
        assert_eq!((&pose, &limits), (&seen[at].0, &seen[at].1));
    }
    assert!(history.carry(&[Some(NodeIndex(1)), Some(NodeIndex(0))], &[], Hidden::clone));
    history.redo(&mut pose, &mut limits, &mut View::default());
    assert!(limits.of(NodeIndex(0)).is_some(), "a reloaded file may number its joints anew");
}

#[test]
fn weights_of_morph_targets_are_undone_and_go_where_a_reloaded_file_has_them() {
    let (mut history, mut pose) = (History::default(), Pose::rest(&chain(1, Trs::IDENTITY)));
    let mut seen = vec![pose.clone()];
    for (morph, weight) in [(0, 0.5), (3, -0.25), (0, 0.0)] {
        let before = history.bytes();
        step(&mut history, &mut pose, "Morph", |p| p.set_morph_weight(MorphIndex(morph), weight));
        assert!(history.bytes() > before);
        seen.push(pose.clone());
    }
    for at in [0, 3, 1, 2, 0] {
        history.go_to(at, &mut pose, &mut Limits::default(), &mut View::default());
        assert_eq!(pose, seen[at]);
    }
    let gone = [Some(MorphIndex(0)), None, None, None];
    assert!(!history.carry(&[], &gone, Hidden::clone));
    history.go_to(1, &mut pose, &mut Limits::default(), &mut View::default());
    assert_eq!(pose, seen[1], "it is as it was");
    history.go_to(0, &mut pose, &mut Limits::default(), &mut View::default());
    let moved = [Some(MorphIndex(7)), None, None, Some(MorphIndex(1))];
    assert!(history.carry(&[], &moved, Hidden::clone));
    history.go_to(2, &mut pose, &mut Limits::default(), &mut View::default());
    assert_eq!(pose.morph_weights().collect::<Vec<_>>(), [(MorphIndex(1), -0.25), (MorphIndex(7), 0.5)]);
}

#[test]
fn steps_that_are_carried_over_leave_an_open_edit_behind() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let (mut history, mut pose) = (History::default(), Pose::rest(&hierarchy));
    step(&mut history, &mut pose, "Turn", |p| {
        p.set_user_local(NodeIndex(1), Trs::from_rotation(Quat::from_rotation_x(0.1)));
    });
    history.begin(&pose, &Limits::default());
    assert!(history.carry(&[None, Some(NodeIndex(0))], &[], Hidden::clone));
    assert_eq!((history.is_open(), history.undo_label()), (false, Some("Turn")));
}
