use egui::{Rangef, Rect};

pub(super) const HEADER: f32 = 24.0;
pub(super) const GAP: f32 = 8.0;
/// Width of the value axis labels, points. [`VALUE`] is the width of a value below a name.
pub(super) const AXIS: f32 = 52.0;
pub(super) const VALUE: f32 = 78.0;

/// Horizontal ranges of the drawer's three columns.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    /// Names of the tracks, with their current values.
    pub names: Rangef,
    /// Plotted lines, aligned with the time axis of the timeline.
    pub plots: Rangef,
    pub worst: Rangef,
}

pub(super) fn plot_rect(row: Rect) -> Rect {
    row.with_max_y(row.bottom() - 6.0)
}
