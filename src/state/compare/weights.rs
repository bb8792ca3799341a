//! The weights shown on each side. Choosing weights is an undo step.

use std::path::Path;

use crate::stage::{RigChoice, Stage};
use crate::state::History;
use crate::view::Side;
use crate::weights::{Repair, WeightChoice, WeightRefinement};

pub(in crate::state) fn repair_weights(history: &mut History, stage: &mut Stage, repair: Repair) {
    let choice = &stage.view.sides.a.weights;
    let mut repairs: Vec<Repair> = choice.repairs().iter().copied().chain([repair]).collect();
    repairs.sort_unstable();
    repairs.dedup();
    // Manual edits are kept and applied to the repaired weights.
    let repaired = choice.on(WeightChoice::Repaired(repairs));
    history.as_step(stage, |stage| stage.view.sides.a.show_weights(repaired));
}

/// Transfers weights from another file to a side. Rereads the file if it was read before.
pub(in crate::state) fn transfer_weights(history: &mut History, stage: &mut Stage, side: Side, from: &Path) {
    let from = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
    let refinement = WeightRefinement::default();
    let choice = WeightChoice::Transferred { from, refinement };
    choice.remove(stage);
    history.as_step(stage, |stage| stage.view.sides[side].show_weights(choice));
}
