//! Unit dual quaternions as rigid motions.
//!
//! `q̂ = real + ε dual` with `ε² = 0`. The rigid motion `v -> R v + t` has `real = r`, the rotation's quaternion, and
//! `dual = 1/2 (t, 0) r`, so `|real| = 1` and `real · dual = 0`; `-q̂` is the same motion. The product `a * b` applies
//! `b` first. Unlike with matrices, a normalized weighted *sum* is a rigid motion ([`DualQuat::blend`]).
//!
//! *Source*: Kavan, Collins, Žára, O'Sullivan 2008, *Geometric skinning with approximate dual quaternion blending*;
//! `docs/mathematics.md`, Dual quaternion skinning.

use std::ops::{Mul, Neg};

use glam::{Affine3, Quat, Vec3, Vec4};

/// Dual quaternion `real + ε dual`: a rigid motion if `real` has unit length and is orthogonal to `dual`. The parts are
/// 4-vectors (x, y, z, w), because sums are normalized only at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    /// Rotation quaternion (x, y, z, w).
    pub real: Vec4,
    /// Dual part, `1/2 (t, 0) r`.
    pub dual: Vec4,
}

impl DualQuat {
    /// The identity.
    pub const IDENTITY: Self = Self { real: Vec4::W, dual: Vec4::ZERO };

    /// Creates the motion `v -> rotation * v + translation`.
    pub fn from_rotation_translation(rotation: Quat, translation: Vec3) -> Self {
        let t = Quat::from_xyzw(translation.x, translation.y, translation.z, 0.0);
        Self { real: Vec4::from(rotation), dual: Vec4::from(t * rotation) * 0.5 }
    }

    /// Creates the rigid motion of a matrix; drops scale, shear and mirroring as [`crate::rig::polar`] does.
    /// ```
    /// use glam::{Affine3, Quat, Vec3};
    /// use rigscope_core::skinning::DualQuat;
    ///
    /// let matrix = Affine3::from_rotation_translation(Quat::from_rotation_z(0.4), Vec3::new(1.0, 2.0, 3.0));
    /// assert!(DualQuat::from_affine(&matrix).to_affine().abs_diff_eq(matrix, 1e-6));
    /// ```
    pub fn from_affine(matrix: &Affine3) -> Self {
        Self::from_rotation_translation(crate::rig::polar(matrix.matrix3).0, matrix.translation)
    }

    /// Converts a unit dual quaternion to a 3x4 matrix.
    pub fn to_affine(self) -> Affine3 {
        Affine3::from_rotation_translation(self.rotation(), self.translation())
    }

    /// Conjugates both parts; for a unit dual quaternion this is the inverse motion.
    #[must_use]
    pub fn conjugate(self) -> Self {
        let conjugate = |q: Vec4| q * Vec4::new(-1.0, -1.0, -1.0, 1.0);
        Self { real: conjugate(self.real), dual: conjugate(self.dual) }
    }

    /// Blends linearly (DLB): normalizes the weighted sum of unit dual quaternions. Weights are >= 0 and need not sum
    /// to 1. Returns the pivot if all weights are 0, and the identity for an empty list.
    ///
    /// `q̂` and `-q̂` are the same motion, so each entry's sign is chosen to agree with the *pivot*, the heaviest entry
    /// (the first of equals). Thus signs and order don't matter, and the sum cannot vanish: its dot product with the
    /// pivot is at least the pivot's weight. *Source*: Kavan et al. 2008, algorithm 1.
    /// ```
    /// use glam::{Quat, Vec3};
    /// use rigscope_core::skinning::DualQuat;
    ///
    /// let straight = DualQuat::IDENTITY;
    /// let turned = DualQuat::from_rotation_translation(Quat::from_rotation_z(1.0), Vec3::ZERO);
    /// let blend = DualQuat::blend(&[(straight, 0.5), (turned, 0.5)]);
    /// assert!(blend.rotation().abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6));
    /// assert_eq!(DualQuat::blend(&[(straight, 0.5), (-turned, 0.5)]), blend, "the sign means nothing");
    /// ```
    pub fn blend(weighted: &[(Self, f32)]) -> Self {
        let Some(&first) = weighted.first() else { return Self::IDENTITY };
        let (pivot, _) =
            weighted.iter().fold(first, |heaviest, &next| if next.1 > heaviest.1 { next } else { heaviest });
        let sum = weighted.iter().fold(Self { real: Vec4::ZERO, dual: Vec4::ZERO }, |sum, (q, weight)| {
            sum.add_scaled(q, if pivot.real.dot(q.real) < 0.0 { -weight } else { *weight })
        });
        let Some(Self { real, dual }) = sum.normalized() else { return pivot };
        // Removes the component along the real part, which has no effect on points but violates the unit condition.
        Self { real, dual: dual - real * real.dot(dual) }
    }

