//! `[deform]`: a config file's bend test.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule_file::OneOrMany;
use super::suggestion::nearest;
use rigscope_analysis::analysis::flex::{
    FlexAxis, FlexLimits, FlexMeasure, FlexOptions, FlexPreset, JointLimitOverride, RangeOverride,
};
use rigscope_analysis::analysis::lint::rules::Pattern;

/// Settings of the bend test in `check`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeformConfig {
    /// Poses and limits.
    pub options: FlexOptions,
    /// Whether only results that are worse than those of an older version are faults.
    pub is_against_previous: bool,
    /// Fraction of the older value by which a value may be worse; [`Self::MARGIN`] if `None`.
    pub margin: Option<f32>,
}

impl DeformConfig {
    /// Default margin.
    pub const MARGIN: f32 = 0.1;
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DeformTable {
    /// Set of limits.
    preset: FlexPreset,
    /// Report only results that are worse than those of an older version.
    against: Option<Against>,
    /// Fraction of the older value by which a value may be worse; 0.1 by default.
    margin: Option<Amount>,
    /// Whether the worst frames of the file's clips are tested too.
    clips: bool,
    /// Limits by measure, or `off`.
    #[schemars(with = "BTreeMap<String, Limit>", extend("propertyNames" = measure_names()))]
    limits: BTreeMap<MeasureName, Limit>,
    /// Ranges and limits of some joints.
    joint: Vec<JointTable>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Against {
    Previous,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JointTable {
    /// Patterns of joint names.
    #[serde(rename = "match")]
    names: OneOrMany,
    /// Range of the angle, degrees.
    flexion: Option<[Angle; 2]>,
    /// Range of the angle, degrees.
    abduction: Option<[Angle; 2]>,
    /// Range of the angle, degrees.
    twist: Option<[Angle; 2]>,
    /// Limits by measure, or `off`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Limit>", extend("propertyNames" = measure_names()))]
    limits: BTreeMap<MeasureName, Limit>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "f32")]
#[schemars(extend("minimum" = 0))]
struct Amount(f32);

impl TryFrom<f32> for Amount {
    type Error = &'static str;

    fn try_from(number: f32) -> Result<Self, Self::Error> {
        if number.is_finite() && number >= 0.0 { Ok(Self(number)) } else { Err("this is a finite number, 0 or more") }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "f32")]
#[schemars(extend("minimum" = -180, "maximum" = 180))]
struct Angle(f32);

impl TryFrom<f32> for Angle {
    type Error = &'static str;

    fn try_from(number: f32) -> Result<Self, Self::Error> {
        if (-180.0..=180.0).contains(&number) { Ok(Self(number)) } else { Err("an angle is from -180 to 180 degrees") }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "this is a number, 0 or more, or \"off\"")]
enum Limit {
    Number(Amount),
    Off(Off),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Off {
    Off,
}

/// Returns the JSON Schema of the names of measures.
fn measure_names() -> serde_json::Value {
    serde_json::json!({ "enum": FlexMeasure::ALL.map(FlexMeasure::name) })
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(try_from = "String")]
struct MeasureName(FlexMeasure);

impl TryFrom<String> for MeasureName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self).map_err(|problem| {
            let near = nearest(&text, FlexMeasure::ALL.map(FlexMeasure::name));
            near.map_or_else(|| problem.clone(), |near| format!("{problem}; did you mean {near}?"))
        })
    }
}

impl DeformTable {
    pub(super) fn config(self) -> DeformConfig {
        let mut overrides = Vec::new();
        add_limits(&mut overrides, &[Pattern::new("*")], &self.limits);
        let mut ranges = Vec::new();
        for table in &self.joint {
            let patterns: Vec<Pattern> = table.names.list().iter().map(|text| Pattern::new(text)).collect();
            add_limits(&mut overrides, &patterns, &table.limits);
            let given = FlexAxis::ALL.into_iter().zip([table.flexion, table.abduction, table.twist]);
            for (axis, range) in given.filter_map(|(axis, range)| Some((axis, range?.map(|angle| angle.0)))) {
                ranges.extend(patterns.iter().map(|joints| RangeOverride { joints: joints.clone(), axis, range }));
            }
        }
        DeformConfig {
            options: FlexOptions {
                ranges,
                limits: FlexLimits { preset: self.preset, overrides },
                joints: None,
                has_clips: self.clips,
            },
            is_against_previous: matches!(self.against, Some(Against::Previous)),
            margin: self.margin.map(|margin| margin.0),
        }
    }
}

fn add_limits(all: &mut Vec<JointLimitOverride>, patterns: &[Pattern], limits: &BTreeMap<MeasureName, Limit>) {
    for (measure, limit) in limits {
        let limit = match limit {
            Limit::Number(Amount(limit)) => *limit,
            Limit::Off(Off::Off) => f32::INFINITY,
        };
        let given = |joints: &Pattern| JointLimitOverride { joints: joints.clone(), measure: measure.0, limit };
        all.extend(patterns.iter().map(given));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<DeformConfig, String> {
        toml::from_str::<DeformTable>(text).map(DeformTable::config).map_err(|problem| problem.message().to_owned())
    }

    #[test]
    fn the_table_becomes_limits_and_ranges() {
        let config = parsed(
            "preset = 'realistic'\nagainst = 'previous'\nmargin = 0.2\nclips = true\nlimits = { stretch = 5, folds = 'off' }\n\
             [[joint]]\nmatch = ['*Arm', 'elbow*']\nflexion = [0, 130]\nlimits = { stretch = 7.5 }\n",
        )
        .unwrap();
        assert!(config.is_against_previous && config.options.has_clips && config.margin == Some(0.2));
        let limits = &config.options.limits;
        let limit = |joint, measure| limits.limit(Some(joint), measure);
        assert_eq!(limit("head", FlexMeasure::Stretch), 5.0);
        assert_eq!(limit("LeftArm", FlexMeasure::Stretch), 7.5);
        assert_eq!(limit("LeftArm", FlexMeasure::Folds), f32::INFINITY);
        assert_eq!(limit("head", FlexMeasure::Layers), FlexPreset::Realistic.limits()[FlexMeasure::Layers as usize]);
        let ranges = &config.options.ranges;
        assert_eq!(ranges.len(), 2);
        assert_eq!((ranges[0].axis, ranges[0].range), (FlexAxis::Flexion, [0.0, 130.0]));
        assert_eq!(parsed(""), Ok(DeformConfig::default()));
    }

    #[test]
    fn mistakes_are_explained() {
        for (text, expected) in [
            ("limits = { strech = 3 }", "did you mean stretch?"),
            ("limits = { stretch = -1 }", "0 or more"),
            ("margin = inf", "finite"),
            ("preset = 'cartoon'", "realistic"),
            ("[[joint]]\nmatch = 'a'\ntwist = [0, 500]", "from -180 to 180"),
            ("against = 'next'", "previous"),
        ] {
            let problem = parsed(text).unwrap_err();
            assert!(problem.contains(expected), "{text}: {problem}");
        }
    }
}
