//! The weights shown on each side. Choosing weights is an undo step.

use std::path::Path;

use crate::stage::RigChoice;
use crate::state::OpenDocument;
use crate::view::Side;
use crate::weights::{Repair, WeightChoice, WeightRefinement};

impl OpenDocument {
    pub(in crate::state) fn repair_weights(&mut self, repair: Repair) {
        let choice = &self.stage.view.sides.a.weights;
        let mut repairs: Vec<Repair> = choice.repairs().iter().copied().chain([repair]).collect();
        repairs.sort_unstable();
        repairs.dedup();
        // Manual edits are kept and applied to the repaired weights.
        let repaired = choice.on(WeightChoice::Repaired(repairs));
        self.as_step(|open| open.stage.view.sides.a.show_weights(repaired));
    }

    /// Transfers weights from another file to a side. Rereads the file if it was read before.
    pub(in crate::state) fn transfer_weights(&mut self, side: Side, from: &Path) {
        let from = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
        let refinement = WeightRefinement::default();
        let choice = WeightChoice::Transferred { from, refinement };
        choice.remove(&mut self.stage);
        self.as_step(|open| open.stage.view.sides[side].show_weights(choice));
    }
}
