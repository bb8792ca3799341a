use std::mem::offset_of;

use super::avx2::{Avx2, Eight};
use super::groups;
use super::vectors::{Matrices, Vectors};
use crate::skinning::JointTransform;
use crate::skinning::chunk::VertexChunk;

const MATRIX: usize = offset_of!(JointTransform, matrix) / 4;

#[inline(always)]
pub(super) fn skin<const N: usize>(set: Avx2, chunk: &mut VertexChunk<'_>) {
    for group in groups::<N>(chunk) {
        let slots = group.slots;
        let [axes @ .., x, y, z, _, _, _, _] = Eight::sums(set, slots, MATRIX, |lane, slot| slots.weight(lane, slot));
        let matrix = Matrices::new(&axes, Vectors { x, y, z });
        matrix.transform_point(Vectors::load(set, group.positions)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            matrix.transform_normal(Vectors::load(set, normals)).normalized_or_zero().store(skinned);
        }
    }
}
