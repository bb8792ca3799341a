//! `[[clips]]`: a config file's rules for clips, by name.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule_file::{OneOrMany, SeveritySetting};
use rigscope_analysis::analysis::clip_checks::{ClipRule, ClipRules, LOOP_SEAM_DEG, RootMotion};
use rigscope_analysis::analysis::lint::Severity;
use rigscope_analysis::analysis::lint::rules::Pattern;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ClipTable {
    /// Patterns of whole clip names, case-insensitive; `*` matches any letters.
    #[serde(rename = "match")]
    names: OneOrMany,
    /// Whether the clip loops, within `max-seam-deg` and `max-gap-mm`.
    #[serde(rename = "loop")]
    is_loop: Option<bool>,
    /// Maximum rotation of a joint between start and end, degrees. Default for a looping clip: 1.
    max_seam_deg: Option<Amount>,
    /// Maximum distance of a vertex between start and end, mm. Default for a looping clip: 1.75 % of the height.
    max_gap_mm: Option<Amount>,
    /// Whether the clip moves the root.
    root: Option<RootName>,
    /// Maximum distance that a foot slides during one floor contact, mm.
    max_foot_slide_mm: Option<Amount>,
    /// Frames per second.
    fps: Option<Rate>,
    /// Minimum length, seconds.
    min_seconds: Option<Amount>,
    /// Maximum length, seconds.
    max_seconds: Option<Amount>,
    /// Whether every file must have a clip with such a name.
    must_exist: Option<bool>,
    /// Severity if a rule is broken; error by default.
    severity: Option<SeveritySetting>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(extend("minimum" = 0))]
struct Amount(f64);

impl TryFrom<f64> for Amount {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if number.is_finite() && number >= 0.0 { Ok(Self(number)) } else { Err("this is a finite number, 0 or more") }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(extend("minimum" = 1, "maximum" = 1000))]
struct Rate(f64);

impl TryFrom<f64> for Rate {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        let is_rate = (1.0..=1000.0).contains(&number);
        if is_rate { Ok(Self(number)) } else { Err("fps is a number from 1 to 1000") }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RootName {
    InPlace,
    Moving,
}

/// Converts tables to rules; skips disabled tables. `lines` holds the first line of each table. *Errors*: a message
/// with the line of a table that has no rules or contradictory rules.
pub(super) fn contracts(tables: Vec<ClipTable>, file: &str, lines: &[usize]) -> Result<Vec<ClipRules>, String> {
    let mut all = Vec::new();
    for (number, table) in tables.into_iter().enumerate() {
        let line = lines.get(number).map(|line| format!("line {line}"));
        let place = line.iter().fold(file.to_owned(), |file, line| format!("{file}, {line}"));
        let at_line = |problem: String| line.iter().fold(problem, |problem, line| format!("{line}: {problem}"));
        all.extend(table.clip_rules(place).map_err(at_line)?);
    }
    Ok(all)
}

impl ClipTable {
    fn clip_rules(self, place: String) -> Result<Option<ClipRules>, String> {
        let listed = self.names.list().join(", ");
        let fault = |problem: &str| format!("clips \"{listed}\": {problem}");
        if self.names.list().iter().all(String::is_empty) {
            return Err(fault("it names no clips; match = \"walk*\""));
        }
        self.check().map_err(fault)?;
        let rules = self.rules();
        let must_exist = self.must_exist.unwrap_or(false);
        let Some(severity) = self.severity.map_or(Some(Severity::Error), SeveritySetting::severity) else {
            return Ok(None);
        };
        if rules.is_empty() && !must_exist {
            return Err(fault("it has no rules; add one, such as loop = true, root = ... or must-exist = true"));
        }
        let names = self.names.list().iter().map(|text| Pattern::new(text)).collect();
        Ok(Some(ClipRules { place, names, rules, must_exist, severity }))
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_no_loop = self.is_loop == Some(false);
        if is_no_loop && (self.max_seam_deg.is_some() || self.max_gap_mm.is_some()) {
            return Err("loop = false contradicts max-seam-deg and max-gap-mm, which apply to loops");
        }
        match (self.min_seconds, self.max_seconds) {
            (Some(min), Some(max)) if min.0 > max.0 => Err("min-seconds is more than max-seconds"),
            _ => Ok(()),
        }
    }

    fn rules(&self) -> Vec<ClipRule> {
        let amount = |found: Option<Amount>| found.map(|amount| amount.0);
        let is_loop = self.is_loop == Some(true);
        let seam = amount(self.max_seam_deg).or(is_loop.then_some(LOOP_SEAM_DEG)).map(ClipRule::Seam);
        let gap = self.max_gap_mm.map(|max| ClipRule::Gap(Some(max.0)));
        let root = self.root.map(|root| match root {
            RootName::InPlace => RootMotion::InPlace,
            RootName::Moving => RootMotion::Moving,
        });
        let [min, max] = [self.min_seconds, self.max_seconds].map(amount);
        let all = [
            seam,
            gap.or(is_loop.then_some(ClipRule::Gap(None))),
            root.map(ClipRule::Root),
            amount(self.max_foot_slide_mm).map(ClipRule::FootSlide),
            self.fps.map(|rate| ClipRule::Rate(rate.0)),
            min.or(max).map(|_| ClipRule::Seconds { min, max }),
        ];
        all.into_iter().flatten().collect()
    }
}
