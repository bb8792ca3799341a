//! Undo and redo: each step stores only what it changed; the oldest steps are dropped when all together take too much memory.

use std::collections::VecDeque;
use std::mem;

use crate::rig::Pose;
use crate::stage::Stage;
use crate::state::edit::choices::{Choices, Difference, ReloadedRig, SideDifference, Undoable};
use crate::view::Side;

/// A step with the values on its *other* side: undoing or redoing exchanges them with the character's.
#[derive(Clone, Debug)]
struct HistoryStep {
    label: String,
    difference: Difference,
}

/// The steps done, and the undone ones that can be redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: VecDeque<HistoryStep>,
    done: usize,
    bytes: usize,
    forgotten: usize,
    /// Choices from before the edit that is still open.
    open: Option<Box<Choices>>,
}

impl HistoryStep {
    /// Memory that the step takes, bytes.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.label.len() + Choices::heap_bytes(&self.difference)
    }
}

impl History {
    /// Memory that all steps may take together: 500 steps that change all of 10,000 joints in every component are 220 million bytes.
    pub const MAX_BYTES: usize = 256 << 20;

    /// Starts a step that may go through many poses; a step already open continues.
    pub(in crate::state) fn begin(&mut self, stage: &Stage) {
        if self.open.is_none() {
            self.open = Some(Box::new(Choices::from_stage(stage)));
        }
    }

    /// True between [`Self::begin`] and its end.
    pub(in crate::state) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The pose from before the open step.
    pub(in crate::state) fn pose_before(&self) -> Option<&Pose> {
        self.open.as_ref().map(|before| &before.pose)
    }

    /// Closes the step with the current values; without changes there is no step. The label is made from the changes.
    pub(in crate::state) fn end(&mut self, stage: &Stage, label: impl FnOnce(&Difference) -> String) {
        let Some(before) = self.open.take() else { return };
        let difference = Difference::since(&before, stage);
        if difference != Difference::default() {
            self.push(HistoryStep { label: label(&difference), difference });
        }
    }

    /// Withdraws the last step, without redo, if it changed only one side and `is_it` accepts the change.
    pub(in crate::state) fn withdraw(
        &mut self,
        side: Side,
        is_it: impl Fn(&SideDifference) -> bool,
        stage: &mut Stage,
    ) -> bool {
        let is_alone = |step: &HistoryStep| {
            let mut others = step.difference.clone();
            let Some(mut sides) = others.sides.take() else { return false };
            let changed = mem::take(&mut sides[side]);
            is_it(&changed) && sides[side.other()] == SideDifference::default() && others == Difference::default()
        };
        let is_last = self.done.checked_sub(1).is_some_and(|last| is_alone(&self.steps[last]));
        if is_last {
            self.undo(stage);
            self.drop_undone();
        }
        is_last
    }

    /// The value that a setting of a side had before it was last chosen.
    pub(in crate::state) fn side_before<T>(
        &self,
        side: Side,
        setting: impl Fn(&SideDifference) -> Option<&T>,
    ) -> Option<&T> {
        self.steps.range(..self.done).rev().find_map(|step| setting(&step.difference.sides.as_ref()?[side]))
    }

    fn drop_undone(&mut self) {
        for undone in self.steps.drain(self.done..) {
            self.bytes -= undone.bytes();
        }
    }

    fn push(&mut self, step: HistoryStep) {
        self.drop_undone();
        self.bytes += step.bytes();
        self.steps.push_back(step);
        self.forget(Self::MAX_BYTES);
        self.done = self.steps.len();
    }

    /// Drops the oldest steps until the rest fits; the newest stays whatever its size.
    fn forget(&mut self, max_bytes: usize) {
        while self.bytes > max_bytes && self.steps.len() > 1 {
            if let Some(oldest) = self.steps.pop_front() {
                self.bytes -= oldest.bytes();
                self.forgotten += 1;
            }
        }
    }

    /// Drops the open step; returns the choices from before it.
    pub(in crate::state) fn cancel(&mut self) -> Option<Choices> {
        self.open.take().map(|before| *before)
    }

    /// Undoes the last step; returns its label, or `None` if there is nothing to undo.
    pub(in crate::state) fn undo(&mut self, stage: &mut Stage) -> Option<&str> {
        self.done = self.done.checked_sub(1)?;
        self.exchange(self.done, stage);
        self.redo_label()
    }

    /// Redoes the next step; returns its label, or `None` if there is nothing to redo.
    pub(in crate::state) fn redo(&mut self, stage: &mut Stage) -> Option<&str> {
        if self.done == self.steps.len() {
            return None;
        }
        self.exchange(self.done, stage);
        self.done += 1;
        self.undo_label()
    }

    /// Undoes or redoes a step; its memory may change by that.
    fn exchange(&mut self, step: usize, stage: &mut Stage) {
        let step = &mut self.steps[step];
        self.bytes -= step.bytes();
        step.difference.exchange(stage);
        self.bytes += step.bytes();
    }

    /// Undoes or redoes until `done` steps are done, or as many as there are.
    pub(in crate::state) fn go_to(&mut self, done: usize, stage: &mut Stage) {
        while self.done > done && self.undo(stage).is_some() {}
        while self.done < done && self.redo(stage).is_some() {}
    }

    /// The history for a reloaded rig, without the open step; `None` if a step changed the transform of a joint or a weight that has no counterpart.
    pub(in crate::state) fn carried(self, to: ReloadedRig<'_>) -> Option<Self> {
        let carried = |HistoryStep { label, difference }| {
            Some(HistoryStep { label, difference: Choices::carried_difference(difference, to)? })
        };
        let steps = self.steps.into_iter().map(carried).collect::<Option<VecDeque<_>>>()?;
        let bytes = steps.iter().map(HistoryStep::bytes).sum();
        Some(Self { steps, bytes, open: None, ..self })
    }

    /// Name of the step that undo would take back.
    pub fn undo_label(&self) -> Option<&str> {
        self.label(self.done.checked_sub(1)?)
    }

    /// Name of the step that redo would do.
    pub fn redo_label(&self) -> Option<&str> {
        self.label(self.done)
    }

    /// Name of a step, counted from the oldest.
    pub fn label(&self, step: usize) -> Option<&str> {
        self.steps.get(step).map(|s| s.label.as_str())
    }

    /// Number of steps, done and undone.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True where there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Number of steps done; later ones are undone.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Number of old steps dropped to save memory.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// Memory that the steps take, bytes; at most [`Self::MAX_BYTES`] unless a single step is larger.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests;
