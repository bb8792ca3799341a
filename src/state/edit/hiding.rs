//! Hiding meshes and materials: each change is a step of undo.

use crate::state::OpenDocument;
use crate::view::Hidden;

impl OpenDocument {
    /// Hides exactly these parts, as one step.
    pub(in crate::state) fn hide(&mut self, hidden: Hidden, label: &str) {
        self.as_step_called(label, |open| open.stage.view.hidden = hidden);
    }

    /// Shows the meshes that the character's own eyes see, or again those that an observer sees, as one step.
    pub(in crate::state) fn toggle_first_person(&mut self) {
        let by_itself = !self.is_first_person();
        let hidden = Hidden { meshes: self.stage.rig().unseen_meshes(by_itself), ..self.stage.view.hidden.clone() };
        self.hide(hidden, if by_itself { "First person" } else { "Third person" });
    }

    /// True where exactly the meshes are hidden that the character's own eyes do not see.
    pub fn is_first_person(&self) -> bool {
        self.stage.rig().has_first_person() && self.stage.view.hidden.meshes == self.stage.rig().unseen_meshes(true)
    }
}
