//! Vertex probes: the table of one vertex, and where each joint alone would take the probed vertices.

mod panel;
mod picture;

pub(super) use panel::ui as panel;
pub(super) use picture::{paint, row_color};
