//! Measures of a bend test, their limits, and which results are faults.

use std::str::FromStr;

use crate::analysis::lint::rules::Pattern;
use rigscope_core::findings::Code;
use rigscope_core::rows::{Described, Shape};

rigscope_core::named_enum! {
    /// Measure of a pose. Larger values are worse.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FlexMeasure {
        /// Fraction of the volume of the joint's region that is lost since rest, 0 to 1.
        VolumeLoss = "volume-loss", "Volume that the joint's region loses, as a fraction";
        /// Fraction of the region's area in triangles that shrink to less than a tenth of their area, 0 to 1.
        Pinched = "pinched", "Area of triangles that shrink to less than a tenth, as a fraction of the region";
        /// Fraction of the region's area in triangles that turn over, 0 to 1.
        Flipped = "flipped", "Area of triangles that turn over, as a fraction of the region";
        /// Length of the most stretched edge relative to rest.
        Stretch = "stretch", "Length of the most stretched edge, relative to rest";
        /// Fraction of the area of two neighbouring regions in triangles that cross each other, 0 to 1.
        Folds = "folds", "Area of skin that folds into itself, as a fraction of the region";
        /// Fraction of the region's area that goes through another layer by more than 0.5 % of the rig's size.
        Layers = "layers", "Area of layers that change places, as a fraction of the region";
        /// Fraction of all skin that follows the joint but lies far from it, 0 to 1.
        Elsewhere = "elsewhere", "Area of skin that follows the joint from far away, as a fraction of all skin";
        /// Fraction of the boundary of a bending joint's skin where weights change over less than 30 % of the limb's radius.
        Abrupt = "abrupt", "Boundary of the joint's skin where weights change abruptly, as a fraction";
    }
}

/// A value for each of [`FlexMeasure::ALL`].
pub type PerMeasure<T> = [T; FlexMeasure::ALL.len()];

impl FlexMeasure {
    /// Returns the code of findings in which this measure exceeds its limit.
    pub fn code(self) -> Code {
        match self {
            Self::VolumeLoss => Code::FlexVolume,
            Self::Pinched => Code::FlexPinched,
            Self::Flipped => Code::FlexFlipped,
            Self::Stretch => Code::FlexStretch,
            Self::Folds => Code::FlexFolds,
            Self::Layers => Code::FlexLayers,
            Self::Elsewhere => Code::FlexElsewhere,
            Self::Abrupt => Code::FlexAbrupt,
        }
    }

    /// Returns the value of a skin that deforms perfectly.
    pub fn ideal(self) -> f32 {
        if self == Self::Stretch { 1.0 } else { 0.0 }
    }

    /// Returns the smallest difference between two versions that counts.
    pub fn tolerance(self) -> f32 {
        match self {
            Self::VolumeLoss => 0.03,
            Self::Pinched | Self::Flipped | Self::Folds | Self::Layers => 0.05,
            Self::Abrupt => 0.15,
            Self::Stretch => 0.5,
            Self::Elsewhere => 0.003,
        }
    }

    /// Returns the name as text.
    pub fn label(self) -> String {
        self.name().replace('-', " ")
    }

    /// Formats a value with its unit.
    pub fn text(self, value: f32) -> String {
        match self {
            Self::Stretch => format!("{value:.1} times"),
            Self::Elsewhere => format!("{:.1} %", value * 100.0),
            _ => format!("{:.0} %", value * 100.0),
        }
    }
}

impl Described for FlexMeasure {
    fn shape() -> Shape {
        Shape::Word(Self::ALL.map(Self::name).to_vec())
    }
}

impl FromStr for FlexMeasure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|measure| measure.name() == text);
        found.ok_or_else(|| format!("there is no measure \"{text}\"; it is {}", Self::ALL.map(Self::name).join(", ")))
    }
}

rigscope_core::named_enum! {
    /// Set of limits.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum FlexPreset {
        /// Limits for anatomically modelled characters.
        Realistic = "realistic", "For anatomically modelled characters";
        /// Limits that stylised and low-polygon characters meet.
        #[default]
        Stylised = "stylised", "For stylised and low-polygon characters";
    }
}

impl FlexPreset {
    /// Returns the limits, by measure.
    pub fn limits(self) -> PerMeasure<f32> {
        match self {
            //                  volume pinched flipped stretch folds layers elsewhere abrupt
            Self::Realistic => [0.25, 0.10, 0.15, 4.0, 0.25, 0.08, 0.005, 0.25],
            Self::Stylised => [0.60, 0.30, 0.45, 8.0, 0.50, 0.12, 0.010, 0.40],
        }
    }
}

/// Limits for some joints, which replace those of the preset.
#[derive(Clone, Debug, PartialEq)]
pub struct JointLimitOverride {
    /// Names of the joints.
    pub joints: Pattern,
    /// Measure.
    pub measure: FlexMeasure,
    /// Largest value that is no fault; infinite to switch the measure off.
    pub limit: f32,
}

/// Limits of a bend test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexLimits {
    /// Limits for joints without an override.
    pub preset: FlexPreset,
    /// Overrides; the last one that fits counts.
    pub overrides: Vec<JointLimitOverride>,
}

impl FlexLimits {
    /// Returns the limit of a measure for a joint; `None` as the joint's name if no joint is known.
    pub fn limit(&self, joint: Option<&str>, measure: FlexMeasure) -> f32 {
        let fits = |given: &&JointLimitOverride| given.measure == measure && given.joints.fits(joint.unwrap_or(""));
        let given = self.overrides.iter().rev().find(fits).map(|given| given.limit);
        given.unwrap_or(self.preset.limits()[measure as usize])
    }

    /// Returns a value relative to its limit: 0 if ideal, above 1 if it is a fault.
    pub fn severity(&self, joint: Option<&str>, measure: FlexMeasure, value: f32) -> f32 {
        let (limit, ideal) = (self.limit(joint, measure), measure.ideal());
        if limit.is_infinite() {
            return 0.0;
        }
        // A limit that forbids everything still divides.
        ((value - ideal) / (limit - ideal).max(1e-6)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_limit_that_fits_a_joint_counts() {
        let given = |joints: &str, limit| JointLimitOverride {
            joints: Pattern::new(joints),
            measure: FlexMeasure::Stretch,
            limit,
        };
        let limits = FlexLimits {
            preset: FlexPreset::Realistic,
            overrides: vec![given("*", 3.0), given("*Arm", 5.0), given("cape*", f32::INFINITY)],
        };
        let of = |joint| limits.limit(Some(joint), FlexMeasure::Stretch);
        assert_eq!([of("head"), of("LeftArm"), of("Cape_01")], [3.0, 5.0, f32::INFINITY]);
        assert_eq!(limits.limit(Some("head"), FlexMeasure::Folds), FlexPreset::Realistic.limits()[4]);
        assert_eq!(limits.severity(Some("LeftArm"), FlexMeasure::Stretch, 5.0), 1.0);
        assert_eq!(limits.severity(Some("LeftArm"), FlexMeasure::Stretch, 0.5), 0.0);
        assert_eq!(limits.severity(Some("cape"), FlexMeasure::Stretch, 99.0), 0.0);
    }

    #[test]
    fn stylised_limits_are_wider() {
        for measure in FlexMeasure::ALL {
            let [strict, wide] = [FlexPreset::Realistic, FlexPreset::Stylised].map(|p| p.limits()[measure as usize]);
            assert!(measure.ideal() < strict && strict < wide, "{}", measure.name());
            assert_eq!(measure.name().parse::<FlexMeasure>(), Ok(measure));
        }
    }
}
