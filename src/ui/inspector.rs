//! The selected joint: its user local transform, to read and to type.

use egui::{Align, DragValue, Grid, Label, Layout, Response, RichText, ScrollArea, Ui, vec2};
use glam::{EulerRot, Quat, Vec3};

use super::actions::info;
use super::theme;
use crate::rig::{NodeIndex, Trs};
use crate::state::{Action, AppState, Command};

/// What the fields remember.
#[derive(Default)]
pub struct Inspector {
    euler: Option<ShownEuler>,
}

/// Euler angles as last shown. One rotation has many: typing must not jump to another of them.
#[derive(Clone, Copy)]
struct ShownEuler {
    node: NodeIndex,
    rotation: Quat,
    degrees: Vec3,
}

impl Inspector {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.joint_ui(ui, state, commands));
    }

    fn joint_ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
        let Some(node) = state.selected() else {
            empty(ui, state);
            return;
        };
        header(ui, state, node);
        ui.add_space(8.0);
        let user_local = *state.pose().user_local(node);
        section(ui, "Rotation", Action::ResetRotation, user_local.rotation.xyz() != Vec3::ZERO, commands);
        self.euler_row(ui, node, user_local, commands);
        quaternion_row(ui, node, user_local, commands);
        ui.add_space(8.0);
        section(ui, "Move and scale", Action::ResetJoint, !user_local.is_identity(), commands);
        let step = f64::from(state.rig().size()) * 1e-3;
        let moved = vector_row(ui, "Position", "m", user_local.translation, step);
        emit(node, moved, |translation| Trs { translation, ..user_local }, commands);
        let scaled = vector_row(ui, "Scale", "", user_local.scale, 0.01);
        emit(node, scaled, |scale| Trs { scale, ..user_local }, commands);
        ui.add_space(8.0);
        world_rows(ui, state, node);
        ui.add_space(12.0);
        ui.horizontal_wrapped(|ui| {
            for action in [Action::ResetJoint, Action::ResetSubtree, Action::ResetAll] {
                let info = info(action);
                let button = egui::Button::new(info.name);
                let is_enabled = super::actions::is_enabled(action, state);
                if ui.add_enabled(is_enabled, button).on_hover_text(info.hover_text(ui.ctx())).clicked() {
                    commands.push(Command::Do(action));
                }
            }
        });
    }

    /// Degrees about X, Y and Z, each in the frame that the ones before it left.
    fn euler_row(&mut self, ui: &mut Ui, node: NodeIndex, user_local: Trs, commands: &mut Vec<Command>) {
        let shown = self.shown_euler(node, user_local.rotation);
        let mut degrees = shown.degrees;
        let fields = row(ui, "Euler", EULER_HINT, |ui, i| {
            let name = format!("Rotation {}", AXIS_NAMES[i]);
            number(ui, &mut degrees[i], &name, 0.5, 2, "°", Some(theme::AXES[i]))
        });
        let edit = Edit::of::<3>(&fields);
        if edit.changed {
            let r = degrees * std::f32::consts::PI / 180.0;
            let rotation = Quat::from_euler(EulerRot::XYZ, r.x, r.y, r.z);
            self.euler = Some(ShownEuler { node, rotation, degrees });
        }
        let rotation = self.euler.map_or(user_local.rotation, |e| e.rotation);
        emit(node, (rotation, edit), |rotation| Trs { rotation, ..user_local }, commands);
    }

    fn shown_euler(&mut self, node: NodeIndex, rotation: Quat) -> ShownEuler {
        match self.euler {
            Some(shown) if shown.node == node && shown.rotation.dot(rotation).abs() > 1.0 - 1e-6 => shown,
            _ => {
                let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
                // 0 and not -0: a sign that means nothing must not be shown.
                let degrees = Vec3::new(x, y, z).map(|a| a.to_degrees() + 0.0);
                let shown = ShownEuler { node, rotation, degrees };
                self.euler = Some(shown);
                shown
            }
        }
    }
}

