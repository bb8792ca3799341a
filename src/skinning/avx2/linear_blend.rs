//! Linear blend skinning, eight vertices at a time.

use std::arch::x86_64::{_mm256_fmadd_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps};
use std::mem::offset_of;

use super::lanes::{Affine3x8, LANES, Vec3x8};
use super::{Slots, groups};
use crate::skinning::chunk::Chunk;
use crate::skinning::{JointTransform, Palette};

/// Where in a joint the matrix begins, in floats.
const MATRIX: usize = offset_of!(JointTransform, matrix) / 4;

/// Skins all whole groups of eight.
#[target_feature(enable = "avx2,fma")]
pub fn skin<const N: usize>(palette: &Palette, chunk: &mut Chunk<'_>) {
    for group in groups::<N>(chunk) {
        // SAFETY: the chunk's joints are in the palette.
        let matrix = unsafe { blended_matrices::<MATRIX, N>(&palette.joints, group.slots) };
        matrix.transform_point(Vec3x8::load(group.positions)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            matrix.transform_normal(Vec3x8::load(normals)).normalized_or_zero().store(skinned);
        }
    }
}

/// The weighted sum of one matrix of each joint, for eight vertices.
///
/// # Safety
/// `joints` has every joint of `slots`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub unsafe fn blended_matrices<const FIELD: usize, const N: usize>(
    joints: &[JointTransform],
    slots: Slots<'_, N>,
) -> Affine3x8 {
    let mut first = [_mm256_setzero_ps(); LANES];
    let mut last = [_mm256_setzero_ps(); LANES];
    for lane in 0..LANES {
        // SAFETY: by this function's own condition; `FIELD` is twelve floats, and four more lie in the joint behind them.
        let eights = |slot| unsafe {
            let joint = std::ptr::from_ref(joints.get_unchecked(slots.joint(lane, slot)));
            let floats = joint.cast::<f32>().add(FIELD);
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
