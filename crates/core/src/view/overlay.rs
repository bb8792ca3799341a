use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Serialize};

use super::Ramp;

/// Properties of an overlay. `rigscope-analysis` computes its values.
pub struct OverlaySpec {
    /// Title in menus and legends.
    pub title: &'static str,
    /// Unit; empty for fractions, counts and colours. `log2` stands for stretch as a base-2 logarithm, 0 if unchanged.
    pub unit: &'static str,
    /// Colour ramp; unused if the values are colours.
    pub ramp: Ramp,
    text: fn(f32) -> String,
    /// Inputs that the values depend on.
    pub topic: OverlayInput,
    /// Description in one sentence.
    pub hint: &'static str,
    /// Additional search terms.
    pub words: &'static str,
}

/// Inputs that an overlay depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayInput {
    /// The overlay needs only the two sides.
    Sides,
    /// The overlay also needs the active joint.
    ActiveJoint,
    /// The overlay also needs the active morph.
    MorphTarget,
    /// The overlay also needs the lint findings.
    Findings,
}

macro_rules! overlays {
    ($(#[doc = $about:literal] $overlay:ident: $title:literal, $unit:literal, $ramp:ident, $text:ident, $topic:ident, $words:literal;)*) => {
        /// Kind of per-vertex values drawn instead of the material. Names are in kebab case on the command line and in
        /// files.
        ///
        /// ```
        /// use rigscope_core::view::Overlay;
        ///
        /// assert_eq!("area-stretch".parse(), Ok(Overlay::AreaStretch));
        /// assert_eq!(Overlay::AreaStretch.to_string(), "area-stretch");
        /// assert!("stretch".parse::<Overlay>().unwrap_err().to_string().contains("`area-stretch`"), "says what there is");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Overlay {
            $(#[doc = $about] $overlay,)*
        }

        impl Overlay {
            /// All overlays, in menu order.
            pub const ALL: [Self; [$(stringify!($overlay)),*].len()] = [$(Self::$overlay),*];

            /// Returns the overlay's properties.
            pub fn spec(self) -> &'static OverlaySpec {
                match self {
                    $(Self::$overlay => &OverlaySpec {
                        title: $title,
                        unit: $unit,
                        ramp: Ramp::$ramp,
                        text: text::$text,
                        topic: OverlayInput::$topic,
                        hint: const { $about.trim_ascii() },
                        words: $words,
                    },)*
                }
            }
        }
    };
}

overlays! {
    /// Weight of the active joint.
    Weight: "Weight of the joint", "", Magnitude, plain, ActiveJoint, "weight paint heat map influence";
    /// Joint colours, averaged by each vertex's weights.
    JointColors: "Joint colours", "", Magnitude, plain, Sides, "weight paint heat map segments";
    /// Colour of the heaviest joint.
    DominantJoint: "Dominant joint", "", Magnitude, plain, Sides, "weight heat map segments heaviest";
    /// Number of influences above 0.
    InfluenceCount: "Number of influences", "", Magnitude, count, Sides, "influences bones per vertex limit";
    /// Sum over joints of the weight differences between both sides: 0 if equal, 2 if no joint is shared.
    WeightDifference: "Weight difference", "", Magnitude, plain, Sides, "compare weights l1 heat map";
    /// Largest weight change along an edge, divided by its rest length, per metre.
    WeightSteepness: "Weight steepness", "1/m", Magnitude, per_metre, Sides, "gradient smooth falloff heat map";
    /// Fraction of weights whose joint is much nearer in a straight line than through the body, within two grid cells.
    WeightLeak: "Weight leak", "", Magnitude, plain, Sides, "bleed wrong finger neighbour geodesic heat map";
    /// The file's DQ blend weight of each vertex.
    DqBlendWeight: "DQ blend weight", "", Magnitude, plain, Sides, "painted weights dual quaternion blended linear heat map";
    /// Movement of each vertex when the active morph target's weight increases by 1, in this pose, metres.
    Morph: "Morph target reach", "m", Magnitude, length, MorphTarget, "blend shape shape key heat map";
    /// Distance between the two sides, metres.
    Distance: "Distance between A and B", "m", Magnitude, length, Sides, "difference error heat map";
    /// Determinant of the blended matrix relative to rest; 0 is collapse.
    Determinant: "Determinant of the blend", "", Diverging, factor, Sides, "volume collapse candy wrapper heat map";
    /// Area of the adjacent triangles relative to rest.
    AreaStretch: "Area stretch", "log2", Diverging, octaves, Sides, "strain scale heat map";
    /// Length of the adjacent edge with the largest change, relative to rest.
    EdgeStretch: "Edge stretch", "log2", Diverging, octaves, Sides, "strain length heat map";
    /// Angle between the transformed normal and the deformed surface's normal, radians.
    NormalDeviation: "Normal deviation", "rad", Magnitude, degrees, Sides, "shading smoothing angle heat map";
    /// Vertices with quaternions of opposite signs, which rotate the long way round without sign checks.
    Antipodal: "Opposite quaternions", "", Magnitude, count, Sides, "sign flip spikes double cover";
    /// Vertices with lint findings, by severity.
    Findings: "Findings", "", Magnitude, count, Findings, "lint problems errors faulty";
}

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
    /// Returns the title in menus and legends.
    pub fn title(self) -> &'static str {
        self.spec().title
    }

    /// Returns whether all values are integers.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::InfluenceCount | Self::Antipodal | Self::Findings)
    }

    /// Formats a value: ratios as factors, angles in degrees, lengths in millimetres or metres.
    /// ```
    /// use rigscope_core::view::Overlay;
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
        // Old name, kept as an alias.
        let name = if text == "dqs-share" { "dq-blend-weight" } else { text };
        Self::deserialize(name.into_deserializer())
    }
}

/// Per-vertex values of an overlay, by mesh instance and primitive.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers with ramp and range. NaN gets no colour.
    Scalars {
        /// One per vertex, by primitive.
        parts: Vec<Vec<f32>>,
        /// Ramp that colours the numbers.
        ramp: Ramp,
        /// Values at the ends of the ramp.
        range: [f32; 2],
    },
    /// Colours, sRGB.
    Colors {
        /// One per vertex, by primitive.
        parts: Vec<Vec<[u8; 3]>>,
    },
}

impl Values {
    /// Returns the smallest and the largest finite number; `None` for colours, or if no number is finite.
    pub fn extremes(&self) -> Option<[f32; 2]> {
        match self {
            Self::Scalars { parts, .. } => extremes(parts),
            Self::Colors { .. } => None,
        }
    }
}

/// Returns the smallest and the largest finite number, if any.
pub fn extremes(parts: &[Vec<f32>]) -> Option<[f32; 2]> {
    let finite = parts.iter().flatten().copied().filter(|value| value.is_finite());
    let span = |[lowest, highest]: [f32; 2], value: f32| [lowest.min(value), highest.max(value)];
    let ends = finite.fold([f32::INFINITY, f32::NEG_INFINITY], span);
    (ends[0] <= ends[1]).then_some(ends)
}

/// Overlay values of a side.
#[derive(Clone, Debug)]
pub struct OverlayValues {
    /// Values; both sides may share them.
    pub values: Arc<Values>,
    /// Number that changes with the values, for fast comparison.
    pub version: u64,
}

impl PartialEq for OverlayValues {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
    }
}