const EULER_HINT: &str = "Degrees, order XYZ: R = Rx * Ry * Rz, each about the axes that the ones before it left";

const AXIS_NAMES: [&str; 3] = ["X", "Y", "Z"];

/// What the user did to a row of fields.
#[derive(Clone, Copy, Default)]
struct Edit {
    started: bool,
    changed: bool,
    ended: bool,
}

impl Edit {
    fn of<const N: usize>(fields: &[Response; N]) -> Self {
        Self {
            started: fields.iter().any(Response::drag_started),
            changed: fields.iter().any(Response::changed),
            ended: fields.iter().any(Response::drag_stopped),
        }
    }
}

/// A drag over a field is one step of undo, and so is a typed number.
fn emit<T>(node: NodeIndex, (value, edit): (T, Edit), user_local: impl FnOnce(T) -> Trs, commands: &mut Vec<Command>) {
    if edit.started {
        commands.push(Command::BeginEdit);
    }
    if edit.changed {
        commands.push(Command::Edit { node, user_local: user_local(value) });
    }
    if edit.ended {
        commands.push(Command::EndEdit);
    }
}

fn empty(ui: &mut Ui, state: &AppState) {
    ui.heading("No joint selected");
    ui.add_space(4.0);
    ui.label(RichText::new("Click a bone, or a name in the tree. Then drag a ring to rotate it.").weak());
    ui.add_space(16.0);
    ui.label(RichText::new("This file").strong());
    let rig = state.rig();
    Grid::new("file").num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
        for (what, count) in [
            ("Joints", rig.joint_count()),
            ("Skins", rig.skins.len()),
            ("Meshes", rig.instances.len()),
            ("Vertices", rig.vertex_count()),
            ("Materials", rig.materials.len()),
            ("Clips", rig.clips.len()),
        ] {
            ui.label(RichText::new(what).weak());
            ui.label(super::status_bar::grouped(count));
            ui.end_row();
        }
    });
}

fn header(ui: &mut Ui, state: &AppState, node: NodeIndex) {
    let rig = state.rig();
    ui.horizontal(|ui| {
        ui.heading(RichText::new(rig.hierarchy.name(node)).color(theme::selection_text(ui.visuals())))
            .on_hover_text(rig.hierarchy.path(node));
        if state.pose().is_posed(node) {
            ui.label(RichText::new("posed").small().color(ui.visuals().warn_fg_color));
        }
    });
    let skins: Vec<String> = rig
        .skins
        .iter()
        .enumerate()
        .filter_map(|(s, skin)| {
            let joint = skin.joints.iter().position(|&j| j == node)?;
            Some(format!("joint {joint} of skin {s}"))
        })
        .collect();
    let kind = match skins.as_slice() {
        [] => "Node, not a joint".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    ui.label(RichText::new(format!("{kind} · node {}", rig.hierarchy.source(node))).weak());
}

fn section(ui: &mut Ui, title: &str, reset: Action, can_reset: bool, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let info = info(reset);
            let button = egui::Button::new(RichText::new("Reset").small()).frame(false);
            if ui.add_enabled(can_reset, button).on_hover_text(info.hover_text(ui.ctx())).clicked() {
                commands.push(Command::Do(reset));
            }
        });
    });
}

fn quaternion_row(ui: &mut Ui, node: NodeIndex, user_local: Trs, commands: &mut Vec<Command>) {
    let mut values = user_local.rotation.to_array();
    let hint = "x, y, z, w, of unit length: what you type is normalised. q and -q are the same rotation";
    let fields = row(ui, "Quat", hint, |ui, i| {
        ui.style_mut().drag_value_text_style = egui::TextStyle::Small;
        let name = format!("Quaternion {}", ["x", "y", "z", "w"][i]);
        number(ui, &mut values[i], &name, 0.005, 4, "", None)
    });
    let rotation = Quat::from_array(values);
    emit(node, (rotation, Edit::of::<4>(&fields)), |rotation| Trs { rotation, ..user_local }, commands);
}

