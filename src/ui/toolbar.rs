//! Tool options at the lower left of the viewport.

use egui::{Button, ComboBox, DragValue, Rect, Ui, UiBuilder, pos2};

use super::mirror_plane;
use super::tool_icons::tool_button;
use crate::gizmo::{Orientation, Pivot, Tool};
use crate::state::{Action, AppState, Command, Commands, PosingOptions};

/// Draws the toolbar, in several rows if necessary, and returns the toolbar's rectangle.
pub(super) fn ui(ui: &mut Ui, rect: Rect, state: &AppState, commands: &mut Commands) -> Rect {
    const MARGIN: f32 = 12.0;
    let id = ui.scope_id().with("toolbar");
    let height: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(30.0);
    let room = rect.shrink(MARGIN);
    let place = Rect::from_min_max(pos2(room.left(), room.bottom() - height), room.right_bottom());
    let bar = |ui: &mut Ui| {
        let card = egui::Frame::new().fill(ui.visuals().window_fill).corner_radius(6).inner_margin(4);
        let shown = card.show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                tools(ui, state, commands);
                orientation(ui, state, commands);
                pivot(ui, state, commands);
                switches(ui, state, commands);
            });
        });
        shown.response.rect
    };
    let drawn = ui.scope_builder(UiBuilder::new().max_rect(place), bar).inner;
    if (drawn.height() - height).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, drawn.height()));
        ui.ctx().request_discard("the toolbar has another height");
    }
    drawn
}

fn tools(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for (tool, action) in Tool::ALL.into_iter().zip([Action::ToolRotate, Action::ToolMove, Action::ToolScale]) {
        toggle(ui, action, state.settings.posing.tool == tool, commands);
    }
}

fn orientation(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let chosen = state.settings.orientation;
    let is_used = state.settings.posing.tool != Tool::Scale;
    let combo = ComboBox::from_id_salt("orientation").width(72.0).selected_text(format!("{chosen:?}"));
    let response = ui.add_enabled_ui(is_used, |ui| {
        combo.show_ui(ui, |ui| {
            for orientation in Orientation::ALL {
                let response = ui.selectable_label(chosen == orientation, format!("{orientation:?}"));
                if response.on_hover_text(orientation_hint(orientation)).clicked() {
                    commands.push(Command::SetOrientation(orientation));
                }
            }
        })
    });
    let next = Action::NextOrientation.spec().key_hint(ui.ctx(), "for next");
    let hint = format!("Gizmo orientation{}", next.map_or_else(String::new, |n| format!(" ({n})")));
    let response = response.inner.response.on_hover_text(hint);
    response.on_disabled_hover_text("Scale acts along the joint's own axes").accessible_name("Orientation");
}

pub(super) fn orientation_hint(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Local => "The joint's own axes, as posed",
        Orientation::Parent => "The joint's axes before your pose",
        Orientation::World => "The axes of the world",
        Orientation::View => "The axes of the view",
        Orientation::Gimbal => "The axis of each Euler angle; Parent axes for moving",
    }
}

fn pivot(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.open.stage.view.selected.len() < 2 {
        return;
    }
    let posing = state.settings.posing;
    for pivot in Pivot::ALL {
        let (name, hint) = match pivot {
            Pivot::Individual => ("Individual", "Each joint about its own origin, along its own axes"),
            Pivot::Active => ("About active", "All about the active joint's origin"),
        };
        if ui.add(Button::selectable(posing.pivot == pivot, name)).on_hover_text(hint).clicked() {
            commands.push(Command::SetPosing(PosingOptions { pivot, ..posing }));
        }
    }
}

fn switches(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let posing = state.settings.posing;
    toggle(ui, Action::ToggleSymmetry, posing.symmetry, commands);
    if posing.symmetry {
        let plane = ui.menu_button(format!("{} ⏷", mirror_plane::name(state)), |ui| {
            mirror_plane::menu(ui, state, commands);
        });
        plane.response.on_hover_text(mirror_plane::HINT).accessible_name("Mirror plane");
    }
    if state.can(Action::ToggleProbe) {
        toggle(ui, Action::ToggleProbe, state.open.stage.probes.is_on, commands);
    }
    toggle(ui, Action::ToggleIk, posing.ik, commands);
    if posing.ik {
        let mut bones = posing.chain_bones;
        let unit = if bones == 1 { " bone" } else { " bones" };
        let field = DragValue::new(&mut bones).range(1..=32).suffix(unit).speed(0.05);
        let hint = "Bones in the IK chain; a pinned joint ends it";
        if ui.add(field).on_hover_text(hint).accessible_name("Chain length").changed() {
            commands.push(Command::SetPosing(PosingOptions { chain_bones: bones, ..posing }));
        }
    }
}

fn toggle(ui: &mut Ui, action: Action, is_on: bool, commands: &mut Commands) {
    let info = action.spec();
    let button = tool_button(ui, action, is_on).accessible_name(info.name);
    if button.on_hover_text(format!("{}: {}", info.name, info.hover_text(ui.ctx()))).clicked() {
        commands.push(Command::Do(action));
    }
}
