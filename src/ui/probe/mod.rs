//! Vertex probes: a table for one vertex, and for each joint, a mark at the position to which this joint alone would
//! move the vertex.

mod panel;
mod picture;

pub(super) use panel::ui as panel;
pub(super) use picture::paint;
