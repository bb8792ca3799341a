//! Ranking of joints by the volume that linear blend skinning loses.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::f32::consts::PI;
use std::sync::Arc;

use common::rigs;
use glam::{Quat, Vec3};
use rigscope::analysis::Topology;
use rigscope::analysis::twist::{JointRank, RankList, RotationKind, TestRange, TwistTest, rank, sweep};
use rigscope::import::{Job, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::posing::Limits;
use rigscope::rig::{
    Constraint, ConstraintAxis, ConstraintKind, DisabledBehaviours, Influences, NodeIndex, Pose, Primitive, Rig,
    RigData, Trs, evaluate,
};
use rigscope::skinning::{Method, Skinner, Skinning};
use rigscope::stage::BuiltIn;

/// Ranks the joints at rest. Returns them with their names.
fn ranked(rig: &Rig) -> Vec<(&str, JointRank)> {
    let rest = Pose::rest(&rig.hierarchy);
    let (topology, posed) = (Topology::new(rig), evaluate(rig, None, &rest));
    let ranked =
        rank(rig, &topology, (&posed, &rest), (TestRange::Full, &Limits::default()), &Progress::default()).unwrap();
    ranked.into_iter().map(|r| (rig.hierarchy.name(r.joint), r)).collect()
}

fn built_in(character: BuiltIn) -> Rig {
    import_bytes(character.bytes(), &Job::default()).unwrap().rig
}

/// Returns the ranked joint with this name.
fn by_name<'a>(all: &'a [(&str, JointRank)], name: &str) -> &'a JointRank {
    &all.iter().find(|(joint, _)| *joint == name).unwrap().1
}

#[test]
fn the_same_loss_is_a_larger_share_of_the_smaller_region_and_the_root_loses_nothing() {
    let rig = built_in(BuiltIn::Tube);
    let all = ranked(&rig);
    // The regions of Near and Far extend to the tube's rounded ends.
    assert_eq!(all.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["Near", "Far", "Middle", "Root"]);
    let middle = by_name(&all, "Middle");
    assert!(middle.loss > 0.18 && by_name(&all, "Root").loss < 1e-3, "{all:?}");
    assert_eq!((middle.motion, middle.angle.abs(), middle.is_speck), (RotationKind::Twist, PI, false));
}

#[test]
fn a_rig_whose_joints_move_nothing_has_none() {
    assert_eq!(ranked(&rigs::glass_before_stone()), []);
}

/// Creates tetrahedra in a row along y, around the bone from Low to High. One edge of each follows Low, and the
/// opposite edge follows High.
fn tetrahedra(count: usize) -> Primitive {
    let corners = [Vec3::X, Vec3::NEG_X, Vec3::new(0.0, 1.0, 1.0), Vec3::new(0.0, 1.0, -1.0)];
    let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    let at = |number: usize| Vec3::Y * (number as f32 * 1.5);
    let joints = [0, 0, 1, 1].repeat(count);
    Primitive {
        positions: (0..count).flat_map(|n| corners.map(|c| c + at(n))).collect(),
        indices: (0..count as u32).flat_map(|n| faces.map(|f| f.map(|v| v + 4 * n))).flatten().collect(),
        influences: Some(Influences::new(1, joints, vec![1.0; 4 * count])),
        ..Primitive::default()
    }
}

/// Returns a character, and a pose that moves, rotates and scales its joints.
fn posed(character: BuiltIn) -> (Arc<Rig>, Pose) {
    let rig = Arc::new(built_in(character));
    let mut pose = Pose::rest(&rig.hierarchy);
    for (number, node) in rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).enumerate() {
        let rotation = Quat::from_rotation_x((number % 7) as f32 * 0.1 - 0.3);
        pose.set_user_local(node, Trs { rotation, translation: Vec3::Y * 0.02, scale: Vec3::new(1.0, 1.1, 0.9) });
    }
    (rig, pose)
}

