use std::sync::{Arc, Weak};

use egui::{Rangef, Rect, Ui};

use crate::rig::{FrameRate, Rig};
use crate::state::AppState;

const MIN_FRAMES: f32 = 2.0;
/// Scrolling by this distance zooms by a factor of e, points.
const SCROLL: f32 = 240.0;
const TICK_GAP: f32 = 64.0;

#[derive(Default)]
pub(super) struct TimeWindow {
    rig: Weak<Rig>,
    clip: Option<usize>,
    duration_secs: f32,
    rate: FrameRate,
    /// Start and end of the visible range, seconds; `None` for the whole clip.
    visible_secs: Option<[f32; 2]>,
}

pub(super) struct Ticks {
    pub times_secs: Vec<f32>,
    pub digits: usize,
}

impl TimeWindow {
    /// Resets the window to the whole clip when the clip changes.
    pub(super) fn follow(&mut self, state: &AppState) {
        let (rig, playback) = (state.open.stage.rig(), &state.open.stage.playback);
        if !std::ptr::eq(self.rig.as_ptr(), Arc::as_ptr(rig)) || self.clip != playback.clip {
            let duration_secs = playback.duration_secs(rig).max(1e-3);
            let rate = playback.frame_rate(rig);
            *self = Self { rig: Arc::downgrade(rig), clip: playback.clip, duration_secs, rate, visible_secs: None };
        }
    }

    pub(super) fn seen(&self) -> [f32; 2] {
        self.visible_secs.unwrap_or([0.0, self.duration_secs])
    }

    /// Returns the x coordinate of a time, which may be outside the plot.
    pub(super) fn x(&self, across: Rangef, time_secs: f32) -> f32 {
        let [from, to] = self.seen();
        egui::lerp(across, (time_secs - from) / (to - from))
    }

    /// Returns the time at an x coordinate, clamped to the clip.
    pub(super) fn time(&self, across: Rangef, x: f32) -> f32 {
        let [from, to] = self.seen();
        (from + (x - across.min) / across.span().max(1.0) * (to - from)).clamp(0.0, self.duration_secs)
    }

    pub(super) fn rate(&self) -> FrameRate {
        self.rate
    }

    pub(super) fn is_all(&self) -> bool {
        self.visible_secs.is_none()
    }

    pub(super) fn show_all(&mut self) {
        self.visible_secs = None;
    }

    pub(super) fn move_by(&mut self, share: f32) {
        let [from, to] = self.seen();
        self.show(from - share * (to - from), to - from);
    }

    /// Returns the ruler's ticks, spaced so that their labels fit.
    pub(super) fn ticks(&self, width: f32) -> Ticks {
        let [from, to] = self.seen();
        let min_step = (to - from) * TICK_GAP / width.max(1.0);
        let steps = (-4..6).flat_map(|power| [1.0, 2.0, 5.0].map(|digit: f32| digit * 10_f32.powi(power)));
        let step = steps.into_iter().find(|step| *step >= min_step).unwrap_or(f32::INFINITY);
        let [first, last] = [(from / step).ceil(), (to / step + 1e-3).floor()];
        let times_secs = (0..=(last - first).clamp(0.0, 200.0) as u32).map(|tick| (first + tick as f32) * step);
        let digits = (-step.log10().floor()).clamp(0.0, 4.0) as usize;
        Ticks { times_secs: times_secs.take_while(|time| *time <= to).collect(), digits }
    }

    fn show(&mut self, from: f32, span: f32) {
        let min_span = (MIN_FRAMES / self.rate.per_sec).min(self.duration_secs);
        let span = span.clamp(min_span, self.duration_secs);
        let from = from.clamp(0.0, self.duration_secs - span);
        self.visible_secs = (span < self.duration_secs).then_some([from, from + span]);
    }

    /// Handles the wheel: vertical scrolling zooms about the pointer, horizontal scrolling pans.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window() -> TimeWindow {
        TimeWindow { duration_secs: 4.0, rate: FrameRate::new(30.0), ..TimeWindow::default() }
    }

    #[test]
    fn visible_range_stays_in_the_clip_and_has_at_least_two_frames() {
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
        assert!(window.visible_secs.is_none(), "all of it");
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
