//! Scale gizmo: a shaft along each of the joint's own axes and a central handle for all three.

mod drag;
mod handle;

pub use drag::ScaleDrag;
pub use handle::{ScaleHandle, hit, outline};
