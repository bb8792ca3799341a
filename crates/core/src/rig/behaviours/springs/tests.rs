use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::rig::testing::{any_rotation, any_vector, chain};
use crate::rig::{
    Channel, Clip, ClipMoment, DisabledBehaviours, NodeDescription, Posed, Property, Rig, RigData, SamplingBuffers,
    Trs, evaluate, evaluate_into,
};

const LENGTH: f32 = 0.1;
const HEAD: NodeIndex = NodeIndex(0);

fn joint(node: u32) -> SpringJoint {
    let (tail, gravity) = (Vec3::X * LENGTH, Vec3::NEG_Y);
    SpringJoint { node: NodeIndex(node), tail, is_leaf: false, stiffness: 0.5, gravity, drag: 0.5, hit_radius: 0.02 }
}

/// Creates nodes in a row along +X; all but the first are joints of a spring chain. A 4 s clip rotates the first node
/// about Z.
fn row(count: u32, change: impl Fn(&mut SpringJoint), colliders: &[Collider]) -> Rig {
    let hierarchy = chain(count as usize + 1, Trs::from_translation(Vec3::X * LENGTH));
    let mut joints: Vec<SpringJoint> = (1..=count).map(joint).collect();
    joints.iter_mut().for_each(change);
    let chain = SpringChain { joints, colliders: (0..colliders.len()).collect(), ..SpringChain::default() };
    let turns = [Quat::IDENTITY, Quat::from_rotation_z(2.0)].map(|turn| turn.to_array()).concat();
    let channel = Channel::linear(HEAD, Property::Rotation, [0.0, 4.0], turns);
    let clips = vec![Clip { duration_secs: 4.0, channels: vec![channel], ..Clip::default() }];
    let spring_bones = SpringBones { colliders: colliders.to_vec(), chains: vec![chain] };
    Rig::new(RigData { hierarchy, clips, spring_bones, ..RigData::default() })
}

fn for_secs(settle_secs: f32) -> SpringSettings {
    SpringSettings { settle_secs, ..SpringSettings::default() }
}

fn settled(rig: &Rig, secs: f32) -> Posed {
    evaluate(rig, None, &Pose::rest(&rig.hierarchy).driven(for_secs(secs)))
}

fn tail(rig: &Rig, posed: &Posed, joint: usize) -> Vec3 {
    let joint = rig.behaviours().springs().joints()[joint];
    posed.world_from_node[joint.node.index()].transform_point3(joint.tail)
}

#[test]
fn without_stiffness_a_chain_comes_to_rest_along_gravity() {
    for gravity in [Vec3::NEG_Y * 0.8, Vec3::Z, Vec3::new(0.3, -0.4, 0.1)] {
        let rig = row(3, |joint| (joint.stiffness, joint.gravity) = (0.0, gravity), &[]);
        let posed = settled(&rig, 30.0);
        for joint in 0..3 {
            let origin = posed.world_from_node[joint + 1].translation;
            let along = (tail(&rig, &posed, joint) - origin) / LENGTH;
            assert!(along.distance(gravity / gravity.length()) < 1e-3, "{joint}: {along}");
        }
    }
}

#[test]
fn wind_is_gravity_that_the_file_does_not_have() {
    let blown = row(3, |joint| joint.gravity = Vec3::new(0.0, -0.5, 0.0), &[]);
    let heavy = row(3, |joint| joint.gravity = Vec3::new(0.25, -0.5, 1.0), &[]);
    let moment = |time_secs| Some(ClipMoment::new(0, time_secs));
    let drive = SpringSettings { settle_secs: 0.5, wind: Vec3::new(0.25, 0.0, 1.0) };
    for time in [None, moment(0.0), moment(1.3)] {
        let by_wind = evaluate(&blown, time, &Pose::rest(&blown.hierarchy).driven(drive));
        let by_weight = evaluate(&heavy, time, &Pose::rest(&heavy.hierarchy).driven(for_secs(0.5)));
        assert_eq!(by_wind.world_from_node, by_weight.world_from_node, "{time:?}");
    }
    let still =
        evaluate(&blown, None, &Pose::rest(&blown.hierarchy).driven(SpringSettings { settle_secs: 0.0, ..drive }));
    assert_eq!(still.spring_turns, None);
}

