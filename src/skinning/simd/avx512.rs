//! AVX-512 kernels: sixteen vertices at a time, one cache line of a joint per register.

use std::arch::x86_64::{
    __m512, _CMP_GT_OQ, _CMP_LT_OQ, _mm_loadu_ps, _mm512_add_ps, _mm512_broadcast_f32x4, _mm512_castps128_ps512,
    _mm512_castps256_ps512, _mm512_cmp_ps_mask, _mm512_fmadd_ps, _mm512_fmsub_ps, _mm512_fnmadd_ps, _mm512_insertf32x4,
    _mm512_insertf32x8, _mm512_loadu_ps, _mm512_mask_sub_ps, _mm512_maskz_mov_ps, _mm512_mul_ps,
    _mm512_permutex2var_ps, _mm512_permutexvar_ps, _mm512_rsqrt14_ps, _mm512_set1_ps, _mm512_setr_epi32,
    _mm512_setzero_ps, _mm512_shuffle_f32x4, _mm512_shuffle_ps, _mm512_storeu_ps, _mm512_unpackhi_ps,
    _mm512_unpacklo_ps,
};

use glam::Vec3;

use super::avx2::half_sum;
use super::lanes::Lanes;
use super::{Slots, by_influences, dual_quaternion, linear_blend};
use crate::skinning::chunk::Chunk;
use crate::skinning::{JointTransform, Stretch};

const LANES: usize = 16;

