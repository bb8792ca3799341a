//! Overlays: values on the vertices, painted in place of the material.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Serialize};

use super::Ramp;

/// Properties of an overlay, except how its values are computed, which is in [`crate::analysis`].
pub struct OverlaySpec {
    /// Title in menus and legends.
    pub title: &'static str,
    /// Unit of the values; empty for shares, counts and colours. Stretches are base 2 logarithms: octaves, 0 for no change.
    pub unit: &'static str,
    /// Ramp of the values, where they are not colours.
    pub ramp: Ramp,
    /// A value as people read it.
    text: fn(f32) -> String,
    /// What the values depend on.
    pub topic: Topic,
    /// What the overlay shows, in a sentence.
    pub hint: &'static str,
    /// Further search words for the overlay.
    pub words: &'static str,
}

/// Part of the state that the values of an overlay depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Only the two sides.
    Sides,
    /// Also the active joint.
    ActiveJoint,
    /// Also the active morph target.
    MorphTarget,
    /// Also the findings of lint.
    Findings,
}

macro_rules! overlays {
    ($(#[doc = $about:literal] $overlay:ident: $title:literal, $unit:literal, $ramp:ident, $text:ident, $topic:ident, $words:literal;)*) => {
        /// Kind of values that are painted over a side.
        ///
        /// As text in kebab case, on the command line as in files.
        /// ```
        /// use rigscope::view::Overlay;
        ///
        /// assert_eq!("area-stretch".parse(), Ok(Overlay::AreaStretch));
        /// assert_eq!(Overlay::AreaStretch.to_string(), "area-stretch");
        /// assert!("stretch".parse::<Overlay>().unwrap_err().to_string().contains("`area-stretch`"), "says what there is");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Overlay {
            $(#[doc = $about] $overlay,)*
        }

        impl Overlay {
            /// All overlays, in the order of menus.
            pub const ALL: [Self; [$(stringify!($overlay)),*].len()] = [$(Self::$overlay),*];

            /// Title, unit, ramp and texts of the overlay.
            pub fn spec(self) -> &'static OverlaySpec {
                match self {
                    $(Self::$overlay => &OverlaySpec {
                        title: $title,
                        unit: $unit,
                        ramp: Ramp::$ramp,
                        text: text::$text,
                        topic: Topic::$topic,
                        hint: const { $about.trim_ascii() },
                        words: $words,
                    },)*
                }
            }
        }
    };
}

// Every overlay: title, unit, ramp, number format, dependencies, and further search words.
overlays! {
    /// Weight of the active joint.
    Weight: "Weight of the joint", "", Magnitude, plain, ActiveJoint, "weight paint heat map influence";
    /// Joint colours: a vertex shows the mean of its joints' colours by its weights.
    JointColors: "Joint colours", "", Magnitude, plain, Sides, "weight paint heat map segments";
    /// The colour of the heaviest joint alone.
    DominantJoint: "Dominant joint", "", Magnitude, plain, Sides, "weight heat map segments heaviest";
    /// Number of influences above 0.
    InfluenceCount: "Number of influences", "", Magnitude, count, Sides, "influences bones per vertex limit";
    /// Sum over the joints of how far the weights of both sides differ: 0 where they agree, 2 where no joint is shared.
    WeightDifference: "Weight difference", "", Magnitude, plain, Sides, "compare weights l1 heat map";
    /// Largest change of a joint's weight along an edge, divided by its rest length, per metre.
    WeightSteepness: "Weight steepness", "1/m", Magnitude, per_metre, Sides, "gradient smooth falloff heat map";
    /// Share of the weights whose joint is much nearer in a straight line than through the body, counted in grid cells: exact to within two cells.
    WeightLeak: "Weight leak", "", Magnitude, plain, Sides, "bleed wrong finger neighbour geodesic heat map";
    /// Share of each vertex that the file gives to dual quaternions, the rest being linear.
    DqBlendWeight: "DQ blend weight", "", Magnitude, plain, Sides, "painted weights dual quaternion blended linear heat map";
    /// Distance that each vertex moves as the weight of the active morph target rises by 1, in this pose, metres.
    Morph: "Morph target reach", "m", Magnitude, length, MorphTarget, "blend shape shape key heat map";
    /// Distance between the two sides, metres.
    Distance: "Distance between A and B", "m", Magnitude, length, Sides, "difference error heat map";
    /// Determinant of the blended matrix relative to rest: the smaller, the nearer to collapse.
    Determinant: "Determinant of the blend", "", Diverging, factor, Sides, "volume collapse candy wrapper heat map";
    /// Area of the surrounding triangles relative to rest.
    AreaStretch: "Area stretch", "log2", Diverging, octaves, Sides, "strain scale heat map";
    /// Length of the surrounding edge that has changed most, relative to rest.
    EdgeStretch: "Edge stretch", "log2", Diverging, octaves, Sides, "strain length heat map";
    /// Angle between the transformed normal and that of the deformed surface, radians.
    NormalDeviation: "Normal deviation", "rad", Magnitude, degrees, Sides, "shading smoothing angle heat map";
    /// Vertices whose quaternions have opposite signs, which rotate the long way round where signs are not checked.
    Antipodal: "Opposite quaternions", "", Magnitude, count, Sides, "sign flip spikes double cover";
    /// Vertices that lint findings name, by severity.
    Findings: "Findings", "", Magnitude, count, Findings, "lint problems errors faulty";
}

/// Values as people read them.
mod text {
    pub(super) fn plain(value: f32) -> String {
        format!("{value:.2}")
    }

    pub(super) fn count(value: f32) -> String {
        format!("{value:.0}")
    }

    pub(super) fn factor(value: f32) -> String {
        format!("×{value:.2}")
    }

    pub(super) fn octaves(value: f32) -> String {
        factor(value.exp2())
    }

    pub(super) fn degrees(value: f32) -> String {
        format!("{:.1}°", value.to_degrees())
    }

    pub(super) fn per_metre(value: f32) -> String {
        if value < 100.0 { format!("{value:.1} /m") } else { format!("{value:.0} /m") }
    }

    pub(super) fn length(value: f32) -> String {
        if value.abs() < 1.0 { format!("{:.1} mm", value * 1000.0) } else { format!("{value:.2} m") }
    }
}

impl Overlay {
    /// Title in menus and legends.
    pub fn title(self) -> &'static str {
        self.spec().title
    }

    /// True where all values of the overlay are whole numbers.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::InfluenceCount | Self::Antipodal | Self::Findings)
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
        (self.spec().text)(value)
    }
}

impl fmt::Display for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Overlay {
    type Err = serde::de::value::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The old name of the overlay stays an alias.
        let name = if text == "dqs-share" { "dq-blend-weight" } else { text };
        Self::deserialize(name.into_deserializer())
    }
}

/// The values of a picture, one a vertex, by mesh instance and in it by primitive.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers with their ramp and range; NaN stays unpainted.
    Scalars {
        /// Numbers by part, one a vertex.
        parts: Vec<Vec<f32>>,
        /// Ramp that colours the numbers.
        ramp: Ramp,
        /// Numbers at the ends of the ramp.
        range: [f32; 2],
    },
    /// Colours, sRGB.
    Colors {
        /// Colours by part, one a vertex.
        parts: Vec<Vec<[u8; 3]>>,
    },
}

/// Values painted on a side, and a number that changes whenever they do.
#[derive(Clone, Debug)]
pub struct Painted {
    /// Values, shared by everything that shows them.
    pub values: Arc<Values>,
    /// Number that identifies the values.
    pub version: u64,
}

impl PartialEq for Painted {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
    }
}
