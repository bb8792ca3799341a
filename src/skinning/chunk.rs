//! Cuts a surface into pieces for the processor's cores and picks the kernel that this processor can run.

use glam::Vec3;
use rayon::prelude::*;

use super::recipe::{Phases, Recipe};
use super::{Method, Palette, Surface, bulge, cor, dqs, lbs, mixed, sclerp};
use crate::rig::Influences;

/// Vertices of a piece: its 300 KB stay in a core's own cache, and handing it out costs a thousandth of the work.
const CHUNK: usize = 4096;

/// Below this the work is done before another core has woken up.
const PARALLEL_FROM: usize = 4 * CHUNK;

/// Some vertices of a surface, and where the skinned ones go.
pub(super) struct Chunk<'a> {
    /// Slots of each vertex.
    pub per_vertex: usize,
    /// `per_vertex` a vertex; all of them in the palette.
    pub joints: &'a [u16],
    /// One per joint.
    pub weights: &'a [f32],
    /// Skin space.
    pub positions: &'a [Vec3],
    /// One per position, or none.
    pub normals: &'a [Vec3],
    /// Skin space, one per position, or none.
    pub centers: &'a [Vec3],
    /// World space, one per position.
    pub skinned_positions: &'a mut [Vec3],
    /// World space, one per normal.
    pub skinned_normals: &'a mut [Vec3],
}

impl Chunk<'_> {
    /// Everything from a vertex on.
    pub fn rest(&mut self, first: usize) -> Chunk<'_> {
        let slot = first * self.per_vertex;
        let first_normal = first.min(self.normals.len());
        Chunk {
            per_vertex: self.per_vertex,
            joints: &self.joints[slot..],
            weights: &self.weights[slot..],
            positions: &self.positions[first..],
            normals: &self.normals[first_normal..],
            centers: self.centers.get(first..).unwrap_or_default(),
            skinned_positions: &mut self.skinned_positions[first..],
            skinned_normals: &mut self.skinned_normals[first_normal..],
        }
    }

    /// Calls `skinned` with number, joints, weights, position and normal (zero where there is none) of each vertex.
    ///
    /// `per_vertex` is the chunk's own; a caller that passes a constant gets a loop unrolled for it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
    pub fn each(&mut self, per_vertex: usize, skinned: impl Fn(usize, &[u16], &[f32], Vec3, Vec3) -> (Vec3, Vec3)) {
        let slots = self.joints.chunks_exact(per_vertex).zip(self.weights.chunks_exact(per_vertex));
        for (vertex, ((joints, weights), position)) in slots.zip(self.positions).enumerate() {
            let normal = self.normals.get(vertex).copied().unwrap_or_default();
            let (skinned_position, skinned_normal) = skinned(vertex, joints, weights, *position, normal);
            self.skinned_positions[vertex] = skinned_position;
            if let Some(place) = self.skinned_normals.get_mut(vertex) {
                *place = skinned_normal;
            }
        }
    }
}

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
    assert!(influences.joint_count() <= palette.joints.len(), "the palette has every joint of the influences");
    assert_eq!(influences.len(), surface.positions.len(), "every vertex has influences");
    let kernel = kernel(recipe, palette);
    let per_vertex = influences.per_vertex();
    let source_normals = surface.normals.unwrap_or_default();
    let mut normal_chunks = normals.chunks_mut(CHUNK);
    let chunks = positions.chunks_mut(CHUNK).enumerate().map(|(number, skinned_positions)| {
        let vertices = number * CHUNK..number * CHUNK + skinned_positions.len();
        let slots = vertices.start * per_vertex..vertices.end * per_vertex;
        Chunk {
            per_vertex,
            joints: &influences.joints()[slots.clone()],
            weights: &influences.weights()[slots],
            positions: &surface.positions[vertices.clone()],
            normals: source_normals.get(vertices.clone()).unwrap_or_default(),
            centers: recipe.centers.get(vertices).unwrap_or_default(),
            skinned_positions,
            skinned_normals: normal_chunks.next().unwrap_or_default(),
        }
    });
    if surface.positions.len() < PARALLEL_FROM {
        chunks.for_each(|chunk| kernel(palette, chunk));
    } else {
        chunks.collect::<Vec<_>>().into_par_iter().for_each(|chunk| kernel(palette, chunk));
    }
}

type Kernel<'a> = Box<dyn Fn(&Palette, Chunk<'_>) + Sync + 'a>;

fn kernel<'a>(recipe: Recipe<'a>, palette: &Palette) -> Kernel<'a> {
    let phases = Phases::new(&recipe, palette);
    if !recipe.dqs_shares.is_empty() {
        return Box::new(move |palette, chunk| mixed::skin_by_joint(palette, phases, recipe.dqs_shares, chunk));
    }
    match recipe.method {
        Method::Lbs => Box::new(lbs::skin),
        Method::Dqs => Box::new(move |palette, chunk| dqs::skin(palette, phases, chunk)),
        Method::Blend(_) => {
            let dqs_share = recipe.method.dqs_share();
            Box::new(move |palette, chunk| mixed::skin(palette, phases, |_, _| dqs_share, chunk))
        }
        Method::Cor => Box::new(move |palette, chunk| cor::skin(palette, phases, chunk)),
        Method::DqsBulge => Box::new(move |palette, chunk| bulge::skin(palette, phases, chunk)),
        Method::Sclerp => Box::new(move |palette, chunk| sclerp::skin(palette, phases, chunk)),
    }
}
