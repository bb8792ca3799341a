//! The part of the clip in view, and what the pointer does over the plots.

use std::sync::{Arc, Weak};

use egui::{PointerButton, Pos2, Rangef, Rect, Response, Sense, Ui, WidgetInfo};

use super::row::Row;
use crate::rig::{FrameRate, Rig};
use crate::state::{AppState, Command};
use crate::ui::timeline::on_frame;

/// Fewest frames in view.
const FEWEST_FRAMES: f32 = 2.0;
/// Distance from the worst point of a line within which a press goes to exactly that frame, points.
const GRAB: f32 = 7.0;
/// Points of scrolling that zoom by a factor of e.
const SCROLL: f32 = 240.0;
/// Least distance between the lines of the grid, points.
const TICK_GAP: f32 = 64.0;

/// The part of the clip in view; all of it until somebody zooms.
#[derive(Default)]
pub(super) struct TimeWindow {
    rig: Weak<Rig>,
    clip: Option<usize>,
    /// Length of the clip, seconds.
    duration_secs: f32,
    /// Frames per second.
    rate: f32,
    /// Start and end of what is in view, seconds; `None` for the whole clip.
    seen: Option<[f32; 2]>,
}

/// Lines of the grid.
pub(super) struct Ticks {
    /// Times, seconds.
    pub times_secs: Vec<f32>,
    /// Digits after the point that tell them apart.
    pub digits: usize,
}

impl TimeWindow {
    /// Shows the whole clip where another one was chosen.
    pub(super) fn follow(&mut self, state: &AppState) {
        let (rig, playback) = (state.open.rig(), &state.open.playback);
        if !std::ptr::eq(self.rig.as_ptr(), Arc::as_ptr(rig)) || self.clip != playback.clip {
            let duration_secs = playback.duration_secs(rig).max(1e-3);
            let rate = playback.frame_rate(rig).per_sec;
            *self = Self { rig: Arc::downgrade(rig), clip: playback.clip, duration_secs, rate, seen: None };
        }
    }

    /// Start and end of what is in view, seconds.
    pub(super) fn seen(&self) -> [f32; 2] {
        self.seen.unwrap_or([0.0, self.duration_secs])
    }

    pub(super) fn x(&self, across: Rangef, time_secs: f32) -> f32 {
        let [from, to] = self.seen();
        egui::lerp(across, (time_secs - from) / (to - from))
    }

    fn time(&self, across: Rangef, x: f32) -> f32 {
        let [from, to] = self.seen();
        from + (x - across.min) / across.span().max(1.0) * (to - from)
    }

    /// Times of the grid, far enough apart for their numbers.
    pub(super) fn ticks(&self, width: f32) -> Ticks {
        let [from, to] = self.seen();
        let least = (to - from) * TICK_GAP / width.max(1.0);
        let steps = (-4..6).flat_map(|power| [1.0, 2.0, 5.0].map(|digit: f32| digit * 10_f32.powi(power)));
        let step = steps.into_iter().find(|step| *step >= least).unwrap_or(f32::INFINITY);
        let [first, last] = [(from / step).ceil(), (to / step + 1e-3).floor()];
        let times_secs = (0..=(last - first).clamp(0.0, 200.0) as u32).map(|tick| (first + tick as f32) * step);
        let digits = (-step.log10().floor()).clamp(0.0, 4.0) as usize;
        Ticks { times_secs: times_secs.take_while(|time| *time <= to).collect(), digits }
    }

    fn show(&mut self, from: f32, span: f32) {
        let least = (FEWEST_FRAMES / self.rate).min(self.duration_secs);
        let span = span.clamp(least, self.duration_secs);
        let from = from.clamp(0.0, self.duration_secs - span);
        self.seen = (span < self.duration_secs).then_some([from, from + span]);
    }

    /// Zooms by the wheel about the pointer, and moves along by scrolling sideways; the rows then do not scroll.
    pub(super) fn zoom(&mut self, ui: &Ui, over: Rect) {
        let Some(pointer) = ui.input(|i| i.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(over)) else {
            return;
        };
        let (scroll, pinch) = ui.input_mut(|i| (std::mem::take(&mut i.smooth_scroll_delta), i.zoom_delta()));
        let factor = (-scroll.y / SCROLL).exp() / pinch;
        if factor == 1.0 && scroll.x == 0.0 {
            return;
        }
        let (across, [from, to]) = (over.x_range(), self.seen());
        let (at, span) = (self.time(across, pointer.x), (to - from) * factor);
        let share = (at - from) / (to - from);
        let along = scroll.x / across.span().max(1.0) * span;
        self.show(at - share * span - along, span);
    }

