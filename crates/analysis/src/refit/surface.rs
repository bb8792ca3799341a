//! Moves the vertices of skinned meshes.

use glam::{DAffine3, DMat3, DVec3, Vec3};

use rigscope_core::rig::{Influences, Mesh, Primitive};

/// Moves each vertex by the weighted sum of its joints' matrices, as linear blend skinning does. `matrices` has one
/// entry per joint of the skin.
pub(super) fn bake(mesh: &mut Mesh, matrices: &[DAffine3]) {
    for primitive in &mut mesh.primitives {
        let Some(influences) = primitive.influences.clone() else { continue };
        for vertex in 0..primitive.positions.len() {
            bake_vertex(primitive, vertex, blended(&influences, vertex, matrices));
        }
    }
}

/// Returns `sum of w_k * M_k` of a vertex.
pub(super) fn blended(influences: &Influences, vertex: usize, matrices: &[DAffine3]) -> DAffine3 {
    let (mut linear, mut translation) = (DMat3::ZERO, DVec3::ZERO);
    for (joint, weight) in influences.vertex(vertex) {
        if let Some(matrix) = matrices.get(joint).filter(|_| weight > 0.0) {
            linear += matrix.matrix3 * f64::from(weight);
            translation += matrix.translation * f64::from(weight);
        }
    }
    DAffine3 { matrix3: linear, translation }
}

fn bake_vertex(primitive: &mut Primitive, vertex: usize, matrix: DAffine3) {
    let position = &mut primitive.positions[vertex];
    *position = matrix.transform_point3(position.as_dvec3()).as_vec3();
    let normal_matrix = matrix.matrix3.inverse().transpose();
    let normal_matrix = if normal_matrix.is_finite() { normal_matrix } else { matrix.matrix3 };
    let length_of = |v: &Vec3| v.length();
    if let Some(normal) = primitive.normals.as_mut().and_then(|normals| normals.get_mut(vertex)) {
        let length = length_of(normal);
        *normal = (normal_matrix * normal.as_dvec3()).normalize_or_zero().as_vec3() * length;
    }
    for tangents in [&mut primitive.tangents, &mut primitive.generated_tangents].into_iter().flatten() {
        if let Some(tangent) = tangents.get_mut(vertex) {
            let length = length_of(&tangent.truncate());
            let along = (matrix.matrix3 * tangent.truncate().as_dvec3()).normalize_or_zero().as_vec3() * length;
            *tangent = along.extend(tangent.w * if matrix.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 });
        }
    }
    for target in &mut primitive.morph_targets {
        let move_offset = |offsets: &mut Vec<Vec3>, by: DMat3| {
            if let Some(offset) = offsets.get_mut(vertex) {
                *offset = (by * offset.as_dvec3()).as_vec3();
            }
        };
        move_offset(&mut target.positions, matrix.matrix3);
        move_offset(&mut target.normals, normal_matrix);
        move_offset(&mut target.tangents, matrix.matrix3);
    }
}
