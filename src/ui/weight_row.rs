//! Row of a morph target or expression in the Morphs tab: name, weight slider, number and clear button.

use egui::{Align, Button, Layout, Rect, Response, RichText, Slider, Ui, UiBuilder, pos2, vec2};

use super::inspector::{FieldEdit, number};
use super::theme::ROW_HEIGHT;

const NUMBER: f32 = 44.0;
const CLEAR: f32 = 22.0;
/// Width of the name as a fraction of the row's width.
const NAME: f32 = 0.55;
const GAP: f32 = 4.0;

#[derive(Clone, Copy)]
pub(super) struct WeightColumns {
    width: f32,
}

impl WeightColumns {
    /// Creates columns for the available width, excluding the scroll bar.
    pub(super) fn new(ui: &Ui) -> Self {
        Self { width: ui.available_width() - ui.spacing().scroll.bar_width }
    }

    fn row(self, ui: &mut Ui) -> [Rect; 4] {
        let (_, row) = ui.allocate_space(vec2(self.width, ROW_HEIGHT));
        let room = (self.width - NUMBER - CLEAR - 3.0 * GAP).max(0.0);
        let mut left = row.left();
        [NAME * room, (1.0 - NAME) * room, NUMBER, CLEAR].map(|width| {
            let place = Rect::from_min_size(pos2(left, row.top()), vec2(width, ROW_HEIGHT));
            left += width + GAP;
            place
        })
    }
}

pub(super) struct WeightRow {
    pub slider: Response,
    pub edit: FieldEdit,
    pub is_cleared: bool,
}

/// The total weight to display if it differs from the user's weight.
pub(super) struct ShownWeight {
    pub weight: f32,
    pub hint: String,
}

pub(super) fn weight_row(
    ui: &mut Ui,
    columns: WeightColumns,
    name: &str,
    shown: Option<ShownWeight>,
    weight: &mut f32,
    label: impl FnOnce(&mut Ui),
    slider: impl FnOnce(&mut f32) -> Slider<'_>,
) -> WeightRow {
    let places = columns.row(ui);
    let mut cell = |column: usize, layout: Layout| {
        ui.new_child(UiBuilder::new().max_rect(places[column]).layout(layout).id_salt((name, column)))
    };
    let mut names = cell(0, Layout::right_to_left(Align::Center));
    if let Some(ShownWeight { weight, hint }) = shown {
        names.label(RichText::new(format!("= {weight:.2}")).small().weak()).on_hover_text(hint);
    }
    names.with_layout(Layout::left_to_right(Align::Center), label);
    let [mut sliders, mut numbers, mut buttons] =
        [1, 2, 3].map(|column| cell(column, Layout::left_to_right(Align::Center)));
    sliders.spacing_mut().slider_width = places[1].width();
    let slider = sliders.add(slider(weight).show_value(false)).accessible_name(name);
    numbers.spacing_mut().interact_size.x = NUMBER;
    let field = number(&mut numbers, weight, &format!("Weight of {name}"), 0.01, 2, "", None);
    buttons.spacing_mut().button_padding.x = 0.0;
    let clear = Button::new("↺").frame_when_inactive(false).min_size(places[3].size());
    let clear = buttons.add_enabled(*weight != 0.0, clear).accessible_name(format!("Clear {name}"));
    let is_cleared = clear.on_hover_text("Clear your weight").clicked();
    WeightRow { edit: FieldEdit::new(&[field, slider.clone()]), slider, is_cleared }
}