    /// Goes to a time by a press or a drag, moves along, fits the clip, and tells what is under the pointer; returns the time there.
    pub(super) fn operate(
        &mut self,
        ui: &Ui,
        over: Rect,
        rows: &[Row<'_>],
        places: &[Rect],
        state: &AppState,
        commands: &mut Vec<Command>,
    ) -> Option<f32> {
        let response = ui.interact(over, ui.scope_id().with("plots"), Sense::click_and_drag());
        let now = state.open.playback.time_secs;
        response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(now), "Time in the tracks"));
        let across = over.x_range();
        let is_moved = response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Primary) && ui.input(|i| i.modifiers.shift);
        let [from, to] = self.seen();
        if is_moved {
            let along = response.drag_delta().x / across.span().max(1.0) * (to - from);
            self.show(from - along, to - from);
        } else if response.double_clicked() {
            self.seen = None;
        } else if let Some(at) = self.sought(ui, &response, across, rows, places).filter(|at| *at != now) {
            commands.push(Command::Seek(at));
        }
        response.context_menu(|ui| {
            let button = ui.add_enabled(self.seen.is_some(), egui::Button::new("Show the whole clip"));
            if button.on_hover_text("Also by a double click").clicked() {
                self.seen = None;
                ui.close();
            }
        });
        let pointer = response.hover_pos()?;
        let time = self.time(across, pointer.x).clamp(0.0, self.duration_secs);
        let row = places.iter().position(|place| place.y_range().contains(pointer.y));
        let text = match row.and_then(|row| rows.get(row)) {
            Some(row) => row.told_at(time, GRAB * (to - from) / across.span().max(1.0), self.rate, state),
            None => {
                "Drag to go to a time, with Ctrl from frame to frame\nWheel to zoom, middle or Shift + drag to move \
                     along, double click for the whole clip"
                    .to_owned()
            }
        };
        response.on_hover_text_at_pointer(text);
        Some(time)
    }

    /// Time to go to while the first button is down, seconds: exactly that of a worst frame which is pressed.
    fn sought(&self, ui: &Ui, response: &Response, across: Rangef, rows: &[Row<'_>], places: &[Rect]) -> Option<f32> {
        let (is_down, origin, is_shift) =
            ui.input(|i| (i.pointer.button_down(PointerButton::Primary), i.pointer.press_origin(), i.modifiers.shift));
        let is_down = is_down && !is_shift && response.is_pointer_button_down_on();
        let at = response.interact_pointer_pos().filter(|_| is_down)?;
        let is_still = origin.is_some_and(|origin| origin.distance(at) < GRAB);
        let mark = self.mark_at(across, at, rows, places).filter(|_| is_still);
        let time = self.time(across, at.x).clamp(0.0, self.duration_secs);
        let rate = FrameRate { per_sec: self.rate, is_of_keys: true };
        Some(mark.unwrap_or_else(|| on_frame(ui, time, rate)))
    }

    /// Time of the worst point near the pointer, seconds.
    fn mark_at(&self, across: Rangef, at: Pos2, rows: &[Row<'_>], places: &[Rect]) -> Option<f32> {
        let marks = rows.iter().zip(places).flat_map(|(row, place)| row.marks(*place));
        let near = marks.map(|(time, y)| (time, Pos2::new(self.x(across, time), y).distance(at)));
        near.filter(|(_, distance)| *distance < GRAB).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(time, _)| time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window() -> TimeWindow {
        TimeWindow { duration_secs: 4.0, rate: 30.0, ..TimeWindow::default() }
    }

    #[test]
    fn what_is_in_view_stays_within_the_clip_and_is_never_less_than_two_frames() {
        let mut window = window();
        for (from, span, seen) in [
            (1.0, 2.0, [1.0, 3.0]),
            (-5.0, 1.0, [0.0, 1.0]),
            (3.5, 1.0, [3.0, 4.0]),
            (1.0, 9.0, [0.0, 4.0]),
            (1.0, 0.0, [1.0, 1.0 + 2.0 / 30.0]),
        ] {
            window.show(from, span);
            assert_eq!(window.seen(), seen, "{from} {span}");
        }
        window.show(1.0, 9.0);
        assert!(window.seen.is_none(), "all of it");
    }

    #[test]
    fn points_and_times_are_each_others_inverse() {
        let (mut window, across) = (window(), Rangef::new(100.0, 500.0));
        assert_eq!((window.x(across, 0.0), window.x(across, 4.0)), (100.0, 500.0), "as the timeline");
        window.show(1.0, 0.5);
        for time in [1.0, 1.2, 1.5] {
            assert!((window.time(across, window.x(across, time)) - time).abs() < 1e-5);
        }
    }

    #[test]
    fn grid_lines_stand_at_round_times_far_enough_apart() {
        let mut window = window();
        let ticks = window.ticks(400.0);
        assert_eq!((ticks.times_secs, ticks.digits), (vec![0.0, 1.0, 2.0, 3.0, 4.0], 0));
        window.show(1.0, 0.5);
        let ticks = window.ticks(400.0);
        assert_eq!(ticks.digits, 1);
        assert_eq!(ticks.times_secs.len(), 6);
        assert!(window.ticks(0.0).times_secs.len() <= 2);
    }
}
