use crate::rig::{DisabledBehaviours, Pose, PosedJoint};
use crate::stage::{Document, Stage};
use crate::state::compare::methods::replace_unsupported_methods;
use crate::state::edit::step_label::step_label;
use crate::state::{History, Notice, OpenDocument, PosingOptions};
use crate::view::{HiddenItems, Layout};

impl OpenDocument {
    pub(in crate::state) fn begin_edit(&mut self) {
        self.history.begin(&self.stage);
        self.stage.view.is_dragging = true;
    }

    /// Runs `change` as an undo step, or within the open step. The changes determine the step's label.
    pub(in crate::state) fn as_step<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let is_step_of_its_own = !self.history.is_open();
        self.history.begin(&self.stage);
        let outcome = change(self);
        if is_step_of_its_own {
            self.end_edit();
        }
        outcome
    }

    pub(in crate::state) fn as_step_called(&mut self, label: &str, change: impl FnOnce(&mut Self)) {
        self.end_edit();
        self.history.begin(&self.stage);
        change(self);
        self.history.end(&self.stage, |_| label.to_owned());
    }

    /// Sets the layout. This is an undo step only if both sides had the same settings, so that side B gets another
    /// method.
    pub(in crate::state) fn choose_layout(&mut self, layout: Layout) {
        self.as_step(|open| open.stage.set_layout(layout));
    }

    pub(in crate::state) fn toggle_behaviour(&mut self, kind: impl FnOnce(&mut DisabledBehaviours) -> &mut bool) {
        self.as_step(|open| {
            *kind(&mut open.stage.document.switched_off) ^= true;
            open.stage.pose_changed();
        });
    }

    pub(in crate::state) fn end_edit(&mut self) {
        self.stage.view.is_dragging = false;
        self.pin_drag = None;
        let pulled = self.pulled.take().map(|node| format!("IK {}", self.stage.rig().hierarchy.name(node)));
        let known =
            pulled.or_else(|| self.library.step_label(&self.stage)).or_else(|| self.user_pose.step_label(&self.stage));
        let Self { history, stage, .. } = self;
        history.end(stage, |changes| {
            known.filter(|_| !changes.pose.is_empty()).unwrap_or_else(|| step_label(stage, changes))
        });
    }

    pub(in crate::state) fn cancel_edit(&mut self) {
        self.stage.view.is_dragging = false;
        (self.pulled, self.pin_drag) = (None, None);
        if let Some(before) = self.history.cancel() {
            self.stage.camera_tie.hold();
            before.restore(&mut self.stage);
            self.stage.pose_changed();
        }
    }

    pub(in crate::state) fn replace_pose(&mut self, pose: Pose, label: &str) {
        self.cancel_edit();
        self.as_step_called(label, |open| open.stage.edit_pose(|shown| *shown = pose));
    }

    /// Poses joints and, with live symmetry, their partners.
    pub(in crate::state) fn edit_joints(
        &mut self,
        mut edits: Vec<PosedJoint>,
        posing: PosingOptions,
    ) -> Option<Notice> {
        edits.retain(|edit| edit.node.index() < self.stage.document.rig.hierarchy.len());
        let mut told = None;
        if posing.symmetry {
            let (partners, problem) = self.symmetry.other_side(&self.stage, &edits, posing.mirror);
            edits.extend(partners);
            told = problem;
        }
        self.as_step(|open| {
            let Document { pose, limits, .. } = &mut open.stage.document;
            for PosedJoint { node, user_local } in edits {
                pose.set_user_local(node, limits.keep(node, user_local));
            }
            open.stage.pose_changed();
        });
        told
    }

    /// Undoes or redoes steps. Returns a notice if the reloaded character does not support a side's method.
    pub(in crate::state) fn go_through_history(&mut self, go: impl FnOnce(&mut History, &mut Stage)) -> Option<Notice> {
        self.end_edit();
        let (done, was_other_chosen) = (self.history.done(), self.stage.view.shows_other());
        go(&mut self.history, &mut self.stage);
        if self.history.done() == done {
            return None;
        }
        self.stage.update_comparison_layout(was_other_chosen);
        // The file may have been reloaded with a rig that does not support the step's method.
        let told = replace_unsupported_methods(&mut self.stage);
        self.stage.pose_changed();
        told
    }

    /// Toggles between the meshes visible in first person and those visible to others, as an undo step.
    pub(in crate::state) fn toggle_first_person(&mut self) {
        let by_itself = !is_first_person(&self.stage);
        let hidden =
            HiddenItems { meshes: self.stage.rig().unseen_meshes(by_itself), ..self.stage.view.hidden.clone() };
        let label = if by_itself { "First person" } else { "Third person" };
        self.as_step_called(label, |open| open.stage.view.hidden = hidden);
    }
}

/// True if the hidden meshes are exactly those that are invisible in first person.
pub fn is_first_person(stage: &Stage) -> bool {
    stage.rig().has_first_person() && stage.view.hidden.meshes == stage.rig().unseen_meshes(true)
}
