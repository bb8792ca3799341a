//! What shows two sides in one picture: the dividing line, glass and outline.

pub mod divider;
pub mod glass;
pub mod outline;
