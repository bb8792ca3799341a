use glam::{Affine3, DAffine3, DQuat, DVec3, Mat3, Quat, Vec3, Vec4, Vec4Swizzles};

use super::polar::{polar_f64, symmetric_eigen};

/// A local transform, parent from child. The separate components prevent edits from accumulating shear.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trs {
    /// Position of the origin in parent space, metres.
    pub translation: Vec3,
    /// Rotation, a unit quaternion.
    pub rotation: Quat,
    /// Scale factors along the child's axes, applied before the rotation.
    pub scale: Vec3,
}

/// Normalizes a quaternion; `None` if it is zero or not finite. Returns unit quaternions unchanged, so that rotations
/// survive being written and read.
pub fn unit_rotation(quaternion: Quat) -> Option<Quat> {
    /// Maximum deviation from unit length due to rounding.
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
    /// The identity transform.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Creates a transform that only translates.
    pub fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// Creates a transform that only rotates.
    pub fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// Computes the matrix `translation * rotation * scale`.
    #[inline]
    pub fn to_affine(self) -> Affine3 {
        // Three registers hold the nine entries: the diagonal, the (cyclic) subdiagonal and the superdiagonal.
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

    /// Computes the matrix in double precision. Renormalizes the rotation, whose length may deviate from 1 by 1e-7.
    pub(super) fn to_daffine(self) -> DAffine3 {
        let rotation = self.rotation.as_dquat();
        let rotation = if rotation.length() > 0.0 { rotation.normalize() } else { rotation };
        DAffine3::from_scale_rotation_translation(self.scale.as_dvec3(), rotation, self.translation.as_dvec3())
    }

    /// Decomposes a matrix `R * S` by [`super::polar()`]: the rotation is `R`, the scale is the diagonal of `S`, and
    /// off-diagonal entries (shear) are dropped. A matrix without shear is preserved, but its factors may change: two
    /// mirrored axes become a half turn, so all three scale factors get the same sign.
    /// ```
    /// use glam::{Affine3, Mat3, Vec3};
    /// use rigscope_core::rig::Trs;
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

    /// Returns whether the transform is the identity up to rounding.
    #[inline]
    pub fn is_identity(&self) -> bool {
        const EPS: Vec4 = Vec4::splat(1e-6);
        let off_one = self.scale.extend(1.0) - Vec4::ONE;
        let turn = Vec4::from(self.rotation).with_w(0.0);
        self.translation.extend(0.0).abs().max(off_one.abs()).max(turn.abs()).cmple(EPS).all()
    }
}

/// Factors a matrix into two transforms without shear, `T U S` and `V^T`. `U S V^T` is the matrix's SVD, `T` its
/// translation.
/// ```
/// use glam::{Affine3, Mat3, Vec3};
/// use rigscope_core::rig::split_shear;
///
/// let sheared = Affine3::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z));
/// let [outer, inner] = split_shear(&sheared);
/// assert!((outer.to_affine() * inner.to_affine()).abs_diff_eq(sheared, 1e-6));
/// ```
pub fn split_shear(matrix: &Affine3) -> [Trs; 2] {
    let (rotation, stretch) = polar_f64(matrix.matrix3.as_dmat3());
    let (values, vectors) = symmetric_eigen(stretch);
    let turn = DQuat::from_mat3(&(vectors * vectors.determinant().signum())).normalize();
    let outer = Trs {
        translation: matrix.translation,
        rotation: (rotation * turn).normalize().as_quat(),
        scale: DVec3::from_array(values).as_vec3(),
    };
    [outer, Trs::from_rotation(turn.inverse().as_quat())]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn factors_without_shear_multiply_to_the_matrix(values in prop::array::uniform9(-3.0_f32..3.0), x in -3.0_f32..3.0) {
            let matrix = Affine3 { matrix3: Mat3::from_cols_array(&values), translation: Vec3::new(x, 1.0, 0.0) };
            let [outer, inner] = split_shear(&matrix);
            prop_assert!((outer.to_affine() * inner.to_affine()).abs_diff_eq(matrix, 1e-5));
        }
    }
}
