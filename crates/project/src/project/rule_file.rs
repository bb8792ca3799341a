//! Rules and profiles in TOML. A project's `rigscope.toml` and platform profiles have the same keys.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::suggestion::nearest;
use rigscope_analysis::analysis::lint::Severity;
use rigscope_analysis::analysis::lint::rules::{
    FacingAxis, Limits, Measure, NamedObjectKind, Pattern, Profile, Rule, StandardPose,
};
use rigscope_core::matching::{HumanBone, Scheme};

#[derive(Debug)]
pub(super) struct RuleFile {
    pub about: About,
    pub ranks: Vec<String>,
    pub beyond: String,
    /// Base profiles. Rules in this file replace base rules with the same name.
    pub extends: OneOrMany,
    pub rule: Vec<RuleTable>,
    /// Line of each rule, if known.
    pub lines: Vec<usize>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct About {
    /// Name of the rules in results: letters, digits, hyphens, points and underscores.
    name: Option<String>,
    title: String,
    version: String,
    /// Day on which the source was read, such as 2026-11-24.
    date: String,
    /// Addresses of the source.
    source: OneOrMany,
    /// What users should know about the rules.
    notes: OneOrMany,
}

/// A text, or a list of texts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "this is a text, or a list of texts")]
pub(super) enum OneOrMany {
    #[default]
    #[schemars(skip)]
    None,
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(super) fn list(&self) -> &[String] {
        match self {
            Self::None => &[],
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }

    fn patterns(&self) -> Vec<Pattern> {
        self.list().iter().map(|text| Pattern::new(text)).collect()
    }
}

/// One number for all ranks, or one number per rank.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "this is a number, or a list with a number for each rank")]
enum Levels {
    One(f64),
    Many(Vec<f64>),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SeveritySetting {
    Error,
    Warning,
    Note,
    Off,
}

impl SeveritySetting {
    pub(super) fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Note => Some(Severity::Note),
            Self::Off => None,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleTable {
    /// Name within the profile; by default, the name of the measure.
    name: Option<String>,
    /// What is measured; `rigscope profiles --measures` lists all measures.
    measure: Option<MeasureName>,
    /// Maximum.
    max: Option<Levels>,
    /// Minimum.
    min: Option<Levels>,
    /// Severity if the rule is broken; error by default.
    severity: Option<SeveritySetting>,
    /// Section of the source that has the rule.
    #[serde(default)]
    section: String,
    /// What to do if the rule is broken.
    advice: Option<String>,
    /// Name patterns of the meshes, or of their nodes, that count.
    #[serde(default)]
    mesh: OneOrMany,
    /// Names of the nodes below which meshes and joints count.
    #[serde(default)]
    under: OneOrMany,
    /// Required name patterns.
    #[serde(default)]
    names: OneOrMany,
    /// Kind of objects that have these names.
    of: Option<KindName>,
    /// Name patterns that don't count.
    #[serde(default)]
    except: OneOrMany,
    /// Humanoid bones, by their VRM 1.0 names.
    #[serde(default)]
    bones: Vec<BoneName>,
    /// Bone that must be an ancestor of `bones`.
    below: Option<BoneName>,
    /// Naming scheme of the required bone names.
    scheme: Option<SchemeName>,
    /// Direction that the character faces.
    axis: Option<AxisName>,
    /// Rest pose.
    pose: Option<PoseName>,
    /// Explanation, if the measure's own is not enough.
    why: Option<String>,
}

/// Defines the type of a key that has a fixed set of values.
macro_rules! named {
    ($name:ident, $inner:ty, $find:expr, $what:literal, $all:expr) => {
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(try_from = "String")]
        struct $name($inner);

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "enum": $all })
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                let found: Option<$inner> = ($find)(text.as_str());
                found.map(Self).ok_or_else(|| unknown($what, &text, &$all))
            }
        }
    };
}

fn unknown(what: &str, text: &str, all: &[String]) -> String {
    let known = all.iter().map(String::as_str);
    let meant = nearest(text, known).map_or(String::new(), |meant| format!("; did you mean {meant}?"));
    let list = if all.len() > 12 { String::new() } else { format!("; there are {}", all.join(", ")) };
    format!("no {what} is called \"{text}\"{list}{meant}")
}

fn texts<T: ToString>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|one| one.to_string()).collect()
}

named!(
    MeasureName,
    Measure,
    |text: &str| Measure::of_rules().find(|measure| measure.key() == text),
    "measure",
    texts(Measure::of_rules())
);
named!(BoneName, HumanBone, HumanBone::named, "humanoid bone", texts(HumanBone::all()));
named!(
    SchemeName,
    Scheme,
    |text: &str| Scheme::ALL.into_iter().find(|scheme| scheme.name() == text),
    "scheme of names",
    texts(Scheme::ALL.map(Scheme::name))
);
named!(
    KindName,
    NamedObjectKind,
    |text: &str| NamedObjectKind::ALL.into_iter().find(|kind| kind.name() == text),
    "kind of things",
    texts(NamedObjectKind::ALL.map(NamedObjectKind::name))
);
named!(
    AxisName,
    FacingAxis,
    |text: &str| [(FacingAxis::PlusZ, "+z"), (FacingAxis::MinusZ, "-z")]
        .into_iter()
        .find(|(_, name)| *name == text)
        .map(|(axis, _)| axis),
    "axis",
    texts(["+z", "-z"])
);
named!(
    PoseName,
    StandardPose,
    |text: &str| [(StandardPose::T, "t"), (StandardPose::A, "a"), (StandardPose::I, "i")]
        .into_iter()
        .find(|(_, name)| *name == text)
        .map(|(stance, _)| stance),
    "pose",
    texts(["t", "a", "i"])
);