    /// Adds `weight * other`.
    #[must_use]
    pub fn add_scaled(self, other: &Self, weight: f32) -> Self {
        Self { real: self.real + other.real * weight, dual: self.dual + other.dual * weight }
    }

    /// Divides by the norm of the real part; `None` if the norm is below 1e-12. The dual part of a normalized sum may
    /// keep a component along the real part, which doesn't affect points; [`Self::blend`] removes it.
    pub fn normalized(self) -> Option<Self> {
        let norm = self.real.length();
        (norm >= 1e-12).then(|| Self { real: self.real / norm, dual: self.dual / norm })
    }

    /// Returns the rotation of a unit dual quaternion.
    pub fn rotation(self) -> Quat {
        Quat::from_vec4(self.real)
    }

    /// Returns the translation of a unit dual quaternion: the vector part of `2 dual * conjugate(real)`.
    pub fn translation(self) -> Vec3 {
        let (r, d) = (self.real.truncate(), self.dual.truncate());
        2.0 * (d * self.real.w - r * self.dual.w + r.cross(d))
    }

    /// Transforms a point by a unit dual quaternion.
    pub fn transform_point(self, point: Vec3) -> Vec3 {
        self.rotation() * point + self.translation()
    }
}

impl Mul for DualQuat {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self {
        let [a, a_dual, b, b_dual] = [self.real, self.dual, rhs.real, rhs.dual].map(Quat::from_vec4);
        Self { real: (a * b).into(), dual: Vec4::from(a * b_dual) + Vec4::from(a_dual * b) }
    }
}

impl Neg for DualQuat {
    type Output = Self;

    fn neg(self) -> Self {
        Self { real: -self.real, dual: -self.dual }
    }
}

#[cfg(test)]
pub(in crate::skinning) mod tests {
    use super::*;
    use crate::rig::testing::{any_rotation, any_vector};
    use proptest::prelude::*;

    pub(in crate::skinning) fn any_motion() -> impl Strategy<Value = DualQuat> {
        (any_rotation(), any_vector(3.0)).prop_map(|(q, t)| DualQuat::from_rotation_translation(q, t))
    }

    pub(in crate::skinning) fn off(a: DualQuat, b: DualQuat) -> f32 {
        (a.real - b.real).abs().max_element().max((a.dual - b.dual).abs().max_element())
    }