#[test]
fn a_drive_stays_within_its_limits() {
    let odd = SpringSettings { settle_secs: f32::NAN, wind: Vec3::splat(f32::INFINITY) };
    assert_eq!(odd.limited(), SpringSettings::default());
    let much = SpringSettings { settle_secs: 1e9, wind: Vec3::X * 1e30 };
    let limited =
        SpringSettings { settle_secs: SpringSettings::MAX_SETTLE_SECS, wind: Vec3::X * SpringSettings::MAX_WIND };
    assert_eq!(much.limited(), limited);
}

#[test]
fn stiffness_alone_keeps_the_rest_pose() {
    let rig = row(3, |joint| (joint.stiffness, joint.gravity) = (1.0, Vec3::ZERO), &[]);
    let (posed, rest) = (settled(&rig, 5.0), evaluate(&rig, None, &Pose::rest(&rig.hierarchy)));
    for (swung, still) in posed.world_from_node.iter().zip(&rest.world_from_node) {
        assert!(swung.abs_diff_eq(*still, 1e-6), "{swung:?}");
    }
    assert!(rest.replaced.is_empty() && rest.spring_turns.is_none(), "springs that have not settled do nothing");
}

#[test]
fn the_angle_at_rest_is_where_stiffness_and_gravity_together_pull() {
    let rig = row(1, |joint| (joint.stiffness, joint.gravity) = (0.75, Vec3::NEG_Y), &[]);
    let posed = settled(&rig, 30.0);
    let along = (tail(&rig, &posed, 0) - posed.world_from_node[1].translation) / LENGTH;
    assert!(along.distance(Vec3::new(0.6, -0.8, 0.0)) < 1e-4, "{along}");
}

#[test]
fn user_rotation_changes_the_springs_rest_direction() {
    let rig = row(2, |joint| (joint.stiffness, joint.gravity) = (2.0, Vec3::ZERO), &[]);
    let mut pose = Pose::rest(&rig.hierarchy);
    let moved = Trs { translation: Vec3::new(0.0, 0.05, 0.02), ..Trs::from_rotation(Quat::from_rotation_z(FRAC_PI_2)) };
    pose.set_user_local(NodeIndex(1), moved);
    let (still, settled) = (evaluate(&rig, None, &pose), evaluate(&rig, None, &pose.clone().driven(for_secs(20.0))));
    for node in 0..3 {
        assert!(settled.world_from_node[node].abs_diff_eq(still.world_from_node[node], 1e-5), "{node}");
    }
}

#[test]
fn a_joint_swings_about_where_the_user_moved_it() {
    let rig = row(1, |joint| joint.stiffness = 0.0, &[]);
    let mut pose = Pose::rest(&rig.hierarchy);
    let user = Trs { translation: Vec3::new(0.0, 0.05, 0.02), ..Trs::from_rotation(Quat::from_rotation_x(0.7)) };
    pose.set_user_local(NodeIndex(1), user);
    let (still, swung) = (evaluate(&rig, None, &pose), evaluate(&rig, None, &pose.clone().driven(for_secs(30.0))));
    let [at, moved] = [&still, &swung].map(|posed| posed.world_from_node[1].translation);
    assert!(at.distance(moved) < 1e-6);
    assert!(tail(&rig, &swung, 0).distance(at - Vec3::Y * LENGTH) < 1e-4);
}

#[test]
fn a_leaf_swings_at_its_own_length_while_the_joint_above_it_moves() {
    let rig = row(1, |joint| joint.is_leaf = true, &[]);
    let (springs, bare) = (rig.behaviours().springs(), rig.clone().without_behaviours());
    let moved = |step: u8| {
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.set_user_local(HEAD, Trs::from_translation(Vec3::new(0.03, 0.02, 0.05) * f32::from(step)));
        let posed = evaluate(&bare, None, &pose);
        (pose, posed)
    };
    let (pose, posed) = moved(0);
    let mut state = SpringState::at_rest(springs, &rig.hierarchy, &pose, &posed);
    let mut now = tail(&rig, &posed, 0);
    let mut before = now;
    for step in 1..30 {
        let (pose, posed) = moved(step);
        state.step(springs, &rig.hierarchy, &pose, &posed);
        let origin = posed.world_from_node[1].translation;
        let pulled = now + (now - before) * 0.5 + (Vec3::X * 0.5 + Vec3::NEG_Y) * Springs::STEP_SECS as f32;
        (before, now) = (now, origin + (pulled - origin).normalize_or_zero() * LENGTH);
        let along = state.turns()[0] * Vec3::X;
        assert!(along.distance((now - origin) / LENGTH) < 1e-4, "step {step}: {along}");
    }
}

