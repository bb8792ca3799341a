//! The kernels with the instructions AVX2 and FMA, eight vertices at a time, where the processor has them.
//!
//! Each of eight vertices blends what its joints have, 8 floats in one register; then the eight are transposed, so that a register
//! holds one number of all eight, and the rest is done for them together. Results differ from the portable kernels' by rounding only.
//!
//! All `unsafe` of the crate's kernels is here, and of two kinds: calling a function that needs instructions which
//! [`is_available`] has found, and reading joints without a check for each, because [`super::dispatch::skin_surface`] has compared the largest.
#![expect(unsafe_code, reason = "instructions chosen at run time, and indices that were checked once for all vertices")]

mod dual_quaternion;
mod lanes;
mod linear_blend;
#[cfg(test)]
mod tests;

use super::chunk::Chunk;
use super::{Palette, Stretch};
use glam::Vec3;
use lanes::LANES;

fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Skins as many leading vertices of the chunk as make whole groups of eight, by LBS; returns how many.
pub(super) fn linear_blend(palette: &Palette, chunk: &mut Chunk<'_>) -> usize {
    if !is_available() {
        return 0;
    }
    // SAFETY: the instructions are there.
    unsafe {
        match chunk.per_vertex {
            1 => linear_blend::skin::<1>(palette, chunk),
            2 => linear_blend::skin::<2>(palette, chunk),
            3 => linear_blend::skin::<3>(palette, chunk),
            4 => linear_blend::skin::<4>(palette, chunk),
            8 => linear_blend::skin::<8>(palette, chunk),
            _ => linear_blend::skin::<0>(palette, chunk),
        }
    }
    whole(chunk)
}

/// Skins as many leading vertices of the chunk as make whole groups of eight, by DQS with signs checked; returns how many.
pub(super) fn dual_quaternion(palette: &Palette, stretch: Stretch, chunk: &mut Chunk<'_>) -> usize {
    if !is_available() {
        return 0;
    }
    // SAFETY: the instructions are there.
    unsafe {
        match chunk.per_vertex {
            1 => dual_quaternion::skin::<1>(palette, stretch, chunk),
            2 => dual_quaternion::skin::<2>(palette, stretch, chunk),
            3 => dual_quaternion::skin::<3>(palette, stretch, chunk),
            4 => dual_quaternion::skin::<4>(palette, stretch, chunk),
            8 => dual_quaternion::skin::<8>(palette, stretch, chunk),
            _ => dual_quaternion::skin::<0>(palette, stretch, chunk),
        }
    }
    whole(chunk)
}

fn whole(chunk: &Chunk<'_>) -> usize {
    chunk.positions.len() / LANES * LANES
}

/// The joints and weights of eight vertices, `N` slots each; 0: any number, `per_vertex`.
#[derive(Clone, Copy)]
struct Slots<'a, const N: usize> {
    joints: &'a [u16],
    weights: &'a [f32],
    per_vertex: usize,
}

impl<const N: usize> Slots<'_, N> {
    #[inline]
    fn count(self) -> usize {
        if N == 0 { self.per_vertex } else { N }
    }

    #[inline]
    fn joint(self, lane: usize, slot: usize) -> usize {
        usize::from(self.joints[lane * self.count() + slot])
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
