use egui::{Button, ScrollArea, Ui, vec2};

use super::counts::{counted, grouped};
use super::names::{self, Name};
use super::theme;
use crate::state::{Action, AppState, Command, Commands, History};

#[derive(Default)]
pub(super) struct HistoryPanel {
    /// Number of applied steps and number of all steps when the list was last scrolled.
    seen: Option<(usize, usize)>,
}

impl HistoryPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let history = &state.open.history;
        let now = (history.done(), history.len());
        let is_new = self.seen.replace(now) != Some(now);
        summary(ui, history);
        let row = theme::ROW_HEIGHT + ui.spacing().item_spacing.y;
        let mut area = ScrollArea::vertical().auto_shrink(false);
        if is_new {
            area = area.vertical_scroll_offset((history.done() as f32 * row - ui.available_height() * 0.5).max(0.0));
        }
        area.show_rows(ui, theme::ROW_HEIGHT, history.len() + 1, |ui, shown| {
            for done in shown {
                step(ui, state, done, commands);
            }
        });
    }
}

fn summary(ui: &mut Ui, history: &History) {
    let memory = match history.bytes() {
        bytes if bytes < 100_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        bytes => format!("{:.1} MB", bytes as f64 / 1e6),
    };
    let text = format!("{} · {memory}", counted(history.len(), "step"));
    let keys = [Action::Undo, Action::Redo].map(|action| action.spec().hover_text(ui.ctx())).join("\n");
    let hint = format!(
        "{keys}\nEstimated memory. The oldest steps are dropped above {} MB",
        grouped(History::MAX_BYTES / 1_000_000)
    );
    ui.weak(text).on_hover_text(hint);
    ui.add_space(4.0);
}

/// Draws the row of the state after `done` steps, where 0 is the opened file. Clicking the row restores that state.
fn step(ui: &mut Ui, state: &AppState, done: usize, commands: &mut Commands) {
    let history = &state.open.history;
    let name = match done.checked_sub(1) {
        Some(step) => history.label(step).unwrap_or_default().to_owned(),
        None if history.forgotten() > 0 => format!("{} before these", counted(history.forgotten(), "step")),
        None => format!("Open {}", state.open.stage.document.source.name()),
    };
    let is_current = done == history.done();
    let color = if is_current {
        theme::selection_text(ui.visuals())
    } else if done > history.done() {
        ui.visuals().weak_text_color()
    } else {
        ui.visuals().text_color()
    };
    let size = vec2(ui.available_width(), theme::ROW_HEIGHT);
    let room = size.x - 2.0 * ui.spacing().button_padding.x;
    let text = Name::new(&name).galley(ui, room, &names::body(ui, color));
    let button = Button::selectable(is_current, text).min_size(size);
    let hint = match done {
        _ if is_current => "Current state",
        _ if done > history.done() => "Undone. Click to redo everything up to here",
        _ => "Click to undo everything after this step",
    };
    let response = ui.add(button).accessible_name(&name).on_hover_text(format!("{name}\n{hint}"));
    commands.push_if(response.clicked() && !is_current, Command::GoToStep(done));
}
