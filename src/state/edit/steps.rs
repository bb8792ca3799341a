//! Changes of the stage as undo steps.

use crate::rig::{DisabledBehaviours, Pose};
use crate::stage::Stage;
use crate::state::compare::methods::replace_unsupported_methods;
use crate::state::edit::step_label::step_label;
use crate::state::{History, Notice};
use crate::view::HiddenItems;

impl History {
    pub(in crate::state) fn begin_edit(&mut self, stage: &mut Stage) {
        self.begin(stage);
        stage.view.is_dragging = true;
    }

    /// Runs `change` as an undo step, or within the open step. The changes determine the step's label.
    pub(in crate::state) fn as_step<T>(&mut self, stage: &mut Stage, change: impl FnOnce(&mut Stage) -> T) -> T {
        let is_own = self.begin(stage);
        let outcome = change(stage);
        self.end_own(stage, is_own);
        outcome
    }

    /// Ends a step that was begun only for one change.
    pub(super) fn end_own(&mut self, stage: &mut Stage, is_own: bool) {
        if is_own {
            self.end_edit(stage);
        }
    }

    /// Changes the pose as an undo step, or within the open step. Without a label, the changes determine the label.
    pub(in crate::state) fn show_pose(&mut self, stage: &mut Stage, pose: Pose, label: Option<String>) {
        let is_own = self.begin(stage);
        self.set_pose_label(label);
        stage.edit_pose(|shown| *shown = pose);
        self.end_own(stage, is_own);
    }

    pub(in crate::state) fn as_step_called(&mut self, stage: &mut Stage, label: &str, change: impl FnOnce(&mut Stage)) {
        self.end_edit(stage);
        self.begin(stage);
        change(stage);
        self.end(stage, |_| label.to_owned());
    }

    pub(in crate::state) fn toggle_behaviour(
        &mut self,
        stage: &mut Stage,
        kind: impl FnOnce(&mut DisabledBehaviours) -> &mut bool,
    ) {
        self.as_step(stage, |stage| {
            *kind(&mut stage.document.switched_off) ^= true;
            stage.pose_changed();
        });
    }

    pub(in crate::state) fn end_edit(&mut self, stage: &mut Stage) {
        stage.view.is_dragging = false;
        self.end(stage, |changes| step_label(stage, changes));
    }

    pub(in crate::state) fn cancel_edit(&mut self, stage: &mut Stage) {
        stage.view.is_dragging = false;
        if let Some(before) = self.cancel() {
            stage.camera_tie.hold();
            before.restore(stage);
            stage.pose_changed();
        }
    }

    pub(in crate::state) fn replace_pose(&mut self, stage: &mut Stage, pose: Pose, label: &str) {
        self.cancel_edit(stage);
        self.as_step_called(stage, label, |stage| stage.edit_pose(|shown| *shown = pose));
    }

    /// Undoes or redoes steps. Returns a notice if the reloaded character does not support a side's method.
    pub(in crate::state) fn travel(
        &mut self,
        stage: &mut Stage,
        go: impl FnOnce(&mut Self, &mut Stage),
    ) -> Option<Notice> {
        self.end_edit(stage);
        let (done, was_other_chosen) = (self.done(), stage.view.shows_other());
        go(self, stage);
        if self.done() == done {
            return None;
        }
        stage.update_comparison_layout(was_other_chosen);
        // The file may have been reloaded with a rig that does not support the step's method.
        let told = replace_unsupported_methods(stage);
        stage.pose_changed();
        told
    }

    /// Undoes the last step if it has this label. It must have changed only the pose.
    pub(in crate::state) fn undo_called(&mut self, stage: &mut Stage, label: &str) {
        if self.undo_label() == Some(label) {
            // All methods are still supported.
            self.travel(stage, |history, stage| _ = history.undo(stage));
        }
    }

    /// Toggles between the meshes visible in first person and those visible to others, as an undo step.
    pub(in crate::state) fn toggle_first_person(&mut self, stage: &mut Stage) {
        let by_itself = !is_first_person(stage);
        let hidden = HiddenItems { meshes: stage.rig().unseen_meshes(by_itself), ..stage.view.hidden.clone() };
        let label = if by_itself { "First person" } else { "Third person" };
        self.as_step_called(stage, label, |stage| stage.view.hidden = hidden);
    }
}

/// True if the hidden meshes are exactly those that are invisible in first person.
pub fn is_first_person(stage: &Stage) -> bool {
    stage.rig().has_first_person() && stage.view.hidden.meshes == stage.rig().unseen_meshes(true)
}
