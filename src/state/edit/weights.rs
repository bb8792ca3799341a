//! Obstacles to manual weight edits, and locked joints.

use crate::rig::NodeIndex;
use crate::stage::{ChoiceState, RigChoice, Stage, WeightEditPlan};
use crate::state::inspect::vertices::vertex_obstacle;
use crate::view::Side;
use crate::weights::{WeightChoice, WeightEdit};

pub(in crate::state) fn joint_obstacle(stage: &Stage) -> Option<&'static str> {
    match stage.view.active_joint() {
        None => Some("No joint is selected"),
        Some(joint) if !stage.rig().is_joint(joint) => Some("The selected node is not a joint of a skin"),
        Some(_) => None,
    }
}

pub(in crate::state) fn toggle_locked(stage: &mut Stage, joint: NodeIndex) {
    let locked = &mut stage.editing.locked;
    let before = locked.len();
    locked.retain(|other| *other != joint);
    if locked.len() == before {
        locked.push(joint);
    }
}

/// Returns why the weights of the selected vertices cannot be edited, in a few words.
pub(in crate::state) fn weight_obstacle(stage: &Stage) -> Option<&'static str> {
    if let Some(obstacle) = vertex_obstacle(stage) {
        return Some(obstacle);
    }
    if stage.weight_edit.is_awaited(stage) {
        return Some("Weights are being edited");
    }
    match WeightChoice::state(stage, Side::A) {
        _ if stage.editing.is_selecting() => Some("Computing the selection"),
        _ if stage.editing.selected().is_empty() => Some("No vertices are selected"),
        ChoiceState::Awaited => Some("Computing weights for side A"),
        ChoiceState::Missing(_) => Some("The weights of side A cannot be computed"),
        ChoiceState::Own | ChoiceState::Shown(_) => None,
    }
}

/// Returns why the active joint cannot be given weight, in a few words. Includes the reasons of [`weight_obstacle`].
pub(in crate::state) fn joint_weight_obstacle(stage: &Stage) -> Option<&'static str> {
    weight_obstacle(stage).or_else(|| joint_obstacle(stage)).or_else(|| {
        let is_locked = stage.view.active_joint().is_some_and(|joint| stage.editing.locked.contains(&joint));
        is_locked.then_some("The selected joint is locked")
    })
}

pub(in crate::state) fn edit_weights(stage: &mut Stage, operation: WeightEdit) {
    if weight_obstacle(stage).is_none() {
        stage.weight_edit.request(WeightEditPlan::new(stage, operation));
    }
}

pub(in crate::state) fn edit_joint_weights(stage: &mut Stage, operation: impl FnOnce(NodeIndex, f32) -> WeightEdit) {
    if let Some(joint) = stage.view.active_joint().filter(|_| joint_weight_obstacle(stage).is_none()) {
        edit_weights(stage, operation(joint, stage.editing.amount));
    }
}
