//! Vectors, matrices and dual quaternions of eight vertices.

use glam::Vec3;

use super::LANES;
use super::avx2::{Avx2, Eight};

#[derive(Clone, Copy)]
pub(super) struct Vectors {
    pub x: Eight,
    pub y: Eight,
    pub z: Eight,
}

impl Vectors {
    #[inline(always)]
    pub(super) fn load(set: Avx2, vectors: &[Vec3; LANES]) -> Self {
        let [x, y, z] = Eight::load_vectors(set, vectors);
        Self { x, y, z }
    }

    #[inline(always)]
    pub(super) fn store(self, vectors: &mut [Vec3; LANES]) {
        Eight::store_vectors([self.x, self.y, self.z], vectors);
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> Eight {
        self.z.times_plus(other.z, self.y.times_plus(other.y, self.x.times(other.x)))
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y.times_minus(other.z, self.z.times(other.y)),
            y: self.z.times_minus(other.x, self.x.times(other.z)),
            z: self.x.times_minus(other.y, self.y.times(other.x)),
        }
    }

    #[inline(always)]
    pub(super) fn scaled_onto(self, factor: Eight, addend: Self) -> Self {
        Self {
            x: self.x.times_plus(factor, addend.x),
            y: self.y.times_plus(factor, addend.y),
            z: self.z.times_plus(factor, addend.z),
        }
    }

    #[inline(always)]
    pub(super) fn scaled_from(self, factor: Eight, addend: Self) -> Self {
        Self {
            x: self.x.times_from(factor, addend.x),
            y: self.y.times_from(factor, addend.y),
            z: self.z.times_from(factor, addend.z),
        }
    }

    #[inline(always)]
    pub(super) fn scaled(self, factor: Eight) -> Self {
        Self { x: self.x.times(factor), y: self.y.times(factor), z: self.z.times(factor) }
    }

    #[inline(always)]
    fn doubled(self) -> Self {
        Self { x: self.x.plus(self.x), y: self.y.plus(self.y), z: self.z.plus(self.z) }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        Self { x: self.x.plus(other.x), y: self.y.plus(other.y), z: self.z.plus(other.z) }
    }

    #[inline(always)]
    pub(super) fn normalized_or_zero(self) -> Self {
        let inverse = self.dot(self).inverse_root();
        let Self { x, y, z } = self.scaled(inverse);
        Self { x: x.kept_by(inverse), y: y.kept_by(inverse), z: z.kept_by(inverse) }
    }
}

pub(super) struct Matrices {
    axes: [Vectors; 3],
    translation: Vectors,
}

impl Matrices {
    #[inline(always)]
    pub(super) fn new(axes: &[Eight], translation: Vectors) -> Self {
        let axis = |i: usize| Vectors { x: axes[i], y: axes[i + 1], z: axes[i + 2] };
        Self { axes: [axis(0), axis(3), axis(6)], translation }
    }

    #[inline(always)]
    pub(super) fn transform_point(&self, point: Vectors) -> Vectors {
        let [x_axis, y_axis, z_axis] = self.axes;
        let sum = x_axis.scaled_onto(point.x, self.translation);
        let sum = y_axis.scaled_onto(point.y, sum);
        z_axis.scaled_onto(point.z, sum)
    }

    /// Computes `minuend - factor * sum_b quaternions[b] axes[b]`, with axes as pure quaternions:
    /// `q a = w a + v × a - v · a`.
    #[inline(always)]
    pub(super) fn products_from(
        &self,
        factor: Eight,
        quaternions: &[[Eight; 4]; 3],
        minuend: [Eight; 4],
    ) -> [Eight; 4] {
        let [x, y, z, mut real] = minuend;
        let mut rest = Vectors { x, y, z };
        for (axis, &[x, y, z, w]) in self.axes.into_iter().zip(quaternions) {
            let (axis, vector) = (axis.scaled(factor), Vectors { x, y, z });
            rest = axis.scaled_from(w, rest).plus(axis.cross(vector));
            real = real.plus(vector.dot(axis));
        }
        [rest.x, rest.y, rest.z, real]
    }

    /// Multiplies the unnormalized [`crate::skinning::normal_matrix`] by a normal: its columns `b × c`, `c × a`,
    /// `a × b` times x, y, z give `(x b - y a) × c + z (a × b)`.
    #[inline(always)]
    pub(super) fn transform_normal(&self, normal: Vectors) -> Vectors {
        let [a, b, c] = self.axes;
        let last = a.cross(b);
        let across = a.scaled_from(normal.y, b.scaled(normal.x)).cross(c);
        let determinant = last.dot(c);
        let Vectors { x, y, z } = last.scaled_onto(normal.z, across);
        Vectors { x: x.negated_by(determinant), y: y.negated_by(determinant), z: z.negated_by(determinant) }
    }
}

pub(super) struct DualQuats {
    real: Vectors,
    real_w: Eight,
    dual: Vectors,
    dual_w: Eight,
}

impl DualQuats {
    #[inline(always)]
    pub(super) fn normalized(real: [Eight; 4], dual: [Eight; 4]) -> Self {
        let [x, y, z, w] = real;
        let real = Vectors { x, y, z };
        let inverse = w.times_plus(w, real.dot(real)).inverse_root();
        let [x, y, z, dual_w] = dual;
        Self {
            real: real.scaled(inverse),
            real_w: w.times(inverse),
            dual: Vectors { x, y, z }.scaled(inverse),
            dual_w: dual_w.times(inverse),
        }
    }

    /// Computes `v + 2 (w (r × v) + r × (r × v))`.
    #[inline(always)]
    pub(super) fn rotate(&self, vector: Vectors) -> Vectors {
        let once = self.real.cross(vector).doubled();
        once.scaled_onto(self.real_w, vector).plus(self.real.cross(once))
    }

    #[inline(always)]
    pub(super) fn transform_point(&self, point: Vectors) -> Vectors {
        let half = self.dual.scaled_onto(self.real_w, self.real.cross(self.dual));
        self.real.scaled_from(self.dual_w, half).doubled().plus(self.rotate(point))
    }
}
