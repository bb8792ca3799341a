use glam::Mat3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Treatment of joint scale and shear by methods that blend rigid motions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleHandling {
    /// First blends the joints' stretches, each about its joint's bind position, in a skin space stretched by the
    /// vertex's mean stretch; then blends the rigid motions. The result doesn't depend on units or on a stretch of the
    /// whole rig.
    #[default]
    TwoPhase,
    /// Like two-phase, but in unstretched skin space, as Blender does within an armature. The result is wrong
    /// if the root of the rig has a scale, for example to convert units, and joints rotate.
    AboutJoints,
    /// Ignores scale, as simple implementations do.
    Drop,
}

/// Kind of scale in a palette's joints. Variants are ordered from cheapest to most expensive for methods that blend
/// rigid motions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scaling {
    /// One uniform scale for all joints; 1 if rigid.
    Uniform(f32),
    /// Uniform scale per joint.
    ByJoint,
    /// Non-uniform scale or shear.
    NonUniform,
}

impl Default for Scaling {
    fn default() -> Self {
        Self::Uniform(1.0)
    }
}

/// Resolved treatment of scale and shear for a palette.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    /// One uniform scale, applied to skin space first; 1 if rigid.
    Uniform(f32),
    /// Each joint scales about its own bind position; the bind positions themselves are scaled by the vertex's mean
    /// scale: `S_i = k_i I`.
    ByScale,
    /// Each joint stretches about its own bind position; the bind positions themselves are stretched by the vertex's
    /// blended stretch `S_i`.
    ByStretch,
    /// Each joint stretches about its own bind position; the bind positions themselves stay in place.
    AboutJoints,
    /// Scale and shear are ignored.
    Dropped,
}

impl Stretch {
    /// Resolves a setting for the scale class of a palette ([`super::Palette::scaling`]).
    pub fn new(handling: ScaleHandling, scaling: Scaling) -> Self {
        match (handling, scaling) {
            (ScaleHandling::TwoPhase, Scaling::Uniform(scale)) => Self::Uniform(scale),
            (_, Scaling::Uniform(1.0)) => Self::Uniform(1.0),
            (ScaleHandling::TwoPhase, Scaling::ByJoint) => Self::ByScale,
            (ScaleHandling::TwoPhase, Scaling::NonUniform) => Self::ByStretch,
            (ScaleHandling::AboutJoints, _) => Self::AboutJoints,
            (ScaleHandling::Drop, _) => Self::Dropped,
        }
    }
}

/// Stretch `S_i` of skin space at a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) enum SkinStretch {
    /// `S_j`, equal for all joints.
    OfJoint,
    Scale(f32),
    /// A symmetric matrix.
    Axes(Mat3),
}
