use glam::{Affine3, DVec3, Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::rig::testing::{any_rotation, any_vector, apart};
use crate::rig::{
    AxisLimit, Channel, Clip, ClipMoment, Constraint, ConstraintAxis, ConstraintKind, Interpolation, JointLimits,
    NodeDescription, Pose, Posed, Property, RigData, SamplingBuffers, Skin, Trs, evaluate, evaluate_pose_into,
};

/// Nodes of [`biped`] in file order, which is also depth-first order.
const ROOT: NodeIndex = NodeIndex(0);
const HIPS: NodeIndex = NodeIndex(1);
const LEGS: [[NodeIndex; 3]; 2] =
    [[NodeIndex(2), NodeIndex(3), NodeIndex(4)], [NodeIndex(5), NodeIndex(6), NodeIndex(7)]];
const CHEST: NodeIndex = NodeIndex(8);

/// Bone lengths and rest rotations of a limb.
#[derive(Clone, Copy, Debug)]
struct Limb {
    lengths: [f32; 2],
    rests: [Quat; 3],
}

fn any_limb() -> impl Strategy<Value = Limb> {
    ([0.3_f32..0.6, 0.3_f32..0.6], [any_rotation(), any_rotation(), any_rotation()])
        .prop_map(|(lengths, rests)| Limb { lengths, rests })
}

const STRAIGHT: Limb = Limb { lengths: [0.5, 0.5], rests: [Quat::IDENTITY; 3] };

/// Creates a rig with a root, hips at a height of 1 m, two legs, and a spine of two joints.
fn biped(limbs: [Limb; 2], far: Vec3) -> Rig {
    let node = |name: &str, children: &[usize], translation: Vec3, rotation: Quat| NodeDescription {
        name: name.to_owned(),
        children: children.to_vec(),
        rest: Trs { translation, rotation, ..Trs::IDENTITY },
        ..NodeDescription::default()
    };
    let mut nodes = vec![node("Root", &[1], far, Quat::IDENTITY), node("Hips", &[2, 5, 8], Vec3::Y, Quat::IDENTITY)];
    for (at, limb) in limbs.iter().enumerate() {
        let [upper, lower] = limb.lengths;
        let side = if at == 0 { Vec3::X } else { Vec3::NEG_X } * 0.1;
        // The rest rotations change the axes of the joints, not their positions.
        let [first, second, third] = limb.rests;
        let at = nodes.len();
        nodes.push(node("UpperLeg", &[at + 1], side, first));
        nodes.push(node("LowerLeg", &[at + 2], first.inverse() * (Vec3::NEG_Y * upper), first.inverse() * second));
        nodes.push(node("Foot", &[], second.inverse() * (Vec3::NEG_Y * lower), second.inverse() * third));
    }
    nodes.push(node("Chest", &[9], Vec3::Y * 0.3, Quat::IDENTITY));
    nodes.push(node("Head", &[], Vec3::Y * 0.3, Quat::IDENTITY));
    let hierarchy = Hierarchy::new(&nodes).unwrap();
    Rig::new(RigData { hierarchy, ..RigData::default() })
}

fn limbs() -> Limbs {
    Limbs { hips: Some(HIPS), legs: LEGS.map(|[upper, _, foot]| [upper, foot]).to_vec(), arms: Vec::new() }
}

fn pinned(rig: &Rig, pins: &[Pin], limits: &Limits) -> Option<Arc<PinSet>> {
    PinSet::new(rig, &limbs(), pins, limits)
}

fn pins_at(rig: &Rig, posed: &Posed, nodes: &[NodeIndex], with_rotation: bool) -> Vec<Pin> {
    let pin = |&node: &NodeIndex| {
        let world = posed.world_from_node[node.index()];
        let rotation = with_rotation.then(|| crate::rig::polar(world.matrix3).0);
        Pin { node, position: rig.hierarchy.in_file(world.translation), rotation }
    };
    nodes.iter().map(pin).collect()
}

fn at(posed: &Posed, node: NodeIndex) -> Vec3 {
    posed.world_from_node[node.index()].translation
}

/// Number of steps along one section of a sweep.
const STEPS: usize = 100;

const FEET: [NodeIndex; 2] = [LEGS[0][2], LEGS[1][2]];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn pinned_feet_hold_exactly_whatever_moves_above_them(
        limbs in [any_limb(), any_limb()], bent in prop::array::uniform4(any_rotation()),
        moved in any_vector(0.6), turned in any_rotation(), root in any_rotation(), holds in any::<bool>(),
        far in prop_oneof![3 => Just(0.0_f32), 1 => Just(20_000.0)],
    ) {
        let rig = biped(limbs, Vec3::new(far, 0.0, -far));
        let rest = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
        let pins = pins_at(&rig, &rest, &FEET, holds);
        let mut pose = Pose::rest(&rig.hierarchy);
        // Bends the legs, so that their start is random.
        let joints = [LEGS[0][0], LEGS[0][1], LEGS[1][0], LEGS[1][1]];
        for (node, bend) in joints.into_iter().zip(bent) {
            pose.set_user_local(node, Trs::from_rotation(Quat::IDENTITY.slerp(bend, 0.3)));
        }
        pose.set_user_local(HIPS, Trs { translation: moved, rotation: turned, ..Trs::IDENTITY });
        pose.set_user_local(ROOT, Trs::from_rotation(root));
        let without = evaluate(&rig, None, &pose);
        pose.set_pins(pinned(&rig, &pins, &Limits::default()));
        let posed = evaluate(&rig, None, &pose);
        let length = |limb: &Limb| limb.lengths[0] + limb.lengths[1];
        for (error, limb) in posed.pin_errors.iter().zip(&limbs) {
            prop_assert!(error.distance_m < 1e-4 * length(limb), "{error:?}");
            prop_assert!(error.angle < 1e-3, "{error:?}");
        }
        // Bones keep their lengths, and only the hips may shift.
        for ([upper, lower, foot], limb) in LEGS.into_iter().zip(&limbs) {
            prop_assert!((at(&posed, upper).distance(at(&posed, lower)) - limb.lengths[0]).abs() < 1e-4);
            prop_assert!((at(&posed, lower).distance(at(&posed, foot)) - limb.lengths[1]).abs() < 1e-4);
        }
        let shift = at(&posed, HIPS) - at(&without, HIPS);
        // No shift if both feet are in reach.
        let base = |leg: usize| at(&without, LEGS[leg][0]);
        let in_reach = |leg: usize| {
            let [upper, lower] = limbs[leg].lengths;
            let distance = base(leg).distance(rig.hierarchy.from_file(pins[leg].position));
            (upper - lower).abs() < distance && distance < upper + lower
        };
        if in_reach(0) && in_reach(1) {
            prop_assert!(shift.length() < 1e-5, "{shift}");
        }
        prop_assert_eq!(at(&posed, ROOT), at(&without, ROOT));
        // The solved pose without pins is the same pose.
        let mut applied = pose.clone();
        applied.set_pins(None);
        applied.set_joints(posed.pinned.iter().copied());
        let applied = evaluate(&rig, None, &applied);
        for node in rig.hierarchy.nodes() {
            prop_assert!(at(&applied, node).distance(at(&posed, node)) < 1e-4, "{node:?}");
        }
        let mut again = Posed::default();
        evaluate_pose_into(&rig, &without, &pose, &mut SamplingBuffers::default(), &mut again);
        if far == 0.0 {
            prop_assert_eq!(&again.world_from_node, &posed.world_from_node);
        }
    }

    #[test]
    fn out_of_reach_the_distance_that_remains_is_the_least_possible(
        limb in any_limb(), bent in prop::array::uniform2(any_rotation()), moved in any_vector(3.0), turned in any_rotation(),
    ) {
        let rig = biped([limb, STRAIGHT], Vec3::ZERO);
        let rest = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
        let foot = FEET[0];
        let mut pose = Pose::rest(&rig.hierarchy);
        for (node, bend) in LEGS[0].into_iter().zip(bent) {
            pose.set_user_local(node, Trs::from_rotation(bend));
        }
        pose.set_user_local(HIPS, Trs { translation: moved, rotation: turned, ..Trs::IDENTITY });
        let without = evaluate(&rig, None, &pose);
        // The hips are pinned too, so they don't follow.
        let mut pins = pins_at(&rig, &without, &[HIPS], true);
        pins.extend(pins_at(&rig, &rest, &[foot], false));
        pose.set_pins(pinned(&rig, &pins, &Limits::default()));
        let posed = evaluate(&rig, None, &pose);
        let [upper, lower] = limb.lengths;
        let distance = at(&without, LEGS[0][0]).distance(at(&rest, foot));
        let min_error = (distance - upper - lower).max((upper - lower).abs() - distance).max(0.0);
        prop_assert!(posed.pin_errors[0].distance_m < 1e-5, "the hips hold: {:?}", posed.pin_errors[0]);
        prop_assert!((posed.pin_errors[1].distance_m - min_error).abs() < 1e-4 * (upper + lower), "{:?} {min_error}", posed.pin_errors[1]);
    }

    #[test]
    fn limits_are_kept(limb in any_limb(), bent in 0.1_f32..1.5, moved in any_vector(0.4), low in -0.5_f32..0.5, high in 0.6_f32..2.5) {
        let limb = Limb { rests: [Quat::IDENTITY; 3], ..limb };
        let rig = biped([limb, limb], Vec3::ZERO);
        let mut limits = Limits::default();
        let hinge = [AxisLimit::Limited { min: low, max: high }, AxisLimit::Locked(0.0), AxisLimit::Locked(0.0)];
        let ball = AxisLimit::Limited { min: -1.2, max: 1.2 };
        for [upper, lower, _] in LEGS {
            limits.set(lower, JointLimits { axes: hinge, ..JointLimits::default() });
            limits.set(upper, JointLimits { axes: [ball; 3], ..JointLimits::default() });
        }
        let mut pose = Pose::rest(&rig.hierarchy);
        for [upper, lower, _] in LEGS {
            pose.set_user_local(lower, limits.keep(lower, Trs::from_rotation(Quat::from_rotation_x(bent))));
            pose.set_user_local(upper, Trs::from_rotation(Quat::from_rotation_x(-0.5 * bent)));
        }
        let pins = pins_at(&rig, &evaluate(&rig, None, &pose), &FEET, false);
        pose.set_user_local(HIPS, Trs::from_translation(moved));
        pose.set_pins(pinned(&rig, &pins, &limits));
        let posed = evaluate(&rig, None, &pose);
        for joint in &posed.pinned {
            let limits = limits.get(joint.node);
            prop_assert!(limits.is_none_or(|limits| limits.allows(joint.user_local.rotation)), "{joint:?}");
        }
        for error in &posed.pin_errors {
            // The pose in which they were pinned shows that they can be reached.
            prop_assert!(error.distance_m < 1e-2, "{error:?} {:?}", at(&posed, HIPS));
        }
    }

    #[test]
    fn knees_do_not_flip_while_the_hips_move(bent in -0.02_f32..0.8, out in -0.5_f32..0.5,
        path in prop::collection::vec(any_vector(0.45), 4), turn in -1.0_f32..1.0) {
        let rig = biped([STRAIGHT; 2], Vec3::ZERO);
        let mut pose = Pose::rest(&rig.hierarchy);
        for [upper, lower, _] in LEGS {
            pose.set_user_local(upper, Trs::from_rotation(Quat::from_rotation_y(out) * Quat::from_rotation_x(-0.5 * bent)));
            pose.set_user_local(lower, Trs::from_rotation(Quat::from_rotation_x(bent)));
        }
        pose.set_pins(pinned(&rig, &pins_at(&rig, &evaluate(&rig, None, &pose), &FEET, true), &Limits::default()));
        let mut last: Option<Posed> = None;
        for (at_start, end) in path.iter().zip(&path[1..]) {
            for step in 0..STEPS {
                let along = step as f32 / STEPS as f32;
                let hips = at_start.lerp(*end, along) * Vec3::new(1.0, 0.5, 1.0) - Vec3::Y * 0.25;
                let rotation = Quat::from_rotation_y(turn * along);
                pose.set_user_local(HIPS, Trs { rotation, ..Trs::from_translation(hips) });
                let posed = evaluate(&rig, None, &pose);
                for [upper, lower, foot] in LEGS {
                    // The knee is in front of the line from hip to foot, in the axes of the hips.
                    let line = (at(&posed, foot) - at(&posed, upper)).normalize_or_zero();
                    let knee = (at(&posed, lower) - at(&posed, upper)).reject_from_normalized(line);
                    let front = Quat::from_rotation_y(out) * rotation * Vec3::Z;
                    prop_assert!(knee.length() < 0.02 || knee.dot(front) > 0.0, "{knee} {front} {hips}");
                }
                if let Some(last) = last.as_ref().filter(|_| step > 0) {
                    for [_, lower, _] in LEGS {
                        let jump = at(&posed, lower).distance(at(last, lower));
                        prop_assert!(jump < 0.15, "the knee jumps by {jump} at {hips}");
                    }
                }
                last = Some(posed);
            }
        }
    }
}

