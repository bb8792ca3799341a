use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Affine3, Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::rig::testing::{any_even_parent, any_rotation, any_tree, any_trs, any_vector, apart, chain};
use crate::rig::{
    Channel, Clip, ClipMoment, NodeDescription, Posed, Property, Rig, RigData, SamplingBuffers, Trs, evaluate,
    evaluate_pose_into,
};

const ARM: NodeIndex = NodeIndex(0);
const HAND: NodeIndex = NodeIndex(1);
const HELPER: NodeIndex = NodeIndex(2);
const SECOND: NodeIndex = NodeIndex(3);

/// Creates an arm along +X with three children: a hand and two helpers. The first helper has the rest rotation `rest`.
fn arm(rest: Quat, constraints: &[Constraint]) -> Rig {
    let at = |x: f32, rotation| Trs { translation: Vec3::X * x, rotation, ..Trs::IDENTITY };
    let node = |rest| NodeDescription { rest, ..NodeDescription::default() };
    let nodes = [
        NodeDescription { children: vec![1, 2, 3], ..node(Trs::IDENTITY) },
        node(at(2.0, Quat::from_rotation_z(0.4))),
        node(at(1.0, rest)),
        node(at(1.5, Quat::IDENTITY)),
    ];
    let hierarchy = Hierarchy::new(&nodes).unwrap();
    Rig::new(RigData { hierarchy, constraints: constraints.to_vec(), ..RigData::default() })
}

fn follow(node: NodeIndex, source: NodeIndex, kind: ConstraintKind, weight: f32) -> Constraint {
    Constraint { node, source, kind, weight }
}

fn turned(rig: &Rig, turns: &[(NodeIndex, Quat)]) -> Pose {
    let mut pose = Pose::rest(&rig.hierarchy);
    for (node, rotation) in turns {
        pose.set_user_local(*node, Trs::from_rotation(*rotation));
    }
    pose
}

fn local(posed: &Posed, node: NodeIndex) -> Trs {
    Trs::from_affine(&posed.clip_local[node.index()])
}

#[test]
fn roll_constraint_copies_a_fraction_of_the_twist_only() {
    let rest = Quat::from_rotation_y(0.3);
    for (weight, angle) in [(0.0, 1.2), (0.5, 1.2), (1.0, 1.2), (1.0, -3.0), (0.25, 3.1)] {
        let rig = arm(rest, &[follow(HELPER, HAND, ConstraintKind::Roll(ConstraintAxis::X), weight)]);
        // Rotations of the hand are about its own axes; conjugation converts them to the helper's axes.
        let source_rest = rig.hierarchy.rest(HAND).rotation;
        let about_helper = |axis: Vec3, angle| {
            source_rest.inverse() * rest * Quat::from_axis_angle(axis, angle) * rest.inverse() * source_rest
        };
        let twist = about_helper(Vec3::X, angle);
        let found = local(&evaluate(&rig, None, &turned(&rig, &[(HAND, twist)])), HELPER).rotation;
        let expected = rest * Quat::from_rotation_x(weight * angle);
        assert!(apart(found, expected) < 1e-6, "{weight} of {angle}: {found} {expected}");
        let swung = about_helper(Vec3::new(0.0, 0.6, -0.8), 1.1) * twist;
        let found = local(&evaluate(&rig, None, &turned(&rig, &[(HAND, swung)])), HELPER).rotation;
        assert!(apart(found, expected) < 1e-6, "{weight} of {angle} swung: {found} {expected}");
    }
}

#[test]
fn rotation_constraint_copies_a_fraction_of_the_local_rotation() {
    let (rest, turn) = (Quat::from_rotation_y(0.3), Quat::from_scaled_axis(Vec3::new(0.4, -1.0, 0.7)));
    for weight in [0.0, 0.5, 1.0] {
        let rig = arm(rest, &[follow(HELPER, HAND, ConstraintKind::Rotation, weight)]);
        let posed = evaluate(&rig, None, &turned(&rig, &[(HAND, turn)]));
        let expected = rest * Quat::IDENTITY.slerp(turn, weight);
        assert!(apart(local(&posed, HELPER).rotation, expected) < 1e-6, "{weight}");
        assert_eq!(local(&posed, HELPER).translation, Vec3::X);
    }
}

