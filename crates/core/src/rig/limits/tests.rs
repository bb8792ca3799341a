use super::*;
use crate::rig::testing::{any_rotation, apart};
use glam::{EulerRot, Vec3};
use proptest::prelude::*;

fn any_freedom() -> impl Strategy<Value = AxisLimit> {
    let angle = -3.1_f32..3.1;
    prop_oneof![
        Just(AxisLimit::Free),
        (angle.clone(), angle.clone()).prop_map(|(min, max)| AxisLimit::Limited { min, max }),
        angle.prop_map(AxisLimit::Locked),
    ]
}

fn any_limits() -> impl Strategy<Value = JointLimits> {
    (prop::sample::select(&EulerOrder::ALL[..]), prop::array::uniform3(any_freedom()))
        .prop_map(|(order, axes)| JointLimits { order, axes })
}

fn is_within(limits: &JointLimits, rotation: Quat) -> bool {
    let near = limits.nearest_f64(rotation.as_dquat());
    2.0 * (near.conjugate() * rotation.as_dquat()).xyz().length().asin() < 2e-4
}

proptest! {
    #[test]
    fn limits_are_idempotent(limits in any_limits(), q in any_rotation()) {
        let once = limits.nearest(q);
        prop_assert!(once.is_normalized());
        prop_assert!(is_within(&limits, once));
        prop_assert_eq!(limits.nearest(once), once);
    }

    #[test]
    fn values_within_limits_are_unchanged(limits in any_limits(), at in prop::array::uniform3(0.0_f32..=1.0)) {
        let angles = std::array::from_fn(|axis| match limits.axes[axis].range() {
            None => 6.0 * at[axis] - 3.0,
            Some(range) => range.start() + at[axis] * (range.end() - range.start()),
        });
        let q = limits.order.rotation(Vec3::from_array(angles));
        prop_assert!(limits.allows(q));
        prop_assert_eq!(limits.nearest(q), q);
    }

    #[test]
    fn nothing_allowed_is_much_nearer_than_what_is_found(limits in any_limits(), q in any_rotation(),
        at in prop::collection::vec(prop::array::uniform3(0.0_f32..=1.0), 60)) {
        let found = apart(limits.nearest(q), q);
        for at in at {
            let angles = std::array::from_fn(|axis| match limits.axes[axis].range() {
                None => 6.0 * at[axis] - 3.0,
                Some(range) => range.start() + at[axis] * (range.end() - range.start()),
            });
            let other = limits.order.rotation(Vec3::from_array(angles));
            prop_assert!(found < apart(other, q) + 0.05, "{found} is farther than {}", apart(other, q));
        }
    }

    #[test]
    fn a_hinge_turns_about_its_axis_only(q in any_rotation(), axis in 0_usize..3) {
        let mut axes = [AxisLimit::Locked(0.0); 3];
        axes[axis] = AxisLimit::Free;
        let turned = JointLimits { axes, ..JointLimits::default() }.nearest(q);
        let off_axis = turned.xyz() - Vec3::AXES[axis] * turned.xyz()[axis];
        prop_assert!(off_axis.length() < 1e-4, "{turned}");
        // The nearest rotation about an axis is the twist of the swing-twist decomposition.
        let twist = Quat::from_xyzw(0.0, 0.0, 0.0, q.w) + Quat::from_vec4((Vec3::AXES[axis] * q.xyz()[axis]).extend(0.0));
        prop_assume!(twist.length() > 0.05);
        prop_assert!(apart(turned, twist.normalize()) < 1e-3);
    }
}

#[test]
fn a_joint_beyond_its_limit_goes_to_the_end_that_is_nearer() {
    let limits = JointLimits {
        axes: [AxisLimit::Free, AxisLimit::Limited { min: -0.5, max: 1.0 }, AxisLimit::Free],
        ..JointLimits::default()
    };
    for (degrees, expected) in [(80.0_f32, 1.0_f32), (-40.0, -0.5), (20.0, 20_f32.to_radians())] {
        let angles = Vec3::new(0.2, degrees.to_radians(), -0.3);
        let kept = limits.nearest(Quat::from_euler(EulerRot::XYZ, angles.x, angles.y, angles.z));
        let kept = limits.order.angles(kept);
        assert!((kept.y - expected).abs() < 1e-3, "{degrees}: {kept}");
    }
}

#[test]
fn a_joint_without_limits_and_one_with_a_broken_rotation_are_left_alone() {
    let mut limits = Limits::default();
    let user_local = Trs::from_rotation(Quat::from_rotation_x(3.0));
    assert_eq!(limits.keep(NodeIndex(1), user_local), user_local);
    limits.set(NodeIndex(1), JointLimits { axes: [AxisLimit::Locked(0.0); 3], ..JointLimits::default() });
    assert!(limits.keep(NodeIndex(1), user_local).is_identity());
    let broken = Trs::from_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert_eq!(limits.keep(NodeIndex(1), broken), broken);
    limits.set(NodeIndex(1), JointLimits { axes: [AxisLimit::Locked(f32::NAN); 3], ..JointLimits::default() });
    assert_eq!(
        limits.get(NodeIndex(1)).map(|l| l.axes[0]),
        Some(AxisLimit::Locked(0.0)),
        "the last that were numbers stay"
    );
    limits.set(NodeIndex(1), JointLimits::default());
    assert_eq!(limits.iter().count(), 0);
}

#[test]
fn limits_go_with_their_joints_to_other_numbers() {
    let mut limits = Limits::default();
    for node in [0, 2] {
        limits.set(NodeIndex(node), JointLimits { axes: [AxisLimit::Locked(0.5); 3], ..JointLimits::default() });
    }
    let carried = limits.carried(&[Some(NodeIndex(7)), None, None]);
    assert_eq!(carried.iter().map(|(node, _)| node).collect::<Vec<_>>(), [NodeIndex(7)]);
}

#[test]
fn limits_are_saved_and_read_again() {
    let mut limits = Limits::default();
    let bend = AxisLimit::Limited { min: -0.25, max: 2.0 };
    limits.set(
        NodeIndex(3),
        JointLimits { order: EulerOrder::Zyx, axes: [bend, AxisLimit::Locked(0.5), AxisLimit::Free] },
    );
    let text = serde_json::to_string(&limits).unwrap();
    assert_eq!(serde_json::from_str::<Limits>(&text).unwrap(), limits);
}

#[test]
fn angles_are_brought_within_half_a_turn_and_the_right_way_round() {
    let mut limits = Limits::default();
    let set = |axes| JointLimits { axes, ..JointLimits::default() };
    let huge = AxisLimit::Limited { min: 1e30, max: -1e30 };
    limits.set(NodeIndex(0), set([huge, AxisLimit::Locked(9.0), AxisLimit::Limited { min: 1.0, max: -1.0 }]));
    let pi = std::f32::consts::PI;
    let expected =
        [AxisLimit::Limited { min: -pi, max: pi }, AxisLimit::Locked(pi), AxisLimit::Limited { min: -1.0, max: 1.0 }];
    assert_eq!(limits.get(NodeIndex(0)).unwrap().axes, expected);
}
