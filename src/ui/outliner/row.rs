use egui::text::TextFormat;
use egui::{Color32, FontId, Rect, Stroke, StrokeKind, Ui, Vec2, pos2};

use super::super::actions::menu_items;
use super::super::counts::grouped;
use super::super::names::{Name, path_hint};
use super::super::search::Filter;
use super::super::theme;
use super::rows::OutlinerRow;
use crate::rig::{NodeIndex, Rig};
use crate::state::{Action, AppState, Commands};

pub(in crate::ui) fn menu(ui: &mut Ui, node: NodeIndex, state: &AppState, commands: &mut Commands) {
    menu_items(ui, &[Action::ResetJoint, Action::ResetSubtree], state, commands);
    ui.separator();
    menu_items(
        ui,
        &[Action::CopyPose, Action::PastePose, Action::PasteMirrored, Action::MirrorJoints],
        state,
        commands,
    );
    ui.separator();
    menu_items(
        ui,
        &[Action::SelectSubtree, Action::FrameSelected, Action::ToggleIsolated, Action::TogglePin],
        state,
        commands,
    );
    ui.separator();
    let hierarchy = &state.open.stage.rig().hierarchy;
    if ui.button("Copy name").on_hover_text(hierarchy.name(node)).clicked() {
        ui.copy_text(hierarchy.name(node).to_owned());
        ui.close();
    }
    if ui.button("Copy path").on_hover_text(path_hint(hierarchy, node)).clicked() {
        ui.copy_text(hierarchy.path(node));
        ui.close();
    }
}

/// Returns the name of a node's humanoid bone, unless the node's name already contains it.
pub(in crate::ui) fn role(rig: &Rig, node: NodeIndex) -> Option<&str> {
    let plain =
        |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    rig.human_bone(node).filter(|bone| plain(bone) != plain(rig.hierarchy.name(node)))
}

pub(super) fn hint(node: NodeIndex, state: &AppState) -> String {
    let rig = state.open.stage.rig();
    let kind = match (rig.hierarchy.is_helper(node), rig.is_joint(node)) {
        (true, _) => "Helper that holds a scale; the file has no such node",
        (false, true) => "Joint",
        (false, false) => "Node, not a joint",
    };
    let bone = rig.human_bone(node).map_or_else(String::new, |bone| format!(", {bone} in VRM"));
    let posed = if state.open.stage.pose().is_posed(node) { ", posed" } else { "" };
    let turned = rig.behaviours().active_constraint(node, state.open.stage.document.switched_off).map_or_else(
        String::new,
        |constraint| {
            format!("\nTurned by its constraint: {} of {}", constraint.kind, rig.hierarchy.name(constraint.source))
        },
    );
    let is_turned = state.open.stage.posed().is_rotated_by_look_at(state.open.stage.rig(), node);
    let turned = if is_turned { "\nTurned by the gaze".to_owned() } else { turned };
    let is_spring = rig.behaviours().active_spring(node, state.open.stage.document.switched_off).is_some();
    let swings = if is_spring { "\nSwings by its spring" } else { "" };
    let moved = match rig.moved_vertices(node) {
        0 if !rig.is_joint(node) => String::new(),
        1 => "\nMoves 1 vertex".to_owned(),
        count => format!("\nMoves {} vertices", grouped(count)),
    };
    format!("{kind}{bone}{posed}{turned}{swings}{moved}\n{}", path_hint(&rig.hierarchy, node))
}

pub(super) fn paint(
    ui: &Ui,
    row: OutlinerRow,
    rect: Rect,
    indent: f32,
    filter: &Filter,
    response: &egui::Response,
    state: &AppState,
) {
    let visuals = ui.visuals();
    let is_active = state.open.stage.view.active_joint() == Some(row.node);
    let is_selected = state.open.stage.view.selected.contains(&row.node);
    let fill = if is_selected {
        visuals.selection.bg_fill
    } else if response.hovered() || state.open.stage.view.hovered == Some(row.node) {
        visuals.widgets.hovered.bg_fill
    } else {
        Color32::TRANSPARENT
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    let color = if is_active {
        theme::selection_text(visuals)
    } else if state.open.stage.rig().is_joint(row.node) || state.open.stage.rig().skins.is_empty() {
        visuals.text_color()
    } else {
        visuals.weak_text_color()
    };
    let pin = state.open.stage.document.pin(row.node);
    let is_posed = state.open.stage.pose().is_posed(row.node);
    let switched_off = state.open.stage.document.switched_off;
    let behaviours = state.open.stage.rig().behaviours();
    let is_turned = behaviours.active_constraint(row.node, switched_off).is_some()
        || behaviours.active_spring(row.node, switched_off).is_some()
        || state.open.stage.posed().is_rotated_by_look_at(state.open.stage.rig(), row.node);
    let marks = if is_turned {
        38.0
    } else if pin.is_some() {
        26.0
    } else if is_posed {
        14.0
    } else {
        2.0
    };
    let left = indent + 16.0;
    let room = (rect.right() - marks - left).max(24.0);
    let format = |size, color| TextFormat::simple(FontId::proportional(size), color);
    let (label, start) = row.label(&state.open.stage.rig().hierarchy);
    let found = filter.find(&label).unwrap_or(0..0);
    let name = Name::marked(&label, start + row.shared, found).galley(ui, room, &format(13.0, color));
    let at = |x: f32, height: f32| pos2(x, rect.center().y - height * 0.5);
    let end = name.size().x + 6.0;
    ui.painter().galley(at(left, name.size().y), name, color);
    if let Some(bone) = role(state.open.stage.rig(), row.node)
        && room - end > 24.0
    {
        let weak = visuals.weak_text_color();
        let bone = Name::marked(bone, 0, filter.find(bone).unwrap_or(0..0)).galley(ui, room - end, &format(11.0, weak));
        ui.painter().galley(at(left + end, bone.size().y), bone, weak);
    }
    if let Some(pin) = pin {
        let square = Rect::from_center_size(pos2(rect.right() - 20.0, rect.center().y), Vec2::splat(6.0));
        let is_missed =
            state.open.stage.posed().missed_pins(state.open.stage.rig()).any(|missed| missed.node == row.node);
        let color = if is_missed { visuals.error_fg_color } else { theme::PIN };
        ui.painter().rect_stroke(square, 1.0, Stroke::new(1.5, color), StrokeKind::Middle);
        if pin.rotation.is_some() {
            ui.painter().rect_filled(square, 1.0, color);
        }
    }
    if is_turned {
        let centre = pos2(rect.right() - 32.0, rect.center().y);
        let stroke = Stroke::new(1.5, visuals.hyperlink_color);
        let arc = (0..=10).map(|step| centre + Vec2::angled(-0.9 + step as f32 * 0.5) * 3.5).collect();
        ui.painter().line(arc, stroke);
    }
    if is_posed {
        ui.painter().circle_filled(pos2(rect.right() - 8.0, rect.center().y), 3.0, visuals.text_color());
    }
}
