//! Rotation gizmo: a ring about each axis, a larger ring facing the viewer, a free trackball inside.

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
