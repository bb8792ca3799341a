//! Values on the vertices, painted in place of the material.

use std::str::FromStr;
use std::sync::Arc;

use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Serialize};

use super::Ramp;

/// Which values are painted over a side.
///
/// As text in kebab case, on the command line as in files.
/// ```
/// use rigscope::view::Overlay;
///
/// assert_eq!("area-stretch".parse(), Ok(Overlay::AreaStretch));
/// assert!("stretch".parse::<Overlay>().unwrap_err().to_string().contains("`area-stretch`"), "says what there is");
/// ```
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
    /// Determinant of the blended matrix beside that at rest: the less the nearer to collapse.
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

    /// In menus and legends.
    pub fn title(self) -> &'static str {
        match self {
            Self::Weight => "Weight of the joint",
            Self::JointColors => "Joint colours",
            Self::DominantJoint => "Dominant joint",
            Self::InfluenceCount => "Number of influences",
            Self::Distance => "Distance between A and B",
            Self::Determinant => "Determinant of the blend",
            Self::AreaStretch => "Area stretch",
            Self::EdgeStretch => "Edge stretch",
            Self::NormalDeviation => "Normal deviation",
            Self::Antipodal => "Opposite quaternions",
            Self::Findings => "Findings",
        }
    }

    /// Unit of its values; empty for shares, counts and colours. Stretches are base 2 logarithms: octaves, 0 for no change.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Distance => "m",
            Self::AreaStretch | Self::EdgeStretch => "log2",
            Self::NormalDeviation => "rad",
            _ => "",
        }
    }

    /// The ramp of its values, where they are not colours.
    pub fn ramp(self) -> Ramp {
        match self {
            Self::Determinant | Self::AreaStretch | Self::EdgeStretch => Ramp::Diverging,
            _ => Ramp::Magnitude,
        }
    }

    /// A value as people read it: ratios as factors, angles in degrees, lengths in millimetres or metres.
    /// ```
    /// use rigscope::view::Overlay;
    ///
    /// assert_eq!(Overlay::AreaStretch.text(-1.0), "×0.50");
    /// assert_eq!(Overlay::Distance.text(0.0123), "12.3 mm");
    /// assert_eq!(Overlay::Weight.text(0.25), "0.25");
    /// ```
    pub fn text(self, value: f32) -> String {
        match self {
            Self::Determinant => format!("×{value:.2}"),
            Self::AreaStretch | Self::EdgeStretch => format!("×{:.2}", value.exp2()),
            Self::NormalDeviation => format!("{:.1}°", value.to_degrees()),
            Self::Distance if value.abs() < 1.0 => format!("{:.1} mm", value * 1000.0),
            Self::Distance => format!("{value:.2} m"),
            Self::InfluenceCount | Self::Antipodal | Self::Findings => format!("{value:.0}"),
            _ => format!("{value:.2}"),
        }
    }
}

impl FromStr for Overlay {
    type Err = serde::de::value::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::deserialize(text.into_deserializer())
    }
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
