//! The limits on costs in engines that a project's `[limits]` sets.

use super::super::Code;
use super::super::rules::{Limits, Measure, Profile, Rule};

/// Keys of limits, with what they measure and the codes of their findings.
const LIMITS: [(&str, Measure, Code); 4] = [
    ("joints", Measure::SkinJoints, Code::JointsOverLimit),
    ("influences", Measure::Influences, Code::InfluencesOverLimit),
    ("vertices", Measure::Vertices, Code::VerticesOverLimit),
    ("morph-vertices", Measure::MorphVertices, Code::MorphOverLimit),
];

/// A profile of limits by key: `joints` (of a skin), `influences` (of a vertex), `vertices` (of the file), `morph-vertices` (moved by a target).
/// Findings name the target platform, such as `mobile`; it is empty where the limits always apply.
pub fn limit_rules(target: &str, limits: &[(&str, usize)]) -> Profile {
    let rule = |(key, measure, code): &(&str, Measure, Code)| {
        let (_, most) = limits.iter().find(|(known, _)| known == key)?;
        let advice = Some(code.advice().to_owned());
        Some(Rule { code: *code, advice, ..Rule::new(key, *measure, Limits::most(*most as f64)) })
    };
    Profile {
        name: target.to_owned(),
        title: target.to_owned(),
        rules: LIMITS.iter().filter_map(rule).collect(),
        ..Profile::default()
    }
}