fn straight_biped() -> (Rig, Posed) {
    let rig = biped([STRAIGHT; 2], Vec3::ZERO);
    let rest = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
    (rig, rest)
}

#[test]
fn chains_end_at_limbs_branches_and_pins() {
    let (rig, rest) = straight_biped();
    let chains = |limbs: &Limbs, nodes: &[NodeIndex], holds| {
        let set = PinSet::new(&rig, limbs, &pins_at(&rig, &rest, nodes, holds), &Limits::default()).unwrap();
        let chain = |chain: &PinChain| {
            (chain.joints.iter().map(|n| n.0).collect::<Vec<_>>(), chain.body.map(|n| n.0), chain.is_nested)
        };
        set.chains.iter().map(chain).collect::<Vec<_>>()
    };
    let [foot, _] = FEET;
    assert_eq!(chains(&limbs(), &[foot], false), [(vec![2, 3, 4], Some(1), false)]);
    assert_eq!(chains(&Limbs::default(), &[foot], false), [(vec![2, 3, 4], Some(0), false)], "the topmost joint moves");
    assert_eq!(chains(&limbs(), &[HIPS], false), [(vec![1], Some(1), false)]);
    assert_eq!(chains(&limbs(), &[ROOT], false), [(vec![0], Some(0), false)]);
    let lower = LEGS[0][1];
    let two = chains(&limbs(), &[foot, lower], false);
    assert_eq!(two, [(vec![2, 3], Some(1), false), (vec![3, 4], Some(1), true)]);
    let two = chains(&limbs(), &[foot, lower], true);
    assert_eq!(two[1], (vec![4], Some(1), true), "a held rotation does not turn");
    assert_eq!(chains(&limbs(), &[NodeIndex(9)], false), [(vec![8, 9], Some(1), false)]);
    assert_eq!(PinSet::new(&rig, &limbs(), &[], &Limits::default()), None);

    // Only the chest is a joint of a skin.
    let mut parts = RigData::clone(&rig);
    parts.skins = vec![Skin { joints: vec![CHEST], inverse_bind: vec![Affine3::IDENTITY], ..Skin::default() }];
    let rig = Rig::new(parts);
    for limbs in [limbs(), Limbs::default()] {
        let set = PinSet::new(&rig, &limbs, &pins_at(&rig, &rest, &[foot], false), &Limits::default()).unwrap();
        assert_eq!(set.chains[0].joints, LEGS[0], "nodes outside the skin bend too");
    }
}

