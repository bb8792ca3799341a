//! The weights shown on each side. Choosing weights is an undo step.

use std::path::Path;

use crate::stage::{ChoiceState, Stage, WeightedRig};
use crate::state::edit::choices::SideDifference;
use crate::state::{Notice, NoticeTopic, OpenDocument};
use crate::view::Side;
use crate::weights::{Repair, WeightChoice, WeightRefinement};

impl OpenDocument {
    pub(in crate::state) fn repair_weights(&mut self, repair: Repair) {
        let choice = self.stage.weight_choice(Side::A);
        let mut repairs: Vec<Repair> = choice.repairs().iter().copied().chain([repair]).collect();
        repairs.sort_unstable();
        repairs.dedup();
        // Manual edits are kept and applied to the repaired weights.
        let repaired = choice.on(WeightChoice::Repaired(repairs));
        self.as_step(|open| open.stage.show_weights(Side::A, repaired));
    }

    /// Transfers weights from another file to a side. Rereads the file if it was read before.
    pub(in crate::state) fn transfer_weights(&mut self, side: Side, from: &Path) {
        let from = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
        let refinement = WeightRefinement::default();
        let choice = WeightChoice::Transferred { from, refinement };
        self.stage.forget_weights(&choice);
        self.as_step(|open| open.stage.show_weights(side, choice));
    }

    /// Stops computing a side's weights and removes the undo step that chose them.
    pub(in crate::state) fn cancel_weights(&mut self, side: Side) {
        if !matches!(self.stage.weights(side), ChoiceState::Awaited) {
            return;
        }
        self.end_edit();
        let chosen = self.stage.weight_choice(side);
        // Falls back only to weights that are already computed.
        let is_there = |choice: &WeightChoice| choice != chosen && self.stage.weights.get(choice).is_some();
        let before = self.history.side_before(side, |step| step.weights.as_deref());
        let before = before.filter(|choice| is_there(choice)).cloned().unwrap_or_default();
        if !self.withdraw(side, |step| step.weights.as_deref() == Some(&before)) {
            self.as_step(|open| open.stage.show_weights(side, before));
        }
        self.stage.pose_changed();
    }

    pub(in crate::state) fn withdraw(&mut self, side: Side, is_it: impl Fn(&SideDifference) -> bool) -> bool {
        let was_other_chosen = self.stage.shows_other();
        let is_withdrawn = self.history.withdraw(side, is_it, &mut self.stage);
        self.stage.update_comparison_layout(was_other_chosen);
        is_withdrawn
    }

    /// Returns a notice if weights could not be computed. If the job was stopped, waiting sides show their previous
    /// weights.
    pub(in crate::state) fn handle_weights(
        &mut self,
        choice: &WeightChoice,
        made: Option<&Result<WeightedRig, String>>,
    ) -> Option<Notice> {
        let Some(made) = made else {
            let waiting = Side::ALL.into_iter().filter(|side| self.stage.weight_choice(*side) == choice);
            waiting.collect::<Vec<_>>().into_iter().for_each(|side| self.cancel_weights(side));
            return None;
        };
        match made {
            Ok(made) => made.lost_edits.clone().map(Notice::warning),
            Err(problem) => {
                Some(Notice::error(format!("The weights were not computed: {problem}")).about(NoticeTopic::Weights))
            }
        }
    }
}

pub(in crate::state) fn recompute_weights(stage: &mut Stage, side: Side) {
    let choice = stage.weight_choice(side).clone();
    stage.forget_weights(&choice);
}
