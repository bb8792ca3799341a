use egui::{Align, Layout, Rect, Ui, UiBuilder, Vec2, vec2};

use crate::state::Commands;

/// Draws a row with content at both ends. The left content gets the width that remains after the right content.
pub(super) fn split_row(
    ui: &mut Ui,
    commands: &mut Commands,
    left: impl FnOnce(&mut Ui, &mut Commands),
    right: impl FnOnce(&mut Ui, &mut Commands),
) {
    const GAP: f32 = 8.0;
    let height = ui.spacing().interact_size.y;
    let id = ui.next_auto_id();
    // Size of the right content and height of the row in the last frame.
    let (known, row_height): (Vec2, f32) = ui.data(|data| data.get_temp(id)).unwrap_or((vec2(0.0, height), height));
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), row_height));
    let split = (row.right() - known.x).max(row.left());
    let mut child = |name: &str, rect: Rect, height: f32| {
        let rect = rect.with_max_y(rect.top() + height);
        ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect).layout(Layout::left_to_right(Align::Center)))
    };
    let mut at_left = child("left", row.with_max_x((split - GAP).max(row.left())), known.y);
    left(&mut at_left, commands);
    let mut at_right = child("right", row.with_min_x(split), height);
    right(&mut at_right, commands);
    let size = vec2(at_right.min_rect().width(), at_right.min_rect().height().max(height));
    let drawn = (size, size.y.max(at_left.min_rect().height()));
    if (drawn.0 - known).abs().max_elem() > 0.5 || (drawn.1 - row_height).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, drawn));
        ui.ctx().request_discard("the end of a row has another size");
    }
}
