//! Edits of the pose, each a step of undo.

use std::path::Path;

use super::{AppState, Change, Notice, Request, Severity, ShowMe};
use crate::export::{PoseFile, write_atomically};
use crate::rig::{Hierarchy, NodeIndex, Pose, Trs};

impl AppState {
    pub(super) fn begin_edit(&mut self) {
        self.history.begin(&self.document.pose);
        self.view.is_dragging = true;
    }

    pub(super) fn edit_many(&mut self, mut edits: Vec<(NodeIndex, Trs)>) {
        edits.retain(|(node, _)| node.index() < self.document.rig.hierarchy.len());
        if self.settings.posing.symmetry {
            edits.extend(self.other_side(&edits));
        }
        let is_step_of_its_own = !self.history.is_open();
        self.history.begin(&self.document.pose);
        for (node, user_local) in edits {
            self.document.pose.set_user_local(node, self.document.limits.keep(node, user_local));
        }
        self.pose_changed();
        if is_step_of_its_own {
            self.end_edit();
        }
    }

    pub(super) fn end_edit(&mut self) {
        self.view.is_dragging = false;
        let hierarchy = &self.document.rig.hierarchy;
        let blend = self.library_label().or_else(|| self.blend_label());
        let label = |changes: &[Change]| blend.unwrap_or_else(|| edit_label(hierarchy, changes));
        self.history.end(hierarchy.len(), &self.document.pose, label);
    }

    pub(super) fn cancel_edit(&mut self) {
        self.view.is_dragging = false;
        if let Some(before) = self.history.cancel() {
            self.document.pose = before;
            self.pose_changed();
        }
    }

    pub(super) fn set_pose(&mut self, pose: Pose, label: &str) {
        self.cancel_edit();
        self.history.begin(&self.document.pose);
        self.document.pose = pose;
        self.history.end(self.document.rig.hierarchy.len(), &self.document.pose, |_| label.to_owned());
        self.pose_changed();
    }

    pub(super) fn undo(&mut self) {
        self.end_edit();
        if self.history.undo(&mut self.document.pose).is_some() {
            self.pose_changed();
        }
    }

    pub(super) fn redo(&mut self) {
        self.end_edit();
        if self.history.redo(&mut self.document.pose).is_some() {
            self.pose_changed();
        }
    }

    pub(super) fn go_to_step(&mut self, done: usize) {
        self.end_edit();
        self.history.go_to(done, &mut self.document.pose);
        self.pose_changed();
    }

    pub(super) fn load_pose(&mut self, path: &Path) {
        let read = std::fs::read(path).map_err(|e| e.to_string());
        match read.and_then(|bytes| PoseFile::parse(&bytes).map_err(|e| e.to_string())) {
            Ok(file) => {
                let (pose, unknown) = file.pose_for(&self.document.rig.hierarchy);
                self.set_pose(pose, "Open pose");
                self.pose_is_saved();
                self.notice = (!unknown.is_empty()).then(|| Notice {
                    severity: Severity::Warning,
                    text: unknown.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
                });
            }
            Err(problem) => self.fail(format!("The pose was not opened. {problem} ({})", path.display())),
        }
    }

    /// Then goes on with what the question before it was about.
    pub(super) fn write_pose(&mut self, path: &Path) -> Option<Request> {
        let file = PoseFile::from_pose(&self.document.rig.hierarchy, &self.document.pose);
        if let Err(problem) = write_atomically(path, file.to_json().as_bytes()) {
            self.fail(format!("The pose was not saved: {problem} ({})", path.display()));
            return None;
        }
        self.pose_is_saved();
        self.go_on()
    }

    pub(super) fn take_telling_pose(&mut self, show_me: ShowMe) {
        let rig = self.document.rig.clone();
        self.set_clip(None);
        self.set_pose(show_me.pose(&rig.hierarchy), show_me.label());
        self.pose_is_saved();
        self.select(show_me.joint(&rig.hierarchy));
        self.view.method = show_me.method();
        self.settings.method = show_me.method();
        self.refresh();
        match show_me {
            ShowMe::ElbowCollapse => self.frame_selected(),
            ShowMe::CandyWrapper | ShowMe::DqsBulge => self.frame_all(),
        }
        self.notice = Some(Notice { severity: Severity::Info, text: show_me.explanation().to_owned() });
    }
}

/// What was done to which joint, or how many joints changed.
fn edit_label(hierarchy: &Hierarchy, changes: &[Change]) -> String {
    let [Change { node, before, after }] = changes else {
        return format!("Edit {} joints", changes.len());
    };
    let name = hierarchy.name(*node);
    let angle = before.rotation.angle_between(after.rotation).to_degrees();
    if before.translation != after.translation {
        format!("Move {name}")
    } else if before.scale != after.scale {
        format!("Scale {name}")
    } else {
        format!("Rotate {name} {angle:.0}°")
    }
}
