//! The slider, the number and the button of a weight in the Morphs tab.

use egui::{Button, Response, Slider, Ui, vec2};

use super::inspector::{FieldEdit, number};
use super::theme::ROW_HEIGHT;

/// Gap below a slider, points.
pub(super) const GAP: f32 = 6.0;
/// Height of a name with its slider and the gap to the next name, points.
pub(super) const NAMED_ROW: f32 = 2.0 * ROW_HEIGHT + GAP;
/// Width of a weight's field, points.
const NUMBER: f32 = 48.0;
/// Width of the button that clears a weight, points.
const CLEAR: f32 = 28.0;

/// What was done with a weight in this frame.
pub(super) struct WeightRow {
    /// The slider itself.
    pub slider: Response,
    /// Edits by slider and number.
    pub edit: FieldEdit,
    /// True where the button was clicked.
    pub is_cleared: bool,
}

/// Draws the row of a weight, whose slider `slider` makes.
pub(super) fn weight_row(
    ui: &mut Ui,
    name: &str,
    weight: &mut f32,
    slider: impl FnOnce(&mut f32) -> Slider<'_>,
) -> WeightRow {
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().slider_width = (ui.available_width() - NUMBER - CLEAR - 8.0).max(40.0);
        let slider = ui.add(slider(weight).show_value(false)).accessible_name(name);
        ui.spacing_mut().interact_size.x = NUMBER;
        let field = number(ui, weight, &format!("Weight of {name}"), 0.01, 2, "", None);
        let clear = Button::new("↺").frame_when_inactive(false).min_size(vec2(CLEAR, ROW_HEIGHT));
        let clear = ui.add_enabled(*weight != 0.0, clear).accessible_name(format!("Clear {name}"));
        let is_cleared = clear.on_hover_text("Clear your weight").clicked();
        WeightRow { edit: FieldEdit::of(&[field, slider.clone()]), slider, is_cleared }
    });
    row.inner
}
