use egui::{Color32, Visuals};

use crate::ui::theme;
use crate::view::Side;

pub(in crate::ui) fn side_color(side: Side) -> Color32 {
    theme::opaque(side.color())
}

/// Returns the side's colour for text, darkened on a light background.
pub(in crate::ui) fn side_text(side: Side, visuals: &Visuals) -> Color32 {
    theme::as_text(side_color(side), visuals)
}
