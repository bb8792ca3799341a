//! Cuts a surface into pieces for the processor's cores and hands them to the method's kernel.

use glam::Vec3;
use rayon::prelude::*;

use super::chunk::Chunk;
use super::joint_slots::JointSlots;
use super::recipe::Recipe;
use super::{Palette, Surface};
use crate::rig::Influences;

/// Vertices of a piece: its 300 KB stay in a core's own cache, and handing it out costs a thousandth of the work.
const CHUNK: usize = 4096;

/// Below this the work is done before another core has woken up.
const PARALLEL_FROM: usize = 4 * CHUNK;

/// Skins positions and normals; where the surface is large, on all threads of the current `rayon` pool.
///
/// *Shapes*: `positions` and `normals` are as long as those of `surface`.
///
/// # Panics
/// Where the palette lacks a joint of the influences, or the influences are not one per position.
pub(super) fn skin_surface(
    recipe: Recipe<'_>,
    palette: &Palette,
    influences: &Influences,
    surface: Surface<'_>,
    (positions, normals): (&mut [Vec3], &mut [Vec3]),
) {
    let joints = JointSlots::new(palette, influences);
    assert_eq!(influences.len(), surface.positions.len(), "every vertex has influences");
    let (kernel, phases, dqs_share) = (recipe.spec().kernel, recipe.phases(palette), recipe.dqs_share());
    let skin = |chunk| kernel(palette, phases, dqs_share, chunk);
    let per_vertex = influences.per_vertex();
    let source_normals = surface.normals.unwrap_or_default();
    let mut normal_chunks = normals.chunks_mut(CHUNK);
    let chunks = positions.chunks_mut(CHUNK).enumerate().map(|(number, skinned_positions)| {
        let vertices = number * CHUNK..number * CHUNK + skinned_positions.len();
        let slots = vertices.start * per_vertex..vertices.end * per_vertex;
        Chunk {
            per_vertex,
            joints: joints.of(slots.clone()),
            weights: &influences.weights()[slots],
            positions: &surface.positions[vertices.clone()],
            normals: source_normals.get(vertices.clone()).unwrap_or_default(),
            centers: recipe.centers.get(vertices.clone()).unwrap_or_default(),
            dq_weights: recipe.dq_weights.get(vertices).unwrap_or_default(),
            skinned_positions,
            skinned_normals: normal_chunks.next().unwrap_or_default(),
        }
    });
    if surface.positions.len() < PARALLEL_FROM {
        chunks.for_each(skin);
    } else {
        chunks.collect::<Vec<_>>().into_par_iter().for_each(skin);
    }
}
