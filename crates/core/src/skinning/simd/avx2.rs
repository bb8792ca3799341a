use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _CMP_LT_OQ, _mm_loadu_ps, _mm_mul_ps, _mm256_add_ps, _mm256_and_ps, _mm256_castps128_ps256,
    _mm256_cmp_ps, _mm256_fmadd_ps, _mm256_fmsub_ps, _mm256_fnmadd_ps, _mm256_hadd_ps, _mm256_loadu_ps,
    _mm256_loadu2_m128, _mm256_mul_ps, _mm256_permute2f128_ps, _mm256_permutevar8x32_ps, _mm256_rsqrt_ps,
    _mm256_set_m128, _mm256_set1_ps, _mm256_setr_epi32, _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_storeu_ps,
    _mm256_storeu2_m128, _mm256_unpackhi_ps, _mm256_unpacklo_ps, _mm256_xor_ps,
};

use glam::Vec3;

use super::{LANES, Slots, by_influences, dual_quaternion, linear_blend};
use crate::skinning::chunk::VertexChunk;
use crate::skinning::{JointTransform, Stretch, Vectorized};

/// Proof that the processor has AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    #[expect(clippy::unused_self, reason = "it proves that the processor has the instructions")]
    pub(super) fn vectorized<W: Vectorized>(self, work: W) -> W::Output {
        // SAFETY: the processor has AVX2 and FMA.
        unsafe { run(work) }
    }

    pub(super) fn linear_blend(self, chunk: &mut VertexChunk<'_>) -> usize {
        by_influences!(linear, self, chunk)
    }

    pub(super) fn dual_quaternion(self, stretch: Stretch, chunk: &mut VertexChunk<'_>) -> usize {
        by_influences!(dual, self, chunk, stretch)
    }
}

#[target_feature(enable = "avx2")]
fn run<W: Vectorized>(work: W) -> W::Output {
    work.run()
}

#[target_feature(enable = "avx2,fma")]
fn linear<const N: usize>(set: Avx2, chunk: &mut VertexChunk<'_>) {
    linear_blend::skin::<N>(set, chunk);
}

#[target_feature(enable = "avx2,fma")]
fn dual<const N: usize>(set: Avx2, chunk: &mut VertexChunk<'_>, stretch: Stretch) {
    dual_quaternion::skin::<N>(set, chunk, stretch);
}

/// One float for each of eight vertices. Only [`Avx2`] or another `Eight` creates one, so a value proves CPU support.
#[derive(Clone, Copy)]
pub(super) struct Eight(__m256);

