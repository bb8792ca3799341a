//! The gizmo on the screen: from pointer and keys to edits of `Ul_j`, and its picture.

mod paint;
mod running;

use egui::{CursorIcon, Key, PointerButton, Pos2, Response, Ui};

use super::area::Area;
use crate::gizmo::rotate::RotateHandle;
use crate::gizmo::{GizmoOptions, Handle, Targets, hit};
use crate::rig::NodeIndex;
use crate::state::{AppState, Command};
pub use paint::fan;
use running::RunningDrag;

/// The drag that is going on, and the handle under the pointer.
#[derive(Default)]
pub struct GizmoView {
    running: Option<RunningDrag>,
    hovered: Option<Handle>,
}

impl GizmoView {
    /// True while a handle is being dragged.
    pub fn is_dragging(&self) -> bool {
        self.running.is_some()
    }

    /// Follows pointer and keys; true where they belong to the gizmo and to nothing under it.
    pub fn update(
        &mut self,
        ui: &Ui,
        view: &Area,
        response: &Response,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) -> bool {
        if self.running.as_ref().is_some_and(|r| !r.is_of(state)) {
            self.running = None;
        }
        if self.running.is_some() {
            self.go_on(ui, view, commands);
            return true;
        }
        let Some(active) = active(view, state) else { return false };
        let is_orbiting = ui.input(|i| i.modifiers.alt);
        let tool = state.settings.posing.tool;
        let at = |pos: Pos2| hit(tool, active.frame(), &view.lens, view.to_view(pos)).filter(|_| !is_orbiting);
        let is_free = !ui.input(|i| i.pointer.any_down());
        self.hovered = response.hover_pos().filter(|_| is_free || self.hovered.is_some()).and_then(at);
        if response.drag_started_by(PointerButton::Primary) {
            let pressed_at = ui.input(|i| i.pointer.press_origin());
            let taken = pressed_at.and_then(|p| Some((at(p)?, p, targets(view, state, &state.open.view.selected)?)));
            if let Some((handle, pos, targets)) = taken {
                self.running = RunningDrag::start(handle, targets, state, &view.lens, view.to_view(pos));
                if self.running.is_some() {
                    commands.push(Command::BeginEdit);
                    self.go_on(ui, view, commands);
                    return true;
                }
            }
        }
        let is_on_handle = self.hovered.is_some_and(|h| h != Handle::Rotate(RotateHandle::Trackball));
        if is_on_handle {
            ui.set_cursor_icon(CursorIcon::Grab);
        }
        // A handle wins over a bone under it; inside the rings a click selects and only a drag turns.
        is_on_handle && !response.dragged() && ui.input(|i| i.smooth_scroll_delta().y == 0.0)
    }

    fn go_on(&mut self, ui: &Ui, view: &Area, commands: &mut Vec<Command>) {
        let Some(running) = &mut self.running else { return };
        let (is_cancelled, is_released) = ui.input(|i| {
            (
                i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary),
                !i.pointer.button_down(PointerButton::Primary),
            )
        });
        if is_cancelled {
            commands.push(Command::CancelEdit);
            self.running = None;
            return;
        }
        ui.set_cursor_icon(CursorIcon::Grabbing);
        running.take_keys(ui);
        commands.extend(running.follow(ui, view));
        if is_released {
            commands.push(Command::EndEdit);
            self.running = None;
        }
    }

    /// Draws the handles of the active joint, or those of the drag.
    pub fn paint(&self, ui: &Ui, view: &Area, state: &AppState) {
        if let Some(running) = &self.running {
            paint::drag(ui, view, running.drag());
        } else if let Some(active) = active(view, state) {
            paint::handles(ui, view, state.settings.posing.tool, active.frame(), self.hovered);
        }
    }
}

/// The active joint alone, whose handles are seen: of thousands that are selected a frame needs no more.
fn active(view: &Area, state: &AppState) -> Option<Targets> {
    targets(view, state, state.selected().as_slice())
}

/// Joints as they are now.
fn targets(view: &Area, state: &AppState, joints: &[NodeIndex]) -> Option<Targets> {
    let (settings, posing) = (&state.settings, state.settings.posing);
    let options = GizmoOptions {
        tool: posing.tool,
        orientation: settings.orientation,
        order: settings.euler_order,
        pivot: posing.pivot,
    };
    Targets::new(&state.rig().hierarchy, state.posed(), state.pose(), joints, options, &view.lens)
}
