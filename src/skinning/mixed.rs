//! Linear and dual quaternion skinning mixed, as Maya's "weight blended" does with one weight for all vertices.
//!
//! `(1-t)` times the position by the one and `t` times that by the other, per vertex; normals likewise, normalised. Two normals that point in
//! opposite directions have no mean half-way: the normal is then zero. Being a mean of two positions the result keeps what both keep: moving
//! everything rigidly before or after, and what one joint alone does. It does *not* keep the rigidity of DQS.

use glam::Vec3;

use super::chunk::Chunk;
use super::{Palette, dqs, lbs};

/// Skins a chunk both ways; `dqs_share` is `t`, 0 to 1.
pub(super) fn skin(palette: &Palette, is_rigid: bool, dqs_share: f32, mut chunk: Chunk<'_>) {
    lbs::skin(palette, chunk.rest(0));
    let mut positions = vec![Vec3::ZERO; chunk.positions.len()];
    let mut normals = vec![Vec3::ZERO; chunk.normals.len()];
    let dual = Chunk { skinned_positions: &mut positions, skinned_normals: &mut normals, ..chunk };
    dqs::skin(palette, is_rigid, dual);
    for (position, other) in chunk.skinned_positions.iter_mut().zip(positions) {
        *position = *position * (1.0 - dqs_share) + other * dqs_share;
    }
    for (normal, other) in chunk.skinned_normals.iter_mut().zip(normals) {
        *normal = (*normal * (1.0 - dqs_share) + other * dqs_share).normalize_or_zero();
    }
}
