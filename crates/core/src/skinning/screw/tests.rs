use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::rig::testing::any_rotation;
use crate::skinning::dual_quaternion::tests::{any_motion, off};

fn float_log(motion: DualQuat) -> (Vec3, Vec3) {
    let (real, dual) = motion.log();
    (real.as_vec3(), dual.as_vec3())
}

fn screwed(from: &DualQuat, axis: Vec3, at: Vec3, angle: f32, shift: f32) -> DualQuat {
    let turn = Quat::from_axis_angle(axis, angle);
    DualQuat::from_rotation_translation(turn, at - turn * at + axis * shift) * *from
}

proptest! {
    #[test]
    fn log_and_exp_are_inverse(motion in any_motion()) {
        // Near a 360° rotation, the axis of the small remaining rotation is far away.
        prop_assume!(motion.real.w > -0.99);
        let (real, dual) = motion.log();
        let again = exp(real, dual);
        prop_assert!(off(again, motion) < 2e-5, "{again:?} {motion:?}");
    }

    #[test]
    fn the_logarithm_is_the_screw(from in any_motion(), axis in any_rotation(), at in prop::array::uniform3(-3.0_f32..3.0),
        angle in 0.1_f32..3.0, shift in -3.0_f32..3.0) {
        let (axis, at) = (axis * Vec3::X, Vec3::from(at));
        let (real, dual) = float_log(screwed(&from, axis, at, angle, shift) * from.conjugate());
        let sign = if real.dot(axis) < 0.0 { -1.0 } else { 1.0 };
        let angle = if sign < 0.0 { std::f32::consts::TAU - angle } else { angle };
        prop_assert!(real.distance(axis * sign * angle * 0.5) < 1e-5);
        let moment = at.cross(axis) * sign;
        let expected = axis * (shift * 0.5) + moment * (angle * 0.5);
        prop_assert!(dual.distance(expected) < 2e-4 * (1.0 + angle), "{dual} {expected}");
    }

    #[test]
    fn small_motions_keep_their_digits(v in prop::array::uniform3(-1.0_f32..1.0), t in prop::array::uniform3(-1.0_f32..1.0), exponent in -12_i32..-1) {
        let (v, t) = (Vec3::from(v) * 10_f32.powi(exponent), Vec3::from(t));
        let (real, dual) = float_log(exp(v.as_dvec3(), t.as_dvec3()));
        prop_assert!(real.distance(v) <= 1e-6 * v.length().max(1e-12));
        prop_assert!(dual.distance(t) < 1e-6);
    }

    #[test]
    fn powers_of_a_motion_multiply_to_the_power_of_their_sum(motion in any_motion(), s in -1.5_f32..1.5, t in -1.5_f32..1.5) {
        prop_assume!(motion.real.w > -0.9);
        prop_assert!(off(motion.pow(s) * motion.pow(t), motion.pow(s + t)) < 3e-5);
        prop_assert!(off(motion.pow(2.0), motion * motion) < 3e-5);
        prop_assert!(off(motion.pow(-1.0), motion.conjugate()) < 2e-5);
    }

    #[test]
    fn sclerp_starts_and_ends_and_is_of_constant_speed(a in any_motion(), b in any_motion(), s in 0.0_f32..0.5) {
        prop_assume!(a.real.dot(b.real).abs() > 1e-2);
        let at = |t| DualQuat::sclerp(&a, &b, t);
        let b = if a.real.dot(b.real) < 0.0 { -b } else { b };
        prop_assert!(off(at(0.0), a) < 1e-5 && off(at(1.0), b) < 3e-5);
        // Equal steps of `t` are the same world-space screw, wherever they start.
        let step = |t: f32| at(t + 0.5) * at(t).conjugate();
        prop_assert!(off(step(s), step(0.0)) < 5e-5, "{:?} {:?}", step(s), step(0.0));
    }

    #[test]
    fn sclerp_does_not_depend_on_the_frame(a in any_motion(), b in any_motion(), frame in any_motion(), t in 0.0_f32..1.0) {
        prop_assume!(a.real.dot(b.real).abs() > 1e-2);
        let inside = DualQuat::sclerp(&a, &b, t);
        prop_assert!(off(DualQuat::sclerp(&(frame * a), &(frame * b), t), frame * inside) < 1e-4, "from the left");
        prop_assert!(off(DualQuat::sclerp(&(a * frame), &(b * frame), t), inside * frame) < 1e-4, "from the right");
    }

    #[test]
    fn a_linear_blend_follows_the_same_screw_within_the_bound(from in any_motion(), axis in any_rotation(), at in prop::array::uniform3(-2.0_f32..2.0),
        angle in 0.05_f32..3.1, shift in -2.0_f32..2.0, t in 0.0_f32..1.0) {
        let axis = axis * Vec3::X;
        let to = screwed(&from, axis, Vec3::from(at), angle, shift);
        let (turn, along) = difference(&from, &to, t, axis, Vec3::from(at))?;
        let (turn_bound, along_bound) = closed_form(angle, t);
        prop_assert!((turn - turn_bound).abs() < 2e-5, "{turn} {turn_bound}");
        prop_assert!((along - along_bound * shift).abs() < 1e-4, "{along} {}", along_bound * shift);
        prop_assert!(turn.abs() <= 8.15_f32.to_radians() && along.abs() <= 0.1502 * shift.abs() + 1e-4);
    }
}

