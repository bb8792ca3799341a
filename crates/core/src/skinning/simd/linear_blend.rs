use std::mem::offset_of;

use super::groups;
use super::lanes::SimdLanes;
use super::vectors::{Matrices, Vectors};
use crate::skinning::JointTransform;
use crate::skinning::chunk::VertexChunk;

const MATRIX: usize = offset_of!(JointTransform, matrix) / 4;

#[inline(always)]
pub(super) fn skin<F: SimdLanes<L>, const L: usize, const N: usize>(set: F::Set, chunk: &mut VertexChunk<'_>) {
    for group in groups::<L, N>(chunk) {
        let slots = group.slots;
        let [axes @ .., x, y, z, _, _, _, _] = F::sums(set, slots, MATRIX, |lane, slot| slots.weight(lane, slot));
        let matrix = Matrices::new(&axes, Vectors { x, y, z });
        matrix.transform_point(Vectors::load(set, group.positions)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            matrix.transform_normal(Vectors::<F>::load(set, normals)).normalized_or_zero().store(skinned);
        }
    }
}
