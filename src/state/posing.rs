//! Edits of the pose, each a step of undo.

use super::{AppState, Changes, JointChange, MorphChange, Notice, NoticeKind, OpenDocument, ShowMe};
use crate::posing::JointLimits;
use crate::rig::{NodeIndex, Pose, PosedJoint, Rig};
use crate::view::Layout;

/// Of the distance that shows the whole bone.
const CLOSE: f32 = 0.45;

impl AppState {
    pub(super) fn begin_edit(&mut self) {
        self.begin_step();
        self.open.view.is_dragging = true;
    }

    /// Starts a step of undo, unless one is open.
    pub(super) fn begin_step(&mut self) {
        self.open.history.begin(&self.open.document.pose, &self.open.document.limits);
    }

    /// Outside an open edit a step of its own.
    pub(super) fn set_limits(&mut self, node: NodeIndex, limits: JointLimits) {
        let is_step_of_its_own = !self.open.history.is_open();
        self.begin_step();
        if node.index() < self.open.document.rig.hierarchy.len() {
            self.open.document.limits.set(node, limits);
        }
        if is_step_of_its_own {
            self.end_edit();
        }
    }

    pub(super) fn edit_many(&mut self, mut edits: Vec<PosedJoint>) {
        edits.retain(|edit| edit.node.index() < self.open.document.rig.hierarchy.len());
        if self.settings.posing.symmetry {
            edits.extend(self.other_side(&edits));
        }
        let is_step_of_its_own = !self.open.history.is_open();
        self.begin_step();
        for PosedJoint { node, user_local } in edits {
            self.open.document.pose.set_user_local(node, self.open.document.limits.keep(node, user_local));
        }
        self.pose_changed();
        if is_step_of_its_own {
            self.end_edit();
        }
    }

    pub(super) fn end_edit(&mut self) {
        self.open.view.is_dragging = false;
        let known = self.take_pull_label().or_else(|| self.library_label()).or_else(|| self.blend_label());
        let rig = &self.open.document.rig;
        let label = |changes: &Changes| {
            let known = known.filter(|_| !changes.joints.is_empty() || !changes.morphs.is_empty());
            known.unwrap_or_else(|| edit_label(rig, changes))
        };
        self.open.history.end(&self.open.document.pose, &self.open.document.limits, label);
    }

    pub(super) fn cancel_edit(&mut self) {
        self.open.view.is_dragging = false;
        self.open.pulled = None;
        if let Some(before) = self.open.history.cancel() {
            self.hold_camera();
            self.open.document.pose = before.pose;
            self.open.document.limits = before.limits;
            self.pose_changed();
        }
    }

    pub(super) fn set_pose(&mut self, pose: Pose, label: &str) {
        self.cancel_edit();
        self.begin_step();
        self.open.document.pose = pose;
        self.open.history.end(&self.open.document.pose, &self.open.document.limits, |_| label.to_owned());
        self.pose_changed();
    }

    pub(super) fn undo(&mut self) {
        self.end_edit();
        let OpenDocument { history, document, view, .. } = &mut self.open;
        if history.undo(&mut document.pose, &mut document.limits, view).is_some() {
            self.pose_changed();
        }
    }

    pub(super) fn redo(&mut self) {
        self.end_edit();
        let OpenDocument { history, document, view, .. } = &mut self.open;
        if history.redo(&mut document.pose, &mut document.limits, view).is_some() {
            self.pose_changed();
        }
    }

    pub(super) fn go_to_step(&mut self, done: usize) {
        self.end_edit();
        let OpenDocument { history, document, view, .. } = &mut self.open;
        history.go_to(done, &mut document.pose, &mut document.limits, view);
        self.pose_changed();
    }

    pub(super) fn take_telling_pose(&mut self, show_me: ShowMe) {
        let rig = self.open.document.rig.clone();
        self.set_clip(None);
        self.set_pose(show_me.pose(&rig.hierarchy), show_me.label());
        self.pose_is_saved();
        self.select(show_me.joint(&rig.hierarchy));
        self.open.told = Some(show_me.method());
        self.open.view.sides.a.skinning.method = show_me.method();
        if let Some([yaw, pitch]) = show_me.inside() {
            self.open.view.sides.b.skinning = show_me.method().next().into();
            self.set_layout(Layout::SideBySide);
            self.refresh();
            self.look_from(yaw, pitch);
            self.frame_selected();
            self.open.view.camera.distance *= CLOSE;
            // Its handles would lie over what is to be seen.
            self.select(None);
        } else {
            self.tell_sides_apart();
            self.refresh();
            self.frame_all();
        }
        self.notice = Some(Notice { kind: NoticeKind::Info, text: show_me.explanation().to_owned() });
    }
}

/// What was done to which joint or morph target, or to how many.
fn edit_label(rig: &Rig, changes: &Changes) -> String {
    let called = |nodes: &mut dyn ExactSizeIterator<Item = NodeIndex>| match (nodes.len(), nodes.next()) {
        (1, Some(node)) => rig.hierarchy.name(node).to_owned(),
        (count, _) => format!("{count} joints"),
    };
    let joints = changes.joints.as_slice();
    match (joints, changes.morphs.as_slice()) {
        ([], []) => return format!("Limit {}", called(&mut changes.limited.iter().copied())),
        ([], [MorphChange { morph, after, .. }]) => {
            return format!("{} {after:.2}", rig.morphs()[morph.index()].name);
        }
        ([], morphs) => return format!("Move {} morph targets", morphs.len()),
        _ => {}
    }
    let what = called(&mut joints.iter().map(|c| c.node));
    match (verb(joints), joints) {
        ("Rotate", [JointChange { before, after, .. }]) => {
            format!("Rotate {what} {:.0}°", before.rotation.angle_between(after.rotation).to_degrees())
        }
        (verb, _) => format!("{verb} {what}"),
    }
}

/// What was done to all of some joints.
fn verb(changes: &[JointChange]) -> &'static str {
    let any = |differs: fn(&JointChange) -> bool| changes.iter().any(differs);
    let is_moved = any(|c| c.before.translation != c.after.translation);
    let is_scaled = any(|c| c.before.scale != c.after.scale);
    let is_turned = any(|c| c.before.rotation != c.after.rotation);
    match (is_moved, is_scaled, is_turned) {
        (true, false, false) => "Move",
        (false, true, false) => "Scale",
        (false, false, true) => "Rotate",
        _ => "Edit",
    }
}
