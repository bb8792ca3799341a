//! Move gizmo: an arrow along each axis, a square in each plane between two axes, and a free central handle.

mod drag;
mod handle;

pub use drag::MoveDrag;
pub use handle::{MoveHandle, hit, outline};
