//! Hiding meshes and materials. Each change is an undo step.

use crate::stage::Stage;
use crate::state::OpenDocument;
use crate::view::HiddenItems;

impl OpenDocument {
    /// Toggles between the meshes visible in first person and those visible in third person, as an undo step.
    pub(in crate::state) fn toggle_first_person(&mut self) {
        let by_itself = !is_first_person(&self.stage);
        let hidden =
            HiddenItems { meshes: self.stage.rig().unseen_meshes(by_itself), ..self.stage.view.hidden.clone() };
        let label = if by_itself { "First person" } else { "Third person" };
        self.as_step_called(label, |open| open.stage.view.hidden = hidden);
    }
}

/// True if the hidden meshes are exactly those not visible in first person.
pub fn is_first_person(stage: &Stage) -> bool {
    stage.rig().has_first_person() && stage.view.hidden.meshes == stage.rig().unseen_meshes(true)
}
