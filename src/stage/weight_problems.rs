//! Weight problems of a side. Selecting one shows its worst pose.

use std::sync::Arc;

use super::{SideValue, Stage};
use crate::analysis::weight_problems::{WeightProblem, WeightProblems, find_weight_problems};
use crate::jobs::{JobKind, Progress};
use crate::posing::Limits;
use crate::rig::{Rig, VertexList};
use crate::view::{SelectedProblem, Side, VertexSet};

/// Input for detecting weight problems of the open character with a side's weights.
#[derive(Clone, Debug)]
pub struct WeightProblemPlan {
    rig: Arc<Rig>,
    limits: Limits,
}

impl SideValue for WeightProblemPlan {
    type Value = Arc<WeightProblems>;

    const JOB: JobKind = JobKind::new(
        "weight problems",
        "Finding weight problems",
        "Everything else works; try again in the Compare panel, or run rigscope weights --problems.",
    );

    fn for_side(stage: &Stage, side: Side) -> Self {
        Self { rig: Arc::clone(stage.open_on(side)), limits: stage.document.limits.clone() }
    }

    fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.limits == other.limits
    }

    fn run(&self, progress: &Progress) -> Option<Arc<WeightProblems>> {
        find_weight_problems(&self.rig, &self.limits, progress).map(Arc::new)
    }

    fn stored(stage: &mut Stage) {
        if matches!(stage.view.problem, Some(SelectedProblem::Weights(..))) {
            stage.view.problem = None;
        }
    }
}

impl Stage {
    /// Returns the index of the selected problem in a side's list.
    pub fn selected_weight_problem(&self, side: Side) -> Option<usize> {
        match self.view.problem {
            Some(SelectedProblem::Weights(of, index)) if of == side => Some(index),
            _ => None,
        }
    }

    pub(crate) fn shown_weight_problem(&self) -> Option<(&Arc<WeightProblems>, usize)> {
        let Some(SelectedProblem::Weights(side, index)) = self.view.problem else { return None };
        Some((self.side_value::<WeightProblemPlan>(side)?, index))
    }

    pub(crate) fn select_weight_problem(&mut self, problem: Option<(Side, usize)>) {
        self.select(None);
        self.view.problem = problem.map(|(side, index)| SelectedProblem::Weights(side, index));
        if let Some(found) =
            problem.and_then(|(side, index)| self.side_value::<WeightProblemPlan>(side)?.list.get(index).cloned())
        {
            self.mark_weight_problem(&found);
        }
    }

    pub(crate) fn mark_weight_problem(&mut self, WeightProblem { joints, primitives, .. }: &WeightProblem) {
        // The problem's joint becomes the active one.
        self.view.selected = joints.iter().rev().copied().collect();
        // Draws only a sample of the vertices of large regions.
        let count: usize = primitives.iter().map(|(_, vertices)| vertices.first().len()).sum();
        let step = count.div_ceil(VertexList::MAX).max(1);
        let drawn = |vertices: &VertexList| vertices.first().iter().copied().step_by(step).collect();
        self.view.marked =
            primitives.iter().map(|(part, vertices)| VertexSet { part: *part, vertices: drawn(vertices) }).collect();
        self.refresh();
        self.frame_marked();
    }
}
