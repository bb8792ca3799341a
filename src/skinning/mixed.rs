//! Linear and dual quaternion skinning mixed, as Maya's "weight blended" does: with one share for all vertices, or by each joint's own.
//!
//! `(1-t)` times the position by the one and `t` times that by the other, per vertex; normals likewise, normalised. Two normals that point in
//! opposite directions have no mean half-way: the normal is then zero. Being a mean of two positions the result keeps what both keep: moving
//! everything rigidly before or after, and what one joint alone does. It does *not* keep the rigidity of DQS.

use glam::Vec3;

use super::chunk::Chunk;
use super::recipe::Phases;
use super::{Palette, dqs, lbs};

/// Skins a chunk both ways; `dqs_share` of a vertex's joints and weights is its `t`, 0 to 1.
pub(super) fn skin(palette: &Palette, phases: Phases, dqs_share: impl Fn(&[u16], &[f32]) -> f32, mut chunk: Chunk<'_>) {
    lbs::skin(palette, chunk.rest(0));
    let mut positions = vec![Vec3::ZERO; chunk.positions.len()];
    let mut normals = vec![Vec3::ZERO; chunk.normals.len()];
    let dual = Chunk { skinned_positions: &mut positions, skinned_normals: &mut normals, ..chunk };
    dqs::skin(palette, phases, dual);
    let slots = chunk.joints.chunks_exact(chunk.per_vertex).zip(chunk.weights.chunks_exact(chunk.per_vertex));
    for (vertex, (joints, weights)) in slots.enumerate() {
        let share = dqs_share(joints, weights);
        let mixed = |linear: Vec3, dual: Vec3| linear * (1.0 - share) + dual * share;
        let position = &mut chunk.skinned_positions[vertex];
        *position = mixed(*position, positions[vertex]);
        if let Some(normal) = chunk.skinned_normals.get_mut(vertex) {
            *normal = mixed(*normal, normals[vertex]).normalize_or_zero();
        }
    }
}

/// Skins a chunk by joints that have a share of DQS each: a vertex takes the mean of its joints' by weight.
pub(super) fn skin_by_joint(palette: &Palette, phases: Phases, dqs_shares: &[f32], chunk: Chunk<'_>) {
    skin(palette, phases, |joints, weights| vertex_share(dqs_shares, joints, weights), chunk);
}

/// `sum_j w_j t_j`.
pub(super) fn vertex_share(dqs_shares: &[f32], joints: &[u16], weights: &[f32]) -> f32 {
    let shares = joints.iter().map(|&joint| dqs_shares.get(usize::from(joint)).copied().unwrap_or_default());
    shares.zip(weights).map(|(share, weight)| share * weight).sum()
}
