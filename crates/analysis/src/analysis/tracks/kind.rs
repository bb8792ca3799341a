//! Measures that can be shown as tracks.

use serde::{Deserialize, Serialize};

rigscope_core::named_enum! {
    /// A measure over time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum TrackKind {
        /// Volume of a side relative to rest.
        Volume = "Volume", "Volume inside the surface, as a share of that in the file's rest pose";
        /// Largest distance between A and B, metres.
        WorstDistance = "Distance A to B, worst",
            "Largest distance between a vertex by side A and the same vertex by side B";
        /// Mean distance between A and B, metres.
        MeanDistance = "Distance A to B, mean", "Mean distance between the vertices by side A and by side B";
        /// Smallest area of any triangle, relative to rest.
        LeastArea = "Smallest area",
            "Area of the triangle that has shrunk most, as a share of that in the file's rest pose";
        /// Number of flipped triangles.
        Flipped = "Flipped triangles", "Triangles flipped relative to the normal carried by their joint";
        /// Volume loss of the worst joint's region, as a fraction.
        Loss = "Loss at the worst joint", "Volume loss of the worst joint's region, relative to rest";
        /// Angular speed of the selected joints, degrees per second.
        AngularSpeed = "Rotation speed", "Angular speed of the selected joints relative to their parents, °/s";
        /// Angle of the selected joints from rest, degrees.
        Rotation = "Rotation",
            "Angle by which the clip turns the selected joints in their parents, from the file's rest pose";
    }
}

impl TrackKind {
    /// Returns true for measures of the selected joints and false for measures of the skin.
    pub fn is_of_joints(self) -> bool {
        matches!(self, Self::AngularSpeed | Self::Rotation)
    }

    /// Returns the value that means no change.
    pub fn unchanged(self) -> f32 {
        match self {
            Self::Volume | Self::LeastArea => 1.0,
            _ => 0.0,
        }
    }

    /// Returns how much worse a value is than no change. A negative result means that the value is better.
    pub(super) fn badness(self, value: f32) -> f32 {
        match self {
            Self::Volume | Self::LeastArea => self.unchanged() - value,
            _ => value,
        }
    }
}
