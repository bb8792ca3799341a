//! The kernels with instructions that not every processor has, eight or sixteen vertices at a time.
//!
//! Each vertex sums up what its joints have, the sixteen floats of a cache line at a time; then all of them are transposed, so that a register
//! holds one number of every vertex, and the rest is done for them together. Results differ from the portable kernels' by rounding only.
//!
//! The kernels are written once, over [`lanes::Lanes`]. All `unsafe` of the crate's kernels is in this folder, and what it relies on are two types: a
//! set of instructions, such as [`Avx2`], is there only where the processor has them, and [`JointSlots`] have only joints of their palette, so
//! that none is checked again.
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
use super::{JointTransform, Stretch};
use avx2::Avx2;
use avx512::Avx512;
use glam::Vec3;

/// Skins a chunk by LBS; returns how many of its leading vertices: all, or none where they are too few or the processor has not the instructions.
pub(super) fn linear_blend(chunk: &mut Chunk<'_>) -> usize {
    match (Avx512::detect(), Avx2::detect()) {
        (Some(set), _) => set.linear_blend(chunk),
        (None, Some(set)) => set.linear_blend(chunk),
        (None, None) => 0,
    }
}

/// Skins a chunk by DQS with signs checked; returns how many of its leading vertices, as [`linear_blend()`].
pub(super) fn dual_quaternion(stretch: Stretch, chunk: &mut Chunk<'_>) -> usize {
    match (Avx512::detect(), Avx2::detect()) {
        (Some(set), _) => set.dual_quaternion(stretch, chunk),
        (None, Some(set)) => set.dual_quaternion(stretch, chunk),
        (None, None) => 0,
    }
}

/// Calls a kernel made for a chunk's number of influences, of the common ones, or else for any number; gives how many vertices are done: all, or
/// none where they are fewer than `lanes`.
macro_rules! by_influences {
    ($kernel:ident, $lanes:ident, $set:expr, $chunk:expr $(, $more:expr)*) => {{
        let kernel = match $chunk.per_vertex {
            1 => $kernel::<1>,
            2 => $kernel::<2>,
            3 => $kernel::<3>,
            4 => $kernel::<4>,
            8 => $kernel::<8>,
            ..=super::MOST_SLOTS => $kernel::<0>,
            _ => return 0,
        };
        let count = $chunk.positions.len();
        let Some(last) = count.checked_sub($lanes) else { return 0 };
        // SAFETY: that there is a set tells that the processor has its instructions.
        unsafe { kernel($set, $chunk $(, $more)*) };
        if !count.is_multiple_of($lanes) {
            // The last of them once more, with those that are left over.
            // SAFETY: as above.
            unsafe { kernel($set, &mut $chunk.rest(last) $(, $more)*) };
        }
        count
    }};
}
use by_influences;

/// Most influences of a vertex that these kernels take; beyond, the portable ones do the work.
const MOST_SLOTS: usize = 8;

/// The joints and weights of `L` vertices, `N` slots each; 0: any number, `per_vertex`.
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

/// `L` vertices of a chunk, and where the skinned ones go.
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
