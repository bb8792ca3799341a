//! Face section at the top of the Morphs tab: look-at target, and a slider for each expression.

use egui::{ScrollArea, Slider, Ui};
use glam::{DVec3, Vec3};

use super::inspector::{FieldEdit, chooser, fields_row, number};
use super::names::Name;
use super::search::Filter;
use super::theme::{self, ROW_HEIGHT};
use super::weight_row::{ShownWeight, WeightColumns, WeightRow, weight_row};
use crate::rig::{Expression, ExpressionIndex, ExpressionOverride, LookAtOutput, LookAtTarget, Procedural, Rig};
use crate::state::{AppState, Command, Commands};
use crate::text::counted;

/// Default distance from the face to the look-at target, metres.
const BEFORE_FACE: f32 = 0.5;

pub(super) fn look_at_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(look_at) = &state.open.stage.rig().look_at else { return };
    let target = state.open.stage.pose().face().look_at();
    ui.horizontal(|ui| {
        ui.strong("Gaze").on_hover_text(match look_at.by {
            LookAtOutput::Eyes(_) => "The eyes look at a target, within the file's limits",
            LookAtOutput::Expressions => "Facial expressions follow a target, within the file's limits",
        });
        let angles = state.open.stage.posed().look_at.unwrap_or_default();
        let direction =
            LookAtTarget::Angles { yaw_deg: angles.yaw_deg.round() as f32, pitch_deg: angles.pitch_deg.round() as f32 };
        let kinds: [(&str, &str, Option<LookAtTarget>); 4] = [
            ("Off", "Leave the eyes to the clip or the file", None),
            ("Direction", "Two angles from straight ahead", Some(direction)),
            ("Camera", "The eyes follow the camera", Some(LookAtTarget::Camera)),
            ("Point", "A point in the scene; drag it in the viewport", Some(default_look_at_target(state))),
        ];
        let kind = |target: &Option<LookAtTarget>| target.as_ref().map(std::mem::discriminant);
        let is_current = |other: &Option<LookAtTarget>| kind(other) == kind(&target);
        let chosen = chooser(ui, "What the eyes look at", 100.0, kinds, is_current);
        commands.extend(chosen.map(Command::SetLookAt));
    });
    match target {
        Some(LookAtTarget::Angles { yaw_deg, pitch_deg }) => {
            let mut angles = [yaw_deg, pitch_deg];
            let names = ["Gaze to the left", "Gaze downwards"];
            let edit =
                fields_row(ui, "Left, down", "To the character's left and downwards, degrees", |ui, i: usize| {
                    number(ui, &mut angles[i], names[i], 0.5, 1, "°", None)
                });
            let [yaw_deg, pitch_deg] = angles;
            FieldEdit::new::<2>(&edit)
                .emit(|| Command::SetLookAt(Some(LookAtTarget::Angles { yaw_deg, pitch_deg })), commands);
        }
        Some(LookAtTarget::Point(point)) => {
            let mut at = point.map(|number| number as f32);
            let edit = fields_row(ui, "At, m", "Position in the world, metres", |ui, i: usize| {
                let name = ["Gaze at X", "Gaze at Y", "Gaze at Z"][i];
                number(ui, &mut at[i], name, 0.01, 3, "", Some(theme::AXES[i]))
            });
            // Coordinates that were not edited keep full precision.
            let edited = std::array::from_fn(|i| if at[i] == point[i] as f32 { point[i] } else { f64::from(at[i]) });
            FieldEdit::new::<3>(&edit).emit(|| Command::SetLookAt(Some(LookAtTarget::Point(edited))), commands);
        }
        Some(LookAtTarget::Camera) | None => {}
    }
    if let Some(angles) =
        state.open.stage.posed().look_at.filter(|_| !matches!(target, Some(LookAtTarget::Angles { .. })))
    {
        ui.weak(look_at_text(angles.yaw_deg, angles.pitch_deg));
    } else if target.is_some() && state.open.stage.document.switched_off.look_at {
        ui.weak("Switched off under Pose > Behaviours");
    }
    ui.add_space(4.0);
}

fn look_at_text(yaw_deg: f64, pitch_deg: f64) -> String {
    if yaw_deg.abs() < 0.5 && pitch_deg.abs() < 0.5 {
        return "Straight ahead".to_owned();
    }
    let side = if yaw_deg < 0.0 { "right" } else { "left" };
    let height = if pitch_deg < 0.0 { "up" } else { "down" };
    format!("{:.0}° to the {side}, {:.0}° {height}", yaw_deg.abs(), pitch_deg.abs())
}

