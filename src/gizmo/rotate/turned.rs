//! Rotation of a user local transform.

use glam::{Affine3, Quat};

use crate::rig::{Trs, turned_in_world};

/// [`turned_in_world`]. Pass the transform from the start of the drag and the total rotation, so that errors don't
/// accumulate.
pub fn turned(user_local: &Trs, world_before_user: &Affine3, world_rotation: Quat) -> Trs {
    turned_in_world(user_local, world_before_user, world_rotation)
}
