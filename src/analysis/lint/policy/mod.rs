//! What a project demands of its rigs beyond lint: limits, a skeleton, which codes count and how much.

mod contract;
mod limits;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

pub use contract::{Contract, JointDemand, Tolerance};
pub use limits::limit_rules;

use super::baseline::{Forgiven, Stale};
use super::finding::FindingList;
use super::rules::{Inventory, Profile};
use super::suppressions::{Suppressed, Suppressions};
use super::{Code, Finding, Severity};
use crate::rig::Rig;

/// Demands on every rig, and which findings are shown.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Codes whose findings are shown; those of other codes are hidden.
    pub codes: BTreeSet<Code>,
    /// Least severity that is shown; milder findings are hidden.
    pub least: Severity,
    /// Severities of codes that differ from [`Code::severity`].
    pub severities: BTreeMap<Code, Severity>,
    /// Rules of profiles whose findings are shown, by the names of profiles and rules.
    pub rules: NameFilter,
    /// Profiles of limits, all of which apply.
    pub limits: Vec<Profile>,
    /// The skeleton that every rig must have.
    pub contract: Option<Contract>,
}

/// Shows everything and demands nothing.
impl Default for Policy {
    fn default() -> Self {
        let codes = Code::ALL.iter().copied().collect();
        let (severities, rules) = (BTreeMap::new(), NameFilter::default());
        Self { codes, least: Severity::Note, severities, rules, limits: Vec::new(), contract: None }
    }
}

/// Filter for rules by name: of a profile, such as `vrchat-mobile`, or a single rule, such as `vrchat-mobile/triangles`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameFilter {
    /// Names that are shown; `None` for all.
    pub only: Option<Vec<String>>,
    /// Names that are hidden.
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

/// The findings of a rig as judged by a policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Findings that count, most severe first, then by code.
    pub shown: Vec<Finding>,
    /// Findings that would count if the file did not suppress them, in the same order.
    pub suppressed: Vec<Suppressed>,
    /// Number of findings that the policy hides.
    pub hidden: usize,
    /// Number of findings that a baseline forgives.
    pub forgiven: usize,
    /// Entries of the baseline that forgive more than was found.
    pub stale: Vec<Stale>,
}

impl Policy {
    /// The demands of this policy that a rig does not meet, as findings.
    ///
    /// *Cost*: linear in joints, and with limits in vertices.
    pub fn violations(&self, rig: &Rig) -> Vec<Finding> {
        let mut findings = FindingList::default();
        if let Some(contract) = &self.contract {
            contract.check(rig, &mut findings);
        }
        let mut findings = findings.into_list();
        if !self.limits.is_empty() {
            let inventory = Inventory::new(rig, None);
            findings.extend(self.limits.iter().flat_map(|limits| limits.judge(&inventory, None).findings));
        }
        findings
    }

    /// True where findings of a code and of a severity are shown, or with the name of a rule those of the rule.
    pub fn shows(&self, code: Code, rule: Option<&str>, severity: Severity) -> bool {
        rule.map_or_else(|| self.codes.contains(&code), |id| self.rules.shows(id)) && severity >= self.least
    }

    /// Judges a rig: adds findings for demands that it does not meet to those of lint, takes out what the file suppresses, hides what should not be shown, and
    /// forgives what was there before.
    pub fn judge(&self, rig: &Rig, found: Vec<Finding>, mut forgiven: Forgiven) -> Judged {
        let mut shown = found;
        shown.extend(self.violations(rig));
        let mut suppressed = Suppressions::of(rig).take(&mut shown);
        for finding in shown.iter_mut().chain(suppressed.iter_mut().map(|s| &mut s.finding)) {
            finding.severity = self.severities.get(&finding.code).copied().unwrap_or(finding.severity);
        }
        // Hidden findings are there all the same.
        let stale = if forgiven.is_empty() { Vec::new() } else { forgiven.stale(&Forgiven::all(rig, &shown)) };
        let found = shown.len() + suppressed.len();
        let is_shown = |f: &Finding| self.shows(f.code, f.rule.as_ref().map(|rule| rule.id.as_str()), f.severity);
        shown.retain(is_shown);
        suppressed.retain(|suppressed| is_shown(&suppressed.finding));
        let hidden = found - shown.len() - suppressed.len();
        let order = |f: &Finding| (Reverse(f.severity), f.code, f.rule.as_ref().map(|r| r.id.clone()));
        shown.sort_by_cached_key(order);
        suppressed.sort_by_cached_key(|suppressed| order(&suppressed.finding));
        let counted = shown.len();
        shown.retain(|finding| !forgiven.forgives(rig, finding));
        Judged { hidden, forgiven: counted - shown.len(), stale, shown, suppressed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::lint::Target;

    fn shown(policy: &Policy) -> Vec<(Code, Severity)> {
        let codes = [Code::ZeroArea, Code::WeightSum, Code::ManyInfluences];
        let found = codes.map(|code| Finding::new(code, String::new(), Target::File)).to_vec();
        let judged = policy.judge(&Rig::default(), found, Forgiven::default());
        assert_eq!(judged.hidden + judged.shown.len(), 3);
        judged.shown.iter().map(|finding| (finding.code, finding.severity)).collect()
    }

    #[test]
    fn severities_are_set_before_anything_is_hidden_and_give_the_order() {
        use Severity::{Error, Note, Warning};
        let mut policy = Policy::default();
        let by_code = [(Code::WeightSum, Error), (Code::ManyInfluences, Warning), (Code::ZeroArea, Note)];
        assert_eq!(shown(&policy), by_code);
        policy.severities = [(Code::ZeroArea, Error), (Code::WeightSum, Note)].into();
        assert_eq!(shown(&policy), [(Code::ZeroArea, Error), (Code::ManyInfluences, Warning), (Code::WeightSum, Note)]);
        policy.least = Warning;
        assert_eq!(shown(&policy), [(Code::ZeroArea, Error), (Code::ManyInfluences, Warning)]);
        policy.codes.remove(&Code::ZeroArea);
        assert_eq!(shown(&policy), [(Code::ManyInfluences, Warning)]);
    }
}
