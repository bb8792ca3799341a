use glam::{DMat3, DQuat, DVec3, Mat3, Quat, Vec3};

/// Decomposes `a = R * S` into the nearest rotation and a symmetric stretch, in double precision. If `det a < 0`, `R`
/// is the rotation nearest to `-a`, and `S` mirrors. If `a` is singular, arbitrary axes complete `R`.
///
/// *Source*: Higham 1986, *Computing the polar decomposition - with applications*; Shoemake and Duff 1992, *Matrix
/// animation and polar decomposition*.
pub fn polar(a: Mat3) -> (Quat, Mat3) {
    let (rotation, stretch) = polar_f64(a.as_dmat3());
    (rotation.as_quat(), stretch.as_mat3())
}

/// Like [`polar`], with input and output in double precision.
pub fn polar_f64(a: DMat3) -> (DQuat, DMat3) {
    let rotation = nearest_rotation(a);
    let stretch = rotation.transpose() * a;
    let symmetric = (stretch + stretch.transpose()) * 0.5;
    (DQuat::from_mat3(&rotation).normalize(), symmetric)
}

/// Computes the singular values of a matrix, largest first, to 1e-8 of the largest; all 0 if an entry is not finite.
/// ```
/// use glam::{Mat3, Quat, Vec3};
/// use rigscope_core::rig::singular_values;
///
/// let stretched = Mat3::from_quat(Quat::from_rotation_y(0.7)) * Mat3::from_diagonal(Vec3::new(0.5, 3.0, -1.0));
/// assert!(singular_values(stretched).abs_diff_eq(Vec3::new(3.0, 1.0, 0.5), 1e-6));
/// ```
pub fn singular_values(a: Mat3) -> Vec3 {
    if !a.is_finite() {
        return Vec3::ZERO;
    }
    let a = a.as_dmat3();
    let mut squares = symmetric_eigen(a.transpose() * a).0;
    squares.sort_by(|x, y| y.total_cmp(x));
    Vec3::from_array(squares.map(|x| x.max(0.0).sqrt() as f32))
}

fn nearest_rotation(a: DMat3) -> DMat3 {
    if !a.is_finite() {
        return DMat3::IDENTITY;
    }
    let gram = a.transpose() * a;
    let squared = (gram.x_axis.x + gram.y_axis.y + gram.z_axis.z) / 3.0;
    if squared <= 0.0 {
        return DMat3::IDENTITY;
    }
    let uniform = DMat3::from_diagonal(DVec3::splat(squared));
    let off = (gram - uniform).to_cols_array().map(f64::abs);
    let orthogonal = if off.into_iter().fold(0.0, f64::max) < 1e-6 * squared {
        // Nearly orthogonal: one Newton step squares the error, from 1e-6 to 1e-12.
        let near = a * squared.sqrt().recip();
        (near + near.inverse().transpose()) * 0.5
    } else {
        orthogonal_factor(a, gram)
    };
    if orthogonal.determinant() < 0.0 { orthogonal * -1.0 } else { orthogonal }
}

/// Computes `U * V^T` of the singular value decomposition from the eigenvectors of `a^T a`.
fn orthogonal_factor(a: DMat3, gram: DMat3) -> DMat3 {
    let (values, v) = symmetric_eigen(gram);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let largest = values[order[0]].max(0.0).sqrt();
    let image = order.map(|i| a * v.col(i));
    let u0 = image[0].normalize_or(DVec3::X);
    let u1 = (image[1] - u0 * u0.dot(image[1]))
        .try_normalize()
        .filter(|_| image[1].length() > 1e-9 * largest)
        .unwrap_or_else(|| u0.any_orthonormal_vector());
    let side = u0.cross(u1);
    // The smallest direction has the sign of the matrix, unless its length is 0.
    let u2 = if image[2].dot(side) < 0.0 && image[2].length() > 1e-9 * largest {
        -side
    } else if image[2].length() > 1e-9 * largest {
        side
    } else {
        // Rank deficient: choose the side that makes U V^T a rotation.
        side * v.col(order[0]).cross(v.col(order[1])).dot(v.col(order[2])).signum()
    };
    let u = DMat3::from_cols(u0, u1, u2);
    let v = DMat3::from_cols(v.col(order[0]), v.col(order[1]), v.col(order[2]));
    u * v.transpose()
}

/// Computes eigenvalues and orthonormal eigenvectors (columns) of a symmetric matrix by cyclic Jacobi rotations.
pub(super) fn symmetric_eigen(m: DMat3) -> ([f64; 3], DMat3) {
    let mut a = m.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    for _ in 0..32 {
        let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        if off <= 1e-300 + 1e-17 * (a[0][0].abs() + a[1][1].abs() + a[2][2].abs()) {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = t.hypot(1.0).recip();
            let s = t * c;
            for row in &mut a {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
                (v[p][k], v[q][k]) = (c * v[p][k] - s * v[q][k], s * v[p][k] + c * v[q][k]);
            }
        }
    }
    ([a[0][0], a[1][1], a[2][2]], DMat3::from_cols_array_2d(&v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rebuilt(a: Mat3) -> f32 {
        let (r, s) = polar(a);
        let difference = Mat3::from_quat(r) * s - a;
        difference.to_cols_array().into_iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    proptest! {
        #[test]
        fn factors_multiply_back(values in prop::array::uniform9(-3.0_f32..3.0)) {
            let a = Mat3::from_cols_array(&values);
            prop_assert!(rebuilt(a) < 1e-5, "{}", rebuilt(a));
        }

        #[test]
        fn rotation_of_a_scaled_rotation_is_found(x in -1.0_f32..1.0, y in -1.0_f32..1.0, z in -1.0_f32..1.0, w in 0.1_f32..1.0,
            s in prop::array::uniform3(0.2_f32..4.0)) {
            let q = Quat::from_xyzw(x, y, z, w).normalize();
            let a = Mat3::from_quat(q) * Mat3::from_diagonal(Vec3::from(s));
            prop_assert!(polar(a).0.dot(q).abs() > 1.0 - 1e-5);
            // The stretch contains the mirroring, not the rotation.
            prop_assert!(polar(a * -1.0).0.dot(q).abs() > 1.0 - 1e-5);
        }
    }

    #[test]
    fn stretch_near_rounding_is_reported_exactly() {
        let a = DMat3::from_diagonal(DVec3::new(1.0 + 2e-7, 1.0 - 2e-7, 1.0));
        let off = (polar_f64(a).1 - a).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(off < 1e-12, "{off}");
    }

    #[test]
    fn singular_matrices_give_a_rotation() {
        for diagonal in [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 2.0), Vec3::splat(1e-20)] {
            let a = Mat3::from_diagonal(diagonal);
            let (r, _) = polar(a);
            assert!((r.length() - 1.0).abs() < 1e-6, "{diagonal}");
            assert!(rebuilt(a) < 1e-6, "{diagonal}");
        }
    }
}
