//! Controls for a side that shows points of another program: how they were read, and which mistake gives them.

use egui::{Button, ComboBox, Grid, ProgressBar, RichText, Ui};

use super::numbers::length;
use crate::analysis::diagnose::{Diagnosis, Explanation, MISTAKES, fraction_text};
use crate::rig::{PointUnit, UpAxis};
use crate::stage::{CurrentRequest, DiagnosisPlan, PointsSummary, RequestState, WorstEquation};
use crate::state::{Action, AppState, Command, Commands};
use crate::ui::joint_rows::{joint_rows, vertex_title};
use crate::view::{PointsFile, ShownFile, Side};

/// Number of explanations in the table.
const SHOWN: usize = 6;

pub(super) fn ui(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    let stage = &state.open.stage;
    let ShownFile::Points(file) = &stage.view.sides[side].file else { return };
    let Some(points) = stage.points_on(side) else { return };
    for line in &points.info {
        ui.label(RichText::new(line).small());
    }
    // Points of the tour are in no file.
    if side == Side::B && stage.other_on(side).is_some_and(|other| other.file.is_some()) {
        space(ui, file, points, commands);
    }
    worst(ui, state, commands);
    diagnosis(ui, state, commands);
}

/// Distances below this, as a fraction of the size, are single-precision rounding.
const ROUNDING: f32 = 1e-5;

/// Draws the equation of the vertex that is farthest from its point.
fn worst(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let stage = &state.open.stage;
    let Some(Ok(measured)) = stage.measured.result() else { return };
    let Some(equation) = WorstEquation::new(stage, &measured.distance) else { return };
    let distance = equation.point.distance(equation.expected);
    if distance <= ROUNDING * stage.rig().size() {
        return;
    }
    let title = format!("Worst vertex: {}", length(distance.into()));
    let header = egui::CollapsingHeader::new(title).id_salt("worst vertex").default_open(true);
    header.show(ui, |ui| {
        ui.label(RichText::new(vertex_title(state, equation.place)).small());
        joint_rows(ui, state, &equation.probe, commands);
        positions(ui, state, &equation);
    });
}

/// Draws the position of the point and that of the vertex.
fn positions(ui: &mut Ui, state: &AppState, equation: &WorstEquation) {
    let in_file = |point| state.open.stage.rig().hierarchy.in_file(point);
    let columns = [
        ("point", in_file(equation.point), "The point, in metres, Y up"),
        ("expected", in_file(equation.expected), "The vertex, by the method of the other side"),
        ("Σ w_j T_j v", in_file(equation.probe.lbs.point), "Sum of the joints' terms: linear blending"),
    ];
    Grid::new("worst vertex").num_columns(4).spacing([10.0, 2.0]).show(ui, |ui| {
        ui.label("");
        for (title, _, hint) in columns {
            ui.label(RichText::new(title).small().weak()).on_hover_text(hint);
        }
        ui.end_row();
        for (axis, name) in ["x, m", "y, m", "z, m"].into_iter().enumerate() {
            ui.weak(name);
            for (_, point, _) in columns {
                ui.label(RichText::new(format!("{:.4}", point[axis])).monospace());
            }
            ui.end_row();
        }
    });
    let [x, y, z] = equation.file_point.to_array();
    let index = equation.point_index;
    ui.weak(if equation.file_point.is_finite() {
        format!("Point {index} of the file: {x:.4}, {y:.4}, {z:.4}")
    } else {
        format!("Point {index} of the file is not a number; it is shown at the origin")
    });
}

