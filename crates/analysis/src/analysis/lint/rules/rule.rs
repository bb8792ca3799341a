//! Rules of profiles.

use super::super::{Code, Severity};
use super::{Measure, Pattern};
use rigscope_core::matching::{HumanBone, Scheme};

/// A measure, its limits and the objects to which it applies.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Name within its profile.
    pub name: String,
    /// Quantity that the rule limits.
    pub measure: Measure,
    /// Limits of the quantity.
    pub limits: Limits,
    /// Severity of a violation.
    pub severity: Severity,
    /// Section of the source; may be empty.
    pub section: String,
    /// Advice on a violation; `None` uses the measure's advice.
    pub advice: Option<String>,
    /// Names of selected meshes, or of their nodes; all meshes if empty.
    pub meshes: Vec<Pattern>,
    /// Names of nodes that are selected with their descendants; all nodes if empty.
    pub under: Vec<Pattern>,
    /// Required names, or names of selected joints.
    pub names: Vec<Pattern>,
    /// Kind of objects that `names` refers to, or of selected textures.
    pub kind: NamedObjectKind,
    /// Names of excluded objects.
    pub except: Vec<Pattern>,
    /// Required humanoid bones; all bones of the scheme if empty.
    pub bones: Vec<HumanBone>,
    /// Required ancestor of the bones. If `None`, the nearest bone above each bone must be its nearest ancestor in the
    /// humanoid.
    pub below: Option<HumanBone>,
    /// Naming scheme of bones.
    pub scheme: Scheme,
    /// Required front direction.
    pub axis: FacingAxis,
    /// Required pose.
    pub stance: StandardPose,
    /// Reason for the rule; `None` uses the measure's description.
    pub why: Option<String>,
    /// Code of violations.
    pub code: Code,
}

/// Minimum and maximum for each rank of the profile, best first. The last value applies to all further ranks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Minimum by rank; empty if there is none.
    pub min: Vec<f64>,
    /// Maximum by rank; empty if there is none.
    pub max: Vec<f64>,
}

rigscope_core::named_enum! {
    /// Kind of objects that a rule refers to by name.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum NamedObjectKind {
        /// Joints of skins, or all nodes if the rig has no skin.
        #[default]
        Joints = "joints";
        /// Joints of skins.
        SkinJoints = "skin-joints";
        /// All nodes.
        Nodes = "nodes";
        /// Meshes, by name or by their node's name.
        Meshes = "meshes";
        /// Materials.
        Materials = "materials";
        /// Clips.
        Clips = "clips";
        /// Morph targets.
        Morphs = "morphs";
        /// Textures of base colours.
        BaseColor = "base-colour";
    }
}

/// Horizontal axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FacingAxis {
    /// +Z, as in glTF.
    #[default]
    PlusZ,
    /// -Z.
    MinusZ,
}

/// Pose in which characters are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StandardPose {
    /// Arms level.
    #[default]
    T,
    /// Arms 45° down.
    A,
    /// Arms down.
    I,
}

impl Rule {
    /// Creates a rule with severity error.
    pub fn new(name: &str, measure: Measure, limits: Limits) -> Self {
        Self {
            name: name.to_owned(),
            measure,
            limits,
            severity: Severity::Error,
            section: String::new(),
            advice: None,
            meshes: Vec::new(),
            under: Vec::new(),
            names: Vec::new(),
            kind: NamedObjectKind::default(),
            except: Vec::new(),
            bones: Vec::new(),
            below: None,
            scheme: Scheme::Vrm,
            axis: FacingAxis::default(),
            stance: StandardPose::default(),
            why: None,
            code: Code::RuleBroken,
        }
    }

    /// Returns the advice on a violation.
    pub fn advice(&self) -> &str {
        self.advice.as_deref().unwrap_or(self.measure.advice())
    }

    pub(super) fn excludes(&self, name: &str) -> bool {
        self.except.iter().any(|pattern| pattern.fits(name))
    }
}

impl Limits {
    /// Creates limits with a single maximum.
    pub fn at_most(max: f64) -> Self {
        Self { min: Vec::new(), max: vec![max] }
    }

    /// Returns the best rank whose limits allow a value, or `ranks` if no rank does.
    pub fn rank(&self, value: f64, ranks: usize) -> usize {
        let of = |list: &[f64], rank: usize| list.get(rank).or(list.last()).copied();
        let keeps = |rank: usize| {
            of(&self.min, rank).is_none_or(|min| value >= min) && of(&self.max, rank).is_none_or(|max| value <= max)
        };
        (0..ranks).find(|rank| keeps(*rank)).unwrap_or(ranks)
    }

    /// Describes the limits of a rank: "8", "25 to 35".
    pub fn describe(&self, measure: Measure, rank: usize) -> String {
        let of = |list: &[f64]| list.get(rank).or(list.last()).map(|value| measure.number(*value));
        match (of(&self.min), of(&self.max)) {
            (Some(min), Some(max)) if min == max => min,
            (Some(min), Some(max)) => format!("{} to {max}", without_unit(&min, &max)),
            (Some(min), None) if measure == Measure::BoneNames && min == measure.number(100.0) => min,
            (Some(min), None) => format!("{min} or more"),
            (None, Some(max)) => max,
            (None, None) => "anything".to_owned(),
        }
    }
}

/// Removes the unit from a limit if the other limit has the same unit: "25 s" becomes "25" if the other limit is "35
/// s".
fn without_unit<'a>(limit: &'a str, other: &str) -> &'a str {
    let parts = limit.split_once(' ').zip(other.split_once(' '));
    parts.filter(|((_, unit), (_, others))| unit == others).map_or(limit, |((number, _), _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_best_rank_that_it_keeps_to() {
        let limits = Limits { min: vec![], max: vec![4.0, 8.0, 8.0] };
        let ranks = [0.0, 4.0, 5.0, 8.0, 9.0].map(|value| limits.rank(value, 3));
        assert_eq!(ranks, [0, 0, 1, 1, 3]);
        let band = Limits { min: vec![25.0], max: vec![35.0] };
        assert_eq!([24.9, 25.0, 35.0, 35.1].map(|value| band.rank(value, 1)), [1, 0, 0, 1]);
        assert_eq!(band.describe(Measure::ClipFrames, 0), "25 to 35");
        assert_eq!(band.describe(Measure::ClipRate, 0), "25 to 35 frames per second");
        assert_eq!(limits.rank(f64::NAN, 3), 3, "no number keeps to nothing");
    }
}
