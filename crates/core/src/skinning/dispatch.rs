use glam::Vec3;

use super::chunk::VertexChunk;
use super::joint_slots::JointSlots;
use super::recipe::SkinningRecipe;
use super::{Palette, Surface};
use crate::rig::Influences;

/// Vertices per chunk. A chunk's data (300 KB) fits into a core's cache, and scheduling takes only 1/1000 of the time.
const CHUNK: usize = 4096;

/// Minimum number of vertices for multithreading; smaller surfaces finish before another core wakes up.
const PARALLEL_FROM: usize = 4 * CHUNK;

/// Skins positions and normals. Large surfaces are skinned in parallel on the current `rayon` pool. The output slices
/// must be as long as the arrays in `surface`.
///
/// # Panics
/// Panics if the influences reference a joint that is not in the palette, or if the numbers of influences and positions
/// differ.
pub(super) fn skin_surface(
    recipe: SkinningRecipe<'_>,
    palette: &Palette,
    influences: &Influences,
    surface: Surface<'_>,
    (positions, normals): (&mut [Vec3], &mut [Vec3]),
) {
    let joints = JointSlots::new(palette, influences);
    assert_eq!(influences.len(), surface.positions.len(), "every vertex has influences");
    let (kernel, summing, dq_blend_weight) = (recipe.spec().kernel, recipe.summing(palette), recipe.dq_blend_weight());
    let mut whole = VertexChunk {
        per_vertex: influences.per_vertex(),
        joints,
        weights: influences.weights(),
        positions: surface.positions,
        normals: surface.normals.unwrap_or_default(),
        centers: recipe.centers,
        dq_weights: recipe.dq_weights,
        skinned_positions: positions,
        skinned_normals: normals,
    };
    let max_vertices = if surface.positions.len() < PARALLEL_FROM { PARALLEL_FROM } else { CHUNK };
    in_pieces(&mut whole, max_vertices, &|chunk| kernel(palette, summing, dq_blend_weight, chunk));
}

fn in_pieces(chunk: &mut VertexChunk<'_>, max_vertices: usize, skin: &(impl Fn(VertexChunk<'_>) + Sync)) {
    let count = chunk.positions.len();
    if count <= max_vertices {
        return skin(chunk.rest(0));
    }
    let (mut first, mut second) = chunk.split_at((count / 2).next_multiple_of(CHUNK));
    rayon::join(|| in_pieces(&mut first, max_vertices, skin), || in_pieces(&mut second, max_vertices, skin));
}
