//! Bend test of side A, in the Compare panel. Clicking a row shows the pose. Rows have no thumbnails: a pose is shown in
//! the viewport with one click.

use egui::text::{LayoutJob, TextFormat};
use egui::{Button, CollapsingHeader, FontId, ProgressBar, Response, RichText, Sense, Ui};

use crate::analysis::flex::{FlexOptions, FlexResult};
use crate::analysis::lint::{Finding, Severity};
use crate::stage::{BendTest, BendTestPlan, BendTestState};
use crate::state::{Action, AppState, Command, Commands};
use crate::ui::counts::{counted, grouped};
use crate::ui::split_row::split_row;
use crate::ui::theme;
use crate::view::Side;

const MAX_ROWS: usize = 100;

/// Draws the section. While a test runs, the section is open.
pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.open.stage.rig().instances.is_empty() {
        return;
    }
    let found = state.open.stage.bend_test();
    let is_running = matches!(found, BendTestState::Awaited);
    let section = CollapsingHeader::new("Bend test").open(is_running.then_some(true));
    let shown = section.show(ui, |ui| {
        header(ui, &found, state, commands);
        match found {
            BendTestState::Tested { plan, test, .. } => list(ui, (plan, test), state, commands),
            BendTestState::Failed(problem) => _ = ui.weak(problem),
            BendTestState::Missing | BendTestState::Awaited => {}
        }
    });
    shown.header_response.on_hover_text("Every joint through its range, worst poses first");
}

fn header(ui: &mut Ui, found: &BendTestState<'_>, state: &AppState, commands: &mut Commands) {
    let small = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).small().weak());
    split_row(
        ui,
        commands,
        |ui, _| match found {
            BendTestState::Missing => _ = small(ui, "Not tested"),
            BendTestState::Awaited => {
                let fraction = state.open.stage.progress.get::<BendTestPlan>().unwrap_or_default();
                ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(120.0));
            }
            BendTestState::Failed(_) => _ = small(ui, "Failed"),
            BendTestState::Tested { is_current: false, .. } => _ = small(ui, "From before the last change"),
            BendTestState::Tested { plan, .. } => {
                let color = theme::side_text(Side::A, ui.visuals());
                ui.label(RichText::new(format!("A: {}", plan.skin.skinning.method.label())).small().color(color));
            }
        },
        |ui, commands| {
            if matches!(found, BendTestState::Awaited) {
                let button = ui.small_button("Cancel").accessible_name("Cancel the bend test");
                commands.push_if(button.clicked(), Command::TestBend(false));
                return;
            }
            let text = if matches!(found, BendTestState::Missing) { "Test" } else { "Re-run" };
            let button = ui.add(Button::new(text).small()).accessible_name("Run the bend test");
            commands.push_if(button.on_hover_text(Action::TestBend.spec().hint).clicked(), Command::TestBend(true));
        },
    );
}

fn list(ui: &mut Ui, (plan, test): (&BendTestPlan, &BendTest), state: &AppState, commands: &mut Commands) {
    let poses = &test.report.poses;
    if poses.is_empty() {
        ui.weak("No joint that moves skin can be posed.");
        return;
    }
    let text =
        format!("{}, {} beyond a limit. Click one to show it.", counted(poses.len(), "pose"), test.fault_count());
    ui.label(RichText::new(text).small().weak());
    ui.spacing_mut().item_spacing.y = 2.0;
    for finding in &test.findings {
        let hint = format!("{}\nClick to show where", finding.code.title());
        let clicked = finding_row(ui, finding).on_hover_text(hint).clicked();
        commands.push_if(clicked, Command::ShowPlace(finding.target.clone()));
    }
    let selected = state.open.stage.selected_bend_pose();
    let count = FlexOptions::WORST.max(test.fault_count()).min(MAX_ROWS);
    for (index, result) in poses.iter().take(count).enumerate() {
        let is_selected = selected == Some(index);
        if row(ui, result, plan, is_selected).clicked() {
            commands.push(Command::ShowBendPose((!is_selected).then_some(index)));
        }
    }
    if let Some(more @ 1..) = poses.len().checked_sub(count) {
        ui.weak(format!("{} more, less severe.", grouped(more)));
    }
}

fn finding_row(ui: &mut Ui, finding: &Finding) -> Response {
    let mut job = LayoutJob::default();
    append(&mut job, &finding.message, 13.0, ui.visuals().text_color());
    append(&mut job, &format!("  {}", finding.id()), 11.0, ui.visuals().weak_text_color());
    let icon = theme::severity_icon(finding.severity, ui.visuals());
    theme::text_row(ui, job, Some(icon), Sense::click(), (&format!("{} {}", finding.id(), finding.message), false))
}

fn row(ui: &mut Ui, result: &FlexResult, plan: &BendTestPlan, is_selected: bool) -> Response {
    let visuals = ui.visuals();
    let summary = result.summary(&plan.skin.rig, &plan.options.limits);
    let mut job = LayoutJob::default();
    append(&mut job, &format!("{}\n", result.pose.name), 13.0, visuals.text_color());
    append(&mut job, &summary, 11.0, visuals.weak_text_color());
    let icon =
        if result.is_fault() { theme::severity_icon(Severity::Error, visuals) } else { ("", visuals.text_color()) };
    let name = format!("{}: {summary}", result.pose.name);
    let response = theme::text_row(ui, job, Some(icon), Sense::click(), (&name, is_selected));
    response.on_hover_text(if is_selected { "Click to return to the previous pose" } else { "Click to show the pose" })
}

fn append(job: &mut LayoutJob, text: &str, size: f32, color: egui::Color32) {
    let format = TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    job.append(text, 0.0, format);
}
