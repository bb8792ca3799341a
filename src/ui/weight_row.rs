//! The row of a weight in the Morphs tab: name, slider, number and a button that clears it.

use egui::{Align, Button, Layout, Response, RichText, Slider, Ui, vec2};

use super::inspector::{FieldEdit, number};
use super::theme::ROW_HEIGHT;

/// Width of a weight's field, points.
const NUMBER: f32 = 44.0;
/// Width of the button that clears a weight, points.
const CLEAR: f32 = 22.0;
/// Share of the room for name and slider that the name gets.
const NAME: f32 = 0.55;
const GAP: f32 = 4.0;

/// What was done with a weight in this frame.
pub(super) struct WeightRow {
    /// The slider itself.
    pub slider: Response,
    /// Edits by slider and number.
    pub edit: FieldEdit,
    /// True where the button was clicked.
    pub is_cleared: bool,
}

/// The weight that a morph target or an expression has in the picture, where it is not the user's.
pub(super) struct ShownWeight {
    pub weight: f32,
    /// Why it differs.
    pub hint: String,
}

/// Draws the row of a weight: `label` draws its name, `slider` makes its slider.
pub(super) fn weight_row(
    ui: &mut Ui,
    name: &str,
    shown: Option<ShownWeight>,
    weight: &mut f32,
    label: impl FnOnce(&mut Ui),
    slider: impl FnOnce(&mut f32) -> Slider<'_>,
) -> WeightRow {
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let room = (ui.available_width() - NUMBER - CLEAR - 3.0 * GAP).max(80.0);
        ui.allocate_ui_with_layout(vec2(NAME * room, ROW_HEIGHT), Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_width(NAME * room);
            if let Some(ShownWeight { weight, hint }) = shown {
                ui.label(RichText::new(format!("= {weight:.2}")).small().weak()).on_hover_text(hint);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), label);
        });
        ui.spacing_mut().slider_width = (1.0 - NAME) * room;
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
