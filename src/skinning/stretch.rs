//! What becomes of scale and shear where rigid motions are blended.

use serde::{Deserialize, Serialize};

use super::Palette;

/// What a method that blends rigid motions does with the scale and shear of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleHandling {
    /// Blends it linearly first, about each joint in a skin space that has the vertex's own scale, then the rigid rest: the same in any unit.
    #[default]
    TwoPhase,
    /// Blends it linearly first, about each joint in a skin space that keeps its size, then the rigid rest, as Maya and Blender do within an
    /// armature: a rig that its root joint scales, or one in another unit, flies apart where joints turn.
    AboutJoints,
    /// Leaves it out, as simple implementations do.
    Drop,
}

/// What becomes of the scale and shear of a palette's joints where their rigid motions are blended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    /// All joints scale by this factor, 1 where they are rigid: skin space as a whole is scaled by it first.
    Uniform(f32),
    /// Each joint stretches about its own bind position, in a skin space that is first scaled by the vertex's own mean scale.
    TwoPhase,
    /// Each joint stretches about its own bind position, in a skin space that keeps its size.
    AboutJoints,
    /// Only the rigid motions count, in a skin space that keeps its size.
    Dropped,
}

impl Stretch {
    /// What a setting comes to for a palette of [`Palette::uniform_scale`].
    pub fn new(handling: ScaleHandling, uniform_scale: Option<f32>) -> Self {
        match (handling, uniform_scale) {
            (ScaleHandling::TwoPhase, Some(scale)) => Self::Uniform(scale),
            (_, Some(1.0)) => Self::Uniform(1.0),
            (ScaleHandling::TwoPhase, _) => Self::TwoPhase,
            (ScaleHandling::AboutJoints, _) => Self::AboutJoints,
            (ScaleHandling::Drop, _) => Self::Dropped,
        }
    }

    /// The scale `k_i` of a vertex; `None` where it is that of each of its joints.
    #[inline]
    pub(super) fn vertex_scale(self, palette: &Palette, joints: &[u16], weights: &[f32]) -> Option<f32> {
        let scale = |joint: u16| palette.joints[usize::from(joint)].scale;
        match self {
            Self::Uniform(_) => None,
            Self::TwoPhase => Some(joints.iter().zip(weights).map(|(&joint, weight)| scale(joint) * weight).sum()),
            Self::AboutJoints | Self::Dropped => Some(1.0),
        }
    }
}