#[test]
fn tails_rest_outside_and_inside_their_colliders() {
    const DEEPEST: f64 = 0.11 / 60.0;
    let (offset, radius) = (Vec3::new(LENGTH, -0.08, 0.0), 0.05);
    let outside = ColliderShape::Sphere { offset, radius, is_inside: false };
    let capsule = ColliderShape::Capsule { offset, tail: offset + Vec3::Z, radius, is_inside: false };
    let plane = ColliderShape::Plane { offset, normal: Vec3::Y };
    let inside = ColliderShape::Sphere { offset: Vec3::X * LENGTH, radius: 0.13, is_inside: true };
    for (shape, is_met) in [(outside, true), (capsule, true), (plane, true), (inside, false)] {
        let collider = Collider { node: HEAD, shape };
        let rig = row(2, |joint| (joint.stiffness, joint.gravity) = (0.01, Vec3::NEG_Y * 0.1), &[collider]);
        let springs = rig.behaviours().springs();
        for secs in [0.1, 0.5, 2.0, 20.0] {
            let posed = settled(&rig, secs);
            for joint in 0..1 {
                let (ball, world) = (tail(&rig, &posed, joint), posed.world_from_node[0].as_daffine3());
                let hit = f64::from(springs.joints()[joint].hit_radius);
                let (_, distance) = collider.distance(&world, ball.as_dvec3(), hit).unwrap();
                // Restoring the bone length moves a tail into the shape by less than one step of gravity.
                assert!(distance > -DEEPEST, "{shape:?} after {secs} s: {distance}");
                assert!(!is_met || secs < 5.0 || distance < 2e-3, "it lies on {shape:?}: {distance}");
            }
        }
    }
}

#[test]
fn a_moment_is_the_same_to_the_byte_whichever_came_before() {
    let rig = row(
        4,
        |_| {},
        &[Collider { node: HEAD, shape: ColliderShape::Sphere { offset: Vec3::X, radius: 0.9, is_inside: false } }],
    );
    let pose = Pose::rest(&rig.hierarchy).driven(for_secs(0.5));
    let at = |time_secs| Some(ClipMoment::new(0, time_secs));
    let fresh = |time| evaluate(&rig, at(time), &pose).world_from_node;
    let (mut buffers, mut posed) = (SamplingBuffers::default(), Posed::default());
    for time in [0.0, 0.4, 0.41, 1.5, 1.5, 0.2, 3.9, 40.0, 0.0] {
        evaluate_into(&rig, at(time), &pose, &mut buffers, &mut posed);
        assert_eq!(posed.world_from_node, fresh(time), "{time}");
    }
    evaluate_into(&rig, at(1.0), &pose.clone().driven(for_secs(0.0)), &mut buffers, &mut posed);
    assert_ne!(posed.world_from_node, fresh(1.0), "settling is part of the pose");
    assert_ne!(fresh(1.0), fresh(1.02));
}

#[test]
fn disabled_springs_use_the_given_rotations() {
    let rig = row(2, |_| {}, &[]);
    let at = Some(ClipMoment::new(0, 1.0));
    let pose = Pose::rest(&rig.hierarchy);
    let (swung, without) = (evaluate(&rig, at, &pose), evaluate(&rig.clone().without_behaviours(), at, &pose));
    assert_ne!(swung.world_from_node, without.world_from_node);
    let off = DisabledBehaviours { springs: true, ..DisabledBehaviours::default() };
    assert_eq!(evaluate(&rig, at, &pose.clone().without(off)).world_from_node, without.world_from_node);
    let mut told = pose.clone();
    told.set_spring_turns(swung.spring_turns.clone());
    assert_eq!(evaluate(&rig, at, &told).world_from_node, swung.world_from_node);
    told.set_spring_turns(Some(SpringRotations::default()));
    assert_eq!(evaluate(&rig, at, &told).world_from_node, without.world_from_node, "no turns are those of rest");
    assert_eq!(evaluate(&rig, at, &told.over_time()).world_from_node, swung.world_from_node);
}

