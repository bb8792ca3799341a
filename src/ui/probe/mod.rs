//! Single vertices: the table of one, and where each joint would take those that are looked at.

mod colors;
mod panel;
mod picture;

pub(super) use panel::ui as panel;
pub(super) use picture::paint;
