//! Linear and dual quaternion skinning mixed, as Maya's "weight blended" does with one weight for all vertices.

use glam::Vec3;

use super::{Palette, dual_quaternion_skinning, linear_blend_skinning};
use crate::rig::Influences;

/// `(1-t)` times the result of linear blend skinning and `t` times that of dual quaternion skinning, per vertex; normals normalised.
///
/// *Shapes*: as for [`linear_blend_skinning`]. *Spaces*: skin to world. `dqs_share` is `t`, 0 to 1; at the ends the result is that
/// of the one method alone. Two normals that point in opposite directions have no mean half-way: the normal is then zero.
///
/// Being a mean of two positions it keeps what both keep: moving everything rigidly before or after, and what one joint alone
/// does. It does *not* keep the rigidity of DQS.
pub fn mixed_skinning(
    palette: &Palette,
    influences: &Influences,
    positions: &[Vec3],
    normals: &[Vec3],
    dqs_share: f32,
) -> (Vec<Vec3>, Vec<Vec3>) {
    let (mut mixed, mut mixed_normals) = linear_blend_skinning(palette, influences, positions, normals);
    let (other, other_normals) = dual_quaternion_skinning(palette, influences, positions, normals);
    for (position, other) in mixed.iter_mut().zip(other) {
        *position = *position * (1.0 - dqs_share) + other * dqs_share;
    }
    for (normal, other) in mixed_normals.iter_mut().zip(other_normals) {
        *normal = (*normal * (1.0 - dqs_share) + other * dqs_share).normalize_or_zero();
    }
    (mixed, mixed_normals)
}
