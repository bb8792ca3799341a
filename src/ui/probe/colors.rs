use egui::Color32;

use crate::skinning::Method;
use crate::state::AppState;
use crate::ui::compare::side_color;
use crate::ui::theme;
use crate::view::Side;

/// Returns the colour of a table row and its marks in the viewport.
pub(in crate::ui) fn row_color(row: usize) -> Color32 {
    const COLORS: [Color32; 6] = [
        Color32::from_rgb(0xFF, 0xD1, 0x66),
        Color32::from_rgb(0xC0, 0x8C, 0xFF),
        Color32::from_rgb(0x6F, 0xC3, 0xFF),
        Color32::from_rgb(0xFF, 0x8F, 0xB1),
        Color32::from_rgb(0x9B, 0xE1, 0x7B),
        Color32::from_rgb(0xD8, 0xC3, 0xA5),
    ];
    COLORS[row % COLORS.len()]
}

/// Returns the colour of the side that shows a method, otherwise the method's own colour.
pub(super) fn method_color(state: &AppState, method: Method) -> Color32 {
    let side = Side::ALL.into_iter().find(|&side| state.open.stage.skinning(side).method == method);
    side.map_or_else(|| theme::method_color(method), side_color)
}
