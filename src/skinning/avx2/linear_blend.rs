//! Linear blend skinning, eight vertices at a time.

use std::arch::x86_64::{_mm256_fmadd_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps};
use std::mem::offset_of;

use super::lanes::{Affine3x8, LANES, Vec3x8};
use super::{Slots, groups};
use crate::skinning::JointTransform;
use crate::skinning::chunk::Chunk;

/// Where in a joint the matrix begins, in floats.
const MATRIX: usize = offset_of!(JointTransform, matrix) / 4;

/// Skins all whole groups of eight.
#[target_feature(enable = "avx2,fma")]
pub fn skin<const N: usize>(chunk: &mut Chunk<'_>) {
    for group in groups::<N>(chunk) {
        let matrix = blended_matrices::<MATRIX, N>(group.slots);
        matrix.transform_point(Vec3x8::load(group.positions)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            matrix.transform_normal(Vec3x8::load(normals)).normalized_or_zero().store(skinned);
        }
    }
}

/// The weighted sum of one matrix of each joint, for eight vertices: of that which begins at `FIELD`, in floats.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn blended_matrices<const FIELD: usize, const N: usize>(slots: Slots<'_, N>) -> Affine3x8 {
    const { assert!(4 * (FIELD + 16) <= size_of::<JointTransform>(), "sixteen floats of a joint") };
    let mut first = [_mm256_setzero_ps(); LANES];
    let mut last = [_mm256_setzero_ps(); LANES];
    for lane in 0..LANES {
        // SAFETY: sixteen floats of a joint.
        let eights = |slot| unsafe {
            let floats = std::ptr::from_ref(slots.joint(lane, slot)).cast::<f32>().add(FIELD);
            (_mm256_loadu_ps(floats), _mm256_loadu_ps(floats.add(8)))
        };
        let weight = _mm256_set1_ps(slots.weight(lane, 0));
        let (a, b) = eights(0);
        let (mut sum, mut rest) = (_mm256_mul_ps(a, weight), _mm256_mul_ps(b, weight));
        for slot in 1..slots.count() {
            let weight = _mm256_set1_ps(slots.weight(lane, slot));
            let (a, b) = eights(slot);
            sum = _mm256_fmadd_ps(a, weight, sum);
            rest = _mm256_fmadd_ps(b, weight, rest);
        }
        first[lane] = sum;
        last[lane] = rest;
    }
    Affine3x8::from_rows(&first, &last)
}
