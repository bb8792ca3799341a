use crate::stage::{Stage, WeightProblemPlan};
use crate::state::History;
use crate::view::{SelectedProblem, Side};

const LABEL: &str = "Pose of a weight problem";

/// Shows a weight problem in its worst pose, or restores the previous pose. Showing several in a row is one undo step.
pub(in crate::state) fn show_weight_problem(history: &mut History, stage: &mut Stage, problem: Option<(Side, usize)>) {
    history.undo_called(stage, LABEL);
    let found = problem.and_then(|(side, index)| {
        stage.side_value::<WeightProblemPlan>(side)?.list.get(index).map(|found| found.pose(stage.rig()))
    });
    if let Some(pose) = found {
        // The worst pose is relative to the rest pose, so no clip may play.
        stage.set_clip(None);
        history.replace_pose(stage, pose, LABEL);
    }
    stage.select_problem(problem.map(|(side, index)| SelectedProblem::Weights(side, index)));
}
