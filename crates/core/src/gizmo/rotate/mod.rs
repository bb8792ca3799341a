//! Rotation gizmo: a ring about each axis, a larger ring facing the viewer, and a trackball inside.

mod drag;
mod handle;
mod hit;
mod outline;
mod reading;
mod ring;
#[cfg(test)]
pub(super) mod testing;

pub use drag::{AxisRotation, RotateDrag};
pub use handle::RotateHandle;
pub use hit::hit;
pub use outline::{RingArc, RingLine, outline};
pub use ring::Sector;
