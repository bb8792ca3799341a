//! Translation, rotation and scale: the one form in which local transforms are edited.

use glam::{Affine3, Quat, Vec3};

/// A local transform kept as translation, rotation and scale, so that editing it never drifts into shear.
///
/// *Units*: metres, unit quaternion (x, y, z, w), scale as a factor. *Space*: child in parent.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trs {
    /// Where the child's origin lies in the parent.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factor along each of the child's axes, applied first.
    pub scale: Vec3,
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Trs {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A pure rotation.
    pub fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The matrix `translation * rotation * scale`.
    pub fn to_affine(self) -> Affine3 {
        Affine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The nearest translation, rotation and scale of a matrix; shear is lost.
    pub fn from_affine(matrix: &Affine3) -> Self {
        let (rotation, stretch) = super::polar::polar(matrix.matrix3);
        Self {
            translation: matrix.translation,
            rotation,
            scale: Vec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z),
        }
    }

    /// True where no part differs from the identity by more than rounding.
    pub fn is_identity(&self) -> bool {
        const EPS: f32 = 1e-6;
        self.translation.abs().max_element() <= EPS
            && (self.scale - Vec3::ONE).abs().max_element() <= EPS
            && self.rotation.xyz().abs().max_element() <= EPS
    }
}
