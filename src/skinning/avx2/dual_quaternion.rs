//! Dual quaternion skinning, eight vertices at a time.

use std::arch::x86_64::{
    __m256, _mm_loadu_ps, _mm_mul_ps, _mm_set1_ps, _mm256_add_ps, _mm256_blend_ps, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_loadu2_m128, _mm256_mul_ps, _mm256_set_m128, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
    _mm256_sub_ps,
};
use std::mem::offset_of;

use super::lanes::{LANES, Vec3x8, inverse_root, row_sums, sign_where_negative, transposed};
use super::linear_blend::blended_matrices;
use super::{Slots, groups};
use crate::skinning::chunk::Chunk;
use crate::skinning::{DualQuat, JointTransform, Stretch};

const LANE_NUMBERS: [usize; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Where in a joint these begin, in floats.
const STRETCH: usize = offset_of!(JointTransform, stretch) / 4;
const BIND_POSITION: usize = offset_of!(JointTransform, bind_position) / 4;
const DUAL_PER_SCALE: usize = offset_of!(JointTransform, dual_per_scale) / 4;

/// Skins all whole groups of eight.
#[target_feature(enable = "avx2,fma")]
pub fn skin<const N: usize>(stretch: Stretch, chunk: &mut Chunk<'_>) {
    match stretch {
        Stretch::Uniform(scale) => skin_uniformly::<N>(scale, chunk),
        Stretch::TwoPhase => skin_stretched::<N>(None, true, chunk),
        Stretch::AboutJoints => skin_stretched::<N>(Some(1.0), true, chunk),
        Stretch::Dropped => skin_stretched::<N>(Some(1.0), false, chunk),
    }
}

/// For joints that all scale by the same factor.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn skin_uniformly<const N: usize>(scale: f32, chunk: &mut Chunk<'_>) {
    let scale = _mm256_set1_ps(scale);
    for group in groups::<N>(chunk) {
        let motion = normalized(&blended_motions(group.slots, |_| {}));
        motion.transform_point(Vec3x8::load(group.positions).scaled(scale)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            motion.rotate(Vec3x8::load(normals).scaled(scale).normalized_or_zero()).store(skinned);
        }
    }
}

/// For joints that scale each by their own, in a skin space scaled by `vertex_scale`, or by each vertex's own mean scale.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn skin_stretched<const N: usize>(vertex_scale: Option<f32>, has_stretch: bool, chunk: &mut Chunk<'_>) {
    for group in groups::<N>(chunk) {
        let vertex_scale = match vertex_scale {
            Some(scale) => [scale; LANES],
            None => mean_scales(group.slots),
        };
        let mut rescaling = [_mm256_setzero_ps(); LANES];
        let rescale = |summed: Summed| add_rescaling(&mut rescaling, group.slots, vertex_scale, summed);
        let mut sums = blended_motions(group.slots, rescale);
        for (sum, rescaling) in sums.iter_mut().zip(rescaling) {
            *sum = _mm256_add_ps(*sum, _mm256_blend_ps::<0b1111_0000>(_mm256_setzero_ps(), rescaling));
        }
        let motion = normalized(&sums);
        let (mut position, mut normal) =
            (Vec3x8::load(group.positions), group.normals.as_ref().map(|n| Vec3x8::load(n.0)));
        if has_stretch {
            let stretch = blended_matrices::<STRETCH, N>(group.slots);
            let [[x, y, z, _], _] = transposed(&rescaling);
            position = stretch.transform_point(position).plus(Vec3x8 { x, y, z });
            normal = normal.map(|n| stretch.transform_normal(n));
        }
        motion.transform_point(position).store(group.skinned_positions);
        if let (Some((_, skinned)), Some(normal)) = (group.normals, normal) {
            motion.rotate(normal.normalized_or_zero()).store(skinned);
        }
    }
}

/// `k_i = sum_j w_ij k_j` of eight vertices.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn mean_scales<const N: usize>(slots: Slots<'_, N>) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    for slot in 0..slots.count() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += slots.weight(lane, slot) * slots.joint(lane, slot).scale;
        }
    }
    sums
}

/// One slot of eight vertices, as its motions are summed.
#[derive(Clone, Copy)]
struct Summed {
    slot: usize,
    weights: [f32; LANES],
    /// Sign bits.
    signs: [f32; LANES],
}

/// Adds what one slot moves where eight vertices scale by another factor than its joints: in the low half a point, the translation of phase 1,
/// in the high half the dual part of phase 2.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn add_rescaling<const N: usize>(
    sums: &mut [__m256; LANES],
    slots: Slots<'_, N>,
    vertex_scale: [f32; LANES],
    Summed { slot, weights, signs }: Summed,
) {
    for lane in LANE_NUMBERS {
        let joint = slots.joint(lane, slot);
        let excess = weights[lane] * (vertex_scale[lane] - joint.scale);
        let signed = f32::from_bits((-excess).to_bits() ^ signs[lane].to_bits());
        let factors = _mm256_set_m128(_mm_set1_ps(signed), _mm_set1_ps(excess));
        let point = std::ptr::from_ref(joint).cast::<f32>();
        // SAFETY: four floats, the last of them the scale, and four floats of a joint.
        let moved = unsafe { _mm256_loadu2_m128(point.add(DUAL_PER_SCALE), point.add(BIND_POSITION)) };
        sums[lane] = _mm256_fmadd_ps(moved, factors, sums[lane]);
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

/// The motions of eight vertices' joints summed up as in [`crate::skinning::dqs::blended_motion`], real parts in the low halves.
///
/// `add` is told each slot as it is summed.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn blended_motions<const N: usize>(slots: Slots<'_, N>, mut add: impl FnMut(Summed)) -> [__m256; LANES] {
    const { assert!(size_of::<DualQuat>() == 32, "eight floats") };
    let rigid = |lane, slot| std::ptr::from_ref(&slots.joint(lane, slot).rigid).cast();
    // SAFETY: a dual quaternion is eight floats in a row, its first four the real part.
    let real = |lane, slot| unsafe { _mm_loadu_ps(rigid(lane, slot)) };
    // SAFETY: as above.
    let both = |lane, slot| unsafe { _mm256_loadu_ps(rigid(lane, slot)) };
    let pivots = LANE_NUMBERS.map(|lane| real(lane, 0));
    // Where all weights are 0, this leaves the pivot's motion; any other pivot has at least 1/n.
    let weights = LANE_NUMBERS.map(|lane| slots.weight(lane, 0).max(1e-18));
    let mut sums = LANE_NUMBERS.map(|lane| _mm256_mul_ps(both(lane, 0), _mm256_set1_ps(weights[lane])));
    add(Summed { slot: 0, weights, signs: [0.0; LANES] });
    for slot in 1..slots.count() {
        let products = row_sums(LANE_NUMBERS.map(|lane| _mm_mul_ps(pivots[lane], real(lane, slot))));
        let signs = to_array(sign_where_negative(products));
        let weights = LANE_NUMBERS.map(|lane| slots.weight(lane, slot));
        for lane in LANE_NUMBERS {
            let weight = f32::from_bits(weights[lane].to_bits() ^ signs[lane].to_bits());
            sums[lane] = _mm256_fmadd_ps(both(lane, slot), _mm256_set1_ps(weight), sums[lane]);
        }
        add(Summed { slot, weights, signs });
    }
    sums
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
