//! Joints that move the character as a whole: they stand at the top of a skeleton and outside of the mesh, as on the ground between the feet.

use glam::Vec3;

use crate::weights::body::{Body, BodyBone};
use crate::weights::voxel::Solid;

/// Share of the way to one of its children that is outside too; a chain that begins just outside of the mesh moves it.
const OUTSIDE: f32 = 0.25;

/// For each bone of a body, true where its joint moves the character as a whole: it has joints below it, none above, and stands outside the solid.
pub(super) fn movers(body: &Body, solid: &Solid) -> Vec<bool> {
    body.bones.iter().map(|bone| bone.is_top && !bone.is_end && is_outside(bone, solid)).collect()
}

fn is_outside(bone: &BodyBone, solid: &Solid) -> bool {
    let is_outside = |place: Vec3| solid.at(solid.frame.to_grid(place)).is_none();
    is_outside(bone.segments[0].head)
        && bone.segments.iter().any(|segment| is_outside(segment.head.lerp(segment.tail, OUTSIDE)))
}
