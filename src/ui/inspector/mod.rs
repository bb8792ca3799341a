//! Joint panel: user transform, limits, and skinning equations with values.

mod equations;
mod fields;
mod file;
mod limits;
mod matrix_text;
mod rotation;
mod terms;
mod vrm;

use egui::{ComboBox, Id, RichText, ScrollArea, TextStyle, Ui, collapsing_header::CollapsingState};

pub(super) use fields::{FieldEdit, chooser, number, row as fields_row};

use super::counts::counted;
use super::names::{Name, path_hint};
use super::pins::pin_error;
use super::split_row::split_row;
use super::theme;
use crate::fonts::drawn;
use crate::rig::{Constraint, EulerOrder, NodeIndex, Rig, Trs};
use crate::state::{Action, AppState, Command, Commands};

#[derive(Default)]
pub(super) struct Inspector {
    rotation: rotation::RotationFields,
    equations: equations::Equations,
}

impl Inspector {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            // Keeps the fields clear of the scroll bar.
            ui.set_max_width(ui.available_width() - 6.0);
            self.joint_ui(ui, state, commands);
        });
    }

    fn joint_ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let Some(node) = state.open.stage.view.active_joint() else {
            file::ui(ui, state, commands);
            return;
        };
        header(ui, state, node, commands);
        ui.add_space(8.0);
        let user_local = *state.open.stage.pose().user_local(node);
        let is_turned = user_local.rotation.xyz() != glam::Vec3::ZERO;
        heading(ui, "Rotation", Action::ResetRotation, is_turned, commands, |ui, commands| {
            order_chooser(ui, state.settings.euler_order, commands);
        });
        self.rotation.ui(ui, node, state, commands);
        ui.add_space(8.0);
        let is_moved = Trs { rotation: glam::Quat::IDENTITY, ..user_local } != Trs::IDENTITY;
        heading(ui, "Move and scale", Action::ResetTranslationAndScale, is_moved, commands, |_, _| {});
        let step = f64::from(state.open.stage.rig().size()) * 1e-3;
        let (translation, edit) = fields::vector_row(ui, "Position", " m", user_local.translation, step);
        edit.emit(|| Command::Edit { node, user_local: Trs { translation, ..user_local } }, commands);
        let (scale, edit) = fields::vector_row(ui, "Scale", "", user_local.scale, 0.01);
        edit.emit(|| Command::Edit { node, user_local: Trs { scale, ..user_local } }, commands);
        ui.add_space(8.0);
        section(ui, "Degrees of freedom", limits::HINT, false, |ui| limits::ui(ui, state, node, commands));
        section(ui, "Equations", equations::HINT, false, |ui| self.equations.ui(ui, state, node));
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| {
            for action in [Action::ResetJoint, Action::ResetSubtree, Action::ResetAll] {
                super::actions::button(ui, action, state, commands);
            }
        });
    }
}

/// Draws a collapsible section. Its expanded state is kept between runs.
fn section(ui: &mut Ui, title: &str, hint: &str, is_open: bool, body: impl FnOnce(&mut Ui)) {
    let id = Id::unique(("inspector section", title));
    let mut open = CollapsingState::load_with_default_open(ui.ctx(), id, is_open);
    let header = ui.horizontal(|ui| {
        open.show_toggle_button(ui, egui::collapsing_header::paint_default_icon);
        ui.add(egui::Label::new(RichText::new(title).strong()).sense(egui::Sense::click())).on_hover_text(hint)
    });
    if header.inner.clicked() {
        open.toggle(ui);
    }
    open.show_body_unindented(ui, body);
    open.store(ui.ctx());
}

pub(super) fn order_chooser(ui: &mut Ui, order: EulerOrder, commands: &mut Commands) {
    let hint = "Intrinsic order: XYZ is Rx * Ry * Rz, which Blender, Maya and FBX call ZYX";
    ComboBox::from_id_salt("Euler order")
        .selected_text(order.name())
        .width(56.0)
        .show_ui(ui, |ui| {
            for choice in EulerOrder::ALL {
                if ui.selectable_label(choice == order, choice.name()).clicked() {
                    commands.push(Command::SetEulerOrder(choice));
                }
            }
        })
        .response
        .accessible_name("Euler order")
        .on_hover_text(hint);
}

