//! Skinning on the CPU: the reference for the shaders, and what analysis and `bake` use. *Source*: MATH.md.

mod defect;
mod deform;
mod dqs;
mod dual_quaternion;
mod lbs;
mod palette;
pub mod quaternion;
mod screw;

pub use defect::{RotationDefect, blended_rotation_defect};
pub use deform::{Deformed, deform, morphed};
pub use dqs::dual_quaternion_skinning;
pub use dual_quaternion::DualQuat;
pub use lbs::{linear_blend_skinning, normal_matrix};
pub use palette::{JointTransform, Palette, palettes};
pub use screw::ScrewLog;

/// How the transforms of a vertex's joints are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Linear blend skinning: the weighted mean of matrices.
    #[default]
    Lbs,
    /// Dual quaternion skinning: the weighted mean of dual quaternions, normalised.
    Dqs,
}

impl Method {
    /// All methods, in the order in which the interface cycles.
    pub const ALL: [Self; 2] = [Self::Lbs, Self::Dqs];

    /// Short name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Lbs => "LBS",
            Self::Dqs => "DQS",
        }
    }

    /// Name in full.
    pub fn full_name(self) -> &'static str {
        match self {
            Self::Lbs => "Linear blend skinning",
            Self::Dqs => "Dual quaternion skinning",
        }
    }

    /// The next in [`Self::ALL`].
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Lbs => Self::Dqs,
            Self::Dqs => Self::Lbs,
        }
    }
}

impl std::str::FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|m| m.label().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("no skinning method is called \"{text}\"; there are lbs and dqs"))
    }
}
