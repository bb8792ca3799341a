//! What shows two actors in one pane: the dividing line, glass and outline.

pub mod divider;
pub mod glass;
pub mod outline;