impl Eight {
    #[inline(always)]
    pub(super) fn splat(_: Avx2, value: f32) -> Self {
        // SAFETY: the processor has AVX2 and FMA, here and below.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    pub(super) fn load(_: Avx2, values: &[f32; LANES]) -> Self {
        // SAFETY: eight floats.
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    pub(super) fn store(self, values: &mut [f32; LANES]) {
        // SAFETY: eight floats.
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    pub(super) fn load_vectors(_: Avx2, vectors: &[Vec3; LANES]) -> [Self; 3] {
        let at = vectors.as_ptr().cast::<f32>();
        // SAFETY: eight vectors are 24 floats, and every load ends at or before the last of them.
        unsafe {
            let a = _mm256_loadu2_m128(at.add(12), at);
            let b = _mm256_loadu2_m128(at.add(16), at.add(4));
            let c = _mm256_loadu2_m128(at.add(20), at.add(8));
            let xy = _mm256_shuffle_ps::<0b10_01_11_10>(b, c);
            let yz = _mm256_shuffle_ps::<0b01_00_10_01>(a, b);
            [
                Self(_mm256_shuffle_ps::<0b10_00_11_00>(a, xy)),
                Self(_mm256_shuffle_ps::<0b11_01_10_00>(yz, xy)),
                Self(_mm256_shuffle_ps::<0b11_00_11_01>(yz, c)),
            ]
        }
    }

    #[inline(always)]
    pub(super) fn store_vectors([Self(x), Self(y), Self(z)]: [Self; 3], vectors: &mut [Vec3; LANES]) {
        let at = vectors.as_mut_ptr().cast::<f32>();
        // SAFETY: as in `load_vectors`.
        unsafe {
            let xy = _mm256_shuffle_ps::<0b10_00_10_00>(x, y);
            let yz = _mm256_shuffle_ps::<0b11_01_11_01>(y, z);
            let zx = _mm256_shuffle_ps::<0b11_01_10_00>(z, x);
            _mm256_storeu2_m128(at.add(12), at, _mm256_shuffle_ps::<0b10_00_10_00>(xy, zx));
            _mm256_storeu2_m128(at.add(16), at.add(4), _mm256_shuffle_ps::<0b11_01_10_00>(yz, xy));
            _mm256_storeu2_m128(at.add(20), at.add(8), _mm256_shuffle_ps::<0b11_01_11_01>(zx, yz));
        }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        // SAFETY: as in `splat`, here and below.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    pub(super) fn times(self, factor: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm256_mul_ps(self.0, factor.0) })
    }

    #[inline(always)]
    pub(super) fn times_plus(self, factor: Self, addend: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, addend.0) })
    }

    #[inline(always)]
    pub(super) fn times_minus(self, factor: Self, subtrahend: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm256_fmsub_ps(self.0, factor.0, subtrahend.0) })
    }

    #[inline(always)]
    pub(super) fn times_from(self, factor: Self, addend: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm256_fnmadd_ps(self.0, factor.0, addend.0) })
    }

    /// Computes `1 / sqrt(self)`, accurate except for the last bits, in half the time: hardware estimate plus one
    /// Newton step.
    #[inline(always)]
    pub(super) fn inverse_root(self) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            let estimate = _mm256_rsqrt_ps(self.0);
            let half = _mm256_mul_ps(_mm256_mul_ps(self.0, estimate), _mm256_set1_ps(0.5));
            Self(_mm256_mul_ps(estimate, _mm256_fnmadd_ps(half, estimate, _mm256_set1_ps(1.5))))
        }
    }

    /// Negates values where `other < 0`.
    #[inline(always)]
    pub(super) fn negated_by(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            let is_negative = _mm256_cmp_ps::<_CMP_LT_OQ>(other.0, _mm256_setzero_ps());
            Self(_mm256_xor_ps(self.0, _mm256_and_ps(is_negative, _mm256_set1_ps(-0.0))))
        }
    }

    /// Sets values to 0 unless `0 < other < ∞`.
    #[inline(always)]
    pub(super) fn kept_by(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            let is_positive = _mm256_cmp_ps::<_CMP_GT_OQ>(other.0, _mm256_setzero_ps());
            let is_finite = _mm256_cmp_ps::<_CMP_LT_OQ>(other.0, _mm256_set1_ps(f32::INFINITY));
            Self(_mm256_and_ps(self.0, _mm256_and_ps(is_positive, is_finite)))
        }
    }

    /// Computes weighted sums over joints of the sixteen floats at `field`; `weight` is called with vertex and slot.
    #[inline(always)]
    pub(super) fn sums<const N: usize>(
        _: Avx2,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 16] {
        let half =
            |lane: usize, slot: usize| std::ptr::from_ref(slots.joint(lane, slot)).cast::<f32>().wrapping_add(field);
        // SAFETY: as in `splat`; `field` is the first of sixteen floats of a joint.
        unsafe {
            let (mut first, mut last) = ([_mm256_setzero_ps(); LANES], [_mm256_setzero_ps(); LANES]);
            for lane in 0..LANES {
                let (at, factor) = (half(lane, 0), _mm256_set1_ps(weight(lane, 0)));
                let mut sum = _mm256_mul_ps(_mm256_loadu_ps(at), factor);
                let mut rest = _mm256_mul_ps(_mm256_loadu_ps(at.add(8)), factor);
                for slot in 1..slots.count() {
                    let (at, factor) = (half(lane, slot), _mm256_set1_ps(weight(lane, slot)));
                    sum = _mm256_fmadd_ps(_mm256_loadu_ps(at), factor, sum);
                    rest = _mm256_fmadd_ps(_mm256_loadu_ps(at.add(8)), factor, rest);
                }
                (first[lane], last[lane]) = (sum, rest);
            }
            let [[a, b, c, d], [e, f, g, h]] = transposed(&first);
            let [[i, j, k, l], [m, n, o, p]] = transposed(&last);
            [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
        }
    }

    /// Computes weighted sums over joints of the eight floats at `field`.
    #[inline(always)]
    pub(super) fn half_sums<const N: usize>(
        _: Avx2,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 8] {
        // SAFETY: as in `splat`; `field` is the first of eight floats of a joint.
        unsafe {
            let mut rows = [_mm256_setzero_ps(); LANES];
            for (lane, row) in rows.iter_mut().enumerate() {
                *row = half_sum(slots, lane, field, &weight);
            }
            let [[a, b, c, d], [e, f, g, h]] = transposed(&rows);
            [a, b, c, d, e, f, g, h]
        }
    }

    /// Computes weighted sums of the joints' quaternions, multiplied by the first, second and third float at `field`.
    #[inline(always)]
    pub(super) fn moments<const N: usize>(
        _: Avx2,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [[Self; 4]; 3] {
        // SAFETY: as in `splat`; `field` is the first of four floats of a joint.
        unsafe {
            let (mut first, mut last) = ([_mm256_setzero_ps(); LANES], [_mm256_setzero_ps(); LANES]);
            for lane in 0..LANES {
                let factor = _mm256_set1_ps(weight(lane, 0));
                let [low, high] = moments(slots.joint(lane, 0), field);
                let (mut sum, mut rest) = (_mm256_mul_ps(low, factor), _mm256_mul_ps(high, factor));
                for slot in 1..slots.count() {
                    let factor = _mm256_set1_ps(weight(lane, slot));
                    let [low, high] = moments(slots.joint(lane, slot), field);
                    sum = _mm256_fmadd_ps(low, factor, sum);
                    rest = _mm256_fmadd_ps(high, factor, rest);
                }
                (first[lane], last[lane]) = (sum, rest);
            }
            let ([x, y], [z, _]) = (transposed(&first), transposed(&last));
            [x, y, z]
        }
    }

    /// Computes dot products of the quaternions in a slot with those in the first slot.
    #[inline(always)]
    pub(super) fn agreement<const N: usize>(_: Avx2, slots: Slots<'_, N>, slot: usize) -> Self {
        let real = |lane: usize, slot: usize| std::ptr::from_ref(&slots.joint(lane, slot).rigid.real).cast::<f32>();
        // SAFETY: as in `splat`, and a quaternion is four floats.
        unsafe {
            let mut products = [_mm256_setzero_ps(); 4];
            for (lane, products) in products.iter_mut().enumerate() {
                let one = _mm_mul_ps(_mm_loadu_ps(real(lane, 0)), _mm_loadu_ps(real(lane, slot)));
                let other = _mm_mul_ps(_mm_loadu_ps(real(lane + 4, 0)), _mm_loadu_ps(real(lane + 4, slot)));
                *products = _mm256_set_m128(other, one);
            }
            let [a, b, c, d] = products;
            Self(_mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d)))
        }
    }
}

