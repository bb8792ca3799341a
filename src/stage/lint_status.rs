use super::{ChoiceState, Stage};
use crate::analysis::lint::{Finding, Severity};
use crate::project::repair_for;
use crate::view::{PerSide, Side};
use crate::weights::{Repair, WeightChoice};

/// Findings of the open file, and the repairs that each side's weights include.
#[derive(Clone, Copy, Debug)]
pub struct LintStatus<'a> {
    findings: &'a [Finding],
    repairs: PerSide<&'a [Repair]>,
}

impl<'a> LintStatus<'a> {
    pub(super) fn new(findings: &'a [Finding], repairs: PerSide<&'a [Repair]>) -> Self {
        Self { findings, repairs }
    }

    /// True if a side's weights repair the finding.
    pub fn is_repaired_on(&self, side: Side, finding: &Finding) -> bool {
        repair_for(finding.code).is_some_and(|repair| self.repairs[side].contains(&repair))
    }

    /// True if no side repairs the finding.
    pub fn is_left(&self, finding: &Finding) -> bool {
        !Side::ALL.into_iter().any(|side| self.is_repaired_on(side, finding))
    }

    /// Returns the findings that no side repairs, worst first.
    pub fn left(&self) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().filter(|finding| self.is_left(finding))
    }

    /// Returns the severity of the worst remaining finding.
    pub fn worst(&self) -> Option<Severity> {
        self.left().map(|finding| finding.severity).max()
    }

    /// Returns the number of findings that a side repairs.
    pub fn repaired_on(&self, side: Side) -> usize {
        self.findings.iter().filter(|finding| self.is_repaired_on(side, finding)).count()
    }
}

impl Stage {
    /// Returns the findings, and which of them each side's weights repair.
    pub fn lint_status(&self) -> LintStatus<'_> {
        LintStatus::new(self.lint.list(), PerSide::from_fn(|side| self.repairs_on(side)))
    }

    pub(super) fn repairs_on(&self, side: Side) -> &[Repair] {
        let is_shown = matches!(self.choice::<WeightChoice>(side), ChoiceState::Shown(_));
        if is_shown { self.weight_choice(side).repairs() } else { &[] }
    }
}
