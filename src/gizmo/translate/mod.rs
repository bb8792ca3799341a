//! The move gizmo: an arrow along each axis, a square in each plane between two of them, a free handle in the middle.
//!
//! | file | what |
//! | --- | --- |
//! | `handle` | the handles and what they span |
//! | `outline` | the shapes to draw and to hit |
//! | `drag` | the state of a drag, frozen where it starts |

mod drag;
mod handle;
mod outline;

pub use drag::MoveDrag;
pub use handle::MoveHandle;
pub use outline::{hit, outline};
