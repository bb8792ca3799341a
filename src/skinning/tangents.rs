//! Tangents: the direction of a texture's u along the surface, which turns with the surface itself, not with its normal.

use glam::{Mat3, Vec4};
use rayon::prelude::*;

use super::recipe::{Phases, Recipe};
use super::{Method, Palette, dqs, lbs, mixed, sclerp};
use crate::rig::Influences;

/// Skins tangents from skin space to world space: `t' = normalize(M t)`.
///
/// *Shapes*: `tangents` and `skinned` hold one per vertex: x, y, z the direction, w the side on which the bitangent lies, ±1, which a mirroring
/// `M` swaps. For methods that blend rigid motions `M` is rotation times stretch. A mix takes the mean direction of both, and the side of the
/// nearer method.
pub(super) fn skin_tangents(
    recipe: Recipe<'_>,
    palette: &Palette,
    influences: &Influences,
    tangents: &[Vec4],
    skinned: &mut [Vec4],
) {
    let per_vertex = influences.per_vertex();
    let phases = Phases::new(&recipe, palette);
    skinned.par_iter_mut().with_min_len(4096).zip(tangents).enumerate().for_each(|(vertex, (skinned, &tangent))| {
        let slots = vertex * per_vertex..(vertex + 1) * per_vertex;
        let (joints, weights) = (&influences.joints()[slots.clone()], &influences.weights()[slots]);
        let linear = || turned(lbs::blended_matrix(palette, joints, weights).matrix3, tangent);
        let rigid = || turned(rotation_and_stretch(recipe.method, palette, phases, joints, weights), tangent);
        let share = match recipe.dqs_shares {
            [] => recipe.method.dqs_share(),
            shares => mixed::vertex_share(shares, joints, weights),
        };
        *skinned = match share {
            0.0 => linear(),
            1.0 => rigid(),
            share => mixed_tangent(linear(), rigid(), share),
        };
    });
}

/// What a method that blends rigid motions does to directions along the surface.
fn rotation_and_stretch(method: Method, palette: &Palette, phases: Phases, joints: &[u16], weights: &[f32]) -> Mat3 {
    let motion = match method {
        Method::Sclerp => sclerp::mean_motion(palette, joints, weights, phases),
        _ => dqs::blended_motion(palette, joints, weights, phases),
    };
    Mat3::from_quat(motion.rotation()) * dqs::blended_stretch(palette, joints, weights, phases.stretch).matrix3
}

/// One tangent by a matrix; zero where the matrix leaves nothing of it.
pub(super) fn turned(matrix: Mat3, tangent: Vec4) -> Vec4 {
    let side = if matrix.determinant() < 0.0 { -tangent.w } else { tangent.w };
    (matrix * tangent.truncate()).normalize_or_zero().extend(side)
}

fn mixed_tangent(linear: Vec4, rigid: Vec4, share: f32) -> Vec4 {
    let direction = linear.truncate() * (1.0 - share) + rigid.truncate() * share;
    direction.normalize_or_zero().extend(if share < 0.5 { linear.w } else { rigid.w })
}