/// Draws the fields for unit and up axis.
fn space(ui: &mut Ui, file: &PointsFile, points: &PointsSummary, commands: &mut Commands) {
    let mut stated = file.clone();
    ui.horizontal(|ui| {
        ui.label("Unit");
        let found = format!("{} (found)", points.space.unit);
        let shown = ComboBox::from_id_salt("unit of points").width(84.0);
        let shown = shown.selected_text(stated.unit.map_or_else(|| found, |unit| unit.to_string()));
        let shown = shown.show_ui(ui, |ui| {
            ui.selectable_value(&mut stated.unit, None, "The one that fits");
            for unit in PointUnit::named() {
                ui.selectable_value(&mut stated.unit, Some(unit), unit.title());
            }
        });
        shown.response.accessible_name("Unit of the points");
        ui.label("Up");
        let found = format!("{} (found)", points.space.up.name());
        let shown = ComboBox::from_id_salt("up axis of points").width(76.0);
        let shown = shown.selected_text(stated.up.map_or(found, |up| up.name().to_owned()));
        let shown = shown.show_ui(ui, |ui| {
            ui.selectable_value(&mut stated.up, None, "The one that fits");
            for up in UpAxis::ALL {
                ui.selectable_value(&mut stated.up, Some(up), up.name());
            }
        });
        shown.response.accessible_name("Up axis of the points");
    });
    commands.push_if(stated != *file, Command::CompareWith(ShownFile::Points(stated)));
}

fn diagnosis(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let shown = DiagnosisPlan::state(&state.open.stage);
    if matches!(shown, RequestState::Awaited) {
        let fraction = state.open.stage.progress.get::<DiagnosisPlan>().unwrap_or_default();
        ui.horizontal(|ui| {
            ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(120.0));
            let cancel = ui.small_button("Cancel").accessible_name("Cancel the diagnosis");
            commands.push_if(cancel.clicked(), Command::DiagnosePoints(false));
        });
        return;
    }
    let is_first = matches!(shown, RequestState::Missing);
    if is_first {
        ui.weak("Show the pose and the clip time of the points on the other side, then diagnose.");
    }
    let button = Button::new(if is_first { "Diagnose" } else { "Diagnose again" });
    let button = ui.add(button).accessible_name(Action::DiagnosePoints.spec().name);
    commands.push_if(button.on_hover_text(Action::DiagnosePoints.spec().hint).clicked(), Command::DiagnosePoints(true));
    match shown {
        RequestState::Missing | RequestState::Awaited => {}
        RequestState::Failed(problem) => _ = ui.label(problem),
        RequestState::Known { value: diagnosis, is_current, .. } => {
            if !is_current {
                ui.weak("From before the last change of pose or method.");
            }
            found(ui, diagnosis);
        }
    }
}

fn found(ui: &mut Ui, diagnosis: &Diagnosis) {
    ui.label(RichText::new(diagnosis.summary()).strong());
    for remark in diagnosis.remarks() {
        ui.label(RichText::new(remark).small());
    }
    if diagnosis.is_right() {
        return;
    }
    if let Some(best) = diagnosis.best() {
        for mistake in &best.mistakes {
            ui.label(RichText::new(mistake.correct).small());
        }
    }
    // The names give way to the numbers in a narrow panel.
    let max_name = (ui.available_width() - 76.0).max(40.0);
    Grid::new("explanations").num_columns(2).spacing([10.0, 2.0]).striped(true).show(ui, |ui| {
        for title in ["Mistake", "max"] {
            ui.label(RichText::new(title).small().weak());
        }
        ui.end_row();
        for explanation in diagnosis.explanations.iter().take(SHOWN) {
            row(ui, explanation, max_name);
            ui.end_row();
        }
    });
}

fn row(ui: &mut Ui, explanation: &Explanation, max_name: f32) {
    let title = explanation.title();
    let hint: Vec<String> =
        explanation.mistakes.iter().map(|mistake| format!("{}: {}", mistake.id, mistake.symptom)).collect();
    let hint = if hint.is_empty() { "No mistake".to_owned() } else { hint.join("\n") };
    ui.scope(|ui| {
        ui.set_max_width(max_name);
        ui.add(egui::Label::new(title).truncate())
    })
    .inner
    .on_hover_text(hint);
    let largest = format!("Largest distance, as a fraction of the size; {} mistakes are known", MISTAKES.len());
    ui.label(RichText::new(fraction_text(explanation.residual.max)).monospace()).on_hover_text(largest);
}
