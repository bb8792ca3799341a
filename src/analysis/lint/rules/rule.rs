//! One rule.

use super::super::{Code, Severity};
use super::{Measure, Pattern};
use crate::matching::{HumanBone, Scheme};

/// What is measured, how much of it is allowed, and of which things.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Name within its profile.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// How much is allowed.
    pub limits: Limits,
    /// Severity of a finding where the rule is not met.
    pub severity: Severity,
    /// Section of the source that says so; may be empty.
    pub section: String,
    /// What to do where it is not met, in place of the measure's own advice.
    pub advice: Option<String>,
    /// Meshes that are looked at, by the names of meshes or of the nodes that carry them; all where empty.
    pub meshes: Vec<Pattern>,
    /// Nodes below which meshes and joints count, by name; everywhere where empty.
    pub under: Vec<Pattern>,
    /// Names that are asked for, or of joints that are asked about.
    pub names: Vec<Pattern>,
    /// What has these names, or which textures are meant.
    pub kind: Kind,
    /// Names of what does not count.
    pub except: Vec<Pattern>,
    /// Humanoid bones that are asked for; all of the scheme where empty.
    pub bones: Vec<HumanBone>,
    /// Where each of some bones must hang: on the nearest that is there of the bones above, or on this one.
    pub below: Option<HumanBone>,
    /// Names of bones that are asked for.
    pub scheme: Scheme,
    /// Where the character looks.
    pub axis: Axis,
    /// Pose that is asked for.
    pub stance: Stance,
    /// What the measure's own words do not say.
    pub why: Option<String>,
    /// Code of its findings.
    pub code: Code,
}

/// How much of a measure is allowed: the least, the most, or both, for each rank of the profile, the best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The least; empty where anything goes.
    pub least: Vec<f64>,
    /// The most; empty where anything goes.
    pub most: Vec<f64>,
}

/// What has names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Joints of skins; all nodes where there is no skin.
    #[default]
    Joints,
    /// Joints of skins; nothing where there is no skin.
    SkinJoints,
    /// All nodes.
    Nodes,
    /// Meshes, by their own names or those of the nodes that carry them.
    Meshes,
    /// Materials.
    Materials,
    /// Clips.
    Clips,
    /// Morph targets.
    Morphs,
    /// Of textures, those of base colours.
    BaseColor,
}

impl Kind {
    /// All kinds, with their names in settings.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Joints, "joints"),
        (Self::SkinJoints, "skin-joints"),
        (Self::Nodes, "nodes"),
        (Self::Meshes, "meshes"),
        (Self::Materials, "materials"),
        (Self::Clips, "clips"),
        (Self::Morphs, "morphs"),
        (Self::BaseColor, "base-colour"),
    ];
}

/// A horizontal axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// +Z, as in glTF.
    #[default]
    PlusZ,
    /// -Z.
    MinusZ,
}

/// A pose in which characters are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stance {
    /// Arms level.
    #[default]
    T,
    /// Arms 45° down.
    A,
    /// Arms down.
    I,
}

impl Rule {
    /// A rule that allows so much of a measure, as an error.
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
            kind: Kind::default(),
            except: Vec::new(),
            bones: Vec::new(),
            below: None,
            scheme: Scheme::Vrm,
            axis: Axis::default(),
            stance: Stance::default(),
            why: None,
            code: Code::RuleBroken,
        }
    }

    /// Advice where the rule is not met.
    pub fn advice(&self) -> &str {
        self.advice.as_deref().unwrap_or(self.measure.advice())
    }

    /// True for a name that does not count.
    pub(super) fn leaves_out(&self, name: &str) -> bool {
        self.except.iter().any(|pattern| pattern.fits(name))
    }
}

impl Limits {
    /// At most so much.
    pub fn most(most: f64) -> Self {
        Self { least: Vec::new(), most: vec![most] }
    }

    /// The best rank whose limits a number keeps to; the count of ranks where it keeps to none.
    pub fn rank(&self, value: f64, ranks: usize) -> usize {
        let of = |list: &[f64], rank: usize| list.get(rank).or(list.last()).copied();
        let keeps = |rank: usize| {
            of(&self.least, rank).is_none_or(|least| value >= least)
                && of(&self.most, rank).is_none_or(|most| value <= most)
        };
        (0..ranks).find(|rank| keeps(*rank)).unwrap_or(ranks)
    }

    /// The limits of a rank in words: "8", "25 to 35".
    pub fn told(&self, measure: Measure, rank: usize) -> String {
        let of = |list: &[f64]| list.get(rank).or(list.last()).map(|value| measure.number(*value));
        match (of(&self.least), of(&self.most)) {
            (Some(least), Some(most)) if least == most => least,
            (Some(least), Some(most)) => format!("{} to {most}", without_unit(&least, &most)),
            (Some(least), None) if measure == Measure::BoneNames && least == measure.number(100.0) => least,
            (Some(least), None) => format!("{least} or more"),
            (None, Some(most)) => most,
            (None, None) => "anything".to_owned(),
        }
    }
}

/// The number of a limit whose unit the other limit has too: "25" of "25 s" and "35 s".
fn without_unit<'a>(limit: &'a str, other: &str) -> &'a str {
    let parts = limit.split_once(' ').zip(other.split_once(' '));
    parts.filter(|((_, unit), (_, others))| unit == others).map_or(limit, |((number, _), _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_best_rank_that_it_keeps_to() {
        let limits = Limits { least: vec![], most: vec![4.0, 8.0, 8.0] };
        let ranks = [0.0, 4.0, 5.0, 8.0, 9.0].map(|value| limits.rank(value, 3));
        assert_eq!(ranks, [0, 0, 1, 1, 3]);
        let band = Limits { least: vec![25.0], most: vec![35.0] };
        assert_eq!([24.9, 25.0, 35.0, 35.1].map(|value| band.rank(value, 1)), [1, 0, 0, 1]);
        assert_eq!(band.told(Measure::ClipFrames, 0), "25 to 35");
        assert_eq!(band.told(Measure::ClipRate, 0), "25 to 35 frames per second");
        assert_eq!(limits.rank(f64::NAN, 3), 3, "no number keeps to nothing");
    }
}
