//! Bones and marks over the surface.

mod dots;
pub(super) mod marks;
pub(super) mod skeleton;