#[test]
fn hips_that_are_lifted_too_far_come_down_to_where_the_feet_hold() {
    let (rig, rest) = straight_biped();
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_pins(pinned(&rig, &pins_at(&rig, &rest, &FEET, true), &Limits::default()));
    assert_eq!(
        evaluate(&rig, None, &pose).world_from_node,
        rest.world_from_node,
        "pins at their joints change nothing"
    );
    assert!(evaluate(&rig, None, &pose).replaced.is_empty());
    pose.set_user_local(HIPS, Trs::from_translation(Vec3::Y));
    let posed = evaluate(&rig, None, &pose);
    assert!(at(&posed, HIPS).distance(Vec3::Y) < 1e-5, "{}", at(&posed, HIPS));
    assert!(posed.pin_errors.iter().all(|error| error.distance_m < 1e-5), "{:?}", posed.pin_errors);
    pose.set_user_local(HIPS, Trs::from_translation(Vec3::Y * -0.3));
    let posed = evaluate(&rig, None, &pose);
    assert_eq!(at(&posed, HIPS), Vec3::Y * 0.7, "in reach, the hips stay where they are");
    assert!(LEGS.iter().all(|[_, knee, _]| at(&posed, *knee).z > 0.2), "the knees bend forwards");
}

#[test]
fn a_pinned_chest_holds_while_the_hips_turn_and_the_root_moves() {
    let (rig, rest) = straight_biped();
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_pins(pinned(&rig, &pins_at(&rig, &rest, &[CHEST], true), &Limits::default()));
    pose.set_user_local(HIPS, Trs::from_rotation(Quat::from_rotation_z(1.0)));
    pose.set_user_local(ROOT, Trs::from_translation(Vec3::X));
    let posed = evaluate(&rig, None, &pose);
    assert!(at(&posed, CHEST).distance(at(&rest, CHEST)) < 1e-5);
    let [is, was] = [&posed, &rest].map(|posed| Quat::from_mat3(&posed.world_from_node[CHEST.index()].matrix3));
    assert!(apart(is, was) < 1e-3);
}

