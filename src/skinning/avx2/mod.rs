//! The kernels with the instructions AVX2 and FMA, eight vertices at a time, where the processor has them.
//!
//! Each of eight vertices blends what its joints have, 8 floats in one register; then the eight are transposed, so that a register
//! holds one number of all eight, and the rest is done for them together. Results differ from the portable kernels' by rounding only.
//!
//! All `unsafe` of the crate's kernels is here, and what it relies on are two types: an [`Avx2`] is there only where the instructions are, and
//! [`JointSlots`] have only joints of their palette, so that none is checked again.
#![expect(unsafe_code, reason = "instructions chosen at run time, and indices that were checked once for all vertices")]

mod dual_quaternion;
mod lanes;
mod linear_blend;
#[cfg(test)]
mod tests;

use super::chunk::Chunk;
use super::joint_slots::JointSlots;
use super::{JointTransform, Stretch};
use glam::Vec3;
use lanes::LANES;

/// A processor that has AVX2 and FMA: only finding them makes one.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

#[expect(clippy::unused_self, reason = "that there is one is what the kernels need")]
impl Avx2 {
    /// `None` where this processor has not both.
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    /// Skins as many leading vertices of the chunk as make whole groups of eight, by LBS; returns how many.
    pub fn linear_blend(self, chunk: &mut Chunk<'_>) -> usize {
        // SAFETY: the instructions are there, or there were no `self`.
        unsafe {
            match chunk.per_vertex {
                1 => linear_blend::skin::<1>(chunk),
                2 => linear_blend::skin::<2>(chunk),
                3 => linear_blend::skin::<3>(chunk),
                4 => linear_blend::skin::<4>(chunk),
                8 => linear_blend::skin::<8>(chunk),
                _ => linear_blend::skin::<0>(chunk),
            }
        }
        whole(chunk)
    }

    /// Skins as many leading vertices of the chunk as make whole groups of eight, by DQS with signs checked; returns how many.
    pub fn dual_quaternion(self, stretch: Stretch, chunk: &mut Chunk<'_>) -> usize {
        // SAFETY: as above.
        unsafe {
            match chunk.per_vertex {
                1 => dual_quaternion::skin::<1>(stretch, chunk),
                2 => dual_quaternion::skin::<2>(stretch, chunk),
                3 => dual_quaternion::skin::<3>(stretch, chunk),
                4 => dual_quaternion::skin::<4>(stretch, chunk),
                8 => dual_quaternion::skin::<8>(stretch, chunk),
                _ => dual_quaternion::skin::<0>(stretch, chunk),
            }
        }
        whole(chunk)
    }
}

fn whole(chunk: &Chunk<'_>) -> usize {
    chunk.positions.len() / LANES * LANES
}

/// The joints and weights of eight vertices, `N` slots each; 0: any number, `per_vertex`.
#[derive(Clone, Copy)]
struct Slots<'a, const N: usize> {
    joints: JointSlots<'a>,
    weights: &'a [f32],
    per_vertex: usize,
}

impl<'a, const N: usize> Slots<'a, N> {
    #[inline]
    fn count(self) -> usize {
        if N == 0 { self.per_vertex } else { N }
    }

    #[inline]
    fn joint(self, lane: usize, slot: usize) -> &'a JointTransform {
        let number = usize::from(self.joints.numbers()[lane * self.count() + slot]);
        // SAFETY: the palette has every joint of its `JointSlots`.
        unsafe { self.joints.palette().get_unchecked(number) }
    }

    #[inline]
    fn weight(self, lane: usize, slot: usize) -> f32 {
        self.weights[lane * self.count() + slot]
    }
}

/// Eight vertices of a chunk, and where the skinned ones go.
struct Group<'a, const N: usize> {
    slots: Slots<'a, N>,
    positions: &'a [Vec3; LANES],
    skinned_positions: &'a mut [Vec3; LANES],
    normals: Option<(&'a [Vec3; LANES], &'a mut [Vec3; LANES])>,
}

/// The whole groups of eight.
#[inline]
fn groups<'a, const N: usize>(chunk: &'a mut Chunk<'_>) -> impl Iterator<Item = Group<'a, N>> {
    let per_vertex = if N == 0 { chunk.per_vertex } else { N };
    let joints = chunk.joints.chunks_exact(LANES * per_vertex);
    let weights = chunk.weights.chunks_exact(LANES * per_vertex);
    let (positions, _) = chunk.positions.as_chunks();
    let (skinned_positions, _) = chunk.skinned_positions.as_chunks_mut();
    let (normals, _) = chunk.normals.as_chunks();
    let mut normals = normals.iter().zip(chunk.skinned_normals.as_chunks_mut().0);
    joints.zip(weights).zip(positions).zip(skinned_positions).map(
        move |(((joints, weights), positions), skinned_positions)| Group {
            slots: Slots { joints, weights, per_vertex },
            positions,
            skinned_positions,
            normals: normals.next(),
        },
    )
}
