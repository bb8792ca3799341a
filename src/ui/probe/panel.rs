use egui::{Button, Color32, Grid, RichText, TextStyle, Ui};
use glam::{DVec3, Vec3};

use super::picture::method_color;
use crate::analysis::measure::VertexLocation;
use crate::analysis::probe::{BlendResult, Probe};
use crate::skinning::Method;
use crate::state::{Action, AppState, Command, Commands, probed};
use crate::ui::actions::{self};
use crate::ui::compare::length;
use crate::ui::joint_rows::{joint_rows, vertex_title};
use crate::ui::names::Name;
use crate::ui::split_row::split_row;
use crate::ui::theme;
use crate::view::Side;

pub(crate) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let toggle = Action::ToggleProbe.spec();
    ui.horizontal(|ui| {
        let button = Button::new("Probe the skin").selected(state.open.stage.probes.is_on);
        if ui.add(button).on_hover_text(toggle.hover_text(ui.ctx())).clicked() {
            commands.push(Command::Do(Action::ToggleProbe));
        }
        if !state.open.stage.probes.places.is_empty() {
            actions::button(ui, Action::ClearProbes, state, commands);
        }
    });
    let Some((newest, earlier)) = state.open.stage.probes.places.split_last() else {
        let hint = if state.open.stage.probes.is_on {
            "Click on the skin."
        } else {
            "Switch the probe on, then click on the skin."
        };
        ui.weak(hint);
        return;
    };
    if let Some(probe) = probed(&state.open.stage, Side::A, *newest) {
        vertex(ui, state, *newest, &probe, commands);
    }
    if !earlier.is_empty() {
        ui.add_space(8.0);
        ui.strong("Pinned");
        for (number, place) in earlier.iter().enumerate() {
            pinned(ui, state, number, *place, commands);
        }
    }
}

fn vertex(ui: &mut Ui, state: &AppState, place: VertexLocation, probe: &Probe, commands: &mut Commands) {
    let in_file = |point: Vec3| state.open.stage.rig().hierarchy.in_file(point);
    let strong = ui.visuals().strong_text_color();
    let title = vertex_title(state, place);
    Name::new(&title).label_in(ui, &TextStyle::Body, strong).on_hover_text(&title);
    ui.add_space(4.0);
    joint_rows(ui, state, probe, commands);
    if let Some(share) = probe.dq_blend_weight {
        let text = RichText::new(format!("DQS {:.0} %", share * 100.0));
        ui.label(text).on_hover_text("DQ blend weight: this much DQS, the rest LBS");
    }
    ui.add_space(8.0);
    methods(ui, state, probe, in_file);
    ui.add_space(6.0);
    why(ui, probe);
}

fn methods(ui: &mut Ui, state: &AppState, probe: &Probe, in_file: impl Fn(Vec3) -> DVec3) {
    Grid::new("probe methods").num_columns(3).spacing([12.0, 3.0]).show(ui, |ui| {
        let number = |ui: &mut Ui, text: String| ui.label(RichText::new(text).monospace());
        ui.label("");
        for method in [Method::Lbs, Method::Dqs] {
            let (name, color) = (method.label(), method_color(state, method));
            ui.label(RichText::new(name).strong().color(theme::as_text(color, ui.visuals())));
        }
        ui.end_row();
        let both = [probe.lbs, probe.dqs];
        for (axis, name) in ["x, m", "y, m", "z, m"].into_iter().enumerate() {
            ui.weak(name);
            for blended in both {
                number(ui, format!("{:.4}", in_file(blended.point)[axis]));
            }
            ui.end_row();
        }
        let hint = "Volume factor of the blended 3x3: 1 rigid, 0 collapsed, negative inverted";
        ui.weak("determinant").on_hover_text(hint);
        for blended in both {
            let is_off = (blended.determinant / probe.dqs.determinant - 1.0).abs() > 0.01;
            let color = is_off.then(|| ui.visuals().warn_fg_color);
            let text = RichText::new(format!("{:.4}", blended.determinant)).monospace();
            ui.label(color.map_or(text.clone(), |color: Color32| text.clone().color(color)));
        }
        ui.end_row();
        let hint = "Singular values of the blended 3x3; 1 for a rotation";
        for index in 0..3 {
            ui.weak(format!("stretch {}", index + 1)).on_hover_text(hint);
            for blended in both {
                number(ui, format!("{:.4}", blended.singular_values[index]));
            }
            ui.end_row();
        }
        ui.weak("apart").on_hover_text("Distance between the two points");
        number(ui, length(probe.distance.into()));
        ui.end_row();
    });
}

fn why(ui: &mut Ui, probe: &Probe) {
    let left = probe.lbs.determinant / probe.dqs.determinant;
    let text = if probe.rows.len() < 2 {
        "One joint moves this vertex, so all methods agree."
    } else if agree(&probe.lbs, &probe.dqs) {
        "The joints agree here: the mean of their matrices is still a rotation."
    } else if left < 0.02 {
        "The mean of the matrices has collapsed: it is not a rotation and keeps almost no volume."
    } else if left < 0.99 {
        "The mean of the matrices is not a rotation: it adds stretch of its own, and the skin shrinks."
    } else {
        "The mean of the matrices is not a rotation: it adds stretch of its own."
    };
    ui.weak(text);
}

/// Returns whether both methods stretch equally: the singular values are the same within rounding errors, and the
/// determinants have the same sign.
fn agree(lbs: &BlendResult, dqs: &BlendResult) -> bool {
    let rounding = 1e-3 * dqs.singular_values.max_element();
    lbs.singular_values.abs_diff_eq(dqs.singular_values, rounding) && lbs.determinant * dqs.determinant > 0.0
}

fn pinned(ui: &mut Ui, state: &AppState, number: usize, place: VertexLocation, commands: &mut Commands) {
    let text = match probed(&state.open.stage, Side::A, place) {
        Some(probe) => {
            format!("{}: det {:.3}, apart {}", place.vertex, probe.lbs.determinant, length(probe.distance.into()))
        }
        None => format!("{}", place.vertex),
    };
    let told = |ui: &mut Ui, _: &mut Commands| {
        _ = Name::new(&text).label(ui).on_hover_text(format!("{text}\n{}", vertex_title(state, place)));
    };
    split_row(ui, commands, told, |ui, commands| {
        let name = format!("Remove probe {}", place.vertex);
        if ui.small_button("✖").accessible_name(name).on_hover_text("Remove").clicked() {
            commands.push(Command::RemoveProbe(number));
        }
    });
}