fn header(ui: &mut Ui, state: &AppState, node: NodeIndex, commands: &mut Commands) {
    let rig = state.open.stage.rig();
    let count = state.open.stage.view.selected.len();
    if count > 1 {
        let hint = "The fields show the active joint, selected last";
        ui.strong(format!("{} selected", counted(count, "joint"))).on_hover_text(hint);
    }
    let name = |ui: &mut Ui, _: &mut Commands| {
        let color = theme::selection_text(ui.visuals());
        let name = Name::for_node(node, rig).label_in(ui, &TextStyle::Heading, color);
        name.on_hover_text(path_hint(&rig.hierarchy, node));
    };
    split_row(ui, &mut Commands::default(), name, |ui, _| {
        if state.open.stage.pose().is_posed(node) {
            ui.label(RichText::new("posed").small().color(ui.visuals().strong_text_color()));
        }
    });
    let skins: Vec<String> =
        terms::skins_with_joint(rig, node).map(|(s, joint)| format!("joint {joint} of skin {s}")).collect();
    let kind = match skins.as_slice() {
        [] => "Node, not a joint".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    ui.weak(format!("{kind} · node {}", rig.hierarchy.source(node)));
    if let Some(constraint) = terms::active_constraint(state, node) {
        constraint_line(ui, rig, constraint, commands);
    }
    for constraint in rig.unrun_constraints.iter().filter(|constraint| constraint.node == node) {
        let hint = "FBX constraints are not evaluated: exporters bake them into clips";
        let followed = constraint.followed(&rig.hierarchy);
        let told = format!("{} constraint, not run: follows {}", drawn(&constraint.kind), drawn(&followed));
        ui.weak(told).on_hover_text(hint);
    }
    if let Some(pin) = state.open.stage.document.pin(node) {
        let what = if pin.rotation.is_some() { "Position and rotation pinned" } else { "Position pinned" };
        let error = state.open.stage.posed().missed_pins(state.open.stage.rig()).find(|missed| missed.node == node);
        let hint = "Stays in place while other joints move. Press P to change";
        match error {
            Some(error) => ui.colored_label(ui.visuals().error_fg_color, format!("{what} · {} off", pin_error(error))),
            None => ui.weak(what),
        }
        .on_hover_text(hint);
        if state.open.stage.document.springs_move(pin) {
            ui.weak("Springs still move it")
                .on_hover_text("Springs act after pins. Turn springs off to hold the joint");
        }
    }
    if state.open.stage.posed().pinned.iter().any(|joint| joint.node == node) {
        let hint = "The fields show your own transform. Apply pins to pose to change that";
        ui.weak("Moved by pins").on_hover_text(hint);
    }
    if let Some(spring) = terms::active_spring(state, node) {
        let hint = "Stiffness and gravity, m/s; drag per 1/60 s; hit radius, m";
        ui.weak(terms::spring_text(spring)).on_hover_text(hint);
    }
}

/// Draws a line about the constraint that rotates the joint. Clicking it selects the constraint's source.
fn constraint_line(ui: &mut Ui, rig: &Rig, constraint: &Constraint, commands: &mut Commands) {
    let source = rig.hierarchy.name(constraint.source);
    let hint = format!("{}: your rotation is added. Click to select {source}", constraint.kind);
    if ui.link(terms::constraint_text(rig, constraint)).on_hover_text(hint).clicked() {
        commands.push(Command::Select(Some(constraint.source)));
    }
}

fn heading(
    ui: &mut Ui,
    title: &str,
    reset: Action,
    can_reset: bool,
    commands: &mut Commands,
    beside: impl FnOnce(&mut Ui, &mut Commands),
) {
    let title = |ui: &mut Ui, _: &mut Commands| _ = ui.strong(title);
    split_row(ui, commands, title, |ui, commands| {
        beside(ui, commands);
        let info = reset.spec();
        let button = egui::Button::new(RichText::new("Clear").small()).frame(false);
        if ui.add_enabled(can_reset, button).on_hover_text(info.hover_text(ui.ctx())).clicked() {
            commands.push(Command::Do(reset));
        }
    });
}