impl RuleFile {
    pub(super) const KEYS: [&str; 5] = ["about", "ranks", "beyond", "extends", "rule"];

    pub(super) fn is_a_profile(&self) -> bool {
        !self.rule.is_empty() || !self.extends.list().is_empty()
    }

    /// Returns the profile merged with its base profiles. *Errors*: a message for the user that names the rule.
    pub(super) fn profile(self, bases: Vec<Profile>) -> Result<Profile, String> {
        let mut profile = Profile::default();
        for base in bases {
            if profile.ranks.is_empty() {
                (profile.ranks, profile.beyond) = (base.ranks, base.beyond);
            }
            profile.rules.extend(base.rules);
            profile.files.extend(base.files);
        }
        let About { name, title, version, date, source, notes } = self.about;
        profile.name = name.unwrap_or_else(|| "project".to_owned());
        if !profile.name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) || profile.name.is_empty() {
            return Err("about.name: a name has letters, digits, hyphens, points and underscores".to_owned());
        }
        profile.title = if title.is_empty() { profile.name.clone() } else { title };
        (profile.version, profile.date) = (version, date);
        (profile.sources, profile.notes) = (source.list().to_vec(), notes.list().to_vec());
        if !self.ranks.is_empty() {
            (profile.ranks, profile.beyond) = (self.ranks, self.beyond);
        }
        let ranks = profile.rank_count();
        for (number, table) in self.rule.into_iter().enumerate() {
            let at_line = |problem| match self.lines.get(number) {
                Some(line) => format!("line {line}: {problem}"),
                None => problem,
            };
            let (name, rule) = table.rule(number + 1, ranks).map_err(at_line)?;
            let place = profile.rules.iter().position(|known| known.name == name);
            match (rule, place) {
                (Some(rule), Some(place)) => profile.rules[place] = rule,
                (Some(rule), None) => profile.rules.push(rule),
                (None, Some(place)) => drop(profile.rules.remove(place)),
                (None, None) => {}
            }
        }
        Ok(profile)
    }
}

impl RuleTable {
    /// Returns the name and the rule; the rule is `None` if it is disabled.
    fn rule(self, number: usize, ranks: usize) -> Result<(String, Option<Rule>), String> {
        let measure = self.measure.map(|measure| measure.0);
        let name = self.name.or_else(|| measure.map(|measure| measure.key().to_owned()));
        let name = name.ok_or(format!("rule {number} has neither name nor measure"))?;
        let fault = |problem: &str| format!("rule \"{name}\": {problem}");
        let Some(severity) = self.severity.unwrap_or(SeveritySetting::Error).severity() else {
            return Ok((name, None));
        };
        let measure = measure.ok_or_else(|| fault("the measure is missing; add measure = ..."))?;
        let levels = |levels: Option<Levels>| match levels {
            None => Vec::new(),
            Some(Levels::One(one)) => vec![one],
            Some(Levels::Many(many)) => many,
        };
        let mut limits = Limits { min: levels(self.min), max: levels(self.max) };
        for list in [&limits.min, &limits.max] {
            if list.len() > 1 && list.len() != ranks {
                return Err(fault(&format!("{} limits for {ranks} ranks; give one, or one for each", list.len())));
            }
            if list.iter().any(|limit| !limit.is_finite()) {
                return Err(fault("a limit is a finite number"));
            }
        }
        if limits == Limits::default() {
            limits = usual_limits(measure).ok_or_else(|| fault("it has neither max nor min"))?;
        }
        let rule = Rule {
            severity,
            section: self.section,
            advice: self.advice,
            meshes: self.mesh.patterns(),
            under: self.under.patterns(),
            names: self.names.patterns(),
            kind: self.of.map_or_else(NamedObjectKind::default, |kind| kind.0),
            except: self.except.patterns(),
            bones: self.bones.into_iter().map(|bone| bone.0).collect(),
            below: self.below.map(|bone| bone.0),
            scheme: self.scheme.map_or(Scheme::Vrm, |scheme| scheme.0),
            axis: self.axis.map_or_else(FacingAxis::default, |axis| axis.0),
            stance: self.pose.map_or_else(StandardPose::default, |stance| stance.0),
            why: self.why,
            ..Rule::new(&name, measure, limits)
        };
        let needs_names =
            matches!(measure, Measure::Names | Measure::MissingNames | Measure::OtherNames | Measure::InfluencedBy);
        if needs_names && rule.names.is_empty() {
            return Err(fault("it names nothing; names = [...]"));
        }
        if !rule.meshes.is_empty() && !measure.is_of_parts() {
            return Err(fault(&format!("mesh = ... doesn't apply to {measure}, which isn't counted per mesh")));
        }
        if !rule.under.is_empty() && !measure.is_of_parts() && measure != Measure::Joints {
            return Err(fault(&format!("under = ... doesn't apply to {measure}, which belongs to no node")));
        }
        Ok((name, Some(rule)))
    }
}

/// Returns the default limits of measures that count defects or rate names.
fn usual_limits(measure: Measure) -> Option<Limits> {
    use Measure as M;
    match measure {
        M::NotInFile | M::NotRead => Some(Limits { min: Vec::new(), max: vec![0.0] }),
        M::BoneNames => Some(Limits { min: vec![100.0], max: Vec::new() }),
        M::Names => Some(Limits { min: vec![1.0], max: Vec::new() }),
        _ if measure.is_of_defects() => Some(Limits::at_most(0.0)),
        _ => None,
    }
}
