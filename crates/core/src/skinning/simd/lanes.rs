use glam::Vec3;

use super::Slots;

/// A register with one float for each of `L` vertices, and the operations that kernels need.
pub(super) trait SimdLanes<const L: usize>: Copy {
    type Set: Copy;

    fn splat(set: Self::Set, value: f32) -> Self;
    fn load(set: Self::Set, values: &[f32; L]) -> Self;
    fn store(self, values: &mut [f32; L]);
    fn load_vectors(set: Self::Set, vectors: &[Vec3; L]) -> [Self; 3];
    fn store_vectors(xyz: [Self; 3], vectors: &mut [Vec3; L]);
    fn plus(self, other: Self) -> Self;
    fn times(self, factor: Self) -> Self;
    fn times_plus(self, factor: Self, addend: Self) -> Self;
    fn times_minus(self, factor: Self, subtrahend: Self) -> Self;
    fn times_from(self, factor: Self, addend: Self) -> Self;
    /// Computes `1 / sqrt(self)` by a hardware estimate and one Newton step: accurate to the last bits, twice as fast.
    fn inverse_root(self) -> Self;
    /// Negates where `other < 0`.
    fn negated_by(self, other: Self) -> Self;
    /// Sets to 0 unless `0 < other < ∞`.
    fn kept_by(self, other: Self) -> Self;

    /// Computes weighted sums over joints of the sixteen floats at `field`. `weight` takes a lane and a slot.
    fn sums<const N: usize>(
        set: Self::Set,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 16];

    /// Computes weighted sums over joints of the eight floats at `field`.
    fn half_sums<const N: usize>(
        set: Self::Set,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 8];

    /// Computes weighted sums of the joints' quaternions, multiplied by the first, second and third float at `field`.
    fn moments<const N: usize>(
        set: Self::Set,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [[Self; 4]; 3];

    /// Computes dot products of the quaternions in a slot with those in the first slot.
    fn agreement<const N: usize>(set: Self::Set, slots: Slots<'_, N>, slot: usize) -> Self;
}
