//! Vertex probes: a table for one vertex, and marks at the positions to which each joint alone would move it.

mod panel;
mod picture;

pub(super) use panel::ui as panel;
pub(super) use picture::{paint, row_color};
