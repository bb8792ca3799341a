use egui::{Align2, Color32, FontId, Painter, Pos2, Rangef, Rect, Shape, Stroke, Ui, pos2, vec2};

use super::content::{Lines, line_color};
use super::text;
use super::window::{Ticks, TimeWindow};
use crate::analysis::tracks::{OddKey, Track, TrackKind};
use crate::ui::theme;

/// For plotting, lines are reduced to this many columns per point.
const COLUMNS: f32 = 1.0;
const STALE: f32 = 0.4;

const VALUE_MARGIN: f32 = 6.0;

pub(super) struct ValueRange {
    low: f32,
    high: f32,
    down: Rangef,
}

impl ValueRange {
    pub(super) fn new(track: &Track, rect: Rect) -> Self {
        let [low, high] = track.range();
        let min_span = match track.kind {
            TrackKind::Volume | TrackKind::LeastArea | TrackKind::Loss => 0.01,
            TrackKind::WorstDistance | TrackKind::MeanDistance => 1e-4,
            TrackKind::Flipped | TrackKind::AngularSpeed | TrackKind::Rotation => 1.0,
        };
        let down = Rangef::new(rect.top() + VALUE_MARGIN, rect.bottom() - VALUE_MARGIN);
        Self {
            low: if track.kind == TrackKind::Volume { low.min(high - min_span) } else { low },
            high: high.max(low + min_span),
            down,
        }
    }

    pub(super) fn y(&self, value: f32) -> f32 {
        egui::remap(value, self.low..=self.high, self.down.max..=self.down.min)
    }
}

fn small() -> FontId {
    FontId::proportional(10.0)
}

pub(super) fn ruler(ui: &Ui, head: Rect, across: Rangef, window: &TimeWindow, ticks: &Ticks) {
    let weak = ui.visuals().weak_text_color();
    for time in &ticks.times_secs {
        let x = window.x(across, *time);
        let galley = ui.painter().layout_no_wrap(format!("{time:.0$} s", ticks.digits), small(), weak);
        let left = (x - galley.size().x * 0.5).clamp(across.min, (across.max - galley.size().x).max(across.min));
        ui.painter().galley(pos2(left, head.top() + 1.0), galley, weak);
    }
}

pub(super) fn words(ui: &Ui, plot: Rect, why: &str) {
    let visuals = ui.visuals();
    ui.painter().rect_filled(plot, 2.0, visuals.extreme_bg_color);
    let font = FontId::proportional(11.0);
    let galley = ui.painter().layout(why.to_owned(), font, visuals.weak_text_color(), plot.width() - 16.0);
    let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), plot).min;
    ui.painter().with_clip_rect(plot.intersect(ui.clip_rect())).galley(at, galley, visuals.weak_text_color());
}

pub(super) fn row(ui: &Ui, plot: Rect, lines: &Lines<'_>, window: &TimeWindow, ticks: &Ticks) {
    let visuals = ui.visuals();
    let range = ValueRange::new(lines.track, plot);
    ui.painter().rect_filled(plot, 2.0, visuals.extreme_bg_color);
    let painter = ui.painter().with_clip_rect(plot.intersect(ui.clip_rect()));
    let grid = Stroke::new(1.0, visuals.widgets.noninteractive.bg_stroke.color);
    for time in &ticks.times_secs {
        painter.vline(window.x(plot.x_range(), *time), plot.y_range(), grid);
    }
    let unchanged = range.y(lines.track.kind.unchanged());
    painter.hline(plot.x_range(), unchanged, grid);
    axis(ui, plot, lines.track.kind, &range);
    let strength = if lines.is_current { 1.0 } else { STALE };
    // Draws side A over side B.
    for (number, line) in lines.track.lines.iter().enumerate().rev() {
        let columns = (plot.width() * COLUMNS) as usize;
        let points = line.points(lines.times_secs, lines.sampling, window.seen(), columns);
        let at = |[time, value]: [f32; 2]| pos2(window.x(plot.x_range(), time), range.y(value));
        let color = line_color(line.owner, number, visuals).gamma_multiply(strength);
        painter.add(Shape::line(points.into_iter().map(at).collect(), Stroke::new(1.5, color)));
    }
    for (number, line) in lines.track.lines.iter().enumerate().rev() {
        let Some((time, value)) = line.worst.and_then(|at| Some((lines.times_secs.get(at)?, line.values.get(at)?)))
        else {
            continue;
        };
        let at = pos2(window.x(plot.x_range(), *time), range.y(*value));
        let color = line_color(line.owner, number, visuals).gamma_multiply(strength);
        painter.circle(at, 3.5, color, Stroke::new(1.0, visuals.strong_text_color().gamma_multiply(strength)));
    }
    for mark in lines.marks {
        odd_key(&painter, pos2(window.x(plot.x_range(), mark.time_secs), plot.top() + 5.0), mark.odd, ui);
    }
}

