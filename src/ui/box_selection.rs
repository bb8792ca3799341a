//! Box selection. Shift adds the joints in the box, Ctrl removes them. While weights are edited, boxes select vertices.

use egui::{PointerButton, Pos2, Rect, Stroke, StrokeKind, Ui};

use super::area::{Area, ViewInput};
use super::theme;
use crate::stage::VertexBox;
use crate::state::{AppState, Command, Commands, joints_in};

#[derive(Default)]
pub(super) struct BoxSelection {
    running: Option<DrawnBox>,
}

struct DrawnBox {
    from: Pos2,
    to: Pos2,
    adds: bool,
}

impl BoxSelection {
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Handles the pointer. Returns whether a box is being dragged.
    pub(super) fn update(&mut self, input: ViewInput<'_>, commands: &mut Commands) -> bool {
        let ViewInput { ui, view, response, state } = input;
        let (modifiers, from) = ui.input(|i| (i.modifiers, i.pointer.press_origin()));
        if response.drag_started_by(PointerButton::Primary) && (modifiers.shift || modifiers.command) && !modifiers.alt
        {
            self.running = from.map(|from| DrawnBox { from, to: from, adds: modifiers.shift });
        }
        let Some(running) = &mut self.running else { return false };
        running.to = ui.input(|i| i.pointer.latest_pos()).unwrap_or(running.to);
        if ui.input(|i| i.key_pressed(egui::Key::Escape)) {
            self.running = None;
        } else if !ui.input(|i| i.pointer.button_down(PointerButton::Primary)) {
            commands.push(running.command(view, state));
            self.running = None;
        }
        true
    }

    pub(super) fn paint(&self, ui: &Ui, view: &Area) {
        let Some(running) = &self.running else { return };
        let painter = ui.painter().with_clip_rect(view.rect);
        let color = if running.adds { theme::selection_text(ui.visuals()) } else { ui.visuals().weak_text_color() };
        let stroke = Stroke::new(1.0, color);
        painter.rect(running.rect(), 0.0, color.gamma_multiply(0.12), stroke, StrokeKind::Inside);
    }
}

impl DrawnBox {
    fn rect(&self) -> Rect {
        Rect::from_two_pos(self.from, self.to)
    }

    fn command(&self, view: &Area, state: &AppState) -> Command {
        let rect = self.rect();
        // A box across both sides selects on the side where the drag began.
        let side = view.side_at(view.to_view(self.from), &state.open.stage.view.compare);
        if state.open.stage.editing.is_on {
            let (min, max) = (view.to_view(rect.min), view.to_view(rect.max));
            return Command::BoxVertices(Box::new(VertexBox { side, lens: view.lens, min, max, adds: self.adds }));
        }
        let bones = &state.open.stage.actor(side).bones;
        let mut inside = joints_in(bones, &view.lens, view.to_view(rect.min), view.to_view(rect.max));
        let selected = state.open.stage.view.selected.iter().copied();
        Command::SelectAll(if self.adds {
            selected.chain(inside).collect()
        } else {
            inside.sort_unstable();
            selected.filter(|node| inside.binary_search(node).is_err()).collect()
        })
    }
}
