//! Tangents: directions of increasing texture u along the surface. They transform like the surface, not like normals.

use glam::{Mat3, Vec4};
use rayon::prelude::*;

use super::recipe::SkinningRecipe;
use super::{Palette, lbs};
use crate::rig::Influences;

/// Skins tangents to world space, `t' = normalize(M t)`; the handedness in w flips if `M` mirrors. For methods that
/// blend rigid motions, `M` is rotation times stretch. Blends of LBS and DQS use the mean direction and the handedness
/// of the method with the larger weight.
pub(super) fn skin_tangents(
    recipe: SkinningRecipe<'_>,
    palette: &Palette,
    influences: &Influences,
    tangents: &[Vec4],
    skinned: &mut [Vec4],
) {
    let per_vertex = influences.per_vertex();
    let (directions, summing, dq_blend_weight) =
        (recipe.spec().directions, recipe.summing(palette), recipe.dq_blend_weight());
    skinned.par_iter_mut().with_min_len(4096).zip(tangents).enumerate().for_each(|(vertex, (skinned, &tangent))| {
        let slots = vertex * per_vertex..(vertex + 1) * per_vertex;
        let (joints, weights) = (&influences.joints()[slots.clone()], &influences.weights()[slots]);
        let linear = || turned((lbs::SPEC.directions)(palette, summing, joints, weights), tangent);
        let rigid = || turned(directions(palette, summing, joints, weights), tangent);
        *skinned = match dq_blend_weight.vertex(recipe.dq_weights.get(vertex).copied(), joints, weights) {
            0.0 => linear(),
            1.0 => rigid(),
            share => mixed_tangent(linear(), rigid(), share),
        };
    });
}

/// Transforms one tangent; its direction is zero if the matrix collapses it.
pub(super) fn turned(matrix: Mat3, tangent: Vec4) -> Vec4 {
    let side = if matrix.determinant() < 0.0 { -tangent.w } else { tangent.w };
    (matrix * tangent.truncate()).normalize_or_zero().extend(side)
}

fn mixed_tangent(linear: Vec4, rigid: Vec4, share: f32) -> Vec4 {
    let direction = linear.truncate() * (1.0 - share) + rigid.truncate() * share;
    direction.normalize_or_zero().extend(if share < 0.5 { linear.w } else { rigid.w })
}
