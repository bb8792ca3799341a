//! Bones and marks over the surface.

mod dots;
pub mod marks;
pub mod skeleton;
