//! Reading and setting `Ul_j`, the user's transform of one joint.
//!
//! `W_j = W_p * A_j * Ul_j`. Everything here takes `W_p * A_j`, the frame that `Ul_j` works in
//! ([`super::Posed::world_before_user`]), and solves that equation for `Ul_j`:
//!
//! | what the user says | `Ul'_j` | function |
//! | --- | --- | --- |
//! | the joint shall stand there, `W_j` | `inverse(W_p A_j) * W_j` | [`user_local_for_world`] |
//! | move it by `Incr`, in the joint's frame before the user's transform | `Incr * Ul_j` | [`incremented_in_joint`] |
//! | move it by `U`, in the world | `inverse(W_p A_j) * U * W_j` | [`incremented_in_world`] |
//! | turn it by `R` about its own origin, in the world | rotation `F^-1 * R * F * Ul_j.rotation` | [`turned_in_world`] |
//!
//! # What is lost
//! `Ul_j` is stored as translation, rotation and scale ([`Trs`]), never as a matrix, so that edits cannot add up to shear. The price: a
//! right-hand side that has shear cannot be stored. Then the rotation is the nearest one, the scale the diagonal of the symmetric
//! rest, the translation is exact, and the shear is dropped: the joint stands where it should, turned as near as can be, but
//! its axes are at right angles again. [`shear`] tells how much that is, 0 where nothing is lost. It happens
//! under a parent (or a rest transform) with *uneven* scale, whose axes the wanted rotation does not keep; under rotations, translations,
//! mirrors and even scale it does not.
//!
//! # Precision
//! All products are made in double precision from unit quaternions, and only the result is rounded: to a part in 2^24, so that a thousand
//! edits one upon the other move a joint within 6e-5 of the same edit made at once even where all of them round the same way.
//! *Source*: MATH.md, reading and setting the user transform.

use glam::{Affine3, DAffine3, DMat3, DVec3, Quat};

use super::Trs;
use super::polar::{polar, polar_f64};

/// Scale factors that differ by less count as one: a parent that was rounded to single precision has no uneven scale.
const EVEN: f64 = 2e-6;

/// `Ul_j = inverse(W_p * A_j) * W_j`: the user transform that puts a joint where it is wanted.
///
/// `world_before_user` is `W_p * A_j`, `wanted` is `W_j`, both world from joint. `None` where `W_p * A_j` has no inverse (something above
/// scales by 0) or a number is not finite. Shear is lost, see the head of this module and [`shear`].
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope::rig::user_local_for_world;
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

/// `Ul'_j = Incr * Ul_j`: moved on in the joint's frame as it stands before the user's transform, `W_p * A_j`.
///
/// A turn of the increment is about that frame's axes and carries the user's translation along. Exact where the increment scales
/// evenly or not at all; with uneven scale in it the product may have shear, which is lost.
/// ```
/// use glam::{Quat, Vec3};
/// use rigscope::rig::{Trs, incremented_in_joint};
///
/// let moved = Trs { translation: Vec3::X, ..Trs::IDENTITY };
/// let turned = incremented_in_joint(&moved, &Trs::from_rotation(Quat::from_rotation_z(90_f32.to_radians())));
/// assert!(turned.translation.abs_diff_eq(Vec3::Y, 1e-6));
/// ```
pub fn incremented_in_joint(user_local: &Trs, increment: &Trs) -> Trs {
    after(&increment.to_daffine(), user_local)
}

/// `Ul'_j = inverse(W_p * A_j) * U * W_j`: the joint moved on by `U` in the world, about the *world's* origin.
///
/// The same as [`incremented_in_joint`] by `F^-1 * U * F` with `F = W_p * A_j`, and computed so. `None` where `F` has no inverse.
/// Under rotations, mirrors and even scale a rigid `U` is kept exactly; under uneven scale `F^-1 * U * F` has shear, which is
/// lost: there, turn a joint by [`turned_in_world`].
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope::rig::{Trs, incremented_in_world};
///
/// let parent = Affine3::from_rotation_translation(Quat::from_rotation_z(1.2), Vec3::X * 5.0);
/// let up = Trs { translation: Vec3::Y, ..Trs::IDENTITY };
/// let user = incremented_in_world(&Trs::IDENTITY, &parent, &up).expect("the parent has an inverse");
/// let world = parent * user.to_affine();
/// assert!(world.translation.abs_diff_eq(parent.translation + Vec3::Y, 1e-6), "up in the world, whatever the parent");
/// ```
pub fn incremented_in_world(user_local: &Trs, world_before_user: &Affine3, increment: &Trs) -> Option<Trs> {
    let frame = world_before_user.as_daffine3();
    finite(after(&(inverse(world_before_user)? * increment.to_daffine() * frame), user_local))
}

/// The user local transform after turning the joint in the world, about its own origin: what a rotation gizmo does.
///
/// `user_local` is `Ul_j` before, `world_before_user` is `W_p * A_j`, `world_rotation` is `R`. With `F` the rotation part of
/// `W_p * A_j`, which scale, shear and mirror do not enter ([`super::polar()`]), `Ul'.rotation = F^-1 * R * F * Ul.rotation`.
/// Translation and scale stay, so the origin of the joint does, and no shear can arise whatever stands above. The angle is the same
/// in the world as in the joint; the axis is the one asked for as far as an unevenly scaled parent lets an axis be
/// carried. Under even scale and mirrors the joint turns in the world just as asked.
///
/// Hand in the transform from the start of a drag and the whole rotation since: then nothing adds up. For those who
/// do it step by step the product is made in double precision.
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope::rig::{Trs, turned_in_world};
///
/// let parent = Affine3::from_rotation_translation(Quat::from_rotation_x(90_f32.to_radians()), Vec3::Y);
/// let user = turned_in_world(&Trs::IDENTITY, &parent, Quat::from_rotation_y(0.5));
/// // The world's y axis is the parent's -z axis.
/// assert!(user.rotation.abs_diff_eq(Quat::from_rotation_z(-0.5), 1e-6));
/// ```
pub fn turned_in_world(user_local: &Trs, world_before_user: &Affine3, world_rotation: Quat) -> Trs {
    let frame = polar(world_before_user.matrix3).0.as_dquat();
    let rotation = frame.conjugate() * world_rotation.as_dquat() * frame * user_local.rotation.as_dquat();
    Trs { rotation: rotation.normalize().as_quat(), ..*user_local }
}

/// Shear in `inverse(W_p * A_j) * W_j`, which a [`Trs`] cannot hold: the largest entry off the diagonal of its symmetric part, as a share of the
/// largest entry. 0 where [`user_local_for_world`] loses nothing; 1, all of it, where there is no inverse.
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope::rig::shear;
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

/// `increment * user_local`, part by part where the increment scales evenly, so that the scale and its signs stay untouched.
fn after(increment: &DAffine3, user_local: &Trs) -> Trs {
    let (rotation, stretch) = polar_f64(increment.matrix3);
    // The mean factor keeps the volume, where the single entries carry the rounding of a parent.
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
