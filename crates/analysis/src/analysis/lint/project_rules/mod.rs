//! Project rules: limits, a required skeleton, and the codes and severities to show.

mod skeleton;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

pub use skeleton::{RequiredJoint, RequiredSkeleton, Tolerance};

use super::baseline::{FileBaseline, UnusedEntry};
use super::finding::FindingList;
use super::rules::{Inventory, Limits, Measure, Profile, Rule};
use super::suppressions::{SuppressedFinding, Suppressions};
use super::{Code, Finding, Severity};
use rigscope_core::rig::Rig;

/// Rules for every rig of a project, and filters for findings.
#[derive(Clone, Debug)]
pub struct ProjectRules {
    /// Codes to show.
    pub codes: BTreeSet<Code>,
    /// Findings below this severity are hidden.
    pub min_severity: Severity,
    /// Severities that override [`Code::severity`].
    pub severities: BTreeMap<Code, Severity>,
    /// Filter for profiles and their rules.
    pub rules: NameFilter,
    /// Profiles with limits; all of them apply.
    pub limits: Vec<Profile>,
    /// Required skeleton.
    pub required_skeleton: Option<RequiredSkeleton>,
}

impl Default for ProjectRules {
    fn default() -> Self {
        let codes = Code::ALL.iter().copied().collect();
        let (severities, rules) = (BTreeMap::new(), NameFilter::default());
        Self { codes, min_severity: Severity::Note, severities, rules, limits: Vec::new(), required_skeleton: None }
    }
}

/// Filter for the names of profiles, such as `vrchat-mobile`, and of rules, such as `vrchat-mobile/triangles`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameFilter {
    /// Names to show; `None` shows all.
    pub only: Option<Vec<String>>,
    /// Names to hide.
    pub ignore: Vec<String>,
}

impl NameFilter {
    fn shows(&self, id: &str) -> bool {
        let is_named = |names: &[String]| {
            names
                .iter()
                .any(|name| id.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        };
        self.only.as_deref().is_none_or(is_named) && !is_named(&self.ignore)
    }
}

/// Findings of a rig, filtered by project rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilteredFindings {
    /// Shown findings, most severe first, then by code.
    pub shown: Vec<Finding>,
    /// Findings that the file suppresses, in the same order.
    pub suppressed: Vec<SuppressedFinding>,
    /// Number of findings that the project rules hide.
    pub hidden: usize,
    /// Number of findings that the baseline accepts.
    pub baselined: usize,
    /// Entries of the baseline that accept more than was found.
    pub unused_entries: Vec<UnusedEntry>,
}

impl ProjectRules {
    /// Returns the findings of all violated rules. *Cost*: linear in joints; with limits, also in vertices.
    pub fn violations(&self, rig: &Rig) -> Vec<Finding> {
        let mut findings = FindingList::default();
        if let Some(contract) = &self.required_skeleton {
            contract.check(rig, &mut findings);
        }
        let mut findings = findings.into_list();
        if !self.limits.is_empty() {
            let inventory = Inventory::new(rig, None);
            findings.extend(self.limits.iter().flat_map(|limits| limits.check_rig(&inventory, None).findings));
        }
        findings
    }

    /// Returns true if findings with this severity and code are shown. For a profile's finding, pass its ID as `rule`;
    /// the code is then ignored.
    pub fn shows(&self, code: Code, rule: Option<&str>, severity: Severity) -> bool {
        rule.map_or_else(|| self.codes.contains(&code), |id| self.rules.shows(id)) && severity >= self.min_severity
    }