#[test]
fn the_number_of_each_joint_is_the_worst_of_its_plot() {
    let mut rigs = vec![posed(BuiltIn::Tube)];
    if let Some(samples) = common::samples() {
        let rig = import_file(&samples.join("kaykit/Knight.glb"), &Job::default()).unwrap().rig;
        rigs.push((Arc::new(rig.clone()), Pose::rest(&rig.hierarchy)));
    }
    for (rig, pose) in rigs {
        let (topology, posed) = (Topology::new(&rig), evaluate(&rig, None, &pose));
        let lbs = Skinner::new(&rig, &Skinning::new(Method::Lbs)).unwrap();
        for r in
            rank(&rig, &topology, (&posed, &pose), (TestRange::Full, &Limits::default()), &Progress::default()).unwrap()
        {
            let test = TwistTest::full(&rig, &posed, &pose, r.joint);
            let plot = sweep(&[&lbs], &topology, &posed, &pose, &test, &Progress::default()).unwrap();
            assert_eq!(plot.triangles, r.triangles);
            let worst =
                plot.worst(0).map(|row| (row.motion, row.angle, (1.0 - row.losses[0].volume_ratio).clamp(0.0, 1.0)));
            let ranked = (!r.loss.is_nan()).then_some((r.motion, r.angle, r.loss));
            assert_eq!(ranked, worst, "{}", rig.hierarchy.name(r.joint));
        }
    }
}

#[test]
fn a_turned_region_is_that_of_the_whole_rig_in_that_pose_by_every_method() {
    let (rig, pose) = posed(BuiltIn::Tube);
    let (topology, posed) = (Topology::new(&rig), evaluate(&rig, None, &pose));
    let methods = [Method::Lbs, Method::Dqs, Method::Blend(0.5), Method::DqsCompensated, Method::Sclerp];
    let skinners = methods.map(|method| Skinner::new(&rig, &Skinning::new(method)).unwrap());
    let joint = rig.hierarchy.node_named("Middle").unwrap();
    let mut test = TwistTest::full(&rig, &posed, &pose, joint);
    test.turns.retain(|turn| turn.motion == RotationKind::Bend && turn.angle > 1.5 && turn.angle < 1.6);
    let skinners: Vec<&Skinner> = skinners.iter().collect();
    let found = sweep(&skinners, &topology, &posed, &pose, &test, &Progress::default()).unwrap();
    let mut turned = pose.clone();
    let user = pose.user_local(joint);
    turned.set_user_local(
        joint,
        Trs { rotation: user.rotation * Quat::from_axis_angle(test.axes.bend, test.turns[0].angle), ..*user },
    );
    let turned = evaluate(&rig, None, &turned);
    // The vertex farthest from another method's vertex is inside the region, because the methods differ in the middle.
    let surfaces: Vec<Vec<Vec3>> =
        skinners.iter().map(|s| s.deform(&turned).concat().into_iter().flat_map(|d| d.positions).collect()).collect();
    let before: Vec<Vec<Vec3>> =
        skinners.iter().map(|s| s.deform(&posed).concat().into_iter().flat_map(|d| d.positions).collect()).collect();
    for (at, losses) in found.rows[0].losses.iter().enumerate() {
        // Only counts vertices that the rotation moves, because the pose makes the methods differ elsewhere too.
        let is_turned = |v: usize| before[at][v].distance(surfaces[at][v]) > 1e-4;
        let farthest = (0..surfaces[at].len())
            .filter(|&v| is_turned(v))
            .flat_map(|v| surfaces.iter().map(move |other| (v, other)));
        let farthest = farthest.map(|(v, other)| surfaces[at][v].distance(other[v])).fold(0.0, f32::max);
        assert!(
            (losses.largest_distance - farthest).abs() < 1e-5,
            "{}: {} {farthest}",
            methods[at],
            losses.largest_distance
        );
    }
}

#[test]
fn inverted_volume_counts_as_lost_once() {
    let nodes = [rigs::node("Low", None, Vec3::ZERO), rigs::node("High", Some(0), Vec3::Y)];
    // Half a turn swaps the ends of the upper edge, which turns each tetrahedron inside out.
    for (count, is_speck) in [(13, false), (12, true)] {
        let rig = rigs::skinned(&nodes, None, tetrahedra(count), Vec::new());
        let all = ranked(&rig);
        let high = by_name(&all, "High");
        assert_eq!((high.loss, high.triangles, high.is_speck), (1.0, 4 * count, is_speck), "{all:?}");
    }
}

#[test]
fn a_region_of_hardly_any_surface_is_a_speck_behind_all_others() {
    let rig = built_in(BuiltIn::Figure);
    let all = ranked(&rig);
    let little = by_name(&all, "LeftLittleDistal");
    assert!(little.is_speck && little.triangles >= 50, "{little:?}");
    assert!(!by_name(&all, "LeftUpperArm").is_speck);
    assert!(all.is_sorted_by_key(|(_, r)| r.rank_list()), "{all:?}");
    for part in all.chunk_by(|(_, a), (_, b)| a.rank_list() == b.rank_list()) {
        assert!(part.windows(2).all(|w| w[0].1.loss >= w[1].1.loss || w[1].1.loss.is_nan()), "{part:?}");
    }
}

