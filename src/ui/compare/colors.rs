//! The colours that stand for the sides.

use egui::{Color32, Visuals};

use crate::ui::theme;
use crate::view::Side;

/// The colour that stands for a side everywhere.
pub(crate) fn side_color(side: Side) -> Color32 {
    theme::opaque(side.color())
}

/// A side's colour where it is read as text: darker on light ground.
pub(crate) fn side_text(side: Side, visuals: &Visuals) -> Color32 {
    theme::as_text(side_color(side), visuals)
}
