//! Eyes and panes: who looks, and into which part of the picture.

pub(super) mod eye;
pub(super) mod pane;
