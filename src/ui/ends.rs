//! A row with something at either end.

use egui::{Align, Layout, Rect, Ui, UiBuilder, Vec2, vec2};

use crate::state::Command;

/// Draws what stands at the left of a row, then what ends at its right: both from left to right, as Tab goes through them. The left gets
/// the room that the right leaves.
pub fn ends(
    ui: &mut Ui,
    commands: &mut Vec<Command>,
    left: impl FnOnce(&mut Ui, &mut Vec<Command>),
    right: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    let height = ui.spacing().interact_size.y;
    let id = ui.next_auto_id();
    // Of what stands at the right, as it was drawn last.
    let known = ui.data(|data| data.get_temp(id)).unwrap_or(vec2(0.0, height));
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), known.y));
    let split = (row.right() - known.x).max(row.left());
    let mut child = |name: &str, rect: Rect| {
        ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect).layout(Layout::left_to_right(Align::Center)))
    };
    let mut at_left = child("left", row.with_max_x((split - 8.0).max(row.left())));
    left(&mut at_left, commands);
    let mut at_right = child("right", row.with_min_x(split));
    right(&mut at_right, commands);
    let drawn = Vec2::new(at_right.min_rect().width(), at_right.min_rect().height().max(at_left.min_rect().height()));
    if (drawn - known).abs().max_elem() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, drawn));
        ui.ctx().request_discard("the end of a row has another width");
    }
}