    proptest! {
        #[test]
        fn the_product_is_that_of_motions(a in any_motion(), b in any_motion(), p in prop::array::uniform3(-3.0_f32..3.0)) {
            let p = Vec3::from(p);
            prop_assert!((a * b).transform_point(p).distance(a.transform_point(b.transform_point(p))) < 2e-5);
            prop_assert!((a * b).to_affine().abs_diff_eq(a.to_affine() * b.to_affine(), 1e-5));
            prop_assert!((a * b).real.dot((a * b).dual).abs() < 1e-5, "a motion again");
        }

        #[test]
        fn the_conjugate_undoes(a in any_motion()) {
            prop_assert!(off(a * a.conjugate(), DualQuat::IDENTITY) < 2e-6);
            prop_assert!(off(a.conjugate() * a, DualQuat::IDENTITY) < 2e-6);
        }

        #[test]
        fn a_motion_made_a_matrix_comes_back_as_it_was(a in any_motion()) {
            let again = DualQuat::from_affine(&a.to_affine());
            prop_assert!(off(again, a).min(off(again, -a)) < 2e-6);
        }

        #[test]
        fn a_blend_is_a_motion_whatever_the_signs_and_the_order(motions in prop::collection::vec((any_motion(), 0.1_f32..1.0, any::<bool>()), 1..6),
            frame in any_motion()) {
            let plain: Vec<(DualQuat, f32)> = motions.iter().map(|&(q, w, _)| (q, w)).collect();
            let heaviest = plain.iter().map(|p| p.1).fold(0.0, f32::max);
            let pivot = plain.iter().find(|p| p.1 == heaviest).unwrap().0;
            // Skips nearly ambiguous signs and nearly vanishing sums, which rounding decides.
            prop_assume!(plain.iter().all(|(q, _)| q.real.dot(pivot.real).abs() > 1e-3));
            let blend = DualQuat::blend(&plain);
            let sum: Vec4 = plain.iter().map(|(q, w)| q.real * q.real.dot(pivot.real).signum() * *w).sum();
            prop_assume!(sum.length() > 0.05);
            prop_assert!((blend.real.length() - 1.0).abs() < 1e-6);
            prop_assert!(blend.real.dot(blend.dual).abs() < 1e-4);

            let near = |a: DualQuat, b: DualQuat| off(a, b).min(off(a, -b)) < 2e-4;
            let signed: Vec<_> = motions.iter().map(|&(q, w, minus)| (if minus { -q } else { q }, w)).collect();
            prop_assert!(near(DualQuat::blend(&signed), blend));
            let reversed: Vec<_> = plain.iter().rev().copied().collect();
            prop_assert!(near(DualQuat::blend(&reversed), blend));
            let heavier: Vec<_> = plain.iter().map(|&(q, w)| (q, w * 3.0)).collect();
            prop_assert!(near(DualQuat::blend(&heavier), blend));
            // A change of coordinates on either side commutes with the blend.
            let left: Vec<_> = plain.iter().map(|&(q, w)| (frame * q, w)).collect();
            prop_assert!(near(DualQuat::blend(&left), frame * blend));
            let right: Vec<_> = plain.iter().map(|&(q, w)| (q * frame, w)).collect();
            prop_assert!(near(DualQuat::blend(&right), blend * frame));
        }

        #[test]
        fn rotation_and_translation_come_back(q in any_rotation(), t in any_vector(5.0), p in any_vector(5.0)) {
            let motion = DualQuat::from_rotation_translation(q, t);
            prop_assert!(motion.translation().distance(t) < 1e-5);
            prop_assert!(motion.transform_point(p).distance(q * p + t) < 1e-5);
            prop_assert!(motion.real.dot(motion.dual).abs() < 1e-5);
        }
    }

    #[test]
    fn a_blend_of_opposites_is_the_pivot_and_of_none_the_identity() {
        let (a, b) = (DualQuat::IDENTITY, DualQuat::from_rotation_translation(Quat::from_rotation_x(1.0), Vec3::Y));
        assert_eq!(DualQuat::blend(&[]), DualQuat::IDENTITY);
        assert_eq!(DualQuat::blend(&[(b, 0.0)]), b);
        let blend = DualQuat::blend(&[(a, 0.2), (b, 0.8)]);
        assert!(blend.rotation().angle_between(b.rotation()) < 0.3, "nearer to the heavier");
    }

    #[test]
    fn opposite_rotations_have_no_mean() {
        let half = DualQuat { real: Vec4::X * 0.5, dual: Vec4::ZERO };
        assert_eq!(half.add_scaled(&DualQuat { real: -Vec4::X, dual: Vec4::ZERO }, 0.5).normalized(), None);
    }
}
