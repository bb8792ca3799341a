//! Edits that concern several joints at once: mirroring, inverse kinematics. Pure: a rig and a pose in, user transforms out.

mod chain;
mod names;
mod reach;
mod symmetry;

pub use chain::{Chain, Stand};
pub use names::{Side, other_side};
pub use symmetry::{Plane, Symmetry};
