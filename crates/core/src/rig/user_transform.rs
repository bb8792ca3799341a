//! Computes `Ul_j`, the user transform of a joint, from world matrices and from increments.
//!
//! All functions solve `W_j = W_p * A_j * Ul_j` for `Ul_j`, given `W_p * A_j` ([`super::Posed::world_before_user`]):
//!
//! | input | `Ul'_j` | function |
//! | --- | --- | --- |
//! | target world matrix `W_j` | `inverse(W_p A_j) * W_j` | [`user_local_for_world`] |
//! | increment `Incr` in the frame `W_p A_j` | `Incr * Ul_j` | [`increment_in_joint`] |
//! | increment `U` in the world | `inverse(W_p A_j) * U * W_j` | [`increment_in_world`] |
//! | rotation `R` in the world about the joint's origin | rotation `F^-1 * R * F * Ul_j.rotation` | [`rotate_in_world`] |
//!
//! # Loss of shear
//! A [`Trs`] has no shear, so edits cannot accumulate shear. If an expression in the table has shear, it is stored
//! inexactly: the translation is exact, the rotation is the nearest one, and the scale is the diagonal of the symmetric
//! factor. This happens only under a parent or rest transform with *non-uniform* scale. [`shear`] measures the loss.
//!
//! # Precision
//! Products use double precision; results are rounded to 1 in 2^24. A thousand successive edits deviate by at most 6e-5
//! from a single combined edit. *Source*: `docs/mathematics.md`, Setting a pose.

use glam::{Affine3, DAffine3, DMat3, DVec3, Quat};

use super::Trs;
use super::polar::{polar, polar_f64};

/// Relative tolerance for uniform scales. It allows for parent transforms rounded to single precision.
const EVEN: f64 = 2e-6;

/// Computes `Ul_j = inverse(W_p * A_j) * W_j` from `world_before_user` (`W_p * A_j`) and `wanted` (`W_j`); loses
/// [`shear`]. `None` if `W_p * A_j` is singular (an ancestor has scale 0) or a number is not finite.
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

/// Computes `Ul'_j = Incr * Ul_j`: an increment in the frame `W_p * A_j`. The axes of an incremental rotation are those
/// of that frame; the rotation also rotates the user's translation. An increment with non-uniform scale may lose shear.
/// ```
/// use glam::{Quat, Vec3};
/// use rigscope_core::rig::{Trs, increment_in_joint};
///
/// let moved = Trs { translation: Vec3::X, ..Trs::IDENTITY };
/// let turned = increment_in_joint(&moved, &Trs::from_rotation(Quat::from_rotation_z(90_f32.to_radians())));
/// assert!(turned.translation.abs_diff_eq(Vec3::Y, 1e-6));
/// ```
pub fn increment_in_joint(user_local: &Trs, increment: &Trs) -> Trs {
    after(&increment.to_daffine(), user_local)
}

/// Computes `Ul'_j = inverse(W_p * A_j) * U * W_j`: applies `U` in the world, about the *world's* origin.
///
/// `None` if `W_p * A_j` is singular. A rigid `U` is exact under rotations, mirroring and uniform scale. Under
/// non-uniform scale, the result loses shear. For rotations, use [`rotate_in_world`].
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope_core::rig::{Trs, increment_in_world};
///
/// let parent = Affine3::from_rotation_translation(Quat::from_rotation_z(1.2), Vec3::X * 5.0);
/// let up = Trs { translation: Vec3::Y, ..Trs::IDENTITY };
/// let user = increment_in_world(&Trs::IDENTITY, &parent, &up).expect("the parent has an inverse");
/// let world = parent * user.to_affine();
/// assert!(world.translation.abs_diff_eq(parent.translation + Vec3::Y, 1e-6), "up in the world, whatever the parent");
/// ```
pub fn increment_in_world(user_local: &Trs, world_before_user: &Affine3, increment: &Trs) -> Option<Trs> {
    let frame = world_before_user.as_daffine3();
    finite(after(&(inverse(world_before_user)? * increment.to_daffine() * frame), user_local))
}

/// Rotates a joint by `R` in the world about its own origin, as a rotation gizmo does.
///
/// `Ul'.rotation = F^-1 * R * F * Ul.rotation`. `Ul` and `Ul'` are the joint's user transforms before and after; `F` is the rotational
/// factor of `world_before_user` (`W_p * A_j`) in its polar decomposition ([`super::polar()`]). Translation and scale don't change, so no shear
/// arises. Under uniform scale and mirroring the result is exact; under non-uniform scale the axis is approximate. To avoid
/// accumulating errors during a drag, pass the transform at the start of the drag and the total rotation.
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

/// Measures the shear in `inverse(W_p * A_j) * W_j`, which a [`Trs`] loses: the largest off-diagonal entry of the
/// symmetric factor relative to its largest entry. 0 if [`user_local_for_world`] is exact; 1 if `W_p * A_j` is
/// singular.
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope_core::rig::shear;
///
/// let uneven = Affine3::from_scale(Vec3::new(1.0, 3.0, 1.0));
/// let across = Affine3::from_quat(Quat::from_rotation_z(0.5));
/// let along = Affine3::from_quat(Quat::from_rotation_y(0.5));
/// assert!(shear(&uneven, &across) > 0.2);
/// assert!(shear(&uneven, &(uneven * along)) < 1e-6);
/// ```
pub fn shear(world_before_user: &Affine3, wanted: &Affine3) -> f32 {
    let Some(inverse) = inverse(world_before_user) else { return 1.0 };
    let stretch = polar_f64((inverse * wanted.as_daffine3()).matrix3).1;
    let largest = stretch.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let off = stretch.x_axis.y.abs().max(stretch.x_axis.z.abs()).max(stretch.y_axis.z.abs());
    if largest > 0.0 { (off / largest) as f32 } else { 0.0 }
}

fn inverse(matrix: &Affine3) -> Option<DAffine3> {
    Some(matrix.as_daffine3().inverse()).filter(DAffine3::is_finite)
}

fn finite(trs: Trs) -> Option<Trs> {
    let is_finite = trs.translation.is_finite() && trs.rotation.is_finite() && trs.scale.is_finite();
    is_finite.then_some(trs)
}

/// Computes `increment * user_local`. An increment of uniform scale is applied to translation, rotation and scale
/// separately, which preserves the signs of the user's scale.
fn after(increment: &DAffine3, user_local: &Trs) -> Trs {
    let (rotation, stretch) = polar_f64(increment.matrix3);
    // The cube root of the determinant averages the rounding errors of the parent.
    let factor = stretch.determinant().cbrt();
    let uneven = stretch - DMat3::from_diagonal(DVec3::splat(factor));
    if uneven.to_cols_array().into_iter().any(|x| x.abs() > EVEN * factor.abs()) {
        return Trs::from_daffine(&(*increment * user_local.to_daffine()));
    }
    Trs {
        translation: increment.transform_point3(user_local.translation.as_dvec3()).as_vec3(),
        rotation: (rotation * user_local.rotation.as_dquat()).normalize().as_quat(),
        scale: (user_local.scale.as_dvec3() * factor).as_vec3(),
    }
}

#[cfg(test)]
mod tests;
