//! Undo and redo: each step keeps only what it changed.

use crate::rig::{NodeIndex, Pose, Trs};

/// One step.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    label: String,
    changes: Vec<Change>,
}

/// `Ul_j` of one joint before and after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Which joint.
    pub node: NodeIndex,
    /// `Ul_j` before.
    pub before: Trs,
    /// `Ul_j` after.
    pub after: Trs,
}

/// The steps done, and those undone and not yet replaced.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: Vec<Step>,
    done: usize,
    /// The pose before an edit that is still going on.
    open: Option<Pose>,
}

/// Enough for a long session; a step holds 84 bytes for each joint that it changed.
const MAX_STEPS: usize = 1000;

impl History {
    /// Starts a step that may go through many poses; one that is open already goes on.
    pub fn begin(&mut self, pose: &Pose) {
        if self.open.is_none() {
            self.open = Some(pose.clone());
        }
    }

    /// True between [`Self::begin`] and its end.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The pose from before the open step.
    pub fn before(&self) -> Option<&Pose> {
        self.open.as_ref()
    }

    /// Closes the step with the pose as it is now; nothing changed is no step. The label is made from the changes.
    pub fn end(&mut self, hierarchy_len: usize, pose: &Pose, label: impl FnOnce(&[Change]) -> String) {
        let Some(before) = self.open.take() else { return };
        let changes: Vec<Change> = (0..hierarchy_len as u32)
            .map(NodeIndex)
            .map(|node| Change { node, before: *before.user_local(node), after: *pose.user_local(node) })
            .filter(|c| c.before != c.after)
            .collect();
        if changes.is_empty() {
            return;
        }
        self.steps.truncate(self.done);
        self.steps.push(Step { label: label(&changes), changes });
        if self.steps.len() > MAX_STEPS {
            self.steps.remove(0);
        }
        self.done = self.steps.len();
    }

    /// Drops the open step; the pose from before it.
    pub fn cancel(&mut self) -> Option<Pose> {
        self.open.take()
    }

    /// Takes the last step back; its label, or `None` where there is nothing to take back.
    pub fn undo(&mut self, pose: &mut Pose) -> Option<&str> {
        let step = &self.steps[self.done.checked_sub(1)?];
        for change in &step.changes {
            pose.set_user_local(change.node, change.before);
        }
        self.done -= 1;
        Some(&step.label)
    }

    /// Does the next step again.
    pub fn redo(&mut self, pose: &mut Pose) -> Option<&str> {
        let step = self.steps.get(self.done)?;
        for change in &step.changes {
            pose.set_user_local(change.node, change.after);
        }
        self.done += 1;
        Some(&step.label)
    }

    /// The same steps for other nodes, `same[node]` in place of `node`; `None` where a step changed a node that has no counterpart.
    pub fn carried(mut self, same: &[Option<NodeIndex>]) -> Option<Self> {
        for change in self.steps.iter_mut().flat_map(|s| &mut s.changes) {
            change.node = (*same.get(change.node.index())?)?;
        }
        self.open = None;
        Some(self)
    }

    /// True without a step to undo or redo.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What undo would take back.
    pub fn undo_label(&self) -> Option<&str> {
        Some(&self.steps[self.done.checked_sub(1)?].label)
    }

    /// What redo would do.
    pub fn redo_label(&self) -> Option<&str> {
        Some(&self.steps.get(self.done)?.label)
    }
}
