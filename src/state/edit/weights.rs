//! Obstacles to manual weight edits, and locked joints.

use crate::rig::NodeIndex;
use crate::stage::Stage;

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
