//! Vector operations that the kernels need from an instruction set.

use glam::Vec3;

use super::Slots;

/// A register with one number for each of `L` vertices.
pub(super) trait Lanes<const L: usize>: Copy {
    /// Proof that the processor has the instructions; no register can be made without it.
    type Set: Copy;

    /// A register with the same number for all vertices.
    fn splat(set: Self::Set, value: f32) -> Self;
    /// Loads one number for each vertex.
    fn load(set: Self::Set, values: &[f32; L]) -> Self;
    /// Stores the numbers of all vertices.
    fn store(self, values: &mut [f32; L]);
    /// Loads x, y and z of all vertices.
    fn load_vectors(set: Self::Set, vectors: &[Vec3; L]) -> [Self; 3];
    /// Stores x, y and z of all vertices.
    fn store_vectors(xyz: [Self; 3], vectors: &mut [Vec3; L]);
    /// `self + other`.
    fn plus(self, other: Self) -> Self;
    /// `self * factor`.
    fn times(self, factor: Self) -> Self;
    /// `self * factor + addend`.
    fn times_plus(self, factor: Self, addend: Self) -> Self;
    /// `self * factor - subtrahend`.
    fn times_minus(self, factor: Self, subtrahend: Self) -> Self;
    /// `addend - self * factor`.
    fn times_from(self, factor: Self, addend: Self) -> Self;
    /// `1 / sqrt(self)`: the processor's estimate refined by one Newton step to all but the last bits, in half the time of root and division.
    fn inverse_root(self) -> Self;
    /// The numbers, negated where `other < 0`.
    fn negated_by(self, other: Self) -> Self;
    /// The numbers, or 0 where `other` is not between 0 and infinity.
    fn kept_by(self, other: Self) -> Self;

    /// Sums, over the joints, of sixteen floats starting at float `field` of a joint, times the `weight` for vertex and slot.
    fn sums<const N: usize>(
        set: Self::Set,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 16];

    /// Sums, over the joints, of eight floats starting at float `field` of a joint, times the `weight` for vertex and slot.
    fn half_sums<const N: usize>(
        set: Self::Set,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [Self; 8];

    /// Sums of the joints' quaternions times the `weight` for vertex and slot, in three versions: multiplied by the first, second and third of the
    /// floats starting at `field`.
    fn moments<const N: usize>(
        set: Self::Set,
        slots: Slots<'_, N>,
        field: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) -> [[Self; 4]; 3];

    /// Dot products of the quaternions of the joints in a slot with those in the first slot.
    fn agreement<const N: usize>(set: Self::Set, slots: Slots<'_, N>, slot: usize) -> Self;
}