#[test]
fn a_clip_does_not_move_pinned_feet_and_constraints_follow_the_solved_joints() {
    let mut parts = RigData::clone(&biped([STRAIGHT; 2], Vec3::ZERO));
    let channel = Channel {
        interpolation: Interpolation::Linear,
        ..Channel::linear(HIPS, Property::Translation, [0.0, 1.0], vec![0.0, 1.0, 0.0, 0.3, 0.6, 0.0])
    };
    parts.clips = vec![Clip { channels: vec![channel], duration_secs: 1.0, ..Clip::default() }];
    let knee = LEGS[0][1];
    parts.constraints =
        vec![Constraint { node: CHEST, source: knee, kind: ConstraintKind::Roll(ConstraintAxis::X), weight: 1.0 }];
    let rig = Rig::new(parts);
    let rest = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_pins(pinned(&rig, &pins_at(&rig, &rest, &FEET, true), &Limits::default()));
    for time_secs in [0.0, 0.25, 0.5, 1.0] {
        let moment = Some(ClipMoment::new(0, time_secs));
        let posed = evaluate(&rig, moment, &pose);
        for foot in FEET {
            assert!(at(&posed, foot).distance(at(&rest, foot)) < 1e-5, "{time_secs}");
        }
        assert_eq!(posed.before_behaviours(knee), *rig.hierarchy.rest_local(knee));
        let local = |node: NodeIndex| Quat::from_mat3(&posed.clip_local[node.index()].matrix3);
        assert!(apart(local(CHEST), local(knee)) < 1e-3, "{time_secs}: the chest rolls with the solved knee");
        let mut restored = posed.clip_local.clone();
        for (node, before) in posed.replaced.iter().rev() {
            restored[node.index()] = *before;
        }
        let plain: Vec<Affine3> =
            evaluate(&rig, moment, &Pose::rest(&rig.hierarchy).without(crate::rig::DisabledBehaviours::ALL)).clip_local;
        assert_eq!(restored, plain, "what was replaced can be restored");
    }
}

