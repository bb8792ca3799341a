use glam::Mat3;
use serde::{Deserialize, Serialize};

/// Treatment of joint scale and shear by methods that blend rigid motions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleHandling {
    /// First blends the scales about each joint, in a skin space with the vertex's mean stretch, then blends the rigid
    /// motions. The result doesn't depend on units or on a stretch of the whole rig.
    #[default]
    TwoPhase,
    /// Like [`Self::TwoPhase`], but in unstretched skin space, as Blender does within an armature. The result is
    /// wrong if joints rotate in a rig whose root has a scale, for example to convert units.
    AboutJoints,
    /// Ignores scale, as simple implementations do.
    Drop,
}

/// Scale class of a palette's joints, cheapest first for methods that blend rigid motions.
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
    /// Joints scale about their bind positions, in a skin space with the vertex's mean scale: `S_i = k_i I`.
    ByScale,
    /// Joints stretch about their bind positions, in a skin space with the vertex's mean stretch `S_i`.
    ByStretch,
    /// Joints stretch about their bind positions, in unscaled skin space.
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
