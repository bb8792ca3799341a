//! User local transform after a rotation in the world.

use glam::{Affine3, Quat};

use crate::rig::{Trs, turned_in_world};

/// The user local transform after turning the joint in the world, about its own origin: [`turned_in_world`], which has the formula.
///
/// Pass the transform from the start of the drag and the total rotation since, so that errors do not accumulate.
pub fn turned(user_local: &Trs, world_before_user: &Affine3, world_rotation: Quat) -> Trs {
    turned_in_world(user_local, world_before_user, world_rotation)
}
