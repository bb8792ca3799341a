//! Weight problems of both sides, in the Compare and lint panels. Clicking a row shows the problem in its worst pose.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{CollapsingHeader, FontId, ProgressBar, Response, RichText, Sense, Ui};

use crate::analysis::lint::Severity;
use crate::analysis::weight_problems::{WeightProblem, WeightProblems};
use crate::rig::Rig;
use crate::stage::WeightProblemPlan;
use crate::state::{AppState, Command, Commands};
use crate::ui::counts::{counted, grouped};
use crate::ui::search::Filter;
use crate::ui::theme;
use crate::view::Side;

/// Draws the section. Clicking its header starts the detection, unless it was already requested.
pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.open.stage.rig().skins.is_empty() {
        return;
    }
    let shown =
        CollapsingHeader::new("Weight problems").show(ui, |ui| regions(ui, state, &Filter::default(), commands));
    let hint = "Stretched skin, crossing layers and asymmetry in random poses";
    if shown.header_response.on_hover_text(hint).clicked() && !state.open.stage.requests.has::<WeightProblemPlan>() {
        commands.push(Command::request::<WeightProblemPlan>(true));
    }
}

pub(in crate::ui) fn weight_problems_ui(ui: &mut Ui, state: &AppState, filter: &Filter, commands: &mut Commands) {
    if state.open.stage.rig().skins.is_empty() {
        return;
    }
    ui.add_space(6.0);
    ui.strong("Weight problems");
    regions(ui, state, filter, commands);
}

fn regions(ui: &mut Ui, state: &AppState, filter: &Filter, commands: &mut Commands) {
    if !state.open.stage.requests.has::<WeightProblemPlan>() {
        let hint = "Test random poses within joint limits, or up to 45°";
        if ui.button("Find weight problems").on_hover_text(hint).clicked() {
            commands.push(Command::request::<WeightProblemPlan>(true));
        }
        return;
    }
    let is_one = Arc::ptr_eq(state.open.stage.open_on(Side::A), state.open.stage.open_on(Side::B));
    for side in Side::ALL.into_iter().take(if is_one { 1 } else { 2 }) {
        if !is_one {
            ui.label(RichText::new(format!("On {side:?}")).color(theme::side_text(side, ui.visuals())));
        }
        if let Some(found) = state.open.stage.side_value::<WeightProblemPlan>(side) {
            list(ui, side, (found, filter), state, commands);
        } else {
            let done = state.open.stage.progress.get::<WeightProblemPlan>().unwrap_or_default();
            ui.add(ProgressBar::new(done).desired_height(4.0).desired_width(120.0));
        }
    }
}

fn list(
    ui: &mut Ui,
    side: Side,
    (found, filter): (&WeightProblems, &Filter),
    state: &AppState,
    commands: &mut Commands,
) {
    if found.list.is_empty() {
        ui.weak(format!("None, in {}.", counted(found.poses, "pose")));
        return;
    }
    let rig = state.open.stage.rig();
    let passes = |problem: &WeightProblem| filter.is_in(problem.kind.title()) || filter.is_in(&problem.sentence(rig));
    let shown: Vec<usize> =
        (0..found.list.len()).filter(|&index| filter.is_empty() || passes(&found.list[index])).collect();
    if shown.is_empty() {
        ui.weak("No matching regions");
        return;
    }
    let said = format!("{}, worst first. Click one to see its worst pose.", counted(found.count, "region"));
    ui.label(RichText::new(said).small().weak());
    ui.spacing_mut().item_spacing.y = 2.0;
    let selected = state.open.stage.view.selected_weight_problem(side);
    for index in shown {
        let is_selected = selected == Some(index);
        if row(ui, side, &found.list[index], rig, is_selected).clicked() {
            commands.push(Command::ShowWeightProblem((!is_selected).then_some((side, index))));
        }
    }
    if let Some(more @ 1..) = found.count.checked_sub(found.list.len()).filter(|_| filter.is_empty()) {
        ui.weak(format!("{} more, less severe.", grouped(more)));
    }
}

fn row(ui: &mut Ui, side: Side, problem: &WeightProblem, rig: &Rig, is_selected: bool) -> Response {
    let visuals = ui.visuals();
    let sentence = problem.sentence(rig);
    let mut job = LayoutJob::default();
    let format = |size, color| TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    job.append(&sentence, 0.0, format(13.0, visuals.text_color()));
    let count = problem.vertex_count();
    let vertices = if count == 1 { "vertex" } else { "vertices" };
    // The no-break space prevents a line break between number and noun.
    let vertices = format!("  {}\u{a0}{vertices}", grouped(count));
    job.append(&vertices, 0.0, format(11.0, visuals.weak_text_color()));
    let icon = theme::severity_icon(Severity::Warning, visuals);
    let title = problem.kind.title();
    let name = format!("{title}: {sentence} On {side:?}");
    let response = theme::text_row(ui, job, Some(icon), Sense::click(), (&name, is_selected));
    let hint = if is_selected { "Click to return to the previous pose" } else { "Click to show its worst pose" };
    response.on_hover_text(format!("{title}\n{hint}"))
}
