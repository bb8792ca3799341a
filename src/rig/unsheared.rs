//! Factors shear into transforms without shear.

use glam::{Affine3, DQuat, DVec3};

use super::Trs;
use super::polar::{polar_f64, symmetric_eigen};

/// Factors a matrix into two transforms without shear, by the singular value decomposition `U S V^T`: `T U S` and
/// `V^T`.
/// ```
/// use glam::{Affine3, Mat3, Vec3};
/// use rigscope::rig::unsheared;
///
/// let sheared = Affine3::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z));
/// let [outer, inner] = unsheared(&sheared);
/// assert!((outer.to_affine() * inner.to_affine()).abs_diff_eq(sheared, 1e-6));
/// ```
pub fn unsheared(matrix: &Affine3) -> [Trs; 2] {
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
    use super::*;
    use glam::{Mat3, Vec3};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_product_is_the_matrix(values in prop::array::uniform9(-3.0_f32..3.0), x in -3.0_f32..3.0) {
            let matrix = Affine3 { matrix3: Mat3::from_cols_array(&values), translation: Vec3::new(x, 1.0, 0.0) };
            let [outer, inner] = unsheared(&matrix);
            prop_assert!((outer.to_affine() * inner.to_affine()).abs_diff_eq(matrix, 1e-5));
        }
    }
}
