//! Hiding meshes and materials: each change is a step of undo.

use crate::state::OpenDocument;
use crate::view::Hidden;

impl OpenDocument {
    /// Hides exactly these parts, as one step.
    pub(in crate::state) fn hide(&mut self, hidden: Hidden, label: &str) {
        self.as_step_called(label, |open| open.view.hidden = hidden);
    }
}