fn axis(ui: &Ui, plot: Rect, kind: TrackKind, range: &ValueRange) {
    let color = ui.visuals().weak_text_color();
    for value in [range.low, range.high] {
        let y = range.y(value).clamp(plot.top() + 5.0, plot.bottom() - 5.0);
        let at = pos2(plot.left() - 4.0, y);
        ui.painter().text(at, Align2::RIGHT_CENTER, text::value(kind, value), small(), color);
    }
}

/// Draws the mark of an unusual key: a triangle for a jump, a diamond for a quaternion sign flip.
fn odd_key(painter: &Painter, at: Pos2, odd: OddKey, ui: &Ui) {
    let warn = ui.visuals().warn_fg_color;
    let points: &[egui::Vec2] = match odd {
        OddKey::Jump => &[vec2(-4.0, -4.0), vec2(4.0, -4.0), vec2(0.0, 4.0)],
        OddKey::SignFlip => &[vec2(0.0, -4.5), vec2(4.5, 0.0), vec2(0.0, 4.5), vec2(-4.5, 0.0)],
    };
    let fill = if odd == OddKey::Jump { warn } else { Color32::TRANSPARENT };
    let points = points.iter().map(|by| at + *by).collect();
    painter.add(Shape::convex_polygon(points, fill, Stroke::new(1.5, warn)));
}

/// Draws a line at the current time, and a faint line at the time under the pointer.
pub(super) fn playhead(ui: &Ui, over: Rect, window: &TimeWindow, across: Rangef, time_secs: f32, pointed: Option<f32>) {
    let painter = ui.painter().with_clip_rect(over.expand2(vec2(4.0, 0.0)));
    if let Some(pointed) = pointed {
        let stroke = Stroke::new(1.0, ui.visuals().weak_text_color().gamma_multiply(0.5));
        painter.vline(window.x(across, pointed), over.y_range(), stroke);
    }
    let x = window.x(across, time_secs);
    if across.contains(x) {
        let color = theme::selection_text(ui.visuals());
        // Draws the knob below the ruler's numbers.
        let knob = pos2(x, over.top() + HEADER - 5.0);
        painter.vline(x, Rangef::new(knob.y, over.bottom()), Stroke::new(1.5, color));
        painter.circle_filled(knob, 3.5, color);
    }
}

pub(super) const HEADER: f32 = 24.0;
pub(super) const GAP: f32 = 8.0;
/// Width of the labels of the value axis, points.
pub(super) const AXIS: f32 = 52.0;
/// Width of the value below a track's name, points.
pub(super) const VALUE: f32 = 78.0;

/// Horizontal ranges of the drawer's three columns.
#[derive(Clone, Copy)]
pub(super) struct TrackColumns {
    /// Names of tracks, and their current values.
    pub names: Rangef,
    /// Lines over the time axis of the timeline.
    pub plots: Rangef,
    pub worst: Rangef,
}

pub(super) fn plot_rect(row: Rect) -> Rect {
    row.with_max_y(row.bottom() - 6.0)
}
