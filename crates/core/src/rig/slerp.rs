//! Spherical linear interpolation as defined by glTF 2.0, appendix C. Only the result is normalized: normalizing the
//! rounded keys of a file first would visibly change small rotations.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec4};

/// Interpolates along the shortest arc, in double precision for keys of any length. The result has unit length.
pub(super) fn slerp(a: Quat, b: Quat, fraction: f32) -> Quat {
    let (a, b, u) = (a.as_dquat(), b.as_dquat(), f64::from(fraction));
    let dot = a.dot(b);
    let (b, dot) = if dot < 0.0 { (-b, -dot) } else { (b, dot) };
    let mixed = if dot > 1.0 - 1e-12 {
        a * (1.0 - u) + b * u
    } else {
        let angle = dot.acos();
        a * ((1.0 - u) * angle).sin() + b * (u * angle).sin()
    };
    let length = mixed.length();
    if length > 1e-12 { (mixed * length.recip()).as_quat() } else { Quat::IDENTITY }
}

/// Computes [`slerp`] of four pairs of quaternions, within 1e-6 for keys of nearly unit length. Single precision
/// suffices, because the rounding error of a small angle scales both coefficients equally.
#[inline]
pub(super) fn slerp_four(a: [Vec4; 4], b: [Vec4; 4], fractions: Vec4) -> [Vec4; 4] {
    // From here on, each register holds one component of all four quaternions (structure of arrays).
    let (a, b) = (transposed(a), transposed(b));
    let dots = a.x_axis * b.x_axis + a.y_axis * b.y_axis + a.z_axis * b.z_axis + a.w_axis * b.w_axis;
    let angles = acos(dots.abs().min(Vec4::ONE)).max(SMALL);
    let to = fractions * angles;
    let (share_a, share_b) = (sin(angles - to), sin(to) * dots.signum());
    let mixed = |a: Vec4, b: Vec4| a * share_a + b * share_b;
    let [x, y, z, w] =
        [mixed(a.x_axis, b.x_axis), mixed(a.y_axis, b.y_axis), mixed(a.z_axis, b.z_axis), mixed(a.w_axis, b.w_axis)];
    let scale = Vec4::ONE / roots(x * x + y * y + z * z + w * w);
    let Mat4 { x_axis, y_axis, z_axis, w_axis } = transposed([x * scale, y * scale, z * scale, w * scale]);
    [x_axis, y_axis, z_axis, w_axis]
}

#[inline]
fn transposed([x, y, z, w]: [Vec4; 4]) -> Mat4 {
    Mat4::from_cols(x, y, z, w).transpose()
}

/// Interpolation is linear if the angle between the quaternions is below this, radians.
const SMALL: Vec4 = Vec4::splat(1e-4);

#[inline]
fn roots(values: Vec4) -> Vec4 {
    let [x, y, z, w] = values.to_array();
    Vec4::new(x.sqrt(), y.sqrt(), z.sqrt(), w.sqrt())
}

/// Computes the arc cosine of values from 0 to 1, with an error of 2e-8 before rounding. *Source*: Abramowitz and
/// Stegun 1964, 4.4.46.
#[inline]
fn acos(x: Vec4) -> Vec4 {
    const TERMS: [f32; 8] = [
        -0.001_262_491_1,
        0.006_670_09,
        -0.017_088_126,
        0.030_891_88,
        -0.050_174_303,
        0.088_978_99,
        -0.214_598_8,
        FRAC_PI_2,
    ];
    roots(Vec4::ONE - x) * polynomial(&TERMS, x)
}

/// Computes the sine of angles from 0 to π/2 with a minimax polynomial of degree 11; the error is 6e-9 before rounding.
#[inline]
fn sin(x: Vec4) -> Vec4 {
    const TERMS: [f32; 6] = [-2.388_985_9e-8, 2.752_556_2e-6, -1.984_087_4e-4, 8.333_331e-3, -0.166_666_67, 1.0];
    x * polynomial(&TERMS, x * x)
}

#[inline]
fn polynomial(terms: &[f32], x: Vec4) -> Vec4 {
    terms.iter().fold(Vec4::ZERO, |sum, &term| sum * x + Vec4::splat(term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_keys() -> impl Strategy<Value = (Quat, Quat)> {
        use crate::rig::testing::any_rotation;
        let length = 0.72_f32..1.41;
        let near = prop_oneof![0.0_f32..1e-6, 0.0_f32..1e-3, 0.0_f32..7.0];
        (any_rotation(), any_rotation(), near, length.clone(), length).prop_map(|(a, turn, share, short, long)| {
            let b = Quat::from_scaled_axis(turn.to_scaled_axis() * share) * a;
            (a * short, b * long)
        })
    }

    proptest! {
        #[test]
        fn four_lanes_match_the_formula(keys in prop::array::uniform4((any_keys(), 0.0_f32..=1.0))) {
            let [a, b] = [keys.map(|k| k.0.0.into()), keys.map(|k| k.0.1.into())];
            let found = slerp_four(a, b, Vec4::from_array(keys.map(|k| k.1)));
            for (((a, b), fraction), found) in keys.into_iter().zip(found) {
                let (exact, found) = (slerp(a, b, fraction), Quat::from_vec4(found));
                // At a right angle between the quaternions, rounding decides the direction.
                if f64::from(a.dot(b)).abs() > 1e-6 {
                    prop_assert!((found - exact).length() < 1e-6, "{a} {b} {fraction}: {found} {exact}");
                }
            }
        }
    }

    #[test]
    fn rounded_keys_rotate_according_to_the_formula() {
        // The keys are rounded to three digits, as in SimpleSkin, so the arc cosine of their dot product is not the
        // angle between them.
        let (a, b) = (Quat::from_xyzw(0.0, 0.0, 0.383, 0.924), Quat::from_xyzw(0.0, 0.0, 0.707, 0.707));
        let angle = f64::from(a.dot(b)).acos();
        let share = |x: f32, y: f32| f64::from(x) * (0.7 * angle).sin() + f64::from(y) * (0.3 * angle).sin();
        let expected = share(a.z, b.z).atan2(share(a.w, b.w));
        let found = slerp(a, b, 0.3);
        assert!((f64::from(found.z).atan2(f64::from(found.w)) - expected).abs() < 1e-6);
        assert!((found.length() - 1.0).abs() < 1e-6);
    }
}
