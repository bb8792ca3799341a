use egui::{Button, Response, TextEdit, Ui, Vec2};

const CLEAR: f32 = 20.0;

/// Draws a text field that filters a list, with a clear button. `name` is its placeholder and accessible name.
pub(super) fn filter_field(ui: &mut Ui, filter: &mut String, name: &str, hint: &str) -> Response {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let room = if filter.is_empty() { 0.0 } else { CLEAR + 2.0 };
        let field = TextEdit::singleline(filter)
            .hint_text(format!("🔍 {name}"))
            .desired_width(ui.available_width() - room - 8.0)
            .id_salt(name);
        let field = ui.add(field).accessible_name(name).on_hover_text(hint);
        let clear = Button::new("×").frame_when_inactive(false).min_size(Vec2::splat(CLEAR));
        if room > 0.0
            && ui.add(clear).accessible_name(format!("Clear {name}")).on_hover_text("Clear the filter").clicked()
        {
            filter.clear();
            field.request_focus();
        }
        field
    })
    .inner
}