fn vector_row(ui: &mut Ui, name: &str, unit: &str, value: Vec3, speed: f64) -> (Vec3, Edit) {
    let mut value = value;
    let fields = row(ui, format!("{name} {unit}").trim(), "", |ui, i| {
        let name = format!("{name} {}", AXIS_NAMES[i]);
        number(ui, &mut value[i], &name, speed, 3, "", Some(theme::AXES[i]))
    });
    (value, Edit::of::<3>(&fields))
}

/// A label and fields of equal width beside it.
fn row<const N: usize>(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    mut field: impl FnMut(&mut Ui, usize) -> Response,
) -> [Response; N] {
    const LABEL: f32 = 66.0;
    const GAP: f32 = 4.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let response = ui
            .allocate_ui_with_layout(vec2(LABEL, theme::ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(LABEL);
                ui.label(RichText::new(label).weak())
            })
            .inner;
        if !hint.is_empty() {
            response.on_hover_text(hint);
        }
        ui.spacing_mut().button_padding.x = 2.0;
        ui.spacing_mut().interact_size.x = ((ui.available_width() + GAP) / N as f32 - GAP).max(24.0);
        std::array::from_fn(|i| field(ui, i))
    })
    .inner
}

/// A number to drag over or to type, with a stripe in the colour of its axis.
fn number(
    ui: &mut Ui,
    value: &mut f32,
    name: &str,
    speed: f64,
    decimals: usize,
    suffix: &str,
    stripe: Option<egui::Color32>,
) -> Response {
    let before = *value;
    let field = DragValue::new(value)
        .speed(speed)
        .custom_formatter(|v, _| shown(v, decimals))
        .suffix(suffix.to_owned())
        .update_while_editing(false)
        .clip_text(true);
    let response = ui.add_sized([ui.spacing().interact_size.x, theme::ROW_HEIGHT], field).accessible_name(name);
    // Leaving the field as it was must not round the value to what is shown.
    if shown(before.into(), decimals) == shown((*value).into(), decimals) {
        *value = before;
    }
    if let Some(color) = stripe {
        let mut edge = response.rect;
        edge.set_width(2.0);
        ui.painter().rect_filled(edge, 1.0, color);
    }
    response
}

/// A number with its decimals, or with fewer where it is long: a field keeps its width.
fn shown(value: f64, decimals: usize) -> String {
    const LONGEST: usize = 7;
    // What is shown as zero has no sign.
    let value = if value.abs() < 0.5 / 10.0_f64.powf(decimals as f64) { 0.0 } else { value };
    (0..=decimals)
        .rev()
        .map(|d| format!("{value:.d$}"))
        .find(|text| text.len() <= LONGEST)
        .unwrap_or_else(|| format!("{value:.1e}"))
}

/// Where the joint is in the world, for reading.
fn world_rows(ui: &mut Ui, state: &AppState, node: NodeIndex) {
    let world = Trs::from_affine(&state.posed().world_from_node[node.index()]);
    ui.label(RichText::new("World").strong()).on_hover_text("W_j = W_parent * L_j * Ul_j");
    let (x, y, z) = world.rotation.to_euler(EulerRot::XYZ);
    let degrees = Vec3::new(x, y, z).map(f32::to_degrees);
    for (name, value, unit) in [("Position m", world.translation, ""), ("Rotation", degrees, "°")] {
        let _: [Response; 3] = row(ui, name, "", |ui, i| {
            let text = RichText::new(shown(value[i].into(), 3) + unit).small();
            let size = [ui.spacing().interact_size.x, theme::ROW_HEIGHT];
            ui.add_sized(size, Label::new(text).truncate())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn long_numbers_lose_decimals_and_not_digits() {
        for (value, text) in
            [(0.5, "0.500"), (-0.0, "0.000"), (-123.456, "-123.46"), (-12345.678, "-12346"), (1e12, "1.0e12")]
        {
            assert_eq!(shown(value, 3), text);
        }
    }
}