#[test]
fn no_joint_of_the_samples_loses_more_than_all_and_ends_of_strings_are_specks() {
    let Some(samples) = common::samples() else { return };
    for file in ["kaykit/Knight.glb", "boy/scene.gltf", "khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb"] {
        let rig = import_file(&samples.join(file), &Job::default()).unwrap().rig;
        let all = ranked(&rig);
        let (first, worst) = &all[0];
        assert!(worst.loss > 0.2 && !worst.is_speck, "{file}: {first} {worst:?}");
        for (name, r) in &all {
            assert!(r.loss.is_nan() || (0.0..=1.0).contains(&r.loss), "{file}: {name} {r:?}");
            assert!(r.is_speck || !name.contains("HoodString2"), "{file}: {name} {r:?}");
        }
    }
}

/// Returns losses and uncertainties of all joints, sorted by name.
fn losses(rig: &Rig) -> Vec<(&str, [f32; 2])> {
    let mut all: Vec<_> = ranked(rig).into_iter().map(|(name, r)| (name, [r.loss, r.uncertainty])).collect();
    all.sort_by_key(|(name, _)| *name);
    all
}

fn assert_same_losses_in_any_order(what: &str, rig: &Rig) {
    let before = losses(rig);
    for seed in 1..4 {
        let other = rigs::reordered(rig, seed);
        let pairs = before.iter().zip(losses(&other));
        for ((name, before), (_, after)) in pairs {
            for (before, after) in before.iter().zip(after) {
                let is_same =
                    (before - after).abs() < 1e-5 * before.abs().max(1.0) || before.is_nan() && after.is_nan();
                assert!(is_same, "{what}, {name}, order {seed}: {before} {after}");
            }
        }
    }
}

#[test]
fn losses_do_not_depend_on_the_order_of_vertices_and_triangles() {
    for (name, rig) in rigs::all() {
        assert_same_losses_in_any_order(name, &rig);
    }
    for seed in 1..6 {
        assert_same_losses_in_any_order("spots", &rigs::spotted_tube(seed));
    }
    let Some(samples) = common::samples() else { return };
    for file in ["kaykit/Knight.glb", "khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb"] {
        assert_same_losses_in_any_order(file, &import_file(&samples.join(file), &Job::default()).unwrap().rig);
    }
}

#[test]
fn flat_rims_leave_nothing_uncertain() {
    for (name, r) in ranked(&built_in(BuiltIn::Tube)) {
        assert!(r.uncertainty < 2e-3 && r.rank_list() == RankList::Ranked, "{name} {r:?}");
    }
}

#[test]
fn belt_narrower_than_its_rims_are_deep_is_too_thin_to_measure() {
    let rig = rigs::belted_tube();
    let all = ranked(&rig);
    let belt = by_name(&all, "Belt");
    assert!(belt.is_too_thin() && belt.uncertainty > 0.5 * belt.loss && !belt.is_speck, "{belt:?}");
    assert_eq!(belt.rank_list(), RankList::TooThin);
    let is_behind = all.iter().skip_while(|(name, _)| *name != "Belt").all(|(_, r)| r.rank_list() != RankList::Ranked);
    assert!(is_behind && by_name(&all, "Left").rank_list() == RankList::Ranked, "{all:?}");
}

#[test]
fn top_ranked_joints_of_the_samples_are_known() {
    let Some(samples) = common::samples() else { return };
    for (file, first, thin) in [
        ("kaykit/Knight.glb", "spine", None),
        ("khronos/CesiumMan/CesiumMan.glb", "Skeleton_torso_joint_2", Some("torso_joint_3")),
        ("khronos/Fox/Fox.glb", "b_Tail03_014", Some("b_RightUpperArm_06")),
        ("boy/scene.gltf", "J_Bip_C_Spine_101", Some("J_Bip_C_Chest_100")),
    ] {
        let rig = import_file(&samples.join(file), &Job::default()).unwrap().rig;
        let all = ranked(&rig);
        assert_eq!(all[0].0, first, "{file}");
        for (name, r) in all.iter().filter(|(_, r)| r.rank_list() == RankList::Ranked && !r.loss.is_nan()) {
            assert!(r.uncertainty <= (0.5 * r.loss).max(0.05), "{file}: {name} {r:?}");
        }
        if let Some(name) = thin {
            assert_eq!(by_name(&all, name).rank_list(), RankList::TooThin, "{file}: {name}");
        }
    }
}

