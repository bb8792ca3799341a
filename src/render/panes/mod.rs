//! Who looks, and into which part of the picture.

pub mod eye;
pub mod pane;
