use glam::{Mat3, Quat, Vec3};

/// Linear blend of two rotation matrices and its deviation from a rotation, which causes the candy-wrapper artefact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationDefect {
    /// `(1-t) A + t B`.
    pub matrix: Mat3,
    /// Determinant: remaining volume fraction, from 1 (a rotation) to 0 (flattened).
    pub determinant: f32,
    /// Singular values, largest first: 1 along the axis of the relative rotation, `sqrt(determinant)` twice perpendicular to it.
    pub singular_values: Vec3,
    /// Angle between the rotations, radians, 0 to π.
    pub angle: f32,
}

/// Blends two rotations as LBS does and measures the loss of volume.
///
/// With `B = A R`, where `R` rotates by `θ`, the blend is `A ((1-t) I + t R)`. The second factor leaves the axis of `R`
/// unchanged. It multiplies the perpendicular plane (as complex numbers) by `(1-t) + t e^{iθ}`, which rotates *and shrinks*:
///
/// ```text
/// singular values  1, s, s     s² = (1-t)² + t² + 2 t (1-t) cos θ
/// determinant      s²          for t = 1/2: cos²(θ/2)
/// ```
///
/// A 90° twist halves the cross-section in the middle of a tube, a 180° twist closes it. The normalized quaternion
/// blend rotates by the same angle for `t = 1/2` and always has `s = 1`.
///
/// `t` is the weight of `b`, 0 to 1. *Source*: `docs/mathematics.md`, Linear blend skinning.
/// ```
/// use glam::Quat;
/// use rigscope_core::skinning::blended_rotation_defect;
///
/// for degrees in [0.0, 60.0, 90.0, 120.0, 180.0_f32] {
///     let twist = Quat::from_rotation_x(degrees.to_radians());
///     let defect = blended_rotation_defect(Quat::IDENTITY, twist, 0.5);
///     let expected = (degrees.to_radians() / 2.0).cos().powi(2);
///     assert!((defect.determinant - expected).abs() < 1e-6);
/// }
/// ```
pub fn blended_rotation_defect(a: Quat, b: Quat, t: f32) -> RotationDefect {
    let matrix = Mat3::from_quat(a) * (1.0 - t) + Mat3::from_quat(b) * t;
    // From sin(θ/2) and cos(θ/2), because cos θ is inaccurate for small angles.
    let between = a.as_dquat().conjugate() * b.as_dquat();
    let (sine, cosine) = (between.xyz().length(), between.w.abs());
    let t = f64::from(t);
    // (1-t)² + t² + 2t(1-t) cos θ = 1 - 4t(1-t) sin²(θ/2), which doesn't cancel near 1.
    let squared = (1.0 - 4.0 * t * (1.0 - t) * sine.powi(2) / between.length_squared()).max(0.0);
    let across = squared.sqrt() as f32;
    RotationDefect {
        matrix,
        determinant: squared as f32,
        singular_values: Vec3::new(1.0, across, across),
        angle: (2.0 * sine.atan2(cosine)) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::polar;
    use crate::rig::testing::any_rotation;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_closed_form_is_that_of_the_matrix(a in any_rotation(), b in any_rotation(), t in 0.0_f32..1.0) {
            let defect = blended_rotation_defect(a, b, t);
            prop_assert!((defect.matrix.determinant() - defect.determinant).abs() < 2e-6, "{defect:?}");
            // The singular values of M = R S are those of S; trace(S) is their sum, trace(S²) the sum of their squares.
            let stretch = polar(defect.matrix).1;
            let trace = |m: Mat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
            let s = defect.singular_values;
            prop_assert!((trace(stretch) - s.element_sum()).abs() < 2e-4, "{stretch} {s}");
            prop_assert!((trace(stretch * stretch) - s.length_squared()).abs() < 1e-5, "{stretch} {s}");
            prop_assert!((defect.singular_values.element_product() - defect.determinant).abs() < 1e-6);
            let axis = (a.conjugate() * b).xyz().normalize_or_zero();
            prop_assert!((defect.matrix * axis).distance(a * axis) < 1e-5, "nothing happens along the axis");
        }

        #[test]
        fn in_the_middle_it_is_the_squared_cosine_of_half_the_angle(a in any_rotation(), axis in any_rotation(), angle in 0.0_f32..std::f32::consts::PI) {
            let b = a * Quat::from_axis_angle(axis * Vec3::X, angle);
            for b in [b, -b] {
                let defect = blended_rotation_defect(a, b, 0.5);
                prop_assert!((defect.determinant - (angle * 0.5).cos().powi(2)).abs() < 1e-6);
                prop_assert!((defect.angle - angle).abs() < 1e-5, "{} {angle}", defect.angle);
            }
        }
    }

    #[test]
    fn the_ends_are_rotations_and_half_a_turn_is_flat() {
        let half_turn = Quat::from_rotation_y(std::f32::consts::PI);
        for t in [0.0, 1.0] {
            assert_eq!(blended_rotation_defect(Quat::IDENTITY, half_turn, t).determinant, 1.0);
        }
        assert!(blended_rotation_defect(Quat::IDENTITY, half_turn, 0.5).determinant < 1e-12);
    }
}