/// Proof that the processor has AVX-512 and its extensions.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
        (has_all && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    pub(super) fn linear_blend(self, chunk: &mut Chunk<'_>) -> usize {
        by_influences!(linear, LANES, self, chunk)
    }

    pub(super) fn dual_quaternion(self, stretch: Stretch, chunk: &mut Chunk<'_>) -> usize {
        by_influences!(dual, LANES, self, chunk, stretch)
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
fn linear<const N: usize>(set: Avx512, chunk: &mut Chunk<'_>) {
    linear_blend::skin::<Sixteen, LANES, N>(set, chunk);
}

#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
fn dual<const N: usize>(set: Avx512, chunk: &mut Chunk<'_>, stretch: Stretch) {
    dual_quaternion::skin::<Sixteen, LANES, N>(set, chunk, stretch);
}

/// One float for each of sixteen vertices. Created only from [`Avx512`] or another value, which proves CPU support.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m512);

impl Lanes<LANES> for Sixteen {
    type Set = Avx512;

    #[inline(always)]
    fn splat(_: Avx512, value: f32) -> Self {
        // SAFETY: the processor has the instructions, here and below.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn load(_: Avx512, values: &[f32; LANES]) -> Self {
        // SAFETY: sixteen floats.
        Self(unsafe { _mm512_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: &mut [f32; LANES]) {
        // SAFETY: sixteen floats.
        unsafe { _mm512_storeu_ps(values.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn load_vectors(_: Avx512, vectors: &[Vec3; LANES]) -> [Self; 3] {
        let at = vectors.as_ptr().cast::<f32>();
        // SAFETY: sixteen vectors are 48 floats.
        unsafe {
            let [a, b, c] = [_mm512_loadu_ps(at), _mm512_loadu_ps(at.add(16)), _mm512_loadu_ps(at.add(32))];
            // Element i of x is float 3 i: the first from `a` and `b`, the last from `c`, whose indices start at 16; y and
            // z likewise.
            let x = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
            let y = _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
            let z = _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
            let x_end = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
            let y_end = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
            let z_end = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
            [
                Self(_mm512_permutex2var_ps(_mm512_permutex2var_ps(a, x, b), x_end, c)),
                Self(_mm512_permutex2var_ps(_mm512_permutex2var_ps(a, y, b), y_end, c)),
                Self(_mm512_permutex2var_ps(_mm512_permutex2var_ps(a, z, b), z_end, c)),
            ]
        }
    }

    #[inline(always)]
    fn store_vectors([Self(x), Self(y), Self(z)]: [Self; 3], vectors: &mut [Vec3; LANES]) {
        let at = vectors.as_mut_ptr().cast::<f32>();
        // SAFETY: as in `load_vectors`.
        unsafe {
            // x and y first, then z in between, whose indices start at 16.
            let a = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
            let a_z = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
            let b = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
            let b_z = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
            let c = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
            let c_z = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
            _mm512_storeu_ps(at, _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, a, y), a_z, z));
            _mm512_storeu_ps(at.add(16), _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, b, y), b_z, z));
            _mm512_storeu_ps(at.add(32), _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, c, y), c_z, z));
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, factor: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm512_mul_ps(self.0, factor.0) })
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, addend: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, addend.0) })
    }

    #[inline(always)]
    fn times_minus(self, factor: Self, subtrahend: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm512_fmsub_ps(self.0, factor.0, subtrahend.0) })
    }

    #[inline(always)]
    fn times_from(self, factor: Self, addend: Self) -> Self {
        // SAFETY: as in `splat`.
        Self(unsafe { _mm512_fnmadd_ps(self.0, factor.0, addend.0) })
    }

    #[inline(always)]
    fn inverse_root(self) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            let estimate = _mm512_rsqrt14_ps(self.0);
            let half = _mm512_mul_ps(_mm512_mul_ps(self.0, estimate), _mm512_set1_ps(0.5));
            Self(_mm512_mul_ps(estimate, _mm512_fnmadd_ps(half, estimate, _mm512_set1_ps(1.5))))
        }
    }

    #[inline(always)]
    fn negated_by(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            let is_negative = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(other.0, _mm512_setzero_ps());
            Self(_mm512_mask_sub_ps(self.0, is_negative, _mm512_setzero_ps(), self.0))
        }
    }

    #[inline(always)]
    fn kept_by(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            let is_positive = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(other.0, _mm512_setzero_ps());
            let is_finite = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(other.0, _mm512_set1_ps(f32::INFINITY));
            Self(_mm512_maskz_mov_ps(is_positive & is_finite, self.0))
        }
    }

    #[inline(always)]
    fn sums<const N: usize>(
        _: Avx512,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 16] {
        let line =
            |lane: usize, slot: usize| std::ptr::from_ref(slots.joint(lane, slot)).cast::<f32>().wrapping_add(field);
        // SAFETY: as in `splat`; `field` is the first of sixteen floats of a joint.
        unsafe {
            let mut rows = [_mm512_setzero_ps(); LANES];
            for (lane, row) in rows.iter_mut().enumerate() {
                let mut sum = _mm512_mul_ps(_mm512_loadu_ps(line(lane, 0)), _mm512_set1_ps(weight(lane, 0)));
                for slot in 1..slots.count() {
                    let factor = _mm512_set1_ps(weight(lane, slot));
                    sum = _mm512_fmadd_ps(_mm512_loadu_ps(line(lane, slot)), factor, sum);
                }
                *row = sum;
            }
            transposed(&rows)
        }
    }

    #[inline(always)]
    fn half_sums<const N: usize>(
        _: Avx512,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 8] {
        // SAFETY: as in `splat`; `field` is the first of eight floats of a joint.
        unsafe {
            // Each row holds two vertices, so that the quarters of four rows are those of eight vertices in turn.
            let mut rows = [_mm512_setzero_ps(); 8];
            for (number, row) in rows.iter_mut().enumerate() {
                let lane = number / 4 * 8 + number % 4;
                let low = _mm512_castps256_ps512(half_sum(slots, lane, field, &weight));
                *row = _mm512_insertf32x8::<1>(low, half_sum(slots, lane + 4, field, &weight));
            }
            let [a, b, c, d, e, f, g, h] = rows;
            let [a0, a1, a2, a3] = transposed_quads([a, b, c, d]);
            let [b0, b1, b2, b3] = transposed_quads([e, f, g, h]);
            [
                Self(_mm512_shuffle_f32x4::<0b10_00_10_00>(a0, b0)),
                Self(_mm512_shuffle_f32x4::<0b10_00_10_00>(a1, b1)),
                Self(_mm512_shuffle_f32x4::<0b10_00_10_00>(a2, b2)),
                Self(_mm512_shuffle_f32x4::<0b10_00_10_00>(a3, b3)),
                Self(_mm512_shuffle_f32x4::<0b11_01_11_01>(a0, b0)),
                Self(_mm512_shuffle_f32x4::<0b11_01_11_01>(a1, b1)),
                Self(_mm512_shuffle_f32x4::<0b11_01_11_01>(a2, b2)),
                Self(_mm512_shuffle_f32x4::<0b11_01_11_01>(a3, b3)),
            ]
        }
    }

    #[inline(always)]
    fn moments<const N: usize>(
        _: Avx512,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [[Self; 4]; 3] {
        // SAFETY: as in `splat`; `field` is the first of four floats of a joint.
        unsafe {
            let mut rows = [_mm512_setzero_ps(); LANES];
            for (lane, row) in rows.iter_mut().enumerate() {
                let mut sum = _mm512_mul_ps(moments(slots.joint(lane, 0), field), _mm512_set1_ps(weight(lane, 0)));
                for slot in 1..slots.count() {
                    let factor = _mm512_set1_ps(weight(lane, slot));
                    sum = _mm512_fmadd_ps(moments(slots.joint(lane, slot), field), factor, sum);
                }
                *row = sum;
            }
            let [a, b, c, d, e, f, g, h, i, j, k, l, ..] = transposed(&rows);
            [[a, b, c, d], [e, f, g, h], [i, j, k, l]]
        }
    }

    #[inline(always)]
    fn agreement<const N: usize>(_: Avx512, slots: Slots<'_, N>, slot: usize) -> Self {
        // SAFETY: as in `splat`.
        unsafe {
            let mut products = [_mm512_setzero_ps(); 4];
            for (lane, products) in products.iter_mut().enumerate() {
                *products = _mm512_mul_ps(quaternions(slots, lane, 0), quaternions(slots, lane, slot));
            }
            let [x, y, z, w] = transposed_quads(products);
            Self(_mm512_add_ps(_mm512_add_ps(x, y), _mm512_add_ps(z, w)))
        }
    }
}

