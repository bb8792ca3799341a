//! Weight problems of both sides, detected in the background on request. Selecting one shows its worst pose.

use std::sync::Arc;

use super::{Derived, Stage};
use crate::analysis::weight_problems::{WeightProblem, WeightProblems, find_weight_problems};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::posing::Limits;
use crate::rig::{Rig, VertexList};
use crate::view::{SelectedProblem, Side, VertexSet};

#[derive(Clone, Debug, Default)]
pub(crate) struct CachedWeightProblems {
    pub is_asked_for: bool,
    known: Vec<(WeightProblemPlan, Arc<WeightProblems>)>,
}

/// Input for detecting weight problems.
#[derive(Clone, Debug)]
pub struct WeightProblemPlan {
    /// The character with a side's weights.
    pub rig: Arc<Rig>,
    limits: Limits,
}

impl Derived for WeightProblemPlan {
    type Value = Arc<WeightProblems>;

    const JOB: JobKind = JobKind::new(
        "suspicious regions",
        "Finding weight problems",
        "Everything else works; try again in the Compare panel, or run rigscope weights --suspicious.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        if !stage.weight_problems.is_asked_for {
            return None;
        }
        let side = Side::ALL.into_iter().find(|side| stage.found_weight_problems(*side).is_none())?;
        Some(stage.weight_problem_plan(side))
    }

    fn is(&self, other: &Self) -> bool {
        self.is_of(&other.rig, &other.limits)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        find_weight_problems(&self.rig, &self.limits, &job.progress).map(Arc::new)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_weight_problems(self, value);
    }
}

impl WeightProblemPlan {
    fn is_of(&self, rig: &Arc<Rig>, limits: &Limits) -> bool {
        Arc::ptr_eq(&self.rig, rig) && self.limits == *limits
    }
}

impl Stage {
    /// Returns the weight problems of the open character with a side's weights, if detected.
    pub fn found_weight_problems(&self, side: Side) -> Option<&Arc<WeightProblems>> {
        let (rig, limits) = (self.open_on(side), &self.document.limits);
        self.weight_problems.known.iter().find(|(plan, _)| plan.is_of(rig, limits)).map(|(_, found)| found)
    }

    /// Returns the index of the selected problem in a side's list.
    pub fn selected_weight_problem(&self, side: Side) -> Option<usize> {
        match self.view.problem {
            Some(SelectedProblem::Weights(of, index)) if of == side => Some(index),
            _ => None,
        }
    }

    pub(crate) fn shown_weight_problem(&self) -> Option<(&Arc<WeightProblems>, usize)> {
        let Some(SelectedProblem::Weights(side, index)) = self.view.problem else { return None };
        Some((self.found_weight_problems(side)?, index))
    }

    fn weight_problem_plan(&self, side: Side) -> WeightProblemPlan {
        WeightProblemPlan { rig: Arc::clone(self.open_on(side)), limits: self.document.limits.clone() }
    }

    fn take_weight_problems(&mut self, plan: WeightProblemPlan, found: Option<Arc<WeightProblems>>) {
        if !self.belongs_to_open(&plan.rig) {
            return;
        }
        let Some(found) = found else { return self.weight_problems.is_asked_for = false };
        let shown = Side::ALL.map(|side| self.weight_problem_plan(side));
        let known = &mut self.weight_problems.known;
        known.retain(|(of, _)| shown.iter().any(|plan| of.is(plan)));
        known.push((plan, found));
        if matches!(self.view.problem, Some(SelectedProblem::Weights(..))) {
            self.view.problem = None;
        }
    }

    pub(crate) fn select_weight_problem(&mut self, suspect: Option<(Side, usize)>) {
        self.select(None);
        self.view.problem = suspect.map(|(side, index)| SelectedProblem::Weights(side, index));
        if let Some(found) =
            suspect.and_then(|(side, index)| self.found_weight_problems(side)?.list.get(index).cloned())
        {
            self.mark_weight_problem(&found);
        }
    }

    pub(crate) fn mark_weight_problem(&mut self, WeightProblem { joints, parts, .. }: &WeightProblem) {
        // The problem's joint becomes the active one.
        self.view.selected = joints.iter().rev().copied().collect();
        // Draws only a sample of the vertices of large regions.
        let count: usize = parts.iter().map(|(_, vertices)| vertices.first().len()).sum();
        let step = count.div_ceil(VertexList::MAX).max(1);
        let drawn = |vertices: &VertexList| vertices.first().iter().copied().step_by(step).collect();
        self.view.marked =
            parts.iter().map(|(part, vertices)| VertexSet { part: *part, vertices: drawn(vertices) }).collect();
        self.refresh();
        self.frame_marked();
    }
}
