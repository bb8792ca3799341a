use egui::{CursorIcon, Id, Rect, Sense, Stroke, Ui, Vec2};
use glam::Vec3;

use super::area::Area;
use super::theme;
use crate::rig::LookAtTarget;
use crate::state::{AppState, Command, Commands};

const RADIUS: f32 = 8.0;
const REACH: f32 = 12.0;

/// Draws the look-at target as a ring, and a line to it from between the eyes. The ring can be dragged parallel to the
/// image plane.
pub(super) fn ui(ui: &Ui, view: &Area, state: &AppState, commands: &mut Commands) {
    let rig = state.open.stage.rig();
    let (Some(look_at), Some(LookAtTarget::Point(point))) = (&rig.look_at, state.open.stage.pose().face().look_at())
    else {
        return;
    };
    let target = rig.hierarchy.from_file(point.into());
    let Some(at) = view.lens.project(target).map(|at| view.to_screen(at)).filter(|at| view.rect.contains(*at)) else {
        return;
    };
    let is_off = state.open.stage.document.switched_off.look_at;
    let id = Id::unique("gaze target").with(view.side);
    let response = ui.interact(Rect::from_center_size(at, Vec2::splat(2.0 * REACH)), id, Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Target of the gaze"));
    commands.push_if(response.drag_started(), Command::BeginEdit);
    let delta = response.drag_delta();
    if response.dragged() && delta != Vec2::ZERO {
        let step = view.lens.world_per_point(target);
        let moved: Vec3 = (view.lens.right * delta.x - view.lens.up * delta.y) * step;
        let point = std::array::from_fn(|axis| point[axis] + f64::from(moved[axis]));
        commands.push(Command::SetLookAt(Some(LookAtTarget::Point(point))));
    }
    commands.push_if(response.drag_stopped(), Command::EndEdit);
    let is_held = response.hovered() || response.dragged();
    if is_held {
        ui.set_cursor_icon(CursorIcon::Grab);
    }
    let color = if is_held { theme::SELECTION } else { theme::PIN };
    let color = if is_off { color.gamma_multiply(0.4) } else { color };
    let painter = ui.painter().with_clip_rect(view.rect);
    let head = state.open.stage.posed().world_from_node.get(look_at.head.index());
    if let Some(from) = head.and_then(|head| view.lens.project(head.transform_point3(look_at.offset))) {
        let line = [view.to_screen(from), at];
        painter.extend(egui::Shape::dashed_line(&line, Stroke::new(1.0, color.gamma_multiply(0.6)), 4.0, 4.0));
    }
    painter.circle_stroke(at, RADIUS, Stroke::new(2.0, color));
    painter.circle_filled(at, 2.0, color);
    if is_held {
        response.on_hover_text("Drag to change where the eyes look");
    }
}
