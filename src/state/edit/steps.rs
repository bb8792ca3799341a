//! Edits of the pose, each a step of undo.

use crate::posing::JointLimits;
use crate::rig::{NodeIndex, Pose, PosedJoint};
use crate::stage::{Document, Stage};
use crate::state::edit::step_label::step_label;
use crate::state::{AppState, History, Notice, NoticeKind, OpenDocument, ShowMe};
use crate::view::{Layout, PerSide, Side, View};

/// Of the distance that shows the whole bone.
const CLOSE: f32 = 0.45;

impl OpenDocument {
    pub(in crate::state) fn begin_edit(&mut self) {
        self.begin_step();
        self.view.is_dragging = true;
    }

    /// Starts a step of undo, unless one is open.
    pub(in crate::state) fn begin_step(&mut self) {
        let Self { history, stage, .. } = self;
        history.begin(&stage.document, &stage.view);
    }

    /// Makes a change that is a step of undo, or a part of the step that is open; what it is called follows from what is other then.
    pub(in crate::state) fn as_step<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let is_step_of_its_own = !self.history.is_open();
        self.begin_step();
        let outcome = change(self);
        if is_step_of_its_own {
            self.end_edit();
        }
        outcome
    }

    /// Makes a change that is a step of undo of this name.
    pub(in crate::state) fn as_step_called(&mut self, label: &str, change: impl FnOnce(&mut Self)) {
        self.end_edit();
        self.begin_step();
        change(self);
        let Self { history, stage, .. } = self;
        history.end(&stage.document, &stage.view, |_| label.to_owned());
    }

    /// Outside an open edit a step of its own.
    pub(in crate::state) fn set_limits(&mut self, node: NodeIndex, limits: JointLimits) {
        self.as_step(|open| {
            if node.index() < open.document.rig.hierarchy.len() {
                open.document.limits.set(node, limits);
            }
        });
    }

    pub(in crate::state) fn end_edit(&mut self) {
        self.view.is_dragging = false;
        let known = self.take_pull_label().or_else(|| self.library_label()).or_else(|| self.blend_label());
        let Self { history, stage, .. } = self;
        let Stage { document, view, .. } = stage;
        history.end(document, view, |changes| {
            let known = known.filter(|_| !changes.joints.is_empty() || !changes.morphs.is_empty());
            known.unwrap_or_else(|| step_label(&document.rig, changes))
        });
    }

    pub(in crate::state) fn cancel_edit(&mut self) {
        self.view.is_dragging = false;
        self.pulled = None;
        if let Some(before) = self.history.cancel() {
            self.hold_camera();
            let Stage { document, view, .. } = &mut self.stage;
            (document.pose, document.limits, document.pinned) = (before.pose, before.limits, before.pinned);
            (view.hidden, view.sides, view.saved) = (before.hidden, before.sides, before.views);
            self.pose_changed();
        }
    }

    pub(in crate::state) fn replace_pose(&mut self, pose: Pose, label: &str) {
        self.cancel_edit();
        self.as_step_called(label, |open| {
            open.document.pose = pose;
            open.pose_changed();
        });
    }
}

impl AppState {
    pub(in crate::state) fn edit_many(&mut self, mut edits: Vec<PosedJoint>) {
        edits.retain(|edit| edit.node.index() < self.open.document.rig.hierarchy.len());
        if self.settings.posing.symmetry {
            edits.extend(self.other_side(&edits));
        }
        self.open.as_step(|open| {
            let Document { pose, limits, .. } = &mut open.document;
            for PosedJoint { node, user_local } in edits {
                pose.set_user_local(node, limits.keep(node, user_local));
            }
            open.pose_changed();
        });
    }

    pub(in crate::state) fn undo(&mut self) {
        self.go_through_history(|history, document, view| _ = history.undo(document, view));
    }

    pub(in crate::state) fn redo(&mut self) {
        self.go_through_history(|history, document, view| _ = history.redo(document, view));
    }

    pub(in crate::state) fn go_to_step(&mut self, done: usize) {
        self.go_through_history(|history, document, view| history.go_to(done, document, view));
    }

    fn go_through_history(&mut self, go: impl FnOnce(&mut History, &mut Document, &mut View)) {
        self.open.end_edit();
        let (done, method) = (self.open.history.done(), self.open.skinning(Side::A).method);
        let OpenDocument { history, stage, .. } = &mut self.open;
        go(history, &mut stage.document, &mut stage.view);
        if self.open.history.done() == done {
            return;
        }
        // The file may have been read again since the step.
        self.leave_unsuited_methods();
        // What a telling pose shows is no choice of the user's.
        let is_chosen = self.open.told.is_none() && !self.open.is_as_authored(Side::A);
        if is_chosen && self.open.skinning(Side::A).method != method {
            self.remember_method();
        }
        self.open.pose_changed();
    }

    pub(in crate::state) fn take_telling_pose(&mut self, show_me: ShowMe) {
        let rig = self.open.document.rig.clone();
        self.open.cancel_edit();
        self.open.set_clip(None);
        self.open.told = Some(show_me.method());
        self.open.as_step_called(show_me.label(), |open| {
            open.document.pose = show_me.pose(&rig.hierarchy);
            open.pose_changed();
            let PerSide { a, b } = &mut open.view.sides;
            a.skinning.method = show_me.method();
            if show_me.inside().is_some() {
                b.skinning = show_me.method().next().into();
            } else {
                open.tell_sides_apart();
            }
        });
        self.open.pose_is_saved();
        self.open.select(show_me.joint(&rig.hierarchy));
        if let Some([yaw, pitch]) = show_me.inside() {
            self.open.set_layout(Layout::SideBySide);
            self.open.refresh();
            self.open.look_from(yaw, pitch);
            self.open.frame_selected();
            self.open.view.camera.distance *= CLOSE;
            // Its handles would lie over what is to be seen.
            self.open.select(None);
        } else {
            self.open.refresh();
            self.open.frame_all();
        }
        self.notice = Some(Notice { kind: NoticeKind::Info, text: show_me.explanation().to_owned() });
    }
}
