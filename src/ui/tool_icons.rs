//! Icons of the tool buttons, drawn because no font contains them.

use egui::{Button, Painter, Pos2, Response, Shape, Stroke, Ui, Vec2, vec2};

use crate::state::Action;

pub(super) fn tool_button(ui: &mut Ui, action: Action, is_on: bool) -> Response {
    let response = ui.add(Button::selectable(is_on, "").min_size(vec2(30.0, 24.0)));
    let picture = IconPainter {
        painter: ui.painter(),
        center: response.rect.center(),
        stroke: Stroke::new(1.4, ui.style().interact_selectable(&response, is_on).fg_stroke.color),
    };
    match action {
        Action::ToolRotate => picture.rotate(),
        Action::ToolMove => picture.move_along_axes(),
        Action::ToolScale => picture.scale(),
        Action::ToggleSymmetry => picture.mirror(),
        Action::ToggleProbe => picture.probe(),
        _ => picture.chain(),
    }
    response
}

/// Draws an icon of 16 × 16 points around a centre.
struct IconPainter<'a> {
    painter: &'a Painter,
    center: Pos2,
    stroke: Stroke,
}

impl IconPainter<'_> {
    fn rotate(&self) {
        const RADIUS: f32 = 6.0;
        let at = |turns: f32| self.center + RADIUS * Vec2::angled(turns * std::f32::consts::TAU);
        self.line((0..=24).map(|i| at(0.8 * i as f32 / 24.0 - 0.05)).collect());
        self.head(at(0.75), Vec2::angled(-0.1));
    }

    fn move_along_axes(&self) {
        for direction in [Vec2::RIGHT, Vec2::LEFT, Vec2::UP, Vec2::DOWN] {
            let tip = self.center + 7.5 * direction;
            self.line(vec![self.center, tip]);
            self.head(tip, direction);
        }
    }

    fn scale(&self) {
        let [left, right, top, bottom] = [-6.5, 6.5, -6.5, 6.5];
        let corner = |x: f32, y: f32| self.center + vec2(x, y);
        let small = 0.5;
        self.line(vec![
            corner(left, small),
            corner(left, bottom),
            corner(-small, bottom),
            corner(-small, small),
            corner(left, small),
        ]);
        self.line(vec![corner(left, -2.5), corner(left, top), corner(-3.5, top)]);
        self.line(vec![corner(2.5, bottom), corner(right, bottom), corner(right, 3.5)]);
        self.line(vec![corner(1.5, -1.5), corner(right, top)]);
        self.head(corner(right, top), vec2(1.0, -1.0).normalized());
    }

    fn mirror(&self) {
        for y in [-7.0, -2.0, 3.0] {
            self.line(vec![self.center + vec2(0.0, y), self.center + vec2(0.0, y + 3.0)]);
        }
        for side in [-1.0, 1.0] {
            let corner = |x: f32, y: f32| self.center + vec2(side * x, y);
            let corners = vec![corner(2.5, -5.0), corner(2.5, 5.0), corner(7.5, 5.0)];
            if side < 0.0 {
                self.painter.add(Shape::convex_polygon(corners, self.stroke.color, self.stroke));
            } else {
                self.painter.add(Shape::closed_line(corners, self.stroke));
            }
        }
    }

    fn probe(&self) {
        self.painter.circle_stroke(self.center, 4.5, self.stroke);
        self.painter.circle_filled(self.center, 1.5, self.stroke.color);
        for direction in [Vec2::RIGHT, Vec2::LEFT, Vec2::UP, Vec2::DOWN] {
            self.line(vec![self.center + 4.5 * direction, self.center + 7.5 * direction]);
        }
    }

    fn chain(&self) {
        let [root, knee, end] = [vec2(-6.0, 5.5), vec2(-2.5, -4.0), vec2(3.0, 1.0)].map(|place| self.center + place);
        self.line(vec![root, knee, end]);
        for joint in [root, knee] {
            self.painter.circle_filled(joint, 2.0, self.stroke.color);
        }
        self.painter.circle_stroke(end + vec2(2.5, 2.2), 2.8, self.stroke);
    }

    fn line(&self, points: Vec<Pos2>) {
        self.painter.add(Shape::line(points, self.stroke));
    }

    fn head(&self, tip: Pos2, direction: Vec2) {
        let ends = [0.75, -0.75].map(|turn: f32| {
            let (sin, cos) = turn.sin_cos();
            let back = -3.4 * direction;
            tip + vec2(cos * back.x - sin * back.y, sin * back.x + cos * back.y)
        });
        self.line(vec![ends[0], tip, ends[1]]);
    }
}
