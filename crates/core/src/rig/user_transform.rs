//! Computes `Ul_j`, the user transform of a joint, from world matrices and from rotation increments.
//!
//! All functions solve `W_j = W_p * A_j * Ul_j` for `Ul_j`, given `W_p * A_j` ([`super::Posed::world_before_user`]):
//!
//! | input | `Ul'_j` | function |
//! | --- | --- | --- |
//! | target world matrix `W_j` | `inverse(W_p A_j) * W_j` | [`user_local_for_world`] |
//! | world rotation `R` about the joint's origin | rotation `F^-1 * R * F * Ul_j.rotation` | [`rotate_in_world`] |
//!
//! # Loss of shear
//! A [`Trs`] has no shear, so edits cannot accumulate it. A result with shear is approximated by its polar
//! decomposition: the rotation is the nearest one, and the scale is the diagonal of the symmetric factor. The
//! translation stays exact. This happens
//! only under a parent or rest transform with *non-uniform* scale.
//!
//! # Precision
//! Products use double precision; results are rounded to single precision, 1 in 2^24. A thousand successive edits
//! deviate by at most 6e-5 from a single combined edit. *Source*: `docs/mathematics.md`, Setting a pose.

use glam::{Affine3, DAffine3, Quat};

use super::Trs;
use super::polar::polar;

/// Computes `Ul_j = inverse(W_p * A_j) * W_j` from `world_before_user` (`W_p * A_j`) and `wanted` (`W_j`); shear is
/// lost. `None` if `W_p * A_j` is singular (an ancestor has scale 0) or a number is not finite.
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope_core::rig::user_local_for_world;
///
/// let parent = Affine3::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_y(0.7), Vec3::Y);
/// let wanted = Affine3::from_rotation_translation(Quat::from_rotation_x(1.0), Vec3::new(1.0, 2.0, 3.0));
/// let user = user_local_for_world(&parent, &wanted).expect("the parent has an inverse");
/// assert!((parent * user.to_affine()).abs_diff_eq(wanted, 1e-6));
/// assert!(user.scale.abs_diff_eq(Vec3::splat(0.5), 1e-6), "the parent's scale is undone");
/// ```
pub fn user_local_for_world(world_before_user: &Affine3, wanted: &Affine3) -> Option<Trs> {
    finite(Trs::from_daffine(&(inverse(world_before_user)? * wanted.as_daffine3())))
}

/// Rotates a joint about its own origin by the world-space rotation `R`, as a rotation gizmo does.
///
/// `Ul'.rotation = F^-1 * R * F * Ul.rotation`. `Ul` and `Ul'` are the joint's user transforms before and after; `F` is
/// the rotational factor of `world_before_user` (`W_p * A_j`) in its polar decomposition ([`super::polar()`]).
/// Translation and scale don't change, so no shear arises. Under uniform scale and mirroring the result is exact; under
/// non-uniform scale the axis is approximate. To avoid accumulating errors during a drag, pass the transform at the
/// start of the drag and the total rotation.
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope_core::rig::{Trs, rotate_in_world};
///
/// let parent = Affine3::from_rotation_translation(Quat::from_rotation_x(90_f32.to_radians()), Vec3::Y);
/// let user = rotate_in_world(&Trs::IDENTITY, &parent, Quat::from_rotation_y(0.5));
/// // The world's y axis is the parent's -z axis.
/// assert!(user.rotation.abs_diff_eq(Quat::from_rotation_z(-0.5), 1e-6));
/// ```
pub fn rotate_in_world(user_local: &Trs, world_before_user: &Affine3, world_rotation: Quat) -> Trs {
    let frame = polar(world_before_user.matrix3).0.as_dquat();
    let rotation = frame.conjugate() * world_rotation.as_dquat() * frame * user_local.rotation.as_dquat();
    Trs { rotation: rotation.normalize().as_quat(), ..*user_local }
}

fn inverse(matrix: &Affine3) -> Option<DAffine3> {
    Some(matrix.as_daffine3().inverse()).filter(DAffine3::is_finite)
}

fn finite(trs: Trs) -> Option<Trs> {
    let is_finite = trs.translation.is_finite() && trs.rotation.is_finite() && trs.scale.is_finite();
    is_finite.then_some(trs)
}

#[cfg(test)]
mod tests;
