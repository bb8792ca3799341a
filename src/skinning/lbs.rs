//! Linear blend skinning: the weighted mean of the joints' matrices.

use glam::{Affine3, Mat3, Vec3};

use super::Palette;
use crate::rig::Influences;

/// `M_i = sum_j w_ij T_j`, world from skin, of one vertex.
pub fn blended_matrix(palette: &Palette, influences: &Influences, vertex: usize) -> Affine3 {
    let mut matrix = Affine3::ZERO;
    for (joint, weight) in influences.of(vertex) {
        let t = &palette.joints[joint].matrix;
        matrix.matrix3 += t.matrix3 * weight;
        matrix.translation += t.translation * weight;
    }
    matrix
}

/// `sign(det M) * cofactor(M)`: the direction of the inverse-transpose, finite where `M` is singular (there the sign counts as +).
pub fn normal_matrix(m: Mat3) -> Mat3 {
    let cofactor = Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    if m.x_axis.dot(cofactor.x_axis) < 0.0 { cofactor * -1.0 } else { cofactor }
}

/// Skins positions and normals from skin space to world space.
///
/// *Shapes*: `positions`, the influences and, where not empty, `normals` have one entry a vertex; so have the results.
pub fn linear_blend_skinning(
    palette: &Palette,
    influences: &Influences,
    positions: &[Vec3],
    normals: &[Vec3],
) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut skinned = (Vec::with_capacity(positions.len()), Vec::with_capacity(normals.len()));
    for (vertex, &position) in positions.iter().enumerate() {
        let matrix = blended_matrix(palette, influences, vertex);
        skinned.0.push(matrix.transform_point3(position));
        if let Some(&normal) = normals.get(vertex) {
            let turned = normal_matrix(matrix.matrix3) * normal;
            skinned.1.push(turned.normalize_or_zero());
        }
    }
    skinned
}
