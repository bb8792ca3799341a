//! Vertex probes: a table for one vertex, and marks at the positions to which each joint alone would move it.

mod colors;
mod panel;
mod picture;

pub(super) use colors::row_color;
pub(super) use panel::ui as panel;
pub(super) use picture::paint;
