//! What is chosen for a side and read or computed in the background: its file, and its weights. Choosing is an undo step.

use crate::stage::{ComparisonFilePlan, DerivedResult, RigChoice, Stage, WeightEditPlan, WeightPlan};
use crate::state::History;
use crate::state::edit::choices::SideDifference;
use crate::view::{ShownFile, Side};
use crate::weights::WeightChoice;

/// A choice that undo steps contain.
pub(in crate::state) trait UndoableChoice: RigChoice {
    /// Returns the choice before an undo step, if the step changed it.
    fn before(step: &SideDifference) -> Option<&Self>;
}

impl UndoableChoice for ShownFile {
    fn before(step: &SideDifference) -> Option<&Self> {
        step.file.as_deref()
    }
}

impl UndoableChoice for WeightChoice {
    fn before(step: &SideDifference) -> Option<&Self> {
        step.weights.as_deref()
    }
}

impl History {
    /// Stops reading or computing what a side waits for, and removes the undo step that chose it.
    pub(in crate::state) fn stop_waiting<C: UndoableChoice>(&mut self, stage: &mut Stage, side: Side) {
        if !C::is_awaited(stage, side) {
            return;
        }
        self.end_edit(stage);
        // Falls back only to a character that is there.
        let is_there = |choice: &&C| *choice != C::on(stage, side) && C::cache(stage).get(choice).is_some();
        let before = self.side_before(side, C::before).filter(is_there).cloned().unwrap_or_default();
        let was_other_chosen = stage.view.shows_other();
        let is_withdrawn = self.withdraw(side, |step| C::before(step) == Some(&before), stage);
        stage.update_comparison_layout(was_other_chosen);
        if !is_withdrawn {
            self.as_step(stage, |stage| before.show(stage, side));
        }
    }

    /// Stores a derived value. Edited weights become an undo step. If the job was stopped, removes the undo steps that
    /// waited for the value.
    pub(in crate::state) fn take_derived(&mut self, stage: &mut Stage, done: DerivedResult) {
        if let Some((plan, None)) = done.get::<ComparisonFilePlan>() {
            self.stop_waiting_for(stage, &plan.file);
        }
        if let Some((plan, None)) = done.get::<WeightPlan>() {
            self.stop_waiting_for(stage, &plan.choice);
        }
        if let Some((plan, Some(edited))) = done.get::<WeightEditPlan>()
            && let Some((choice, made)) = edited.made.as_ref().filter(|_| plan.is_current(stage))
        {
            stage.weights.keep(choice.clone(), Ok(made.clone()), &stage.view);
            self.as_step_called(stage, &edited.label, |stage| stage.view.sides.a.show_weights(choice.clone()));
        }
        done.store_in(stage);
    }

    fn stop_waiting_for<C: UndoableChoice>(&mut self, stage: &mut Stage, choice: &C) {
        for side in Side::ALL {
            if C::on(stage, side) == choice {
                self.stop_waiting::<C>(stage, side);
            }
        }
    }
}