#[test]
fn each_axis_aims_at_its_source_by_the_smallest_turn() {
    let rest = Quat::from_rotation_y(0.3);
    for (axis, unit) in [(ConstraintAxis::X, Vec3::X), (ConstraintAxis::Y, Vec3::Y), (ConstraintAxis::Z, Vec3::Z)] {
        for is_negative in [false, true] {
            let unit = if is_negative { -unit } else { unit };
            let aim = |weight| arm(rest, &[follow(HELPER, HAND, ConstraintKind::Aim { axis, is_negative }, weight)]);
            let place = |rig: &Rig, to: Vec3| {
                let mut pose = turned(rig, &[(ARM, Quat::from_rotation_z(0.7))]);
                pose.set_user_local(HAND, Trs::from_translation(rig.hierarchy.rest(HAND).rotation.inverse() * to));
                pose
            };
            let rig = aim(1.0);
            let posed = evaluate(&rig, None, &place(&rig, Vec3::new(-0.5, 2.0, 1.0)));
            let [hand, helper] = [HAND, HELPER].map(|node| posed.world_from_node[node.index()]);
            let to = (hand.translation - helper.translation).normalize_or_zero();
            assert!(helper.transform_vector3(unit).abs_diff_eq(to, 1e-6), "{axis:?} {is_negative}");
            let whole = apart(rest, local(&posed, HELPER).rotation);
            assert!((whole - (rest * unit).angle_between(Vec3::new(0.5, 2.0, 1.0))).abs() < 1e-5, "the smallest turn");
            for (weight, share) in [(0.0, 0.0), (0.5, 0.5)] {
                let rig = aim(weight);
                let posed = evaluate(&rig, None, &place(&rig, Vec3::new(-0.5, 2.0, 1.0)));
                assert!((apart(rest, local(&posed, HELPER).rotation) - share * whole).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn aim_rotates_by_half_a_turn_behind_and_not_at_zero_distance() {
    let aim = ConstraintKind::Aim { axis: ConstraintAxis::X, is_negative: true };
    let rig = arm(Quat::IDENTITY, &[follow(HELPER, HAND, aim, 1.0)]);
    let posed = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
    assert!((apart(Quat::IDENTITY, local(&posed, HELPER).rotation) - PI).abs() < 1e-5);
    assert!(posed.world_from_node[HELPER.index()].transform_vector3(Vec3::NEG_X).abs_diff_eq(Vec3::X, 1e-6));
    let rig = arm(Quat::IDENTITY, &[follow(HELPER, SECOND, aim, 1.0)]);
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_user_local(SECOND, Trs::from_translation(Vec3::X * -0.5));
    assert_eq!(local(&evaluate(&rig, None, &pose), HELPER).rotation, Quat::IDENTITY);
}

#[test]
fn a_chain_runs_in_order_however_the_file_lists_it() {
    let half = follow(HELPER, HAND, ConstraintKind::Rotation, 0.5);
    let whole = follow(SECOND, HELPER, ConstraintKind::Rotation, 1.0);
    for constraints in [[half, whole], [whole, half]] {
        let rig = arm(Quat::from_rotation_y(0.3), &constraints);
        assert_eq!(rig.behaviours().constraints().iter().map(|c| c.node).collect::<Vec<_>>(), [HELPER, SECOND]);
        let posed = evaluate(&rig, None, &turned(&rig, &[(HAND, Quat::from_rotation_z(1.0))]));
        assert!(apart(local(&posed, SECOND).rotation, Quat::from_rotation_z(0.5)) < 1e-6);
        assert_eq!(posed.replaced.iter().map(|(node, _)| *node).collect::<Vec<_>>(), [HELPER, SECOND]);
    }
}

#[test]
fn the_user_composes_on_top_and_what_follows_sees_it() {
    let half = follow(HELPER, HAND, ConstraintKind::Rotation, 0.5);
    let whole = follow(SECOND, HELPER, ConstraintKind::Rotation, 1.0);
    let rig = arm(Quat::IDENTITY, &[half, whole]);
    let pose = turned(&rig, &[(HAND, Quat::from_rotation_z(1.0)), (HELPER, Quat::from_rotation_z(0.25))]);
    let posed = evaluate(&rig, None, &pose);
    assert!(apart(local(&posed, HELPER).rotation, Quat::from_rotation_z(0.5)) < 1e-6, "C_j is the constraint's alone");
    let world = Trs::from_affine(&posed.world_from_node[HELPER.index()]).rotation;
    assert!(apart(world, Quat::from_rotation_z(0.75)) < 1e-6);
    assert!(apart(local(&posed, SECOND).rotation, Quat::from_rotation_z(0.75)) < 1e-6);
}

#[test]
fn circles_stand_still_and_what_follows_them_does_not() {
    let aim = ConstraintKind::Aim { axis: ConstraintAxis::Y, is_negative: false };
    let rotation = |node, source| follow(node, source, ConstraintKind::Rotation, 1.0);
    let circle = [rotation(HELPER, SECOND), rotation(SECOND, HELPER), rotation(HAND, HELPER)];
    let rig = arm(Quat::IDENTITY, &circle);
    assert_eq!(rig.behaviours().circular(), [HELPER, SECOND]);
    let posed = evaluate(&rig, None, &turned(&rig, &[(HELPER, Quat::from_rotation_x(1.0))]));
    assert_eq!(local(&posed, SECOND).rotation, Quat::IDENTITY);
    let hand = rig.hierarchy.rest(HAND).rotation * Quat::from_rotation_x(1.0);
    assert!(apart(local(&posed, HAND).rotation, hand) < 1e-6);
    for (constraint, is_circular) in [
        (rotation(HAND, HAND), true),
        (follow(ARM, HAND, aim, 1.0), true),
        (follow(HAND, ARM, aim, 1.0), false),
        (rotation(ARM, HAND), false),
    ] {
        let rig = arm(Quat::IDENTITY, &[constraint]);
        assert_eq!(!rig.behaviours().circular().is_empty(), is_circular, "{constraint:?}");
        assert_eq!(rig.behaviours().constraints().is_empty(), is_circular, "{constraint:?}");
    }
    // The arm follows the helper, which aims at the arm's child.
    let both = [rotation(ARM, HELPER), follow(HELPER, HAND, aim, 1.0)];
    assert_eq!(arm(Quat::IDENTITY, &both).behaviours().circular().len(), 2);
}

#[test]
fn a_clip_drives_what_follows_and_its_own_rotation_of_a_helper_gives_way() {
    let channel = |node, property, values| Channel::linear(node, property, [0.0], values);
    let turn = rig_turn();
    let channels = vec![
        channel(HAND, Property::Rotation, turn.to_array().to_vec()),
        channel(HELPER, Property::Rotation, Quat::from_rotation_x(FRAC_PI_2).to_array().to_vec()),
        channel(HELPER, Property::Scale, vec![1.0, 2.0, 3.0]),
    ];
    let rig = arm(Quat::from_rotation_y(0.3), &[follow(HELPER, HAND, ConstraintKind::Rotation, 1.0)])
        .with_clips(vec![Clip { channels, ..Clip::default() }]);
    let moment = Some(ClipMoment::new(0, 0.0));
    let posed = evaluate(&rig, moment, &Pose::rest(&rig.hierarchy));
    let found = local(&posed, HELPER);
    let delta = rig.hierarchy.rest(HAND).rotation.inverse() * turn;
    assert!(apart(found.rotation, Quat::from_rotation_y(0.3) * delta) < 1e-6);
    assert!(found.scale.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-5), "scale is the clip's");
    let still = evaluate(&rig, moment, &Pose::rest(&rig.hierarchy).without(DisabledBehaviours::ALL));
    assert_eq!(still.clip_local[HELPER.index()], posed.before_behaviours(HELPER));
    assert!(still.replaced.is_empty());
}

fn rig_turn() -> Quat {
    Quat::from_scaled_axis(Vec3::new(0.4, -1.0, 0.7))
}

#[test]
fn only_what_a_constraint_reads_is_followed() {
    let aim = ConstraintKind::Aim { axis: ConstraintAxis::Y, is_negative: false };
    let rig = arm(Quat::IDENTITY, &[follow(HELPER, HAND, aim, 1.0)]);
    let is_followed = |node| rig.behaviours().is_followed(&rig.hierarchy, node);
    assert_eq!([ARM, HAND, SECOND].map(is_followed), [false, true, false], "the arm carries both");
}

fn any_kind() -> impl Strategy<Value = ConstraintKind> {
    let axis = prop::sample::select(vec![ConstraintAxis::X, ConstraintAxis::Y, ConstraintAxis::Z]);
    prop_oneof![
        axis.clone().prop_map(ConstraintKind::Roll),
        (axis, any::<bool>()).prop_map(|(axis, is_negative)| ConstraintKind::Aim { axis, is_negative }),
        Just(ConstraintKind::Rotation),
    ]
}

fn any_rig() -> impl Strategy<Value = (Rig, Pose)> {
    let node = any::<prop::sample::Index>;
    let constraints = prop::collection::vec((node(), node(), any_kind(), -0.5_f32..1.5), 0..12);
    let turns = prop::collection::vec((node(), any_rotation()), 0..6);
    (any_tree(2..24, any_trs(2.0)), constraints, turns).prop_map(|(hierarchy, constraints, turns)| {
        let at = |index: prop::sample::Index| NodeIndex(index.index(hierarchy.len()) as u32);
        let follow = |(node, source, kind, weight)| follow(at(node), at(source), kind, weight);
        let mut pose = Pose::rest(&hierarchy);
        for (node, rotation) in turns {
            pose.set_user_local(at(node), Trs::from_rotation(rotation));
        }
        let constraints = constraints.into_iter().map(follow).collect();
        (Rig::new(RigData { hierarchy, constraints, ..RigData::default() }), pose)
    })
}

proptest! {
    #[test]
    fn running_again_changes_nothing((rig, pose) in any_rig()) {
        let first = evaluate(&rig, None, &pose);
        prop_assert!(first.world_from_node.iter().all(Affine3::is_finite));
        let count = rig.behaviours().constraints().len();
        prop_assert_eq!(first.replaced.len(), count);
        let mut again = first.clip_local.clone();
        rig.behaviours().constrain(
            &rig.hierarchy, &pose, &mut again, &mut BehaviourBuffers::default(), |local, node, turned| local[node.index()] = turned,
        );
        for (node, (a, b)) in rig.hierarchy.nodes().zip(first.clip_local.iter().zip(&again)) {
            let size = a.matrix3.to_cols_array().into_iter().fold(1.0_f32, |m, x| m.max(x.abs()));
            // Between nearly opposite directions, the smallest rotation is unstable.
            let off = (a.matrix3 - b.matrix3).to_cols_array().into_iter().fold(0.0_f32, |m, x| m.max(x.abs()));
            prop_assert!(off < 2e-2 * size, "{:?}: {} {}", node, a, b);
        }
    }

    #[test]
    fn another_pose_of_the_same_moment_is_as_if_made_anew((rig, pose) in any_rig()) {
        let at = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
        let (anew, mut again) = (evaluate(&rig, None, &pose), Posed::default());
        evaluate_pose_into(&rig, &at, &pose, &mut SamplingBuffers::default(), &mut again);
        prop_assert_eq!(anew.clip_local, again.clip_local);
        prop_assert_eq!(anew.world_from_node, again.world_from_node);
    }

    #[test]
    fn an_aim_holds_in_the_world(parent in any_even_parent(), rest in any_rotation(), at in any_vector(2.0), to in any_vector(2.0)) {
        prop_assume!(at.distance(to) > 0.1);
        let node = |children, matrix| NodeDescription { children, matrix: Some(matrix), ..NodeDescription::default() };
        let hierarchy = Hierarchy::new(&[
            node(vec![1, 2], parent),
            NodeDescription { rest: Trs { translation: at, rotation: rest, ..Trs::IDENTITY }, ..NodeDescription::default() },
            NodeDescription { rest: Trs::from_translation(to), ..NodeDescription::default() },
        ]).unwrap();
        let aim = follow(NodeIndex(1), NodeIndex(2), ConstraintKind::Aim { axis: ConstraintAxis::Z, is_negative: false }, 1.0);
        let rig = Rig::new(RigData { hierarchy, constraints: vec![aim], ..RigData::default() });
        let world = evaluate(&rig, None, &Pose::rest(&rig.hierarchy)).world_from_node;
        let aimed = world[1].transform_vector3(Vec3::Z).normalize_or_zero();
        let wanted = (world[2].translation - world[1].translation).normalize_or_zero();
        prop_assert!(aimed.abs_diff_eq(wanted, 2e-4), "{} {}", aimed, wanted);
    }
}

#[test]
fn a_hundred_thousand_constraints_in_a_row_are_ordered_and_run() {
    let count = 100_000_u32;
    let aim = ConstraintKind::Aim { axis: ConstraintAxis::X, is_negative: false };
    let follow = |node| {
        follow(NodeIndex(node), NodeIndex(node - 1), if node % 2 == 0 { aim } else { ConstraintKind::Rotation }, 1.0)
    };
    let constraints = (1..count).rev().map(follow).collect();
    let hierarchy = chain(count as usize, Trs::IDENTITY);
    let rig = Rig::new(RigData { hierarchy, constraints, ..RigData::default() });
    assert_eq!(rig.behaviours().constraints().len(), count as usize - 1);
    assert_eq!(evaluate(&rig, None, &Pose::rest(&rig.hierarchy)).replaced.len(), count as usize - 1);
}

/// `tests/numbers/allocations.rs` counts the allocations.
#[test]
fn a_rig_without_behaviours_pays_nothing_and_only_aims_pay_for_places_in_the_world() {
    let roll = follow(HELPER, HAND, ConstraintKind::Roll(ConstraintAxis::X), 1.0);
    let aim = follow(HELPER, HAND, ConstraintKind::Aim { axis: ConstraintAxis::X, is_negative: false }, 1.0);
    for (constraints, turned, placed) in [(&[][..], 0, 0), (&[roll], 1, 0), (&[aim], 1, 2)] {
        let rig = arm(Quat::IDENTITY, constraints);
        let (mut buffers, mut replaced) = (BehaviourBuffers::default(), Vec::new());
        let mut local = rig.hierarchy.rest_locals().to_vec();
        let pose = Pose::rest(&rig.hierarchy);
        rig.behaviours().constrain(&rig.hierarchy, &pose, &mut local, &mut buffers, |local, node, turned| {
            replaced.push((node, std::mem::replace(&mut local[node.index()], turned)));
        });
        assert_eq!((replaced.len(), replaced.capacity() > 0), (turned, turned > 0));
        assert_eq!(buffers.worlds.count(), placed, "the arm and the hand");
    }
}
