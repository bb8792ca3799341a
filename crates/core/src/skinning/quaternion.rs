//! Unit quaternions as rotations: logarithm, powers and interpolation, complementing [`glam::Quat`].
//!
//! With `q = (sin(θ/2) axis, cos(θ/2))`, the logarithm is the vector `θ/2 axis`, and scaling it scales the angle.
//!
//! | | formula |
//! | --- | --- |
//! | [`inverse`] | conjugate over squared length, for any non-zero length |
//! | [`log()`] | `θ/2 axis`, a vector |
//! | [`exp`] | the unit quaternion with that logarithm |
//! | [`pow`] | `exp(t log q)`: `t` times the angle about the same axis |
//! | [`slerp`] | `(q2 q1*)^t q1`: from `q1` to `q2` at constant speed |
//! | [`nlerp`] | normalized mean: the path of `slerp` at varying speed |
//!
//! `q` and `-q` are the same rotation. `slerp` and `nlerp` take the short arc; for `log` and `pow`, `q.w < 0` means a
//! rotation by more than 180°. Clip sampling has its own slerp, with glTF's formula for keys that are not exactly unit.
//! *Source*: `docs/mathematics.md`, Dual quaternion skinning; Shoemake 1985, *Animating rotation with quaternion
//! curves*.

use glam::{DQuat, DVec3, Quat, Vec3};

/// Computes `conjugate(q) / |q|²`. Unlike `Quat::inverse`, it accepts any length; `None` below 1e-12.
/// ```
/// use glam::Quat;
/// use rigscope_core::skinning::quaternion;
///
/// let q = Quat::from_xyzw(0.0, 3.0, 0.0, 4.0);
/// let inverse = quaternion::inverse(q).expect("not zero");
/// assert!((q * inverse).abs_diff_eq(Quat::IDENTITY, 1e-6));
/// ```
pub fn inverse(q: Quat) -> Option<Quat> {
    let squared = q.length_squared();
    (squared.is_finite() && squared >= 1e-24).then(|| q.conjugate() * squared.recip())
}

/// Computes the logarithm of a unit quaternion: half its angle times its axis, length 0 to π. The axis of `-1` is x.
/// ```
/// use glam::{Quat, Vec3};
/// use rigscope_core::skinning::quaternion;
///
/// assert!(quaternion::log(Quat::from_rotation_y(1.0)).abs_diff_eq(Vec3::Y * 0.5, 1e-6));
/// ```
pub fn log(q: Quat) -> Vec3 {
    log_f64(q.as_dquat(), DVec3::X).as_vec3()
}

/// Returns the unit quaternion with the given logarithm.
/// ```
/// use glam::{Quat, Vec3};
/// use rigscope_core::skinning::quaternion;
///
/// assert!(quaternion::exp(Vec3::Y * 0.5).abs_diff_eq(Quat::from_rotation_y(1.0), 1e-6));
/// ```
pub fn exp(half_turn: Vec3) -> Quat {
    exp_f64(half_turn.as_dvec3()).as_quat()
}

/// Computes `q^t = exp(t log q)`: `t` times the angle about the same axis.
/// ```
/// use glam::Quat;
/// use rigscope_core::skinning::quaternion;
///
/// let third = quaternion::pow(Quat::from_rotation_z(1.5), 1.0 / 3.0);
/// assert!(third.abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6));
/// ```
pub fn pow(q: Quat, t: f32) -> Quat {
    exp_f64(log_f64(q.as_dquat(), DVec3::X) * f64::from(t)).as_quat()
}

/// Interpolates spherically, `(q2 q1*)^t q1`: constant speed along the shorter arc, like `Quat::slerp`. At 180° the
/// sign of the dot product decides the direction.
/// ```
/// use glam::Quat;
/// use rigscope_core::skinning::quaternion;
///
/// let (q1, q2) = (Quat::from_rotation_x(0.2), Quat::from_rotation_x(1.2));
/// assert!(quaternion::slerp(q1, q2, 0.3).abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6));
/// assert!(quaternion::slerp(q1, -q2, 0.3).abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6), "the sign of q2 means nothing");
/// ```
pub fn slerp(q1: Quat, q2: Quat, t: f32) -> Quat {
    let q2 = if q1.dot(q2) < 0.0 { -q2 } else { q2 };
    (pow(q2 * q1.conjugate(), t) * q1).normalize()
}

/// Interpolates linearly along the shorter arc and normalizes, like `Quat::lerp` and as DQS does with two joints.
/// Follows the path of [`slerp`], slower at the ends. The two rotations differ by at most 8.15°, for an arc of 180°.
/// ```
/// use glam::Quat;
/// use rigscope_core::skinning::quaternion;
///
/// let (q1, q2) = (Quat::IDENTITY, Quat::from_rotation_x(2.0));
/// assert!(quaternion::nlerp(q1, q2, 0.5).abs_diff_eq(Quat::from_rotation_x(1.0), 1e-6), "equal in the middle");
/// let behind = quaternion::slerp(q1, q2, 0.25).to_axis_angle().1 - quaternion::nlerp(q1, q2, 0.25).to_axis_angle().1;
/// assert!(behind > 0.0, "and behind before it");
/// ```
pub fn nlerp(q1: Quat, q2: Quat, t: f32) -> Quat {
    q1.lerp(q2, t)
}

