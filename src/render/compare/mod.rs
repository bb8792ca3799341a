//! What shows two sides in one picture: the dividing line, glass and outline.

pub(super) mod divider;
pub(super) mod glass;
pub(super) mod outline;
