//! The rotation gizmo on the screen: from pointer and keys to edits of `Ul_j`, and its picture.

use egui::{Response, Ui};

use super::viewport::Area;
use crate::state::{AppState, Command};

/// The drag that is going on.
#[derive(Default)]
pub struct GizmoView;

impl GizmoView {
    /// True while a ring is being dragged.
    pub fn is_dragging(&self) -> bool {
        false
    }
    pub fn update(
        &mut self,
        _ui: &Ui,
        _view: &Area,
        _response: &Response,
        _state: &AppState,
        _commands: &mut Vec<Command>,
    ) -> bool {
        false
    }
    pub fn paint(&self, _ui: &Ui, _view: &Area, _state: &AppState) {}
}
