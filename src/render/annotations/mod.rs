//! Annotations: bones, marks and trails over the surface.

mod dots;
pub(super) mod marks;
mod ribbons;
pub(super) mod skeleton;
pub(super) mod trails;
