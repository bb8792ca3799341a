//! Weight problems of a side. Selecting one shows its worst pose.

use std::sync::Arc;

use super::{SideValue, Stage};
use crate::analysis::weight_problems::{WeightProblem, WeightProblems, find_weight_problems};
use crate::jobs::{JobKind, Progress};
use crate::posing::Limits;
use crate::rig::{PrimitiveIndex, Rig, VertexList};
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
    pub(crate) fn show_weight_problem(&mut self, WeightProblem { joints, primitives, .. }: &WeightProblem) {
        // Draws only a sample of the vertices of large regions.
        let count: usize = primitives.iter().map(|(_, vertices)| vertices.first().len()).sum();
        let step = count.div_ceil(VertexList::MAX).max(1);
        let drawn = |vertices: &VertexList| vertices.first().iter().copied().step_by(step).collect();
        let mark =
            |(part, vertices): &(PrimitiveIndex, VertexList)| VertexSet { part: *part, vertices: drawn(vertices) };
        // The problem's joint becomes the active one.
        self.mark(joints.iter().rev().copied().collect(), primitives.iter().map(mark).collect());
    }
}
