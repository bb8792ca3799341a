//! Undo and redo. Steps store only their changes. If they exceed a memory limit, the oldest steps are dropped.

use std::collections::VecDeque;
use std::mem;

use crate::stage::Stage;
use crate::state::edit::choices::{Choices, Difference, ReloadedRig, SideDifference, Undoable};
use crate::state::edit::pins::PinDrag;
use crate::view::Side;

/// An undo step. Stores the old values of a done step, or the new values of an undone step; undo and redo swap them
/// with the character's values.
#[derive(Clone, Debug)]
struct HistoryStep {
    label: String,
    difference: Difference,
}

/// Applied steps, followed by undone steps that can be redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: VecDeque<HistoryStep>,
    done: usize,
    bytes: usize,
    forgotten: usize,
    open: Option<OpenStep>,
}

/// The step that is being made.
#[derive(Clone, Debug)]
struct OpenStep {
    /// The choices before the step was opened.
    before: Box<Choices>,
    /// Label if the step changes the pose; `None` to derive the label from the changes.
    pose_label: Option<String>,
    /// State of the pins before the step.
    pin_drag: Option<PinDrag>,
}

impl HistoryStep {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.label.len() + Choices::heap_bytes(&self.difference)
    }
}

impl History {
    /// Memory limit for all steps, bytes. For example, 500 steps that each change 10,000 joints take 220 million bytes,
    /// or 100 million if the joints only rotate.
    pub const MAX_BYTES: usize = 256 << 20;

    /// Opens a step that may contain many edits, and returns true. If a step is already open, continues it.
    pub(in crate::state) fn begin(&mut self, stage: &Stage) -> bool {
        let is_new = self.open.is_none();
        if is_new {
            let before = Box::new(Choices::from_stage(stage));
            self.open = Some(OpenStep { before, pose_label: None, pin_drag: None });
        }
        is_new
    }

    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Returns the choices before the open step.
    pub(in crate::state) fn before(&self) -> Option<&Choices> {
        self.open.as_ref().map(|open| &*open.before)
    }

    /// Labels the open step if it changes the pose.
    pub(in crate::state) fn set_pose_label(&mut self, label: Option<String>) {
        if let Some(open) = &mut self.open {
            open.pose_label = label;
        }
    }

    /// Takes the state of the pins at the start of the current drag.
    pub(in crate::state) fn take_pin_drag(&mut self, stage: &mut Stage) -> PinDrag {
        let known = self.open.as_mut().and_then(|open| open.pin_drag.take());
        known.unwrap_or_else(|| PinDrag::new(stage))
    }

    pub(in crate::state) fn keep_pin_drag(&mut self, drag: PinDrag) {
        if let Some(open) = &mut self.open {
            open.pin_drag = Some(drag);
        }
    }

    /// Closes the open step and creates its label from the changes. Drops a step without changes.
    pub(in crate::state) fn end(&mut self, stage: &Stage, label: impl FnOnce(&Difference) -> String) {
        let Some(OpenStep { before, pose_label, .. }) = self.open.take() else { return };
        let difference = Difference::since(&before, stage);
        if difference != Difference::default() {
            let pose_label = pose_label.filter(|_| !difference.pose.is_empty());
            self.push(HistoryStep { label: pose_label.unwrap_or_else(|| label(&difference)), difference });
        }
    }

    /// If the last step changed only this side and `is_it` accepts the change, undoes and removes the step and returns
    /// true.
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

    /// Drops the oldest steps until the others fit into `max_bytes`. Always keeps the newest step.
    fn forget(&mut self, max_bytes: usize) {
        while self.bytes > max_bytes && self.steps.len() > 1 {
            if let Some(oldest) = self.steps.pop_front() {
                self.bytes -= oldest.bytes();
                self.forgotten += 1;
            }
        }
    }

    /// Drops the open step and returns the choices from before it.
    pub(in crate::state) fn cancel(&mut self) -> Option<Choices> {
        self.open.take().map(|open| *open.before)
    }

    /// Undoes the last step and returns its label, if there is one.
    pub(in crate::state) fn undo(&mut self, stage: &mut Stage) -> Option<&str> {
        self.done = self.done.checked_sub(1)?;
        self.exchange(self.done, stage);
        self.redo_label()
    }

    /// Redoes the next step and returns its label, if there is one.
    pub(in crate::state) fn redo(&mut self, stage: &mut Stage) -> Option<&str> {
        if self.done == self.steps.len() {
            return None;
        }
        self.exchange(self.done, stage);
        self.done += 1;
        self.undo_label()
    }

    fn exchange(&mut self, step: usize, stage: &mut Stage) {
        let step = &mut self.steps[step];
        self.bytes -= step.bytes();
        step.difference.exchange(stage);
        self.bytes += step.bytes();
    }

    /// Undoes or redoes until `done` steps are applied, or all if there are fewer.
    pub(in crate::state) fn go_to(&mut self, done: usize, stage: &mut Stage) {
        while self.done > done && self.undo(stage).is_some() {}
        while self.done < done && self.redo(stage).is_some() {}
    }

    /// Returns the history for a reloaded rig, without the open step. Drops steps that changed items without a
    /// counterpart, and steps that can be reached only through them.
    #[must_use]
    pub(in crate::state) fn carried(mut self, to: ReloadedRig<'_>) -> Self {
        let carried = |HistoryStep { label, difference }| {
            Some(HistoryStep { label, difference: Choices::carried_difference(difference, to)? })
        };
        let undone = self.steps.split_off(self.done);
        let mut steps = VecDeque::new();
        self.steps.into_iter().rev().map_while(carried).for_each(|step| steps.push_front(step));
        let done = steps.len();
        steps.extend(undone.into_iter().map_while(carried));
        let bytes = steps.iter().map(HistoryStep::bytes).sum();
        Self { steps, done, bytes, forgotten: self.forgotten + self.done - done, open: None }
    }

    pub fn undo_label(&self) -> Option<&str> {
        self.label(self.done.checked_sub(1)?)
    }

    pub fn redo_label(&self) -> Option<&str> {
        self.label(self.done)
    }

    /// Returns the label of a step, by its index from the oldest.
    pub fn label(&self, step: usize) -> Option<&str> {
        self.steps.get(step).map(|s| s.label.as_str())
    }

    /// Returns the number of all steps, applied and undone.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the number of applied steps. All later steps are undone.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Returns the number of steps dropped to save memory, or because a reloaded file lacks the items that they
    /// changed.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// Returns the memory use of the steps in bytes. Exceeds [`Self::MAX_BYTES`] only if a single step does.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests;
