//! Axis widget in the corner of the viewport. Clicking an axis views the character along it.

use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2, pos2, vec2};
use glam::Vec3;

use super::area::Area;
use super::theme;
use crate::state::{Action, Command, Commands};

const ARM: f32 = 26.0;
const BALL: f32 = 8.0;

/// For each axis end: direction, action that views along the axis, axis index, and letter (empty at negative ends).
const ENDS: [(Vec3, Action, usize, &str); 6] = [
    (Vec3::X, Action::ViewRight, 0, "X"),
    (Vec3::NEG_X, Action::ViewLeft, 0, ""),
    (Vec3::Y, Action::ViewTop, 1, "Y"),
    (Vec3::NEG_Y, Action::ViewBottom, 1, ""),
    (Vec3::Z, Action::ViewFront, 2, "Z"),
    (Vec3::NEG_Z, Action::ViewBack, 2, ""),
];

pub(super) fn ui(ui: &mut Ui, view: &Area, commands: &mut Commands) {
    let center = pos2(view.rect.right() - ARM - 22.0, view.rect.top() + ARM + 22.0);
    let place = |direction: Vec3| -> (Pos2, f32) {
        let across = vec2(direction.dot(view.lens.right), -direction.dot(view.lens.up));
        (center + across * ARM, direction.dot(view.lens.forward))
    };
    let mut ends = ENDS;
    // Draws the farthest ends first, so that nearer ends cover them.
    ends.sort_by(|a, b| place(b.0).1.total_cmp(&place(a.0).1));
    for (direction, action, axis, letter) in ends {
        let (at, _) = place(direction);
        let (fill, mark) = (theme::AXES[axis], theme::axis_mark(axis, ui.visuals()));
        let name = format!("View {}", action.spec().name.to_lowercase());
        let rect = Rect::from_center_size(at, Vec2::splat(2.0 * BALL + 2.0));
        let response = ui.interact(rect, ui.scope_id().with(("axis", axis, letter)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
        let fill = if response.hovered() { fill.lerp_to_gamma(egui::Color32::WHITE, 0.35) } else { fill };
        let edge = Stroke::new(1.5, mark);
        if letter.is_empty() {
            ui.painter().circle(at, BALL - 2.0, fill.gamma_multiply(0.25), edge);
        } else {
            ui.painter().line_segment([center, at], Stroke::new(2.0, mark));
            ui.painter().circle(at, BALL - 0.5, fill, edge);
            ui.painter().text(at, Align2::CENTER_CENTER, letter, FontId::proportional(11.0), egui::Color32::BLACK);
        }
        commands.push_if(response.clicked(), Command::Do(action));
        response.on_hover_text(action.spec().hover_text(ui.ctx()));
    }
}
