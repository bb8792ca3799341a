//! Drawing two actors in one pane: the dividing line, glass and outline.

pub(super) mod divider;
pub(super) mod glass;
pub(super) mod outline;
