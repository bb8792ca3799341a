//! The panels beside the view: as wide as the user made them, narrower for as long as the window is small.

use egui::{IdSalt, Panel, PanelState, Pos2, Rangef, Rect, Ui, UiBuilder, vec2};

/// Draws a panel of a width that its user chose, as far as `range` allows; the new width where its edge was dragged.
pub fn show(
    ui: &mut Ui,
    (panel, name): (fn(&'static str) -> Panel, &'static str),
    chosen: f32,
    range: Rangef,
    contents: impl FnOnce(&mut Ui),
) -> Option<f32> {
    let width = range.clamp(chosen);
    let id = ui.scope_id().with_salt(IdSalt::new(name));
    // By itself a panel stays as narrow as a small window has made it once.
    let remembered = PanelState { outer_rect: Rect::from_min_size(Pos2::ZERO, vec2(width, 0.0)) };
    ui.data_mut(|data| data.insert_persisted(id, remembered));
    let frame = egui::Frame::new().fill(ui.visuals().panel_fill).inner_margin(egui::Margin::same(8));
    let shown = panel(name).frame(frame).size_range(range).show(ui, |ui| {
        // Nor does a long row make it wider.
        let room = ui.available_rect_before_wrap();
        contents(&mut ui.new_child(UiBuilder::new().max_rect(room)));
        ui.advance_cursor_after_rect(room);
    });
    let shown = shown.response.rect.width();
    ((shown - width).abs() > 0.5).then_some(shown)
}
