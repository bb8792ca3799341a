//! Dual quaternion skinning, eight vertices at a time.

use std::arch::x86_64::{
    __m256, _mm_loadu_ps, _mm_mul_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps,
    _mm256_setzero_ps, _mm256_storeu_ps, _mm256_sub_ps,
};
use std::mem::offset_of;

use super::lanes::{LANES, Vec3x8, inverse_root, row_sums, sign_where_negative, transposed};
use super::linear_blend::blended_matrices;
use super::{Slots, groups};
use crate::skinning::chunk::Chunk;
use crate::skinning::{DualQuat, JointTransform, Palette};

const LANE_NUMBERS: [usize; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Where in a joint the stretch begins, in floats.
const STRETCH: usize = offset_of!(JointTransform, stretch) / 4;

/// Skins all whole groups of eight.
#[target_feature(enable = "avx2,fma")]
pub fn skin<const N: usize>(palette: &Palette, is_rigid: bool, chunk: &mut Chunk<'_>) {
    for group in groups::<N>(chunk) {
        // SAFETY: the chunk's joints are in the palette.
        let motion = unsafe { blended_motions(&palette.joints, group.slots) };
        // SAFETY: as above.
        let stretch = (!is_rigid).then(|| unsafe { blended_matrices::<STRETCH, N>(&palette.joints, group.slots) });
        let position = Vec3x8::load(group.positions);
        let stretched = stretch.as_ref().map_or(position, |s| s.transform_point(position));
        motion.transform_point(stretched).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            let normal = Vec3x8::load(normals);
            let stretched = stretch.as_ref().map_or(normal, |s| s.transform_normal(normal));
            motion.rotate(stretched.normalized_or_zero()).store(skinned);
        }
    }
}

/// One unit dual quaternion of each of eight vertices.
struct DualQuatx8 {
    real: Vec3x8,
    real_w: __m256,
    dual: Vec3x8,
    dual_w: __m256,
}

impl DualQuatx8 {
    /// `v + 2 (w (r × v) + r × (r × v))`.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn rotate(&self, vector: Vec3x8) -> Vec3x8 {
        let once = self.real.cross(vector);
        let turned = once.scaled_onto(self.real_w, self.real.cross(once));
        turned.scaled_onto(_mm256_set1_ps(2.0), vector)
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn transform_point(&self, point: Vec3x8) -> Vec3x8 {
        let negative_dual_w = _mm256_sub_ps(_mm256_setzero_ps(), self.dual_w);
        let half = self.dual.scaled_onto(self.real_w, self.real.cross(self.dual));
        let half = self.real.scaled_onto(negative_dual_w, half);
        half.scaled_onto(_mm256_set1_ps(2.0), self.rotate(point))
    }
}

/// [`crate::skinning::dqs::blended_motion`] of eight vertices.
///
/// # Safety
/// `joints` has every joint of `slots`.
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn blended_motions<const N: usize>(joints: &[JointTransform], slots: Slots<'_, N>) -> DualQuatx8 {
    const { assert!(size_of::<DualQuat>() == 32, "eight floats") };
    // SAFETY: by this function's own condition; a dual quaternion is eight floats in a row, its first four the real part.
    let real = |lane, slot| unsafe { _mm_loadu_ps(rigid(joints, slots.joint(lane, slot))) };
    // SAFETY: as above.
    let both = |lane, slot| unsafe { _mm256_loadu_ps(rigid(joints, slots.joint(lane, slot))) };
    let pivots = LANE_NUMBERS.map(|lane| real(lane, 0));
    // Where all weights are 0, this leaves the pivot's motion; any other pivot has at least 1/n.
    let mut sums =
        LANE_NUMBERS.map(|lane| _mm256_mul_ps(both(lane, 0), _mm256_set1_ps(slots.weight(lane, 0).max(1e-18))));
    for slot in 1..slots.count() {
        let products = row_sums(LANE_NUMBERS.map(|lane| _mm_mul_ps(pivots[lane], real(lane, slot))));
        let signs = to_array(sign_where_negative(products));
        for lane in LANE_NUMBERS {
            let weight = f32::from_bits(slots.weight(lane, slot).to_bits() ^ signs[lane].to_bits());
            sums[lane] = _mm256_fmadd_ps(both(lane, slot), _mm256_set1_ps(weight), sums[lane]);
        }
    }
    normalized(&sums)
}

/// # Safety
/// There is such a joint.
#[inline]
unsafe fn rigid(joints: &[JointTransform], joint: usize) -> *const f32 {
    // SAFETY: by this function's own condition.
    unsafe { std::ptr::from_ref(&joints.get_unchecked(joint).rigid).cast() }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn to_array(lanes: __m256) -> [f32; LANES] {
    let mut array = [0.0; LANES];
    // SAFETY: there is room for eight floats.
    unsafe { _mm256_storeu_ps(array.as_mut_ptr(), lanes) };
    array
}

/// The sums of eight vertices divided by the lengths of their real parts.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn normalized(sums: &[__m256; LANES]) -> DualQuatx8 {
    let [[x, y, z, w], [dual_x, dual_y, dual_z, dual_w]] = transposed(sums);
    let (real, dual) = (Vec3x8 { x, y, z }, Vec3x8 { x: dual_x, y: dual_y, z: dual_z });
    let inverse = inverse_root(_mm256_fmadd_ps(w, w, real.dot(real)));
    DualQuatx8 {
        real: real.scaled(inverse),
        real_w: _mm256_mul_ps(w, inverse),
        dual: dual.scaled(inverse),
        dual_w: _mm256_mul_ps(dual_w, inverse),
    }
}