/// Multiplies a joint's quaternion by each of the four floats at `field`. *Safety*: requires AVX2 and FMA, and that the
/// joint has four floats at `field`.
#[inline(always)]
unsafe fn moments(joint: &JointTransform, field: usize) -> [__m256; 2] {
    let (real, factors) = (&raw const joint.rigid.real, std::ptr::from_ref(joint).cast::<f32>().wrapping_add(field));
    // SAFETY: required by the caller, and a quaternion is four floats.
    unsafe {
        let real = _mm_loadu_ps(real.cast());
        let (real, factors) = (_mm256_set_m128(real, real), _mm256_castps128_ps256(_mm_loadu_ps(factors)));
        let (low, high) = (_mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1), _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
        let (low, high) = (_mm256_permutevar8x32_ps(factors, low), _mm256_permutevar8x32_ps(factors, high));
        [_mm256_mul_ps(real, low), _mm256_mul_ps(real, high)]
    }
}

/// Transposes eight rows of eight floats. *Safety*: requires AVX2 and FMA.
#[inline(always)]
unsafe fn transposed(rows: &[__m256; LANES]) -> [[Eight; 4]; 2] {
    // SAFETY: required by the caller.
    unsafe {
        let [a, b, c, d, e, f, g, h] = *rows;
        let [a0, a1, a2, a3] = transposed_quads([
            _mm256_permute2f128_ps::<0x20>(a, e),
            _mm256_permute2f128_ps::<0x20>(b, f),
            _mm256_permute2f128_ps::<0x20>(c, g),
            _mm256_permute2f128_ps::<0x20>(d, h),
        ]);
        let [a4, a5, a6, a7] = transposed_quads([
            _mm256_permute2f128_ps::<0x31>(a, e),
            _mm256_permute2f128_ps::<0x31>(b, f),
            _mm256_permute2f128_ps::<0x31>(c, g),
            _mm256_permute2f128_ps::<0x31>(d, h),
        ]);
        [[Eight(a0), Eight(a1), Eight(a2), Eight(a3)], [Eight(a4), Eight(a5), Eight(a6), Eight(a7)]]
    }
}

/// Computes the weighted sum over a vertex's joints of the eight floats at `field`. *Safety*: requires AVX2 and FMA,
/// and that the joints have eight floats at `field`.
#[inline(always)]
unsafe fn half_sum<const N: usize>(
    slots: Slots<'_, N>,
    lane: usize,
    field: usize,
    weight: &impl Fn(usize, usize) -> f32,
) -> __m256 {
    let half = |slot: usize| std::ptr::from_ref(slots.joint(lane, slot)).cast::<f32>().wrapping_add(field);
    // SAFETY: required by the caller.
    unsafe {
        let mut sum = _mm256_mul_ps(_mm256_loadu_ps(half(0)), _mm256_set1_ps(weight(lane, 0)));
        for slot in 1..slots.count() {
            sum = _mm256_fmadd_ps(_mm256_loadu_ps(half(slot)), _mm256_set1_ps(weight(lane, slot)), sum);
        }
        sum
    }
}

/// Transposes four rows of four floats in each register half.
#[inline(always)]
unsafe fn transposed_quads([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: required by the caller.
    unsafe {
        let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}