#[test]
fn two_feet_that_are_pinned_too_far_apart_miss_equally() {
    let (rig, rest) = straight_biped();
    let mut pins = pins_at(&rig, &rest, &FEET, false);
    pins[0].position += DVec3::X * 2.0;
    pins[1].position -= DVec3::X * 2.0;
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_pins(pinned(&rig, &pins, &Limits::default()));
    let posed = evaluate(&rig, None, &pose);
    // The pins are 4.2 m apart. Legs and hips reach 2.2 m.
    for error in &posed.pin_errors {
        assert!((error.distance_m - 1.0).abs() < 1e-3 && error.is_missed(rig.size()), "{error:?}");
    }
}

#[test]
fn pins_go_to_another_rig_and_keep_the_difference_from_its_rest_pose() {
    let (rig, rest) = straight_biped();
    let turned = Quat::from_rotation_x(0.8);
    let other = biped([Limb { rests: [Quat::IDENTITY, Quat::IDENTITY, turned], ..STRAIGHT }, STRAIGHT], Vec3::ZERO);
    let pins = pins_at(&rig, &rest, &FEET, true);
    let set = pinned(&rig, &pins, &Limits::default()).unwrap();
    let mut same: Vec<Option<NodeIndex>> = rig.hierarchy.nodes().map(Some).collect();
    same[FEET[1].index()] = None;
    let carried = set.carried(&other, &limbs(), &same).unwrap();
    assert_eq!(carried.pins().len(), 1, "a joint without a counterpart is dropped");
    let [pin] = carried.pins() else { return };
    assert_eq!((pin.node, pin.position), (pins[0].node, pins[0].position));
    assert!(apart(pin.rotation.unwrap(), turned) < 1e-3);
    let mut pose = Pose::rest(&other.hierarchy);
    pose.set_pins(Some(carried));
    assert!(evaluate(&other, None, &pose).pinned.is_empty(), "the other foot is at rest where it is held");
}
