//! Demands of a project on its rigs, beside what is odd in any of them: limits, a skeleton, which codes count and how much.

mod contract;
mod limits;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

pub use contract::{Contract, JointDemand, Tolerance};
pub use limits::Limits;

use super::baseline::Forgiven;
use super::finding::FindingList;
use super::{Code, Finding, Severity};
use crate::rig::Rig;

/// Demands on every rig, and which findings are shown.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Codes whose findings are shown; those of other codes are hidden.
    pub codes: BTreeSet<Code>,
    /// Least severity that is shown; less grave findings are hidden.
    pub least: Severity,
    /// Severities of codes, where they are not what [`Code::severity`] says.
    pub severities: BTreeMap<Code, Severity>,
    /// Limits, all of which hold.
    pub limits: Vec<Limits>,
    /// The skeleton that every rig must have.
    pub contract: Option<Contract>,
}

/// Shows everything and demands nothing.
impl Default for Policy {
    fn default() -> Self {
        let codes = Code::ALL.iter().copied().collect();
        Self { codes, least: Severity::Note, severities: BTreeMap::new(), limits: Vec::new(), contract: None }
    }
}

/// The findings of a rig under a policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Findings that count, gravest first and by code.
    pub shown: Vec<Finding>,
    /// Number of findings that the policy hides.
    pub hidden: usize,
    /// Number of findings that a baseline forgives.
    pub forgiven: usize,
}

impl Policy {
    /// The demands of this policy that a rig does not meet, as findings.
    ///
    /// *Cost*: linear in joints, and with limits in vertices.
    pub fn violations(&self, rig: &Rig) -> Vec<Finding> {
        let mut findings = FindingList::default();
        for limits in &self.limits {
            limits.check(rig, &mut findings);
        }
        if let Some(contract) = &self.contract {
            contract.check(rig, &mut findings);
        }
        findings.into_list()
    }

    /// Judges a rig: joins the findings of lint with the demands that the rig does not meet, hides what is not to be shown and forgives what was
    /// there before.
    pub fn judge(&self, rig: &Rig, found: Vec<Finding>, mut forgiven: Forgiven) -> Judged {
        let mut shown = found;
        shown.extend(self.violations(rig));
        for finding in &mut shown {
            finding.severity = self.severities.get(&finding.code).copied().unwrap_or(finding.severity);
        }
        let found = shown.len();
        shown.retain(|finding| self.codes.contains(&finding.code) && finding.severity >= self.least);
        let hidden = found - shown.len();
        shown.sort_by_key(|finding| (Reverse(finding.severity), finding.code));
        let counted = shown.len();
        shown.retain(|finding| !forgiven.forgives(rig, finding));
        Judged { hidden, forgiven: counted - shown.len(), shown }
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
