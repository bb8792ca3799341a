use super::Stage;
use crate::analysis::lint::{Finding, Severity};
use crate::project::repair_for;
use crate::view::{PerSide, Side};
use crate::weights::Repair;

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

    /// Returns the findings of the open file, and the repairs on both sides.
    pub fn for_stage(stage: &'a Stage) -> Self {
        Self::new(stage.lint.list(), PerSide::from_fn(|side| repairs(stage, side)))
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

/// Returns the repairs that a side's shown weights include.
pub(super) fn repairs(stage: &Stage, side: Side) -> &[Repair] {
    stage.weighted(side).map_or(&[], |_| stage.view.sides[side].weights.repairs())
}
