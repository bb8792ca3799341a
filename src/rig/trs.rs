//! Translation, rotation and scale: the one form in which local transforms are edited.

use glam::{Affine3, DAffine3, DVec3, Mat3, Quat, Vec3, Vec4, Vec4Swizzles};

use super::polar::polar_f64;

/// A local transform kept as translation, rotation and scale, so that editing it never drifts into shear.
///
/// *Units*: metres, unit quaternion (x, y, z, w), scale as a factor. *Space*: child in parent.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trs {
    /// Position of the child's origin in the parent, metres.
    pub translation: Vec3,
    /// Rotation, a unit quaternion.
    pub rotation: Quat,
    /// Scale factor along each of the child's axes, applied first.
    pub scale: Vec3,
}

/// The rotation of a quaternion; `None` where it has no length or is not finite. One of unit length up to rounding is kept as it is, so that writing
/// and reading a rotation does not change it.
pub fn unit_rotation(quaternion: Quat) -> Option<Quat> {
    /// Deviation from unit length above which a quaternion is not merely rounded.
    const ROUNDING: f64 = 1e-7;
    // Squares of large numbers overflow in single precision.
    let exact = quaternion.as_dquat();
    let length = exact.length();
    if (length - 1.0).abs() <= ROUNDING {
        return Some(quaternion);
    }
    (length > 1e-12 && length.is_finite()).then(|| (exact * length.recip()).as_quat())
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Trs {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A transform that only rotates.
    pub fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The matrix `translation * rotation * scale`.
    #[inline]
    pub fn to_affine(self) -> Affine3 {
        // The nine entries in three registers: those on the diagonal, those one below it (from the last column to the first row), those above.
        let (turn, scale) = (Vec4::from(self.rotation), self.scale.extend(0.0));
        let twice = turn + turn;
        let squares = turn * twice;
        let (mixed, with_w) = (turn * twice.yzxw(), turn.zxyw() * twice.wwww());
        let diagonal = (Vec4::ONE - squares.yzxw() - squares.zxyw()) * scale;
        let (below, above) = ((mixed + with_w) * scale, (mixed - with_w) * scale.yzxw());
        let matrix3 = Mat3::from_cols(
            Vec3::new(diagonal.x, below.x, above.z),
            Vec3::new(above.x, diagonal.y, below.y),
            Vec3::new(below.z, above.y, diagonal.z),
        );
        Affine3 { matrix3, translation: self.translation }
    }

    /// The matrix in double precision, with the rotation normalised again: single precision leaves its length off by 1e-7.
    pub(super) fn to_daffine(self) -> DAffine3 {
        let rotation = self.rotation.as_dquat();
        let rotation = if rotation.length() > 0.0 { rotation.normalize() } else { rotation };
        DAffine3::from_scale_rotation_translation(self.scale.as_dvec3(), rotation, self.translation.as_dvec3())
    }

    /// The translation, rotation and scale of a matrix, as far as it has them: its polar decomposition without the shear.
    ///
    /// `M = R * S` with `R` the rotation nearest to `M` and `S` symmetric ([`super::polar()`]); the scale is the diagonal of `S`. What stands
    /// off the diagonal is shear and is lost; the translation is kept whatever the rest. A matrix without shear comes
    /// back as it was, though perhaps in other words: two mirrored axes are a half turn, so all three factors come out with one sign.
    /// ```
    /// use glam::{Affine3, Mat3, Vec3};
    /// use rigscope::rig::Trs;
    ///
    /// let sheared = Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z);
    /// let kept = Trs::from_affine(&Affine3::from_mat3(sheared)).to_affine().matrix3;
    /// assert!(kept.x_axis.dot(kept.y_axis).abs() < 1e-6, "its axes stand at right angles again");
    /// ```
    pub fn from_affine(matrix: &Affine3) -> Self {
        Self::from_daffine(&matrix.as_daffine3())
    }

    pub(super) fn from_daffine(matrix: &DAffine3) -> Self {
        let (rotation, stretch) = polar_f64(matrix.matrix3);
        let scale = DVec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z);
        Self { translation: matrix.translation.as_vec3(), rotation: rotation.as_quat(), scale: scale.as_vec3() }
    }

    /// True where every part is the identity up to rounding.
    #[inline]
    pub fn is_identity(&self) -> bool {
        const EPS: Vec4 = Vec4::splat(1e-6);
        let off_one = self.scale.extend(1.0) - Vec4::ONE;
        let turn = Vec4::from(self.rotation).with_w(0.0);
        self.translation.extend(0.0).abs().max(off_one.abs()).max(turn.abs()).cmple(EPS).all()
    }
}
