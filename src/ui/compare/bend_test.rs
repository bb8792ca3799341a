//! Bend test of side A, in the Compare panel: a row with a thumbnail for each pose. Clicking a row shows the pose; the
//! Up and Down keys then show the previous and the next one.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Button, CollapsingHeader, CornerRadius, FontId, Key, ProgressBar, Response, RichText, Sense, Ui, Vec2, vec2,
};

use crate::analysis::flex::FlexResult;
use crate::analysis::lint::{Finding, Severity};
use crate::stage::{BendTest, BendTestPlan, CurrentRequest, RequestState};
use crate::state::{Action, AppState, BendThumbnails, Command, Commands, SidePanel, Thumbnail};
use crate::ui::counts::{counted, grouped};
use crate::ui::split_row::split_row;
use crate::ui::theme;
use crate::ui::thumbnails::thumbnail_texture;
use crate::view::Side;

/// Space between a thumbnail and the text, points.
const GAP: f32 = 8.0;

/// Section of the Compare panel.
#[derive(Default)]
pub(in crate::ui) struct BendTestList {
    /// Index of a pose that was chosen by keys, until its row is scrolled into view.
    scroll_to: Option<usize>,
}

impl BendTestList {
    /// Handles the Up and Down keys, which show the previous or next pose while one is shown. Returns whether the list
    /// uses these keys.
    pub(in crate::ui) fn keys(&mut self, ctx: &egui::Context, state: &AppState, commands: &mut Commands) -> bool {
        let is_shown = state.panels.is_shown(SidePanel::Compare, &state.settings);
        let Some(selected) = state.open.stage.view.selected_bend_pose().filter(|_| is_shown) else { return false };
        let RequestState::Known { value: test, .. } = BendTestPlan::state(&state.open.stage) else {
            return false;
        };
        if ctx.text_edit_focused() || egui::Popup::is_any_open(ctx) {
            return true;
        }
        let step = ctx.input(|i| isize::from(i.key_pressed(Key::ArrowDown)) - isize::from(i.key_pressed(Key::ArrowUp)));
        let next = selected.saturating_add_signed(step);
        if next != selected && next < test.listed().len() {
            commands.push(Command::ShowBendPose(Some(next)));
            self.scroll_to = Some(next);
        }
        true
    }

    /// Draws the section. While a test runs, the section is open.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        section(ui, state, commands, &mut self.scroll_to);
    }
}

fn section(ui: &mut Ui, state: &AppState, commands: &mut Commands, scroll_to: &mut Option<usize>) {
    if state.open.stage.rig().instances.is_empty() {
        return;
    }
    let found = BendTestPlan::state(&state.open.stage);
    let is_running = matches!(found, RequestState::Awaited);
    let section = CollapsingHeader::new("Bend test").open(is_running.then_some(true));
    let shown = section.show(ui, |ui| {
        header(ui, &found, state, commands);
        match found {
            RequestState::Known { input: plan, value: test, .. } => list(ui, (plan, test), state, commands, scroll_to),
            RequestState::Failed(problem) => _ = ui.weak(problem),
            RequestState::Missing | RequestState::Awaited => {}
        }
    });
    shown.header_response.on_hover_text("Every joint through its range, worst poses first");
}

fn header<T>(ui: &mut Ui, found: &RequestState<'_, BendTestPlan, T>, state: &AppState, commands: &mut Commands) {
    let small = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).small().weak());
    split_row(
        ui,
        commands,
        |ui, _| match found {
            RequestState::Missing => _ = small(ui, "Not tested"),
            RequestState::Awaited => {
                let fraction = state.open.stage.progress.get::<BendTestPlan>().unwrap_or_default();
                ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(120.0));
            }
            RequestState::Failed(_) => _ = small(ui, "Failed"),
            RequestState::Known { is_current: false, .. } => _ = small(ui, "From before the last change"),
            RequestState::Known { input: plan, .. } => {
                let color = theme::side_text(Side::A, ui.visuals());
                ui.label(RichText::new(format!("A: {}", plan.skin.skinning.method.label())).small().color(color));
            }
        },
        |ui, commands| {
            if matches!(found, RequestState::Awaited) {
                let button = ui.small_button("Cancel").accessible_name("Cancel the bend test");
                commands.push_if(button.clicked(), Command::TestBend(false));
                return;
            }
            let text = if matches!(found, RequestState::Missing) { "Test" } else { "Re-run" };
            let button = ui.add(Button::new(text).small()).accessible_name("Run the bend test");
            commands.push_if(button.on_hover_text(Action::TestBend.spec().hint).clicked(), Command::TestBend(true));
        },
    );
}

