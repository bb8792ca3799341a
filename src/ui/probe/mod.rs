//! Vertex probes: a table for one vertex, and a mark for each joint at the position to which the joint alone would move
//! the vertex.

mod panel;
mod picture;

pub(super) use panel::ui as panel;
pub(super) use picture::{paint, row_color};
