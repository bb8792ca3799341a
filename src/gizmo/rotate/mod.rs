//! The rotation gizmo: a ring about each axis, a larger ring that faces the viewer, a free trackball in the middle.
//!
//! | file | what |
//! | --- | --- |
//! | `handle` | the handles and their sizes |
//! | `ring` | a circle in space and how it looks through a lens |
//! | `outline` | the lines to draw |
//! | `hit` | the handle under the pointer |
//! | `reading` | a pointer position as an angle: on the ring's plane, along an edge-on ring, on the trackball |
//! | `drag` | the state of a drag, frozen where it starts |
//! | `sector` | the turned angle as a fan to draw |
//! | `turned` | the rotation put into the user local transform |

mod drag;
mod handle;
mod hit;
mod outline;
mod reading;
mod ring;
mod sector;
#[cfg(test)]
pub(super) mod testing;
mod turned;

pub use drag::{RotateDrag, Rotation};
pub use handle::RotateHandle;
pub use hit::hit;
pub use outline::{Piece, RingLine, outline};
pub use sector::Sector;
pub use turned::turned;
