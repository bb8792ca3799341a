//! Icons of the layout buttons, drawn because no font contains them.

use egui::{Button, Painter, Rect, Response, Shape, Stroke, StrokeKind, Ui, Vec2, vec2};

use crate::ui::theme;
use crate::view::{Layout, Side};

const SIZE: Vec2 = vec2(17.0, 14.0);

pub(super) fn layout_button(ui: &mut Ui, layout: Layout, is_on: bool) -> Response {
    let response = ui.add(Button::selectable(is_on, "").min_size(vec2(30.0, 26.0)));
    let rect = Rect::from_center_size(response.rect.center(), SIZE);
    paint_layout(ui.painter(), rect, layout, ui.style().interact(&response).fg_stroke.color);
    response
}

fn paint_layout(painter: &Painter, rect: Rect, layout: Layout, color: egui::Color32) {
    let stroke = Stroke::new(1.2, color);
    let [a, b] = Side::ALL.map(|side| theme::side_color(side).gamma_multiply(0.8));
    let (left, right) = rect.split_left_right_at_fraction(0.5);
    match layout {
        Layout::Single => {
            painter.rect_filled(rect.shrink(3.0), 1.0, color.gamma_multiply(0.5));
            painter.rect_stroke(rect, 2.0, stroke, StrokeKind::Inside);
        }
        Layout::Wipe => {
            painter.rect_filled(left.shrink(1.0), 1.0, a);
            painter.rect_filled(right.shrink(1.0), 1.0, b);
            painter.rect_stroke(rect, 2.0, stroke, StrokeKind::Inside);
            painter.vline(rect.center().x, rect.y_range().expand(2.0), Stroke::new(2.0, color));
        }
        Layout::SideBySide => {
            for (half, fill) in [(left, a), (right, b)] {
                painter.rect_filled(half.shrink(1.5), 1.0, fill);
                painter.rect_stroke(half.shrink(0.5), 1.0, stroke, StrokeKind::Inside);
            }
        }
        Layout::Ghost => {
            let disc = rect.height() * 0.36;
            painter.circle_filled(rect.center() - vec2(3.0, 0.0), disc, a);
            painter.circle(rect.center() + vec2(3.0, 0.0), disc, b.gamma_multiply(0.5), stroke);
        }
    }
}

pub(super) fn swap_button(ui: &mut Ui) -> Response {
    let response = ui.add(Button::new("").min_size(vec2(28.0, 26.0)));
    let stroke = Stroke::new(1.4, ui.style().interact(&response).fg_stroke.color);
    for direction in [-1.0, 1.0] {
        let from = response.rect.center() + vec2(-6.0, 3.0) * direction;
        let to = from + vec2(12.0 * direction, 0.0);
        let head = |y: f32| to + vec2(-3.5 * direction, y);
        ui.painter().add(Shape::line_segment([from, to], stroke));
        ui.painter().add(Shape::line(vec![head(-3.0), to, head(3.0)], stroke));
    }
    response
}
