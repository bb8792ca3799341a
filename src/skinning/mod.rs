//! Skinning on the CPU: the reference for the shaders, and what analysis and `bake` use. *Source*: MATH.md.

mod defect;
mod deform;
mod dqs;
mod dual_quaternion;
mod lbs;
mod method;
mod mixed;
mod palette;
pub mod quaternion;
mod screw;
mod subset;

pub use defect::{RotationDefect, blended_rotation_defect};
pub use deform::{Deformed, deform, morphed};
pub use dqs::dual_quaternion_skinning;
pub use dual_quaternion::DualQuat;
pub use lbs::{linear_blend_skinning, normal_matrix};
pub use method::{Method, ParseMethodError};
pub use mixed::mixed_skinning;
pub use palette::{JointTransform, Palette, palettes};
pub use screw::ScrewLog;
pub use subset::subset;
