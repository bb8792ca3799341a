//! Schema of `rigscope.toml`. Unknown keys are errors.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::{Quat, Vec3, Vec4};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Value, json};

use super::clip_file::ClipTable;
use super::deform_file::DeformTable;
use super::rule_file::{About, OneOrMany, RuleFile, RuleTable, SeveritySetting};
use super::suggestion::nearest;
use rigscope_analysis::analysis::lint::rules::Profile;
use rigscope_analysis::analysis::lint::{Code, ProjectRules, RequiredJoint, RequiredSkeleton, Tolerance, limit_rules};
use rigscope_core::files::Glob;
use rigscope_core::rig::unit_rotation;

/// Parses a finding code, case-insensitively. *Errors*: a message for the user with a suggestion.
pub fn parse_code(text: &str) -> Result<Code, String> {
    let wanted = text.trim().to_uppercase();
    let ids: Vec<String> = Code::ALL.iter().map(|code| code.id()).collect();
    match ids.iter().position(|id| *id == wanted) {
        Some(known) => Ok(Code::ALL[known]),
        None => Err(match nearest(&wanted, ids.iter().map(String::as_str)) {
            Some(near) => format!("no finding has this code; did you mean {near}?"),
            None => format!("no finding has this code; codes are {} to {}", ids[0], ids[ids.len() - 1]),
        }),
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ConfigFile {
    /// Whether warnings count as errors.
    pub strict: bool,
    /// Codes of findings that count; all others are hidden.
    only: Vec<CodeName>,
    /// Codes of hidden findings.
    ignore: Vec<CodeName>,
    /// Patterns of paths that are left out of folders and lists.
    pub exclude: Vec<Glob>,
    /// Severity by code.
    #[schemars(with = "BTreeMap<String, SeveritySetting>")]
    severity: BTreeMap<CodeName, SeveritySetting>,
    /// Limits of every file.
    limits: Option<LimitsTable>,
    /// Limits of engines or devices, by name. Files must keep all of them.
    target: BTreeMap<String, LimitsTable>,
    /// Required skeleton.
    pub skeleton: Option<Skeleton>,
    /// Profiles that files must meet: names, or paths of `.toml` files.
    pub profile: OneOrMany,
    /// Rank that files must reach in profiles that define it.
    #[serde(rename = "at-least")]
    pub at_least: Option<String>,
    /// Name and source of the file's own rules.
    about: About,
    /// Names of the ranks of the file's own rules, best first.
    ranks: Vec<String>,
    /// Name for files that don't reach the last rank.
    beyond: String,
    /// Base profiles. Rules in this file replace base rules with the same name.
    extends: OneOrMany,
    /// The file's own rules.
    rule: Vec<RuleTable>,
    /// Rules for clips, by name.
    pub clips: Vec<ClipTable>,
    /// Bend test.
    pub deform: Option<DeformTable>,
    /// Settings for some paths. They replace settings with the same keys.
    #[serde(rename = "override")]
    pub overrides: Vec<Override>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Override {
    /// Path patterns relative to the folder of the config file.
    pub files: OneOrMany,
    #[serde(flatten)]
    pub settings: toml::Table,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String", extend("pattern" = "^[Rr][Ii][Gg][0-9]{3}$"))]
struct CodeName(Code);

impl TryFrom<String> for CodeName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse_code(&text).map(Self)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LimitsTable {
    /// Maximum number of joints per skin.
    joints: Option<usize>,
    /// Maximum number of influences per vertex.
    influences: Option<usize>,
    /// Maximum number of vertices in the file.
    vertices: Option<usize>,
    /// Maximum number of vertices that a morph target moves.
    morph_vertices: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Skeleton {
    /// File that has the required joints, parents and rest poses. The path is relative to the config file.
    pub like: Option<PathBuf>,
    #[serde(default)]
    joints: Joints,
    #[serde(default)]
    tolerance: ToleranceTable,
    /// True if other joints are allowed.
    #[serde(default = "yes")]
    others: bool,
}

fn yes() -> bool {
    true
}

/// Required joints, by name. No joint is its own parent.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(try_from = "BTreeMap<String, Joint>")]
struct Joints(BTreeMap<String, Joint>);

impl TryFrom<BTreeMap<String, Joint>> for Joints {
    type Error = String;

    fn try_from(joints: BTreeMap<String, Joint>) -> Result<Self, Self::Error> {
        match joints.iter().find(|(name, joint)| joint.parent.as_ref() == Some(name)) {
            Some((name, _)) => Err(format!(
                "the parent of skeleton.joints.{name} is the joint itself; name the one above it, or leave parent out"
            )),
            None => Ok(Self(joints)),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Joint {
    /// Name of the parent.
    parent: Option<String>,
    /// Metres, relative to the parent.
    translation: Option<Finite>,
    /// Quaternion x, y, z, w, relative to the parent.
    rotation: Option<Rotation>,
    scale: Option<Finite>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "[f32; 3]")]
#[schemars(with = "[f32; 3]")]
struct Finite(Vec3);

impl TryFrom<[f32; 3]> for Finite {
    type Error = &'static str;

    fn try_from(numbers: [f32; 3]) -> Result<Self, Self::Error> {
        let vector = Vec3::from(numbers);
        if vector.is_finite() { Ok(Self(vector)) } else { Err("the numbers must be finite") }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "[f32; 4]")]
#[schemars(with = "[f32; 4]")]
struct Rotation(Quat);

impl TryFrom<[f32; 4]> for Rotation {
    type Error = &'static str;

    fn try_from(numbers: [f32; 4]) -> Result<Self, Self::Error> {
        let finite = Some(Quat::from_vec4(Vec4::from(numbers))).filter(|q| q.is_finite());
        finite.and_then(unit_rotation).map(Self).ok_or("this quaternion [x, y, z, w] is no rotation")
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ToleranceTable {
    /// Metres.
    translation: Option<Distance>,
    /// Degrees.
    rotation: Option<Distance>,
    /// Fraction.
    scale: Option<Distance>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "f32")]
#[schemars(extend("minimum" = 0))]
struct Distance(f32);

impl TryFrom<f32> for Distance {
    type Error = &'static str;

    fn try_from(number: f32) -> Result<Self, Self::Error> {
        if number.is_finite() && number >= 0.0 { Ok(Self(number)) } else { Err("a tolerance is 0 or more") }
    }
}

/// Returns the JSON Schema of the config.
pub fn config_schema(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<ConfigFile>()
}

/// The config's own keys, other than those that apply to the whole project, and `files`.
impl JsonSchema for Override {
    fn schema_name() -> Cow<'static, str> {
        "Override".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let files = generator.subschema_for::<OneOrMany>();
        let mut schema = ConfigFile::json_schema(generator);
        if let Some(Value::Object(keys)) = schema.get_mut("properties") {
            keys.retain(|key, _| key != "override" && key != "exclude");
            keys.insert("files".to_owned(), files.into());
        }
        schema.insert("required".to_owned(), json!(["files"]));
        schema
    }
}

impl ConfigFile {
    /// Moves the rules out of the file. `lines` holds the first line of each rule.
    pub(super) fn take_rules(&mut self, lines: &[usize]) -> RuleFile {
        RuleFile {
            lines: lines.to_vec(),
            about: std::mem::take(&mut self.about),
            ranks: std::mem::take(&mut self.ranks),
            beyond: std::mem::take(&mut self.beyond),
            extends: std::mem::take(&mut self.extends),
            rule: std::mem::take(&mut self.rule),
        }
    }

    /// Converts the file to project rules. Adds the file's joints to `contract`, the required skeleton.
    pub(super) fn project_rules(self, contract: RequiredSkeleton) -> ProjectRules {
        let mut project_rules = ProjectRules::default();
        project_rules.codes.retain(|code| {
            let code = CodeName(*code);
            let is_off = matches!(self.severity.get(&code), Some(SeveritySetting::Off));
            !is_off && !self.ignore.contains(&code) && (self.only.is_empty() || self.only.contains(&code))
        });
        let severities = self.severity.into_iter().filter_map(|(code, level)| Some((code.0, level.severity()?)));
        project_rules.severities = severities.collect();
        let always = self.limits.map(|table| (String::new(), table));
        project_rules.limits =
            always.into_iter().chain(self.target).map(|(target, table)| table.limits(&target)).collect();
        project_rules.required_skeleton = self.skeleton.map(|skeleton| skeleton.contract(contract));
        project_rules
    }
}

impl LimitsTable {
    fn limits(self, target: &str) -> Profile {
        let Self { joints, influences, vertices, morph_vertices } = self;
        let keys = ["joints", "influences", "vertices", "morph-vertices"];
        let limits = keys.into_iter().zip([joints, influences, vertices, morph_vertices]);
        limit_rules(target, &limits.filter_map(|(key, limit)| Some((key, limit?))).collect::<Vec<_>>())
    }
}

impl Skeleton {
    fn contract(self, mut contract: RequiredSkeleton) -> RequiredSkeleton {
        contract.joints.extend(self.joints.0.into_iter().map(|(name, joint)| (name, joint.demand())));
        let usual = Tolerance::default();
        contract.tolerance = Tolerance {
            translation: self.tolerance.translation.map_or(usual.translation, |d| d.0),
            rotation: self.tolerance.rotation.map_or(usual.rotation, |d| d.0.to_radians()),
            scale: self.tolerance.scale.map_or(usual.scale, |d| d.0),
        };
        contract.allows_others = self.others;
        contract
    }
}

impl Joint {
    fn demand(self) -> RequiredJoint {
        RequiredJoint {
            parent: self.parent,
            translation: self.translation.map(|t| t.0),
            rotation: self.rotation.map(|r| r.0),
            scale: self.scale.map(|s| s.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_parsed_and_typos_get_suggestions() {
        assert_eq!((parse_code("RIG010"), parse_code(" rig022")), (Ok(Code::WeightSum), Ok(Code::JointUnused)));
        assert!(parse_code("RIG10").unwrap_err().contains("did you mean RIG010?"));
        assert!(parse_code("RGI022").unwrap_err().contains("did you mean RIG022?"));
        for text in ["", "weights", "010"] {
            let said = parse_code(text).unwrap_err();
            assert!(said.contains("codes are RIG001 to RIG"), "{text}: {said}");
        }
    }
}
