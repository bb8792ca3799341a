//! Pointer input over the plots: seeking, panning, zooming and tooltips.

use egui::{Button, PointerButton, Pos2, Rangef, Rect, Response, Sense, Ui, WidgetInfo};

use super::content::{Lines, TrackRow};
use super::paint::{HEADER, ValueRange, plot_rect};
use super::window::TimeWindow;
use crate::state::{AppState, Command, Commands};
use crate::ui::timeline::on_frame;

/// A press closer to a line's worst point than this, in points, seeks exactly to the worst frame.
const GRAB: f32 = 7.0;

const HINT: &str =
    "Drag to scrub, Ctrl to snap to frames\nWheel to zoom, middle or Shift + drag to pan, double-click to show all";

pub(super) struct Plots<'a> {
    /// Rectangle of the ruler and tracks.
    pub over: Rect,
    pub rows: &'a [TrackRow<'a>],
    pub places: &'a [Rect],
}

impl Plots<'_> {
    /// Handles the pointer. Returns the time under the pointer in seconds.
    pub(super) fn operate(
        &self,
        ui: &Ui,
        window: &mut TimeWindow,
        state: &AppState,
        commands: &mut Commands,
    ) -> Option<f32> {
        let response = ui.interact(self.over, ui.scope_id().with("plots"), Sense::click_and_drag());
        let now = state.open.stage.playback.time_secs;
        response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(now), "Time in the tracks"));
        let across = self.over.x_range();
        let is_moved = response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Primary) && ui.input(|i| i.modifiers.shift);
        if is_moved {
            window.move_by(response.drag_delta().x / across.span().max(1.0));
        } else if response.double_clicked() {
            window.show_all();
        } else if let Some(at) = self.sought(ui, &response, window, across).filter(|at| *at != now) {
            commands.push(Command::Seek(at));
        }
        response.context_menu(|ui| {
            let button = ui.add_enabled(!window.is_all(), Button::new("Show the whole clip"));
            if button.on_hover_text("Also by a double click").clicked() {
                window.show_all();
                ui.close();
            }
        });
        let pointer = response.hover_pos()?;
        let time = window.time(across, pointer.x);
        let is_over = |place: &&Rect| place.y_range().contains(pointer.y) && pointer.y > self.over.top() + HEADER;
        let row = self.places.iter().zip(self.rows).find(|(place, _)| is_over(place));
        let near = window.time(across, pointer.x + GRAB) - time;
        let text = row.map_or_else(|| HINT.to_owned(), |(_, row)| row.hover_text_at(time, near, window.rate(), state));
        response.on_hover_text_at_pointer(text);
        Some(time)
    }

    /// Returns the time to seek to, in seconds. A press near a worst point snaps to its frame.
    fn sought(&self, ui: &Ui, response: &Response, window: &TimeWindow, across: Rangef) -> Option<f32> {
        let (is_down, origin, is_shift) =
            ui.input(|i| (i.pointer.button_down(PointerButton::Primary), i.pointer.press_origin(), i.modifiers.shift));
        let is_down = is_down && !is_shift && response.is_pointer_button_down_on();
        let at = response.interact_pointer_pos().filter(|_| is_down)?;
        let is_still = origin.is_some_and(|origin| origin.distance(at) < GRAB);
        let worst = self.worst_at(window, across, at).filter(|_| is_still);
        Some(worst.unwrap_or_else(|| on_frame(ui, window.time(across, at.x), window.rate())))
    }

    fn worst_at(&self, window: &TimeWindow, across: Rangef, at: Pos2) -> Option<f32> {
        let worst = self.rows.iter().zip(self.places).flat_map(|(row, place)| worst_points(row, *place));
        let near = worst.map(|(time, y)| (time, Pos2::new(window.x(across, time), y).distance(at)));
        near.filter(|(_, distance)| *distance < GRAB).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(time, _)| time)
    }
}

/// Returns the time (seconds) and vertical position (points) of each line's worst point in a row.
fn worst_points(row: &TrackRow<'_>, place: Rect) -> impl Iterator<Item = (f32, f32)> {
    let lines = row.content.as_ref().ok();
    let range = lines.map(|lines| ValueRange::new(lines.track, plot_rect(place)));
    let worst = lines.into_iter().flat_map(Lines::worst);
    worst.filter_map(move |(_, _, time, value)| Some((time, range.as_ref()?.y(value))))
}