#[test]
fn a_joint_swings_after_what_carries_its_colliders_and_circles_end() {
    let node = |parent: u32| (parent, NodeDescription::default());
    // Nodes 1 and 2 are children of node 0; node 3 is a child of node 2.
    let mut nodes = [node(0).1, node(0).1, node(0).1, node(0).1];
    nodes[0].children = vec![1, 2];
    nodes[2].children = vec![3];
    let hierarchy = Hierarchy::new(&nodes).unwrap();
    let sphere = |node| {
        let shape = ColliderShape::Sphere { offset: Vec3::ZERO, radius: 0.1, is_inside: false };
        Collider { node: NodeIndex(node), shape }
    };
    let chain = |node, colliders: &[usize]| SpringChain {
        joints: vec![joint(node)],
        colliders: colliders.to_vec(),
        ..SpringChain::default()
    };
    let order = |chains: Vec<SpringChain>| {
        let springs = Springs::new(&hierarchy, &SpringBones { colliders: vec![sphere(3), sphere(1)], chains });
        (springs.joints().iter().map(|joint| joint.node.0).collect::<Vec<_>>(), springs.shared().to_vec())
    };
    assert_eq!(order(vec![chain(1, &[0]), chain(2, &[])]).0, [2, 1]);
    assert_eq!(order(vec![chain(1, &[0]), chain(2, &[1])]).0, [2, 1], "a circle");
    assert_eq!(order(vec![chain(1, &[]), chain(2, &[]), chain(1, &[0])]), (vec![1, 2], vec![NodeIndex(1)]));
}

#[test]
fn springs_that_cannot_swing_stand_still() {
    for (tail, scale) in [(Vec3::ZERO, Vec3::ONE), (Vec3::X, Vec3::ZERO), (Vec3::splat(f32::MAX), Vec3::ONE)] {
        let rig = row(2, |joint| (joint.tail, joint.stiffness) = (tail, 1e30), &[]);
        let mut pose = Pose::rest(&rig.hierarchy).driven(for_secs(1.0));
        pose.set_user_local(HEAD, Trs { scale, ..Trs::IDENTITY });
        assert!(evaluate(&rig, None, &pose).world_from_node.iter().all(glam::Affine3::is_finite), "{tail} {scale}");
    }
}

#[test]
fn a_step_looks_at_each_joint_and_its_colliders_once() {
    let springs = |count: u32| Springs::clone(row(count, |_| {}, &[]).behaviours().springs());
    let places = |count| springs(count).places.len();
    assert_eq!((places(500), places(1000)), (500, 1000));
}

proptest! {
    #[test]
    fn tails_stay_at_their_distance(turn in any_rotation(), gravity in any_vector(3.0), secs in 0.0_f32..2.0) {
        let rig = row(3, |joint| joint.gravity = gravity, &[]);
        let mut pose = Pose::rest(&rig.hierarchy).driven(for_secs(secs));
        pose.set_user_local(HEAD, Trs::from_rotation(turn));
        let posed = evaluate(&rig, None, &pose);
        for joint in 0..3 {
            let length = tail(&rig, &posed, joint).distance(posed.world_from_node[joint + 1].translation);
            prop_assert!((length - LENGTH).abs() < 1e-5, "{length}");
        }
    }
}

#[test]
fn springs_are_at_rest_in_clips_that_take_too_many_steps() {
    let rig = row(2, |_| {}, &[]);
    let max_secs = rig.behaviours().springs().max_steps(rig.hierarchy.len()) as f32 * Springs::STEP_SECS as f32;
    assert!(max_secs > 3600.0, "an hour is simulated, not {max_secs} s");
    let lasting = |secs: f32| Clip { duration_secs: secs, ..Clip::clone(&rig.clips[0]) };
    let lengths = [max_secs, f32::MAX, f32::INFINITY, f32::NAN, max_secs / 2.0, -1.0];
    let rig = rig.clone().with_clips(lengths.map(lasting).into());
    // Clips fit by ascending duration: those of NaN and negative duration need no steps, then come 4 s and half the
    // limit.
    let at_rest: Vec<bool> = (0..rig.clips.len()).map(|clip| rig.rests_springs(clip)).collect();
    assert_eq!(at_rest, [false, true, true, true, false, false, false]);
    for clip in [1, 2, 3] {
        let posed = evaluate(&rig, Some(ClipMoment::new(clip, 1e6)), &Pose::rest(&rig.hierarchy));
        assert_eq!(posed.spring_turns, None);
    }
    assert!(evaluate(&rig, Some(ClipMoment::new(0, 1.0)), &Pose::rest(&rig.hierarchy)).spring_turns.is_some());
    assert!(!row(0, |_| {}, &[]).with_clips(vec![lasting(f32::MAX)]).rests_springs(1), "where nothing swings");
}
