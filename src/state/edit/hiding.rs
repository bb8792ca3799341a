//! Hiding meshes and materials: each change is a step of undo.

use crate::stage::Stage;
use crate::state::OpenDocument;
use crate::view::Hidden;

impl OpenDocument {
    /// Shows the meshes that the character's own eyes see, or again those that an observer sees, as one step.
    pub(in crate::state) fn toggle_first_person(&mut self) {
        let by_itself = !is_first_person(&self.stage);
        let hidden = Hidden { meshes: self.stage.rig().unseen_meshes(by_itself), ..self.stage.view.hidden.clone() };
        let label = if by_itself { "First person" } else { "Third person" };
        self.as_step_called(label, |open| open.stage.view.hidden = hidden);
    }
}

/// True where exactly the meshes are hidden that the character's own eyes do not see.
pub fn is_first_person(stage: &Stage) -> bool {
    stage.rig().has_first_person() && stage.view.hidden.meshes == stage.rig().unseen_meshes(true)
}
