//! SIMD kernels, selected at run time, that skin eight vertices at a time.
//!
//! A kernel sums a cache line of joint data over each vertex's joints, then transposes the sums, so that a register
//! holds one float per vertex. Results differ from the portable kernels only by rounding.
//!
//! All `unsafe` kernel code is in this folder and relies on two types: [`Avx2`] exists only if the processor has its
//! instructions, and [`JointSlots`] contain only valid joints of their palette.
#![expect(unsafe_code, reason = "instructions chosen at run time, and indices that were checked once for all vertices")]
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a function that has the instructions hands registers over through memory"
)]

mod avx2;
mod dual_quaternion;
mod linear_blend;
#[cfg(test)]
mod tests;
mod vectors;

use super::chunk::VertexChunk;
use super::joint_slots::JointSlots;
use super::{JointTransform, Stretch, Vectorized};
use avx2::Avx2;
use glam::Vec3;

/// Skins a chunk by LBS. Returns the number of skinned vertices: all, or 0 if there are too few or the CPU lacks AVX2.
pub(super) fn linear_blend(chunk: &mut VertexChunk<'_>) -> usize {
    Avx2::detect().map_or(0, |set| set.linear_blend(chunk))
}

/// Skins a chunk by DQS with sign checks. Returns the number of skinned vertices, like [`linear_blend()`].
pub(super) fn dual_quaternion(stretch: Stretch, chunk: &mut VertexChunk<'_>) -> usize {
    Avx2::detect().map_or(0, |set| set.dual_quaternion(stretch, chunk))
}

/// Returns the name of the instruction set that kernels use on this machine; results with other sets differ by
/// rounding.
pub fn instructions() -> &'static str {
    if Avx2::detect().is_some() { "AVX2" } else { "portable" }
}

/// Runs work with AVX2 if available. Results are bit-identical with and without AVX2, because multiplications and
/// additions are not fused.
pub fn vectorized<W: Vectorized>(work: W) -> W::Output {
    match Avx2::detect() {
        Some(set) => set.vectorized(work),
        None => work.run(),
    }
}

/// Calls a kernel specialized for common influence counts; returns the number of skinned vertices: all, or 0 if there
/// are fewer than [`LANES`].
macro_rules! by_influences {
    ($kernel:ident, $set:expr, $chunk:expr $(, $more:expr)*) => {{
        let kernel = match $chunk.per_vertex {
            1 => $kernel::<1>,
            2 => $kernel::<2>,
            3 => $kernel::<3>,
            4 => $kernel::<4>,
            8 => $kernel::<8>,
            ..=super::MAX_SLOTS => $kernel::<0>,
            _ => return 0,
        };
        let count = $chunk.positions.len();
        let Some(last) = count.checked_sub(super::LANES) else { return 0 };
        // SAFETY: a set exists only if the processor has its instructions.
        unsafe { kernel($set, $chunk $(, $more)*) };
        if !count.is_multiple_of(super::LANES) {
            // Skins the last [`LANES`] vertices, which include the remaining vertices. SAFETY: as above.
            unsafe { kernel($set, &mut $chunk.rest(last) $(, $more)*) };
        }
        count
    }};
}
use by_influences;

/// Number of vertices that a kernel skins at a time.
const LANES: usize = 8;

const MAX_SLOTS: usize = 8;

/// Joints and weights of a group of vertices with `N` slots each, or `per_vertex` slots if `N` is 0.
#[derive(Clone, Copy)]
struct Slots<'a, const N: usize> {
    joints: JointSlots<'a>,
    weights: &'a [f32],
    per_vertex: usize,
}

impl<'a, const N: usize> Slots<'a, N> {
    #[inline(always)]
    fn count(self) -> usize {
        if N == 0 { self.per_vertex } else { N }
    }

    #[inline(always)]
    fn joint(self, lane: usize, slot: usize) -> &'a JointTransform {
        let number = usize::from(self.joints.numbers()[lane * self.count() + slot]);
        // SAFETY: the palette has every joint of its `JointSlots`.
        unsafe { self.joints.palette().get_unchecked(number) }
    }

    #[inline(always)]
    fn weight(self, lane: usize, slot: usize) -> f32 {
        self.weights[lane * self.count() + slot]
    }
}

struct Group<'a, const N: usize> {
    slots: Slots<'a, N>,
    positions: &'a [Vec3; LANES],
    skinned_positions: &'a mut [Vec3; LANES],
    normals: Option<(&'a [Vec3; LANES], &'a mut [Vec3; LANES])>,
}

#[inline(always)]
fn groups<'a, const N: usize>(chunk: &'a mut VertexChunk<'_>) -> impl Iterator<Item = Group<'a, N>> {
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
