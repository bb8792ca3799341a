//! Values on the vertices, painted in place of the material.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Ramp;

/// Which values are painted over a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overlay {
    /// Weight of the active joint.
    Weight,
    /// Every joint has a colour; a vertex shows their mean by its weights.
    JointColors,
    /// The colour of the heaviest joint alone.
    DominantJoint,
    /// Number of influences above 0.
    InfluenceCount,
    /// Distance between the two sides, metres.
    Distance,
    /// Determinant of the blended matrix: 0 where it has collapsed, below 0 inside out.
    Determinant,
    /// Area of the triangles around beside that at rest.
    AreaStretch,
    /// Length of the edges around beside that at rest, the one that has changed most.
    EdgeStretch,
    /// Angle between the transformed normal and that of the deformed surface, radians.
    NormalDeviation,
    /// Vertices whose quaternions have opposite signs, see [`crate::skinning::Antipodality`].
    Antipodal,
    /// Vertices that lint findings name, by severity.
    Findings,
}

impl Overlay {
    /// In the order of menus.
    pub const ALL: [Self; 11] = [
        Self::Weight,
        Self::JointColors,
        Self::DominantJoint,
        Self::InfluenceCount,
        Self::Distance,
        Self::Determinant,
        Self::AreaStretch,
        Self::EdgeStretch,
        Self::NormalDeviation,
        Self::Antipodal,
        Self::Findings,
    ];
}

/// The values of a picture, one a vertex, by mesh instance and in it by primitive.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// With their ramp and the range that it spans; what is no number stays unpainted.
    Scalars {
        /// One a vertex.
        parts: Vec<Vec<f32>>,
        /// Their colours.
        ramp: Ramp,
        /// At the ramp's ends.
        range: [f32; 2],
    },
    /// sRGB.
    Colors {
        /// One a vertex.
        parts: Vec<Vec<[u8; 3]>>,
    },
}

/// What is painted on a side, and a number that is another whenever the values are.
#[derive(Clone, Debug)]
pub struct Painted {
    /// Shared with whoever shows the same numbers.
    pub values: Arc<Values>,
    /// For telling values apart without looking at them.
    pub version: u64,
}

impl PartialEq for Painted {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
    }
}
