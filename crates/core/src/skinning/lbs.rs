//! Linear blend skinning: `v' = M v` with `M = sum_j w_j T_j`. Normals use the inverse-transpose of the 3x3 part of
//! `M`.
//!
//! `M` is not a rotation if the joints' rotations differ; see `docs/mathematics.md`, Linear blend skinning. *Source*:
//! Magnenat-Thalmann, Laperrière, Thalmann 1988; `docs/mathematics.md`, Linear blend skinning.

use glam::{Affine3, Mat3};

use super::chunk::{SkinnedVertex, VertexChunk};
#[cfg(target_arch = "x86_64")]
use super::simd;
use super::spec::{MethodRequirement, MethodSpec};
use super::{JointTransform, Palette};

pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "lbs",
    gloss: "",
    label: "LBS",
    full_name: "Linear blend skinning",
    tradeoff: "Fastest; supports any scale and shear; loses volume under twist and strong bends",
    color: [0xC8, 0xCC, 0xD4],
    needs: MethodRequirement::Nothing,
    glsl: "linearlySkinned",
    kernel: |palette, _, _, chunk| skin(palette, chunk),
    directions: |palette, _, joints, weights| blended_matrix(palette, joints, weights).matrix3,
};

/// Computes `M_i = sum_j w_ij T_j` of one vertex, world from skin.
#[inline]
pub(super) fn blended_matrix(palette: &Palette, joints: &[u16], weights: &[f32]) -> Affine3 {
    weighted_sum(palette, joints, weights, |joint| joint.matrix)
}

#[inline]
pub(super) fn weighted_sum(
    palette: &Palette,
    joints: &[u16],
    weights: &[f32],
    matrix: impl Fn(&JointTransform) -> Affine3,
) -> Affine3 {
    let mut sum = Affine3::ZERO;
    for (&joint, &weight) in joints.iter().zip(weights) {
        let matrix = matrix(&palette.joints[usize::from(joint)]);
        sum.matrix3 += matrix.matrix3 * weight;
        sum.translation += matrix.translation * weight;
    }
    sum
}

/// Computes `sign(det M) * cofactor(M)`: a positive multiple of the inverse-transpose, finite even for singular `M`.
#[inline]
pub fn normal_matrix(m: Mat3) -> Mat3 {
    let cofactor = Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    if m.x_axis.dot(cofactor.x_axis) < 0.0 { cofactor * -1.0 } else { cofactor }
}

pub(super) fn skin(palette: &Palette, mut chunk: VertexChunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    let done = simd::linear_blend(&mut chunk);
    #[cfg(not(target_arch = "x86_64"))]
    let done = 0;
    skin_portably(palette, chunk.rest(done));
}

pub(super) fn skin_portably(palette: &Palette, mut chunk: VertexChunk<'_>) {
    match chunk.per_vertex {
        1 => skin_each(palette, &mut chunk, 1),
        2 => skin_each(palette, &mut chunk, 2),
        4 => skin_each(palette, &mut chunk, 4),
        8 => skin_each(palette, &mut chunk, 8),
        per_vertex => skin_each(palette, &mut chunk, per_vertex),
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
fn skin_each(palette: &Palette, chunk: &mut VertexChunk<'_>, per_vertex: usize) {
    chunk.each(per_vertex, |vertex| {
        let matrix = blended_matrix(palette, vertex.joints, vertex.weights);
        let turned = normal_matrix(matrix.matrix3) * vertex.normal;
        SkinnedVertex { position: matrix.transform_point3(vertex.position), normal: turned.normalize_or_zero() }
    });
}
