//! Vectors, matrices and dual quaternions of `L` vertices.

use glam::Vec3;

use super::lanes::SimdLanes;

#[derive(Clone, Copy)]
pub(super) struct Vectors<F> {
    pub x: F,
    pub y: F,
    pub z: F,
}

impl<F> Vectors<F> {
    #[inline(always)]
    pub(super) fn load<const L: usize>(set: F::Set, vectors: &[Vec3; L]) -> Self
    where
        F: SimdLanes<L>,
    {
        let [x, y, z] = F::load_vectors(set, vectors);
        Self { x, y, z }
    }

    #[inline(always)]
    pub(super) fn store<const L: usize>(self, vectors: &mut [Vec3; L])
    where
        F: SimdLanes<L>,
    {
        F::store_vectors([self.x, self.y, self.z], vectors);
    }

    #[inline(always)]
    pub(super) fn dot<const L: usize>(self, other: Self) -> F
    where
        F: SimdLanes<L>,
    {
        self.z.times_plus(other.z, self.y.times_plus(other.y, self.x.times(other.x)))
    }

    #[inline(always)]
    pub(super) fn cross<const L: usize>(self, other: Self) -> Self
    where
        F: SimdLanes<L>,
    {
        Self {
            x: self.y.times_minus(other.z, self.z.times(other.y)),
            y: self.z.times_minus(other.x, self.x.times(other.z)),
            z: self.x.times_minus(other.y, self.y.times(other.x)),
        }
    }

    #[inline(always)]
    pub(super) fn scaled_onto<const L: usize>(self, factor: F, addend: Self) -> Self
    where
        F: SimdLanes<L>,
    {
        Self {
            x: self.x.times_plus(factor, addend.x),
            y: self.y.times_plus(factor, addend.y),
            z: self.z.times_plus(factor, addend.z),
        }
    }

    #[inline(always)]
    pub(super) fn scaled_from<const L: usize>(self, factor: F, addend: Self) -> Self
    where
        F: SimdLanes<L>,
    {
        Self {
            x: self.x.times_from(factor, addend.x),
            y: self.y.times_from(factor, addend.y),
            z: self.z.times_from(factor, addend.z),
        }
    }

    #[inline(always)]
    pub(super) fn scaled<const L: usize>(self, factor: F) -> Self
    where
        F: SimdLanes<L>,
    {
        Self { x: self.x.times(factor), y: self.y.times(factor), z: self.z.times(factor) }
    }

    #[inline(always)]
    fn doubled<const L: usize>(self) -> Self
    where
        F: SimdLanes<L>,
    {
        Self { x: self.x.plus(self.x), y: self.y.plus(self.y), z: self.z.plus(self.z) }
    }

    #[inline(always)]
    pub(super) fn plus<const L: usize>(self, other: Self) -> Self
    where
        F: SimdLanes<L>,
    {
        Self { x: self.x.plus(other.x), y: self.y.plus(other.y), z: self.z.plus(other.z) }
    }

    #[inline(always)]
    pub(super) fn normalized_or_zero<const L: usize>(self) -> Self
    where
        F: SimdLanes<L>,
    {
        let inverse = self.dot(self).inverse_root();
        let Self { x, y, z } = self.scaled(inverse);
        Self { x: x.kept_by(inverse), y: y.kept_by(inverse), z: z.kept_by(inverse) }
    }
}

pub(super) struct Matrices<F> {
    axes: [Vectors<F>; 3],
    translation: Vectors<F>,
}

impl<F: Copy> Matrices<F> {
    #[inline(always)]
    pub(super) fn new(axes: &[F], translation: Vectors<F>) -> Self {
        let axis = |i: usize| Vectors { x: axes[i], y: axes[i + 1], z: axes[i + 2] };
        Self { axes: [axis(0), axis(3), axis(6)], translation }
    }

    #[inline(always)]
    pub(super) fn transform_point<const L: usize>(&self, point: Vectors<F>) -> Vectors<F>
    where
        F: SimdLanes<L>,
    {
        let [x_axis, y_axis, z_axis] = self.axes;
        let sum = x_axis.scaled_onto(point.x, self.translation);
        let sum = y_axis.scaled_onto(point.y, sum);
        z_axis.scaled_onto(point.z, sum)
    }

    /// Computes `minuend - factor * sum_b quaternions[b] axes[b]`, with axes as pure quaternions:
    /// `q a = w a + v × a - v · a`.
    #[inline(always)]
    pub(super) fn products_from<const L: usize>(&self, factor: F, quaternions: [[F; 4]; 3], minuend: [F; 4]) -> [F; 4]
    where
        F: SimdLanes<L>,
    {
        let [x, y, z, mut real] = minuend;
        let mut rest = Vectors { x, y, z };
        for (axis, [x, y, z, w]) in self.axes.into_iter().zip(quaternions) {
            let (axis, vector) = (axis.scaled(factor), Vectors { x, y, z });
            rest = axis.scaled_from(w, rest).plus(axis.cross(vector));
            real = real.plus(vector.dot(axis));
        }
        [rest.x, rest.y, rest.z, real]
    }

    /// Multiplies the unnormalized [`crate::skinning::normal_matrix`] by a normal: its columns `b × c`, `c × a`,
    /// `a × b` times x, y, z give `(x b - y a) × c + z (a × b)`.
    #[inline(always)]
    pub(super) fn transform_normal<const L: usize>(&self, normal: Vectors<F>) -> Vectors<F>
    where
        F: SimdLanes<L>,
    {
        let [a, b, c] = self.axes;
        let last = a.cross(b);
        let across = a.scaled_from(normal.y, b.scaled(normal.x)).cross(c);
        let determinant = last.dot(c);
        let Vectors { x, y, z } = last.scaled_onto(normal.z, across);
        Vectors { x: x.negated_by(determinant), y: y.negated_by(determinant), z: z.negated_by(determinant) }
    }
}

pub(super) struct DualQuats<F> {
    real: Vectors<F>,
    real_w: F,
    dual: Vectors<F>,
    dual_w: F,
}

impl<F> DualQuats<F> {
    #[inline(always)]
    pub(super) fn normalized<const L: usize>(real: [F; 4], dual: [F; 4]) -> Self
    where
        F: SimdLanes<L>,
    {
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
    pub(super) fn rotate<const L: usize>(&self, vector: Vectors<F>) -> Vectors<F>
    where
        F: SimdLanes<L>,
    {
        let once = self.real.cross(vector).doubled();
        once.scaled_onto(self.real_w, vector).plus(self.real.cross(once))
    }

    #[inline(always)]
    pub(super) fn transform_point<const L: usize>(&self, point: Vectors<F>) -> Vectors<F>
    where
        F: SimdLanes<L>,
    {
        let half = self.dual.scaled_onto(self.real_w, self.real.cross(self.dual));
        self.real.scaled_from(self.dual_w, half).doubled().plus(self.rotate(point))
    }
}
