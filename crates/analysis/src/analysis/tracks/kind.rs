//! Measures shown as tracks.

use serde::{Deserialize, Serialize};

/// Measure over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrackKind {
    /// Volume of a side relative to rest.
    Volume,
    /// Largest distance between A and B, metres.
    WorstDistance,
    /// Mean distance between A and B, metres.
    MeanDistance,
    /// Smallest area of any triangle, relative to rest.
    LeastArea,
    /// Number of flipped triangles.
    Flipped,
    /// Volume loss of the worst joint region, as a fraction.
    Loss,
    /// Angular speed of the selected joints, degrees per second.
    AngularSpeed,
    /// Angle of the selected joints from rest, degrees.
    Rotation,
}

impl TrackKind {
    /// All measures, in display order.
    pub const ALL: [Self; 8] = [
        Self::Volume,
        Self::WorstDistance,
        Self::MeanDistance,
        Self::LeastArea,
        Self::Flipped,
        Self::Loss,
        Self::AngularSpeed,
        Self::Rotation,
    ];

    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Volume => "Volume",
            Self::WorstDistance => "Distance A to B, worst",
            Self::MeanDistance => "Distance A to B, mean",
            Self::LeastArea => "Smallest area",
            Self::Flipped => "Flipped triangles",
            Self::Loss => "Loss at the worst joint",
            Self::AngularSpeed => "Rotation speed",
            Self::Rotation => "Rotation",
        }
    }

    /// Explains the measure in one sentence.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Volume => "Volume inside the surface, as a share of that in the file's rest pose",
            Self::WorstDistance => "Largest distance between a vertex by side A and the same vertex by side B",
            Self::MeanDistance => "Mean distance between the vertices by side A and by side B",
            Self::LeastArea => "Area of the triangle that has shrunk most, as a share of that in the file's rest pose",
            Self::Flipped => "Triangles flipped relative to the normal carried by their joint",
            Self::Loss => "Volume loss of the worst joint's region, relative to rest",
            Self::AngularSpeed => "Angular speed of the selected joints relative to their parents, °/s",
            Self::Rotation => {
                "Angle by which the clip turns the selected joints in their parents, from the file's rest pose"
            }
        }
    }

    /// Returns true for measures of the selected joints, false for measures of the skin.
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
