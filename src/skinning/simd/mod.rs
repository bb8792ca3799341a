//! Kernels for instruction sets that not every processor has, eight or sixteen vertices at a time.
//!
//! For each vertex, the sixteen floats of a cache line are summed over its joints at once; then all vertices are transposed, so that a register holds
//! one number for each, and the rest is computed for all together. Results differ from the portable kernels' by rounding only.
//!
//! The kernels are written once, over [`lanes::Lanes`]. All `unsafe` of the crate's kernels is in this folder and relies on two types: an instruction
//! set such as [`Avx2`] exists only where the processor has it, and [`JointSlots`] contain only joints of their palette, so that none is checked
//! again.
#![expect(unsafe_code, reason = "instructions chosen at run time, and indices that were checked once for all vertices")]
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a function that has the instructions hands registers over through memory"
)]

mod avx2;
mod avx512;
mod dual_quaternion;
mod lanes;
mod linear_blend;
#[cfg(test)]
mod tests;
mod vectors;

use super::chunk::Chunk;
use super::joint_slots::JointSlots;
use super::{JointTransform, Stretch, Vectorized};
use avx2::Avx2;
use avx512::Avx512;
use glam::Vec3;

/// Skins a chunk by LBS. Returns the number of leading vertices done: all, or 0 where they are too few or the processor lacks the instructions.
pub(super) fn linear_blend(chunk: &mut Chunk<'_>) -> usize {
    match (Avx512::detect(), Avx2::detect()) {
        (Some(set), _) => set.linear_blend(chunk),
        (None, Some(set)) => set.linear_blend(chunk),
        (None, None) => 0,
    }
}

/// Skins a chunk by DQS with signs checked. Returns the number of leading vertices done, as [`linear_blend()`] does.
pub(super) fn dual_quaternion(stretch: Stretch, chunk: &mut Chunk<'_>) -> usize {
    match (Avx512::detect(), Avx2::detect()) {
        (Some(set), _) => set.dual_quaternion(stretch, chunk),
        (None, Some(set)) => set.dual_quaternion(stretch, chunk),
        (None, None) => 0,
    }
}

/// Name of the instructions that kernels use on this processor; results of other instructions differ by rounding.
pub fn instructions() -> &'static str {
    match (Avx512::detect(), Avx2::detect()) {
        (Some(_), _) => "AVX-512",
        (None, Some(_)) => "AVX2",
        (None, None) => "portable",
    }
}

/// Does work with AVX2 where the processor has it. The numbers are the same to the bit: no product is fused with a sum.
pub(crate) fn vectorized<W: Vectorized>(work: W) -> W::Output {
    match Avx2::detect() {
        Some(set) => set.vectorized(work),
        None => work.run(),
    }
}

/// Calls a kernel compiled for the chunk's number of influences if that is a common one, else for any number. Returns the number of vertices done:
/// all, or 0 where they are fewer than `lanes`.
macro_rules! by_influences {
    ($kernel:ident, $lanes:ident, $set:expr, $chunk:expr $(, $more:expr)*) => {{
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
        let Some(last) = count.checked_sub($lanes) else { return 0 };
        // SAFETY: a set exists only if the processor has its instructions.
        unsafe { kernel($set, $chunk $(, $more)*) };
        if !count.is_multiple_of($lanes) {
            // The last group again, together with the remaining vertices.
            // SAFETY: as above.
            unsafe { kernel($set, &mut $chunk.rest(last) $(, $more)*) };
        }
        count
    }};
}
use by_influences;

/// Most influences per vertex for these kernels; the portable ones handle more.
const MAX_SLOTS: usize = 8;

/// The joints and weights of `L` vertices, `N` slots each, or `per_vertex` slots where `N` is 0.
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

/// `L` vertices of a chunk, and where their skinned results go.
struct Group<'a, const L: usize, const N: usize> {
    slots: Slots<'a, N>,
    positions: &'a [Vec3; L],
    skinned_positions: &'a mut [Vec3; L],
    normals: Option<(&'a [Vec3; L], &'a mut [Vec3; L])>,
}

/// The chunk's whole groups of `L` vertices.
#[inline(always)]
fn groups<'a, const L: usize, const N: usize>(chunk: &'a mut Chunk<'_>) -> impl Iterator<Item = Group<'a, L, N>> {
    let per_vertex = if N == 0 { chunk.per_vertex } else { N };
    let joints = chunk.joints.chunks_exact(L * per_vertex);
    let weights = chunk.weights.chunks_exact(L * per_vertex);
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
