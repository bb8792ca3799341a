//! Places and sizes in the drawer.

use egui::{Rangef, Rect};

/// Least height of the drawer and of a track, and height of the row above the tracks, points.
pub(super) const MIN_HEIGHT: f32 = 96.0;
pub(super) const MIN_ROW: f32 = 40.0;
pub(super) const HEADER: f32 = 24.0;
/// Room between the columns, points.
pub(super) const GAP: f32 = 8.0;
/// Width of the labels of the value axis, and of a value below a name, points.
pub(super) const AXIS: f32 = 52.0;
pub(super) const VALUE: f32 = 78.0;

/// Places of the three columns across the drawer.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    /// Names of tracks, and their values at the time of the clip.
    pub names: Rangef,
    /// Lines, over the time axis of the timeline.
    pub plots: Rangef,
    /// Worst frames.
    pub worst: Rangef,
}

/// Part of a row that its lines are drawn in.
pub(super) fn plot_rect(row: Rect) -> Rect {
    row.with_max_y(row.bottom() - 6.0)
}
