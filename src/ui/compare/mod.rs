//! Two ways of skinning one pose: what they are, how they share the picture, and what is written over it.

mod icons;
mod labels;
mod legend_controls;
mod numbers;
mod panel;
mod side;
mod simulator;
mod switch;
mod weights;
mod wipe;

pub use labels::paint as paint_labels;
pub use legend_controls::ui as legend_ui;
pub use numbers::{length, ui as numbers_ui};
pub use panel::ui as panel_ui;
pub use switch::{action, ui as switch_ui};
pub use wipe::WipeHandle;

use egui::{Color32, Visuals};

use super::theme;
use crate::view::Side;

/// The colour that stands for a side everywhere.
pub fn side_color(side: Side) -> Color32 {
    theme::opaque(side.color())
}

/// A side's colour where it is read as text: darker on light ground.
pub fn side_text(side: Side, visuals: &Visuals) -> Color32 {
    theme::as_text(side_color(side), visuals)
}