/// Quaternion of a joint times each of the four floats at `field`. *Safety*: requires the instructions, and that the
/// joint has the floats.
#[inline(always)]
unsafe fn moments(joint: &JointTransform, field: usize) -> __m512 {
    let (real, factors) = (&raw const joint.rigid.real, std::ptr::from_ref(joint).cast::<f32>().wrapping_add(field));
    // SAFETY: as promised, and a quaternion is four floats.
    unsafe {
        let quarter = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
        let factors = _mm512_permutexvar_ps(quarter, _mm512_castps128_ps512(_mm_loadu_ps(factors)));
        _mm512_mul_ps(_mm512_broadcast_f32x4(_mm_loadu_ps(real.cast())), factors)
    }
}

/// Quaternions of the joints in a slot, for every fourth vertex from `first` on. *Safety*: requires the instructions.
#[inline(always)]
unsafe fn quaternions<const N: usize>(slots: Slots<'_, N>, first: usize, slot: usize) -> __m512 {
    let real = |lane: usize| std::ptr::from_ref(&slots.joint(lane, slot).rigid.real).cast::<f32>();
    // SAFETY: as promised, and a quaternion is four floats.
    unsafe {
        let one = _mm512_castps128_ps512(_mm_loadu_ps(real(first)));
        let two = _mm512_insertf32x4::<1>(one, _mm_loadu_ps(real(first + 4)));
        let three = _mm512_insertf32x4::<2>(two, _mm_loadu_ps(real(first + 8)));
        _mm512_insertf32x4::<3>(three, _mm_loadu_ps(real(first + 12)))
    }
}

#[inline(always)]
unsafe fn transposed(rows: &[__m512; LANES]) -> [Sixteen; 16] {
    // SAFETY: as promised.
    unsafe {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *rows;
        // Column c of quarter q, for four vertices in each of four registers.
        let [a0, a1, a2, a3] = transposed_quads([a, b, c, d]);
        let [b0, b1, b2, b3] = transposed_quads([e, f, g, h]);
        let [c0, c1, c2, c3] = transposed_quads([i, j, k, l]);
        let [d0, d1, d2, d3] = transposed_quads([m, n, o, p]);
        let [c00, c04, c08, c12] = transposed_quarters([a0, b0, c0, d0]);
        let [c01, c05, c09, c13] = transposed_quarters([a1, b1, c1, d1]);
        let [c02, c06, c10, c14] = transposed_quarters([a2, b2, c2, d2]);
        let [c03, c07, c11, c15] = transposed_quarters([a3, b3, c3, d3]);
        [
            Sixteen(c00),
            Sixteen(c01),
            Sixteen(c02),
            Sixteen(c03),
            Sixteen(c04),
            Sixteen(c05),
            Sixteen(c06),
            Sixteen(c07),
            Sixteen(c08),
            Sixteen(c09),
            Sixteen(c10),
            Sixteen(c11),
            Sixteen(c12),
            Sixteen(c13),
            Sixteen(c14),
            Sixteen(c15),
        ]
    }
}

/// Transposes four rows of four floats in each register quarter.
#[inline(always)]
unsafe fn transposed_quads([a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: as promised.
    unsafe {
        let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
        [
            _mm512_shuffle_ps::<0b01_00_01_00>(ab, cd),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab, cd),
            _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

#[inline(always)]
unsafe fn transposed_quarters([a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: as promised.
    unsafe {
        let (ab, cd) = (_mm512_shuffle_f32x4::<0b01_00_01_00>(a, b), _mm512_shuffle_f32x4::<0b01_00_01_00>(c, d));
        let (ab_high, cd_high) =
            (_mm512_shuffle_f32x4::<0b11_10_11_10>(a, b), _mm512_shuffle_f32x4::<0b11_10_11_10>(c, d));
        [
            _mm512_shuffle_f32x4::<0b10_00_10_00>(ab, cd),
            _mm512_shuffle_f32x4::<0b11_01_11_01>(ab, cd),
            _mm512_shuffle_f32x4::<0b10_00_10_00>(ab_high, cd_high),
            _mm512_shuffle_f32x4::<0b11_01_11_01>(ab_high, cd_high),
        ]
    }
}
