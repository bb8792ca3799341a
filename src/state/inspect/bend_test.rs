use crate::state::OpenDocument;

const LABEL: &str = "Pose of the bend test";

impl OpenDocument {
    /// Shows a pose of the bend test, or restores the previous pose. Showing several in a row is one undo step.
    pub(in crate::state) fn show_bend_pose(&mut self, index: Option<usize>) {
        if self.history.undo_label() == Some(LABEL) {
            // The undone step changed only the pose, so all methods are still supported.
            self.go_through_history(|history, stage| _ = history.undo(stage));
        }
        let shown = index.and_then(|index| Some((index, self.stage.bend_result(index)?)));
        if let Some((_, result)) = &shown {
            // The poses are relative to the rest pose, or to a moment of a clip.
            self.stage.set_bend_clip(result);
            self.replace_pose(result.pose.pose(self.stage.rig()), LABEL);
        }
        self.stage.select_bend_pose(shown.as_ref().map(|(index, result)| (*index, result)));
    }
}