pub(super) fn log_f64(q: DQuat, full_turn: DVec3) -> DVec3 {
    let (vector, sine) = (q.xyz(), q.xyz().length());
    if sine > 1e-150 {
        return vector * (sine.atan2(q.w) / sine);
    }
    if q.w < 0.0 { full_turn * std::f64::consts::PI } else { vector }
}

pub(super) fn exp_f64(half_turn: DVec3) -> DQuat {
    let angle = half_turn.length();
    let (sine, cosine) = angle.sin_cos();
    let sinc = if angle > 1e-150 { sine / angle } else { 1.0 };
    let v = half_turn * sinc;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::any_rotation;
    use proptest::prelude::*;

    fn off(a: Quat, b: Quat) -> f32 {
        (a - b).length()
    }

    proptest! {
        #[test]
        fn the_inverse_undoes(q in any_rotation(), length in 0.01_f32..100.0) {
            let q = q * length;
            prop_assert!(off(q * inverse(q).unwrap(), Quat::IDENTITY) < 1e-6);
            prop_assert!(off(inverse(q).unwrap() * q, Quat::IDENTITY) < 1e-6);
        }

        #[test]
        fn log_and_exp_are_inverse(q in any_rotation(), v in prop::array::uniform3(-1.8_f32..1.8)) {
            prop_assert!(off(exp(log(q)), q) < 3e-7, "{}", off(exp(log(q)), q));
            let v = Vec3::from(v);
            prop_assume!(v.length() < 3.0);
            prop_assert!(log(exp(v)).distance(v) < 1e-5, "{} {v}", log(exp(v)));
        }

        #[test]
        fn small_turns_keep_their_digits(v in prop::array::uniform3(-1.0_f32..1.0), exponent in -30_i32..-3) {
            let v = Vec3::from(v) * 10_f32.powi(exponent);
            prop_assert!(log(exp(v)).distance(v) <= 1e-6 * v.length());
        }

        #[test]
        fn powers_of_a_quaternion_multiply_to_the_power_of_their_sum(q in any_rotation(), s in -2.0_f32..2.0, t in -2.0_f32..2.0) {
            prop_assert!(off(pow(q, s) * pow(q, t), pow(q, s + t)) < 2e-6);
            prop_assert!(off(pow(q, -1.0), q.conjugate()) < 5e-7);
            prop_assert!(off(pow(q, 2.0), q * q) < 1e-6);
        }

        #[test]
        fn slerp_is_that_of_glam_and_of_constant_speed(a in any_rotation(), b in any_rotation(), t in 0.0_f32..1.0) {
            // At 180° `slerp` and `nlerp` may choose different directions.
            prop_assume!(a.dot(b).abs() > 1e-4);
            prop_assert!(off(slerp(a, b, t), a.slerp(b, t)) < 1e-5, "{} {}", slerp(a, b, t), a.slerp(b, t));
            prop_assert!(off(slerp(a, b, t), slerp(a, -b, t)) < 1e-6);
            let whole = 2.0 * a.dot(b).abs().min(1.0).acos();
            let part = 2.0 * log(slerp(a, b, t) * a.conjugate()).length();
            prop_assert!((part - t * whole).abs() < 2e-3, "{part} of {whole} at {t}");
        }

        #[test]
        fn nlerp_goes_the_same_way(a in any_rotation(), b in any_rotation(), t in 0.0_f32..1.0) {
            prop_assume!(a.dot(b).abs() > 1e-2);
            let b = if a.dot(b) < 0.0 { -b } else { b };
            let (whole, part) = (log(b * a.conjugate()), log(nlerp(a, b, t) * a.conjugate()));
            prop_assert!(whole.cross(part).length() < 1e-5, "about one axis");
            // Closed form of the angle of the normalized quaternion blend.
            let half = whole.length();
            let expected = (t * half.sin()).atan2((1.0 - t) + t * half.cos());
            prop_assert!((part.length() - expected).abs() < 1e-5);
        }
    }

    #[test]
    fn a_full_turn_is_minus_one() {
        assert!((log(-Quat::IDENTITY) - Vec3::X * std::f32::consts::PI).length() < 1e-6);
        assert!(off(exp(log(-Quat::IDENTITY)), -Quat::IDENTITY) < 1e-6);
        assert_eq!(log(Quat::IDENTITY), Vec3::ZERO);
        assert_eq!(exp(Vec3::ZERO), Quat::IDENTITY);
    }

    #[test]
    fn nothing_has_no_inverse() {
        assert_eq!(inverse(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), None);
        assert_eq!(inverse(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)), None);
    }
}
