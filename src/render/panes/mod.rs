//! Who looks, and into which part of the picture.

pub(super) mod eye;
pub(super) mod pane;