/// Measures DLB relative to `ScLERP`: radians about the axis and metres along it. Fails if the screws differ.
fn difference(
    from: &DualQuat,
    to: &DualQuat,
    t: f32,
    axis: Vec3,
    at: Vec3,
) -> Result<(f32, f32), proptest::test_runner::TestCaseError> {
    let blend = DualQuat::blend(&[(*from, 1.0 - t), (*to, t)]);
    let ideal = DualQuat::sclerp(from, to, t);
    let between = blend * ideal.conjugate();
    let between = if between.real.w < 0.0 { -between } else { between };
    let (turn, moved) = (between.rotation(), between.transform_point(at) - at);
    prop_assert!(turn.xyz().cross(axis).length() < 1e-5, "the turn is about the axis of the screw: {turn}");
    prop_assert!(moved.cross(axis).length() < 1e-4, "a point of the axis stays on it: {moved}");
    Ok((2.0 * turn.xyz().dot(axis).asin(), moved.dot(axis)))
}

/// Returns how far DLB is ahead of `ScLERP` at `t`: radians, and a fraction of the shift. The blend of the dual angle
/// `â = (θ + ε d)/2` is `atan2(t sin â, (1-t) + t cos â)`; its dual part is the derivative.
fn closed_form(angle: f32, t: f32) -> (f32, f32) {
    let (a, t) = (f64::from(angle) * 0.5, f64::from(t));
    let s = 1.0 - t;
    let turn = 2.0 * ((t * a.sin()).atan2(s + t * a.cos()) - t * a);
    let along = t * (t + s * a.cos()) / (s * s + t * t + 2.0 * s * t * a.cos()) - t;
    (turn as f32, along as f32)
}

#[test]
fn the_bound_of_the_linear_blend_is_8_15_degrees_and_15_percent() {
    // The table in the module documentation: angle, rotation error in degrees, error as a fraction of the shift.
    let table = [
        (30.0, 0.03, 0.003),
        (60.0, 0.27, 0.014),
        (90.0, 0.92, 0.031),
        (120.0, 2.23, 0.058),
        (150.0, 4.51, 0.096),
        (179.99, 8.15, 0.150),
    ];
    let axis = Vec3::new(1.0, 2.0, -0.5).normalize_or_zero();
    let at = Vec3::new(0.4, -0.2, 0.9);
    let from = DualQuat::from_rotation_translation(Quat::from_rotation_x(0.3), Vec3::Y);
    for (degrees, turn_off, along_off) in table {
        let to = screwed(&from, axis, at, f32::to_radians(degrees), 1.0);
        let (mut worst_turn, mut worst_along) = (0.0_f32, 0.0_f32);
        for step in 0..=400 {
            let (turn, along) = difference(&from, &to, step as f32 / 400.0, axis, at).unwrap();
            worst_turn = worst_turn.max(turn.to_degrees().abs());
            worst_along = worst_along.max(along.abs());
        }
        assert!((worst_turn - turn_off).abs() < 0.006, "{degrees}: {worst_turn} degrees");
        assert!((worst_along - along_off).abs() < 0.0007, "{degrees}: {worst_along} of the shift");
        assert!(worst_turn < 8.15 && worst_along < 0.1502);
    }
}

#[test]
fn a_shift_is_a_screw_without_a_turn() {
    let shift = DualQuat::from_rotation_translation(Quat::IDENTITY, Vec3::new(1.0, -2.0, 2.0));
    assert_eq!(float_log(shift), (Vec3::ZERO, Vec3::new(0.5, -1.0, 1.0)));
    assert!(shift.pow(0.5).translation().distance(Vec3::new(0.5, -1.0, 1.0)) < 1e-6);
    // With the opposite sign, it is a 360° rotation about the direction of the shift; half of it rotates by 180°.
    let around = (-shift).pow(0.5);
    assert!(around.translation().distance(Vec3::new(0.5, -1.0, 1.0)) < 1e-6, "{around:?}");
    assert!(around.real.w.abs() < 1e-6);
    assert_eq!(float_log(DualQuat::IDENTITY), (Vec3::ZERO, Vec3::ZERO));
}