    /// Adds violations of project rules to the findings, then removes suppressed, hidden and accepted findings.
    pub fn filter_findings(&self, rig: &Rig, found: Vec<Finding>, mut accepted: FileBaseline) -> FilteredFindings {
        let mut shown = found;
        shown.extend(self.violations(rig));
        let mut suppressed = Suppressions::new(rig).apply(&mut shown);
        for finding in shown.iter_mut().chain(suppressed.iter_mut().map(|s| &mut s.finding)) {
            finding.severity = self.severities.get(&finding.code).copied().unwrap_or(finding.severity);
        }
        // At this point, `shown` includes hidden findings.
        let unused = if accepted.is_empty() { Vec::new() } else { accepted.unused(&FileBaseline::all(rig, &shown)) };
        let found = shown.len() + suppressed.len();
        let is_shown = |f: &Finding| self.shows(f.code, f.rule.as_ref().map(|rule| rule.id.as_str()), f.severity);
        shown.retain(is_shown);
        suppressed.retain(|suppressed| is_shown(&suppressed.finding));
        let hidden = found - shown.len() - suppressed.len();
        let order = |f: &Finding| (Reverse(f.severity), f.code, f.rule.as_ref().map(|r| r.id.clone()));
        shown.sort_by_cached_key(order);
        suppressed.sort_by_cached_key(|suppressed| order(&suppressed.finding));
        let counted = shown.len();
        shown.retain(|finding| !accepted.accepts(rig, finding));
        FilteredFindings { hidden, baselined: counted - shown.len(), unused_entries: unused, shown, suppressed }
    }
}

const LIMITS: [(&str, Measure, Code); 4] = [
    ("joints", Measure::SkinJoints, Code::JointsOverLimit),
    ("influences", Measure::Influences, Code::InfluencesOverLimit),
    ("vertices", Measure::Vertices, Code::VerticesOverLimit),
    ("morph-vertices", Measure::MorphVertices, Code::MorphOverLimit),
];

/// Creates a profile from limits by key: `joints` (per skin), `influences` (per vertex), `vertices` (in the file),
/// `morph-vertices` (moved by one target). `target` names the platform in findings, such as `mobile`; it may be empty.
pub fn limit_rules(target: &str, limits: &[(&str, usize)]) -> Profile {
    let rule = |(key, measure, code): &(&str, Measure, Code)| {
        let (_, limit) = limits.iter().find(|(known, _)| known == key)?;
        let advice = Some(code.advice().to_owned());
        Some(Rule { code: *code, advice, ..Rule::new(key, *measure, Limits::at_most(*limit as f64)) })
    };
    Profile {
        name: target.to_owned(),
        title: target.to_owned(),
        rules: LIMITS.iter().filter_map(rule).collect(),
        ..Profile::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::lint::Target;

    fn shown(project_rules: &ProjectRules) -> Vec<(Code, Severity)> {
        let codes = [Code::ZeroArea, Code::WeightSum, Code::ManyInfluences];
        let found = codes.map(|code| Finding::new(code, String::new(), Target::File)).to_vec();
        let judged = project_rules.filter_findings(&Rig::default(), found, FileBaseline::default());
        assert_eq!(judged.hidden + judged.shown.len(), 3);
        judged.shown.iter().map(|finding| (finding.code, finding.severity)).collect()
    }

    #[test]
    fn severities_are_set_before_anything_is_hidden_and_give_the_order() {
        use Severity::{Error, Note, Warning};
        let mut project_rules = ProjectRules::default();
        let by_code = [(Code::WeightSum, Error), (Code::ManyInfluences, Warning), (Code::ZeroArea, Note)];
        assert_eq!(shown(&project_rules), by_code);
        project_rules.severities = [(Code::ZeroArea, Error), (Code::WeightSum, Note)].into();
        assert_eq!(
            shown(&project_rules),
            [(Code::ZeroArea, Error), (Code::ManyInfluences, Warning), (Code::WeightSum, Note)]
        );
        project_rules.min_severity = Warning;
        assert_eq!(shown(&project_rules), [(Code::ZeroArea, Error), (Code::ManyInfluences, Warning)]);
        project_rules.codes.remove(&Code::ZeroArea);
        assert_eq!(shown(&project_rules), [(Code::ManyInfluences, Warning)]);
    }
}
