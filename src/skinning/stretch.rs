//! Scale and shear of joints, for methods that blend rigid motions.

use glam::Mat3;
use serde::{Deserialize, Serialize};

/// What a method that blends rigid motions does with the scale and shear of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleHandling {
    /// Scale is blended linearly first, about each joint in a skin space with the vertex's own stretch; then the rigid rest. The result is the same
    /// in any unit, and however the whole rig is stretched.
    #[default]
    TwoPhase,
    /// Scale is blended linearly first, about each joint in a skin space that keeps its size; then the rigid rest, as Blender does within an
    /// armature. A rig scaled by its root joint, or one in another unit, flies apart where joints rotate.
    AboutJoints,
    /// Scale is left out, as in simple implementations.
    Drop,
}

/// How the joints of a palette scale, from the cheapest case for blending rigid motions to the most expensive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scaling {
    /// All joints scale by this factor, the same in every direction: 1 where they are rigid.
    Alike(f32),
    /// Each joint scales by a factor of its own, the same in every direction.
    ByJoint,
    /// Some joint stretches or shears.
    Uneven,
}

/// The scaling of rigid joints.
impl Default for Scaling {
    fn default() -> Self {
        Self::Alike(1.0)
    }
}

/// How scale and shear of a palette's joints are handled where their rigid motions are blended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    /// All joints scale by this factor, 1 where they are rigid: skin space as a whole is scaled by it first.
    Uniform(f32),
    /// Each joint scales about its own bind position, in a skin space that is first scaled by the vertex's mean scale `k_i`: `S_i = k_i I`.
    ByScale,
    /// Each joint stretches about its own bind position, in a skin space that first has the vertex's mean stretch `S_i`.
    ByStretch,
    /// Each joint stretches about its own bind position, in a skin space that keeps its size.
    AboutJoints,
    /// Scale and shear are dropped, in a skin space that keeps its size.
    Dropped,
}

impl Stretch {
    /// The handling that a setting amounts to for joints that scale so; see [`super::Palette::scaling`].
    pub fn new(handling: ScaleHandling, scaling: Scaling) -> Self {
        match (handling, scaling) {
            (ScaleHandling::TwoPhase, Scaling::Alike(scale)) => Self::Uniform(scale),
            (_, Scaling::Alike(1.0)) => Self::Uniform(1.0),
            (ScaleHandling::TwoPhase, Scaling::ByJoint) => Self::ByScale,
            (ScaleHandling::TwoPhase, Scaling::Uneven) => Self::ByStretch,
            (ScaleHandling::AboutJoints, _) => Self::AboutJoints,
            (ScaleHandling::Drop, _) => Self::Dropped,
        }
    }
}

/// The stretch `S_i` of skin space at a vertex, in which its joints move it.
#[derive(Clone, Copy, Debug)]
pub(super) enum SkinStretch {
    /// Every joint's own `S_j`, as they are all equal.
    OfJoint,
    /// One factor in every direction.
    Scale(f32),
    /// A symmetric matrix, which stretches along any axes.
    Axes(Mat3),
}