fn list(
    ui: &mut Ui,
    (plan, test): (&BendTestPlan, &Arc<BendTest>),
    state: &AppState,
    commands: &mut Commands,
    scroll_to: &mut Option<usize>,
) {
    let (count, listed) = (test.report.poses.len(), test.listed());
    if listed.is_empty() {
        ui.weak("No joint that moves skin can be posed.");
        return;
    }
    let text = format!("{}, {} beyond a limit. Click one to show it.", counted(count, "pose"), test.fault_count());
    ui.label(RichText::new(text).small().weak());
    ui.spacing_mut().item_spacing.y = 2.0;
    for finding in &test.findings {
        let hint = format!("{}\nClick to show where", finding.code.title());
        let clicked = finding_row(ui, finding).on_hover_text(hint).clicked();
        commands.push_if(clicked, Command::ShowPlace(finding.target.clone()));
    }
    let selected = state.open.stage.view.selected_bend_pose();
    for (index, result) in listed.iter().enumerate() {
        let is_selected = selected == Some(index);
        let thumbnail = state.open.bend_thumbnails.image(test, index);
        let response = row(ui, result, plan, thumbnail, is_selected);
        if response.gained_focus() || is_selected && scroll_to.take_if(|chosen| *chosen == index).is_some() {
            response.scroll_to_me(None);
        }
        if response.clicked() {
            commands.push(Command::ShowBendPose((!is_selected).then_some(index)));
        }
    }
    if let Some(more @ 1..) = count.checked_sub(listed.len()) {
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

fn row(
    ui: &mut Ui,
    result: &FlexResult,
    plan: &BendTestPlan,
    thumbnail: Option<&Arc<Thumbnail>>,
    is_selected: bool,
) -> Response {
    let visuals = ui.visuals();
    let summary = result.summary(&plan.skin.rig, &plan.options.limits);
    let mut job = LayoutJob::default();
    if result.is_fault() {
        let (icon, color) = theme::severity_icon(Severity::Error, visuals);
        append(&mut job, &format!("{icon} "), 13.0, color);
    }
    append(&mut job, &format!("{}\n", result.pose.name), 13.0, visuals.text_color());
    append(&mut job, &summary, 11.0, visuals.weak_text_color());
    let name = format!("{}: {summary}", result.pose.name);
    let space = vec2(BendThumbnails::SIDE + GAP, BendThumbnails::SIDE);
    let (response, space) = theme::row_beside(ui, space, job, Sense::click(), (&name, is_selected));
    if ui.is_rect_visible(space) {
        let picture = egui::Rect::from_min_size(space.min, Vec2::splat(BendThumbnails::SIDE));
        if let Some(thumbnail) = thumbnail {
            let texture = thumbnail_texture(ui.ctx(), thumbnail);
            egui::Image::new(&texture).corner_radius(CornerRadius::same(4)).paint_at(ui, picture);
        } else {
            ui.painter().rect_filled(picture, 4.0, ui.visuals().extreme_bg_color);
        }
    }
    response.on_hover_text(if is_selected { "Click to return to the previous pose" } else { "Click to show the pose" })
}

fn append(job: &mut LayoutJob, text: &str, size: f32, color: egui::Color32) {
    let format = TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    job.append(text, 0.0, format);
}
