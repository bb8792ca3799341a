//! Unit dual quaternions as rigid motions.

use glam::{Quat, Vec3, Vec4};

/// `real + ε dual`; a rigid motion where `real` has unit length and is orthogonal to `dual`.
///
/// Kept as plain 4-vectors (x, y, z, w): they are summed, and only the sum is normalised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    /// The rotation.
    pub real: Vec4,
    /// Half of translation times rotation.
    pub dual: Vec4,
}

impl DualQuat {
    /// Moves nothing.
    pub const IDENTITY: Self = Self { real: Vec4::W, dual: Vec4::ZERO };

    /// The motion `v -> rotation * v + translation`: `dual = 0.5 * (translation, 0) * rotation`.
    pub fn from_rotation_translation(rotation: Quat, translation: Vec3) -> Self {
        let t = Quat::from_xyzw(translation.x, translation.y, translation.z, 0.0);
        Self { real: Vec4::from(rotation), dual: Vec4::from(t * rotation) * 0.5 }
    }

    /// Adds `weight * other`.
    #[must_use]
    pub fn add_scaled(self, other: &Self, weight: f32) -> Self {
        Self { real: self.real + other.real * weight, dual: self.dual + other.dual * weight }
    }

    /// Divides by the norm of the real part, or `None` where that is under 1e-12: no rotation is meant.
    pub fn normalized(self) -> Option<Self> {
        let norm = self.real.length();
        (norm >= 1e-12).then(|| Self { real: self.real / norm, dual: self.dual / norm })
    }

    /// The rotation of a unit dual quaternion.
    pub fn rotation(self) -> Quat {
        Quat::from_vec4(self.real)
    }

    /// The translation of a unit dual quaternion: the vector part of `2 dual * conjugate(real)`.
    pub fn translation(self) -> Vec3 {
        let (r, d) = (self.real.truncate(), self.dual.truncate());
        2.0 * (d * self.real.w - r * self.dual.w + r.cross(d))
    }

    /// Moves a point by a unit dual quaternion.
    pub fn transform_point(self, point: Vec3) -> Vec3 {
        self.rotation() * point + self.translation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rotation_and_translation_come_back(q in prop::array::uniform4(-1.0_f32..1.0), t in prop::array::uniform3(-5.0_f32..5.0),
            p in prop::array::uniform3(-5.0_f32..5.0)) {
            prop_assume!(Vec4::from(q).length() > 0.1);
            let (q, t, p) = (Quat::from_array(q).normalize(), Vec3::from(t), Vec3::from(p));
            let motion = DualQuat::from_rotation_translation(q, t);
            prop_assert!(motion.translation().distance(t) < 1e-5);
            prop_assert!(motion.transform_point(p).distance(q * p + t) < 1e-5);
            prop_assert!(motion.real.dot(motion.dual).abs() < 1e-5);
        }
    }

    #[test]
    fn opposite_rotations_have_no_mean() {
        let half = DualQuat { real: Vec4::X * 0.5, dual: Vec4::ZERO };
        assert_eq!(half.add_scaled(&DualQuat { real: -Vec4::X, dual: Vec4::ZERO }, 0.5).normalized(), None);
    }
}
