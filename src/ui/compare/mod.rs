//! Comparison of two skinning methods on one pose: side settings, viewport layout and labels.

mod icons;
mod labels;
mod legend_controls;
mod numbers;
mod panel;
mod side;
mod simulator;
mod suspects;
mod switch;
mod weights;
mod wipe;

use egui::{Color32, Visuals};

use crate::ui::theme;
use crate::view::Side;

pub(super) use labels::paint as paint_labels;
pub(super) use legend_controls::ui as legend_ui;
pub(super) use numbers::{length, ui as numbers_ui};
pub(super) use panel::ui as panel_ui;
pub(super) use suspects::suspects_ui;
pub(super) use switch::{action, is_roomy, ui as switch_ui};
pub(super) use wipe::WipeHandle;

pub(super) fn side_color(side: Side) -> Color32 {
    theme::opaque(side.color())
}

/// Returns a side's text colour, darker on a light background.
pub(super) fn side_text(side: Side, visuals: &Visuals) -> Color32 {
    theme::as_text(side_color(side), visuals)
}
