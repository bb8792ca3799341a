//! Rows of number fields that accept drags, typed numbers and arithmetic.

use egui::{Align, ComboBox, DragValue, Layout, Response, Ui, vec2};
use glam::Vec3;

use crate::state::{Command, Commands};
use crate::ui::expression::evaluate;
use crate::ui::theme;

pub(super) const AXIS_NAMES: [&str; 3] = ["X", "Y", "Z"];

#[derive(Clone, Copy, Default)]
pub(crate) struct FieldEdit {
    started: bool,
    pub changed: bool,
    ended: bool,
}

impl FieldEdit {
    pub(crate) fn new<const N: usize>(fields: &[Response; N]) -> Self {
        Self {
            started: fields.iter().any(Response::drag_started),
            changed: fields.iter().any(Response::changed),
            ended: fields.iter().any(Response::drag_stopped),
        }
    }

    #[must_use]
    pub(crate) fn and(self, field: &Response) -> Self {
        let Self { started, changed, ended } = Self::new(std::array::from_ref(field));
        Self { started: self.started || started, changed: self.changed || changed, ended: self.ended || ended }
    }

    /// Pushes the edit as a command. A whole drag or a typed number is one undo step.
    pub(crate) fn emit(self, edit: impl FnOnce() -> Command, commands: &mut Commands) {
        commands.push_if(self.started, Command::BeginEdit);
        if self.changed {
            commands.push(edit());
        }
        commands.push_if(self.ended, Command::EndEdit);
    }
}

/// Draws one field per axis. `suffix` is the unit after each number.
pub(super) fn vector_row(ui: &mut Ui, name: &str, suffix: &str, value: Vec3, speed: f64) -> (Vec3, FieldEdit) {
    let mut value = value;
    let fields = row(ui, name, "", |ui, i| {
        let name = format!("{name} {}", AXIS_NAMES[i]);
        number(ui, &mut value[i], &name, speed, 3, suffix, Some(theme::AXES[i]))
    });
    (value, FieldEdit::new::<3>(&fields))
}

pub(crate) fn row<const N: usize>(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    mut field: impl FnMut(&mut Ui, usize) -> Response,
) -> [Response; N] {
    const LABEL: f32 = 66.0;
    const GAP: f32 = 4.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let response = ui
            .allocate_ui_with_layout(vec2(LABEL, theme::ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(LABEL);
                ui.weak(label)
            })
            .inner;
        if !hint.is_empty() {
            response.on_hover_text(hint);
        }
        ui.spacing_mut().button_padding.x = 2.0;
        ui.spacing_mut().interact_size.x = ((ui.available_width() + GAP) / N as f32 - GAP).max(24.0);
        std::array::from_fn(|i| field(ui, i))
    })
    .inner
}

/// Draws a menu of `(text, hint, value)` entries. Returns the chosen value if it differs from the current one.
pub(crate) fn chooser<T, const N: usize>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    choices: [(&str, &str, T); N],
    is_current: impl Fn(&T) -> bool,
) -> Option<T> {
    let shown = choices.iter().find(|(.., value)| is_current(value)).map_or("", |(text, ..)| text);
    let mut chosen = None;
    let menu = ComboBox::from_id_salt(name).selected_text(shown).width(width).show_ui(ui, |ui| {
        for (text, hint, value) in choices {
            let is_on = is_current(&value);
            if ui.selectable_label(is_on, text).on_hover_text(hint).clicked() && !is_on {
                chosen = Some(value);
            }
        }
    });
    menu.response.accessible_name(name);
    chosen
}

pub(crate) fn number(
    ui: &mut Ui,
    value: &mut f32,
    name: &str,
    speed: f64,
    decimals: usize,
    suffix: &str,
    stripe: Option<egui::Color32>,
) -> Response {
    let before = *value;
    let fits = fitting(ui, suffix);
    let text = |value: f64| shown(value as f32, decimals, &fits);
    let field = DragValue::new(value)
        .speed(speed)
        .custom_formatter(|v, _| text(v))
        .custom_parser(evaluate)
        .suffix(suffix.to_owned())
        .update_while_editing(false)
        .clip_text(true);
    let response = ui.add_sized([ui.spacing().interact_size.x, theme::ROW_HEIGHT], field).accessible_name(name);
    // A field that was left without editing must not round its value.
    if evaluate(&text(before.into())).map(|v| v as f32) == Some(*value) {
        *value = before;
    }
    if let Some(color) = stripe {
        let mut edge = response.rect;
        edge.set_width(2.0);
        ui.painter().rect_filled(edge, 1.0, color);
    }
    response
}

fn fitting(ui: &Ui, suffix: &str) -> impl Fn(&str) -> bool + use<> {
    let font = ui.style().drag_value_text_style.resolve(ui.style());
    let width = |text: &str| ui.fonts_mut(|fonts| text.chars().map(|c| fonts.glyph_width(&font, c)).sum::<f32>());
    let room = ui.spacing().interact_size.x - 2.0 * ui.spacing().button_padding.x - width(suffix);
    let [digit, point, minus] = ["0", ".", "-"].map(width);
    move |number| {
        let each = |c| match c {
            '.' => point,
            '-' => minus,
            _ => digit,
        };
        number.chars().map(each).sum::<f32>() <= room
    }
}

/// Formats a value. Shows more decimals if a typed value needs them, and fewer if the text doesn't fit.
fn shown(value: f32, decimals: usize, fits: &dyn Fn(&str) -> bool) -> String {
    const TYPED: usize = 6;
    // Avoids showing -0.
    let is_zero = value.abs() < 0.5 / 10.0_f32.powf(decimals as f32);
    let rounded = (0..=decimals)
        .rev()
        .map(|d| format!("{:.d$}", if is_zero { 0.0 } else { value }))
        .find(|text| fits(text))
        .unwrap_or_else(|| format!("{value:.1e}"));
    if rounded.parse() == Ok(value) {
        return rounded;
    }
    let digits = |text: &str| text.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit).count();
    let exact = [format!("{value}"), format!("{value:e}")];
    exact.into_iter().find(|text| digits(text) <= TYPED && fits(text)).unwrap_or(rounded)
}

#[cfg(test)]
mod tests {
    use super::shown;

    fn fits(text: &str) -> bool {
        text.len() <= 7
    }

    #[test]
    fn long_numbers_lose_decimals_and_not_digits() {
        for (value, text) in
            [(0.5, "0.500"), (-0.0, "0.000"), (-123.456, "-123.46"), (-12345.678, "-12346"), (1e12, "1.0e12")]
        {
            assert_eq!(shown(value, 3, &fits), text);
        }
    }

    #[test]
    fn typed_values_are_shown_exactly_and_computed_ones_rounded() {
        for (value, decimals, text) in [
            (0.0004, 3, "0.0004"),
            (1.0004, 3, "1.0004"),
            (0.004, 2, "0.004"),
            (4e-7, 3, "4e-7"),
            (0.1 + 0.000_012_345, 3, "0.100"),
            (41.987_656, 2, "41.99"),
            (1.234_567_8e-7, 3, "0.000"),
        ] {
            assert_eq!(shown(value, decimals, &fits), text);
        }
        assert_eq!(shown(-0.707_106_77, 4, &|text| text.len() <= 5), "-0.71", "in little room");
    }
}
