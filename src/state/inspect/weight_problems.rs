use crate::stage::WeightProblemPlan;
use crate::state::OpenDocument;
use crate::view::{SelectedProblem, Side};

const LABEL: &str = "Pose of a weight problem";

impl OpenDocument {
    /// Shows a weight problem in its worst pose, or restores the previous pose. Showing several in a row is one undo
    /// step.
    pub(in crate::state) fn show_weight_problem(&mut self, problem: Option<(Side, usize)>) {
        if self.history.undo_label() == Some(LABEL) {
            // The undone step changed only the pose, so all methods are still supported.
            self.go_through_history(|history, stage| _ = history.undo(stage));
        }
        let found = problem.and_then(|(side, index)| {
            self.stage.side_value::<WeightProblemPlan>(side)?.list.get(index).map(|found| found.pose(self.stage.rig()))
        });
        if let Some(pose) = found {
            // The worst pose is relative to the rest pose, so no clip may play.
            self.stage.set_clip(None);
            self.replace_pose(pose, LABEL);
        }
        self.stage.select_problem(problem.map(|(side, index)| SelectedProblem::Weights(side, index)));
    }
}
