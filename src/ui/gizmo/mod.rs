mod paint;
mod running;

use egui::{CursorIcon, PointerButton, Pos2, Ui};

use super::area::{Area, ViewInput};
use crate::gizmo::rotate::RotateHandle;
use crate::gizmo::{DragStep, GizmoOptions, Handle, Targets, Tool, hit};
use crate::rig::NodeIndex;
use crate::state::{AppState, Command, Commands};
use crate::view::Layout;
pub(super) use paint::fan;
use running::RunningDrag;

#[derive(Default)]
pub(super) struct GizmoView {
    running: Option<RunningDrag>,
    pending_tool: Option<Tool>,
    /// True after a click has ended a keyboard drag, until the mouse button is released.
    is_click_spent: bool,
    hovered: Option<Handle>,
}

impl GizmoView {
    pub(super) fn is_dragging(&self) -> bool {
        self.running.is_some() || self.pending_tool.is_some()
    }

    /// Returns whether the current click has ended a keyboard drag and must have no other effect.
    pub(super) fn consumes_click(&self) -> bool {
        self.is_click_spent
    }

    pub(super) fn transform(&mut self, tool: Tool) {
        self.pending_tool = Some(tool);
    }

    pub(super) fn status(&self, state: &AppState) -> Option<String> {
        self.running.as_ref()?.status(state)
    }

    /// Handles the pointer and keys. Returns whether the gizmo uses the pointer.
    pub(super) fn update(&mut self, input: ViewInput<'_>, commands: &mut Commands) -> bool {
        let ViewInput { ui, view, response, state } = input;
        if self.running.as_ref().is_some_and(|r| !r.is_for(state)) {
            self.running = None;
        }
        if let Some(tool) = self.pending_tool.take() {
            self.start_by_keys(ui, view, tool, state, commands);
        }
        if self.running.is_some() {
            self.update_drag(ui, view, commands);
            return true;
        }
        self.is_click_spent &= ui.input(|i| i.pointer.any_down() || i.pointer.any_released());
        if self.is_click_spent {
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
            let taken = pressed_at
                .and_then(|p| Some((at(p)?, p, targets(view, state, tool, &state.open.stage.view.selected)?)));
            if let Some((handle, pos, targets)) = taken {
                self.running = RunningDrag::by_pointer(handle, targets, state, &view.lens, view.to_view(pos));
                if self.running.is_some() {
                    commands.push(Command::BeginEdit);
                    self.update_drag(ui, view, commands);
                    return true;
                }
            }
        }
        let is_on_handle = self.hovered.is_some_and(|h| h != Handle::Rotate(RotateHandle::Trackball));
        if is_on_handle {
            ui.set_cursor_icon(CursorIcon::Grab);
        }
        // Handles take precedence over bones below them. Inside the rings, clicking selects and dragging rotates.
        is_on_handle && !response.dragged() && ui.input(|i| i.smooth_scroll_delta().y == 0.0)
    }

    fn start_by_keys(&mut self, ui: &Ui, view: &Area, tool: Tool, state: &AppState, commands: &mut Commands) {
        let Some(targets) = targets(view, state, tool, &state.open.stage.view.selected) else { return };
        let targets = targets.world_first(options(state, tool));
        let cursor = ui.input(|i| i.pointer.latest_pos()).map(|pos| view.to_view(pos));
        self.running = RunningDrag::by_keys(tool, targets, state, &view.lens, cursor);
        if self.running.is_some() {
            // Enter ends the drag, so no button may have the focus.
            ui.memory_mut(|m| m.focused().map(|id| m.surrender_focus(id)));
            commands.push(Command::BeginEdit);
        }
    }

    fn update_drag(&mut self, ui: &Ui, view: &Area, commands: &mut Commands) {
        let Some(running) = &mut self.running else { return };
        let step = running.take_keys(ui);
        let is_by_keys = running.is_by_keys();
        let is_released = !is_by_keys && !ui.input(|i| i.pointer.button_down(PointerButton::Primary));
        if step != DragStep::Cancel {
            ui.set_cursor_icon(CursorIcon::Grabbing);
            commands.extend(running.follow(ui, view));
        }
        let end = match step {
            DragStep::Cancel => Command::CancelEdit,
            DragStep::Confirm => Command::EndEdit,
            DragStep::Continue if is_released => Command::EndEdit,
            DragStep::Continue => return,
        };
        commands.push(end);
        self.is_click_spent = is_by_keys && ui.input(|i| i.pointer.any_down());
        self.running = None;
    }

    pub(super) fn paint(&self, ui: &Ui, view: &Area, state: &AppState) {
        if let Some(running) = &self.running {
            paint::drag(ui, view, running.drag());
        } else if let Some(active) = active(view, state) {
            paint::handles(ui, view, state.settings.posing.tool, active.frame(), self.hovered);
        }
    }
}

/// Returns true in the tour's comparisons, where the gizmo would cover the compared skin.
fn is_hidden(state: &AppState) -> bool {
    state.tour.is_some() && state.open.stage.view.compare.layout != Layout::Single
}

/// Returns the gizmo of the active joint alone, so that large selections don't slow down every frame.
fn active(view: &Area, state: &AppState) -> Option<Targets> {
    if is_hidden(state) {
        return None;
    }
    targets(view, state, state.settings.posing.tool, state.open.stage.view.active_joint().as_slice())
}

fn targets(view: &Area, state: &AppState, tool: Tool, joints: &[NodeIndex]) -> Option<Targets> {
    Targets::new(
        &state.open.stage.rig().hierarchy,
        state.open.stage.posed(),
        state.open.stage.pose(),
        joints,
        options(state, tool),
        &view.lens,
    )
}

fn options(state: &AppState, tool: Tool) -> GizmoOptions {
    let settings = &state.settings;
    GizmoOptions {
        tool,
        orientation: settings.orientation,
        order: settings.euler_order,
        pivot: settings.posing.pivot,
        size: settings.gizmo_size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{BuiltIn, Document};
    use crate::state::{Action, JobResult, Request};

    #[test]
    fn only_comparisons_of_the_tour_hide_the_gizmo() {
        let mut state = AppState::with_built_in(BuiltIn::Figure);
        state.apply(Command::SetLayout(Layout::SideBySide));
        assert!(!is_hidden(&state), "without the tour");
        if let Some(Request::Load { then, .. }) = state.apply(Command::Do(Action::StartTour)) {
            state.receive(JobResult::Document(Box::new(Document::built_in(BuiltIn::Figure)), then));
        }
        assert!(state.tour.is_some());
        for layout in Layout::ALL {
            state.apply(Command::SetLayout(layout));
            assert_eq!(is_hidden(&state), layout != Layout::Single, "{layout:?}");
        }
    }
}