/// Creates a forearm along x with a hand, and a helper between them that takes half of the hand's roll.
fn forearm_with_helper() -> Rig {
    let nodes = [
        rigs::node("Arm", None, Vec3::NEG_X),
        rigs::node("Helper", Some(0), Vec3::X),
        rigs::node("Hand", Some(0), Vec3::X * 1.5),
    ];
    let primitive = rigs::tube_primitive(60, 24, |x| {
        let share = |from: f32, to: f32| ((x - from) / (to - from)).clamp(0.0, 1.0);
        let (helper, hand) = (share(-0.5, 0.0), share(0.0, 0.5));
        vec![(0, 1.0 - helper), (1, helper - hand), (2, hand)]
    });
    let plain = rigs::skinned(&nodes, None, primitive, Vec::new());
    let [helper, hand] = [1, 2].map(|source| plain.hierarchy.by_source(source).unwrap());
    let roll = Constraint { node: helper, source: hand, kind: ConstraintKind::Roll(ConstraintAxis::X), weight: 0.5 };
    Rig::new(RigData { constraints: vec![roll], ..RigData::clone(&plain) })
}

/// Returns the loss with LBS if a joint is twisted by an angle in radians.
fn twisted_loss(rig: &Rig, pose: &Pose, joint: NodeIndex, angle: f32) -> f32 {
    let rig = Arc::new(rig.clone());
    let posed = evaluate(&rig, None, pose);
    let mut test = TwistTest::full(&rig, &posed, pose, joint);
    test.axes.twist = Vec3::X;
    test.turns.retain(|turn| turn.motion == RotationKind::Twist && (turn.angle - angle).abs() < 1e-3);
    let skinner = Skinner::new(&rig, &Skinning::new(Method::Lbs)).unwrap();
    let swept = sweep(&[&skinner], &Topology::new(&rig), &posed, pose, &test, &Progress::default()).unwrap();
    1.0 - swept.rows[0].losses[0].volume_ratio
}

#[test]
fn a_twist_helper_follows_the_tested_joint_and_less_is_lost() {
    let rig = forearm_with_helper();
    let hand = rig.hierarchy.by_source(2).unwrap();
    let rest = Pose::rest(&rig.hierarchy);
    let angle = PI * 5.0 / 6.0;
    let with = twisted_loss(&rig, &rest, hand, angle);
    let without = twisted_loss(&rig, &rest.clone().without(DisabledBehaviours::ALL), hand, angle);
    assert!(with < 0.9 * without && with > 0.0, "{with} {without}");
    assert_eq!(twisted_loss(&rig.clone().without_behaviours(), &rest, hand, angle), without);
}

#[test]
fn a_turned_region_with_helpers_is_that_of_the_whole_rig_in_that_pose() {
    let rig = Arc::new(forearm_with_helper());
    let hand = rig.hierarchy.by_source(2).unwrap();
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_user_local(hand, Trs::from_rotation(Quat::from_rotation_x(0.4) * Quat::from_rotation_z(0.3)));
    let (topology, posed) = (Topology::new(&rig), evaluate(&rig, None, &pose));
    let methods = [Method::Lbs, Method::Dqs];
    let skinners = methods.map(|method| Skinner::new(&rig, &Skinning::new(method)).unwrap());
    let [lbs, dqs] = &skinners;
    let mut test = TwistTest::full(&rig, &posed, &pose, hand);
    test.turns.truncate(5);
    let swept = sweep(&[lbs, dqs], &topology, &posed, &pose, &test, &Progress::default()).unwrap();
    for (turn, row) in test.turns.iter().zip(&swept.rows) {
        let user = pose.user_local(hand);
        let mut turned = pose.clone();
        let rotation = user.rotation * Quat::from_axis_angle(test.axes.twist, turn.angle);
        turned.set_user_local(hand, Trs { rotation, ..*user });
        let turned = evaluate(&rig, None, &turned);
        let [lbs, dqs] = skinners
            .each_ref()
            .map(|s| s.deform(&turned).concat().into_iter().flat_map(|d| d.positions).collect::<Vec<_>>());
        let farthest = lbs.iter().zip(&dqs).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!((row.losses[0].largest_distance - farthest).abs() < 1e-5, "{row:?} {farthest}");
    }
}