fn default_look_at_target(state: &AppState) -> LookAtTarget {
    let (rig, posed) = (state.open.stage.rig(), state.open.stage.posed());
    let head = rig
        .look_at
        .as_ref()
        .and_then(|look_at| Some((posed.world_from_node.get(look_at.head.index())?, look_at.offset)));
    let from = head.map_or(Vec3::ZERO, |(head, offset)| head.transform_point3(offset));
    let at: DVec3 = rig.hierarchy.in_file(from + rig.front() * BEFORE_FACE.max(0.2 * rig.size()));
    LookAtTarget::Point(at.to_array().map(|number| (number * 100.0).round() / 100.0))
}

pub(super) fn expressions_ui(ui: &mut Ui, state: &AppState, wanted: &Filter, commands: &mut Commands) {
    let rig = state.open.stage.rig();
    if rig.expressions.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        ui.strong("Expressions");
        if state.open.stage.document.switched_off.expressions {
            ui.weak("switched off under Pose > Behaviours");
        }
    });
    let shown: Vec<(ExpressionIndex, &Expression)> =
        rig.indexed_expressions().filter(|(_, expression)| wanted.is_in(&expression.name)).collect();
    if shown.is_empty() {
        ui.weak("No matching expressions");
    }
    let room = if rig.morphs().is_empty() { ui.available_height() } else { 0.5 * ui.available_height() };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let columns = WeightColumns::new(ui);
        let area = ScrollArea::vertical().id_salt("expressions").auto_shrink([false, true]).max_height(room);
        area.show_rows(ui, ROW_HEIGHT, shown.len(), |ui, rows| {
            for &(at, expression) in &shown[rows] {
                row(ui, columns, state, (at, expression), commands);
            }
        });
    });
}

fn row(
    ui: &mut Ui,
    columns: WeightColumns,
    state: &AppState,
    (at, expression): (ExpressionIndex, &Expression),
    commands: &mut Commands,
) {
    let mut weight = state.open.stage.pose().face().expression(at);
    let shown = state.open.stage.posed().expressions.get(at.index()).copied().unwrap_or(0.0);
    let hint = "Applied weight, after suppression and gaze";
    let shown = ((shown - weight).abs() >= 0.005).then(|| ShownWeight { weight: shown, hint: hint.to_owned() });
    let label = |ui: &mut Ui| {
        Name::among(&expression.name, "").label(ui).on_hover_text(about(state.open.stage.rig(), expression));
    };
    let WeightRow { edit, is_cleared, .. } =
        weight_row(ui, columns, &expression.name, shown, &mut weight, label, |w| Slider::new(w, 0.0..=1.0));
    if is_cleared {
        commands.push(Command::SetExpressions(vec![(at, 0.0)]));
    }
    edit.emit(|| Command::SetExpressions(vec![(at, weight)]), commands);
}

fn about(rig: &Rig, expression: &Expression) -> String {
    let counted = |count: usize, one: &str, many: &str| (count > 0).then(|| counted(count, one, many));
    let changes: Vec<String> = [
        counted(expression.morphs.len(), "morph target", "morph targets"),
        counted(expression.colors.len(), "colour", "colours"),
        counted(expression.coords.len(), "texture placement", "texture placements"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let kind = if expression.is_preset { "Preset of VRM" } else { "Expression of this file" };
    let changes = if changes.is_empty() { "nothing".to_owned() } else { changes.join(", ") };
    let mut text = format!("{}\n{kind}; changes {changes}", expression.name);
    if expression.is_binary {
        text += "\nOn or off: on above 0.5";
    }
    for kind in Procedural::ALL {
        let what = match kind {
            Procedural::Mouth => "shapes of the mouth",
            Procedural::Blink => "blinks",
            Procedural::LookAt => "looks of the eyes",
        };
        match expression.overrides[kind as usize] {
            ExpressionOverride::None => {}
            ExpressionOverride::Block => text += &["\nKeeps ", what, " from being shown"].concat(),
            ExpressionOverride::Blend => text += &["\nWeakens ", what, " by its weight"].concat(),
        }
    }
    let is_for_look_at = expression.procedural() == Some(Procedural::LookAt);
    if is_for_look_at && rig.look_at.as_ref().is_some_and(|look_at| look_at.by == LookAtOutput::Expressions) {
        text += "\nUsed by the gaze while it has a target";
    }
    text
}
