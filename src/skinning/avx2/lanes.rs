//! Vectors, matrices and quaternions of eight vertices, and the way there and back.

use std::arch::x86_64::{
    __m128, __m256, _CMP_GT_OQ, _CMP_LT_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_cmp_ps, _mm256_fmadd_ps,
    _mm256_fmsub_ps, _mm256_fnmadd_ps, _mm256_hadd_ps, _mm256_loadu2_m128, _mm256_mul_ps, _mm256_permute2f128_ps,
    _mm256_rsqrt_ps, _mm256_set_m128, _mm256_set1_ps, _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_storeu2_m128,
    _mm256_unpackhi_ps, _mm256_unpacklo_ps, _mm256_xor_ps,
};

use glam::Vec3;

/// Vertices in a register.
pub const LANES: usize = 8;

/// One vector of each of eight vertices.
#[derive(Clone, Copy)]
pub struct Vec3x8 {
    pub x: __m256,
    pub y: __m256,
    pub z: __m256,
}

impl Vec3x8 {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn load(vectors: &[Vec3; LANES]) -> Self {
        let at = vectors.as_ptr().cast::<f32>();
        // SAFETY: eight vectors are 24 floats, and every load ends at or before the last of them.
        let [a, b, c] = unsafe { [0, 4, 8].map(|i| _mm256_loadu2_m128(at.add(i + 12), at.add(i))) };
        let xy = _mm256_shuffle_ps::<0b10_01_11_10>(b, c);
        let yz = _mm256_shuffle_ps::<0b01_00_10_01>(a, b);
        Self {
            x: _mm256_shuffle_ps::<0b10_00_11_00>(a, xy),
            y: _mm256_shuffle_ps::<0b11_01_10_00>(yz, xy),
            z: _mm256_shuffle_ps::<0b11_00_11_01>(yz, c),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn store(self, vectors: &mut [Vec3; LANES]) {
        let xy = _mm256_shuffle_ps::<0b10_00_10_00>(self.x, self.y);
        let yz = _mm256_shuffle_ps::<0b11_01_11_01>(self.y, self.z);
        let zx = _mm256_shuffle_ps::<0b11_01_10_00>(self.z, self.x);
        let a = _mm256_shuffle_ps::<0b10_00_10_00>(xy, zx);
        let b = _mm256_shuffle_ps::<0b11_01_10_00>(yz, xy);
        let c = _mm256_shuffle_ps::<0b11_01_11_01>(zx, yz);
        let at = vectors.as_mut_ptr().cast::<f32>();
        // SAFETY: as in `load`.
        unsafe {
            _mm256_storeu2_m128(at.add(12), at, a);
            _mm256_storeu2_m128(at.add(16), at.add(4), b);
            _mm256_storeu2_m128(at.add(20), at.add(8), c);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn dot(self, other: Self) -> __m256 {
        let sum = _mm256_mul_ps(self.x, other.x);
        let sum = _mm256_fmadd_ps(self.y, other.y, sum);
        _mm256_fmadd_ps(self.z, other.z, sum)
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: _mm256_fmsub_ps(self.y, other.z, _mm256_mul_ps(self.z, other.y)),
            y: _mm256_fmsub_ps(self.z, other.x, _mm256_mul_ps(self.x, other.z)),
            z: _mm256_fmsub_ps(self.x, other.y, _mm256_mul_ps(self.y, other.x)),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn plus(self, other: Self) -> Self {
        let [x, y, z] = [(self.x, other.x), (self.y, other.y), (self.z, other.z)].map(|(a, b)| _mm256_add_ps(a, b));
        Self { x, y, z }
    }

    /// `self * factor + addend`.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn scaled_onto(self, factor: __m256, addend: Self) -> Self {
        Self {
            x: _mm256_fmadd_ps(self.x, factor, addend.x),
            y: _mm256_fmadd_ps(self.y, factor, addend.y),
            z: _mm256_fmadd_ps(self.z, factor, addend.z),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn scaled(self, factor: __m256) -> Self {
        Self { x: _mm256_mul_ps(self.x, factor), y: _mm256_mul_ps(self.y, factor), z: _mm256_mul_ps(self.z, factor) }
    }

    /// Unit length, and zero where `glam`'s `normalize_or_zero` gives zero.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn normalized_or_zero(self) -> Self {
        let inverse = inverse_root(self.dot(self));
        let is_positive = _mm256_cmp_ps::<_CMP_GT_OQ>(inverse, _mm256_setzero_ps());
        let is_finite = _mm256_cmp_ps::<_CMP_LT_OQ>(inverse, _mm256_set1_ps(f32::INFINITY));
        let is_usable = _mm256_and_ps(is_positive, is_finite);
        let Self { x, y, z } = self.scaled(inverse);
        Self { x: _mm256_and_ps(x, is_usable), y: _mm256_and_ps(y, is_usable), z: _mm256_and_ps(z, is_usable) }
    }
}

/// One 3x4 matrix of each of eight vertices.
pub struct Affine3x8 {
    axes: [Vec3x8; 3],
    translation: Vec3x8,
}

impl Affine3x8 {
    /// Of the first eight floats and the last four of each vertex's matrix, column by column.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn from_rows(first: &[__m256; LANES], last: &[__m256; LANES]) -> Self {
        let [a, b] = transposed(first);
        let c = transposed_quads([0, 1, 2, 3].map(|i| _mm256_permute2f128_ps::<0x20>(last[i], last[i + 4])));
        Self {
            axes: [
                Vec3x8 { x: a[0], y: a[1], z: a[2] },
                Vec3x8 { x: a[3], y: b[0], z: b[1] },
                Vec3x8 { x: b[2], y: b[3], z: c[0] },
            ],
            translation: Vec3x8 { x: c[1], y: c[2], z: c[3] },
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn transform_point(&self, point: Vec3x8) -> Vec3x8 {
        let [x_axis, y_axis, z_axis] = self.axes;
        let sum = x_axis.scaled_onto(point.x, self.translation);
        let sum = y_axis.scaled_onto(point.y, sum);
        z_axis.scaled_onto(point.z, sum)
    }

    /// By [`super::super::normal_matrix`], not normalised.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub fn transform_normal(&self, normal: Vec3x8) -> Vec3x8 {
        let [x_axis, y_axis, z_axis] = self.axes;
        let cofactor = y_axis.cross(z_axis);
        let determinant = x_axis.dot(cofactor);
        let sum = cofactor.scaled(normal.x);
        let sum = z_axis.cross(x_axis).scaled_onto(normal.y, sum);
        let sum = x_axis.cross(y_axis).scaled_onto(normal.z, sum);
        let sign = sign_where_negative(determinant);
        Vec3x8 { x: _mm256_xor_ps(sum.x, sign), y: _mm256_xor_ps(sum.y, sign), z: _mm256_xor_ps(sum.z, sign) }
    }
}

/// `1 / sqrt(value)`, the processor's estimate of 12 bits refined by one step of Newton's to all but the last: half the time of root and
/// division.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn inverse_root(value: __m256) -> __m256 {
    let estimate = _mm256_rsqrt_ps(value);
    let half = _mm256_mul_ps(_mm256_mul_ps(value, estimate), _mm256_set1_ps(0.5));
    _mm256_mul_ps(estimate, _mm256_fnmadd_ps(half, estimate, _mm256_set1_ps(1.5)))
}

/// The sign bit where `value < 0`, else nothing.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn sign_where_negative(value: __m256) -> __m256 {
    let is_negative = _mm256_cmp_ps::<_CMP_LT_OQ>(value, _mm256_setzero_ps());
    _mm256_and_ps(is_negative, _mm256_set1_ps(-0.0))
}

/// Eight rows of eight floats: the columns, four and four.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn transposed(rows: &[__m256; LANES]) -> [[__m256; 4]; 2] {
    let low = [0, 1, 2, 3].map(|i| _mm256_permute2f128_ps::<0x20>(rows[i], rows[i + 4]));
    let high = [0, 1, 2, 3].map(|i| _mm256_permute2f128_ps::<0x31>(rows[i], rows[i + 4]));
    [transposed_quads(low), transposed_quads(high)]
}

/// Eight rows of four floats: the sum of each.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn row_sums(rows: [__m128; LANES]) -> __m256 {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| _mm256_set_m128(rows[i + 4], rows[i]));
    _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d))
}

/// Four rows of four floats, twice: in each half the columns.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn transposed_quads([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
        _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}
