//! Weight problems of the weights of both sides, in the Compare panel and among the findings of lint: a row for each, which shows it in its worst pose.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, CollapsingHeader, FontId, ProgressBar, Response, RichText, Sense, Ui, Vec2, pos2};

use super::side_text;
use crate::analysis::lint::Severity;
use crate::analysis::suspects::{Suspect, Suspects};
use crate::rig::Rig;
use crate::stage::SuspectPlan;
use crate::state::{AppState, Command};
use crate::ui::counts::{counted, grouped};
use crate::ui::search::Filter;
use crate::ui::theme;
use crate::view::Side;

/// Draws the section; regions are looked for once it is opened.
pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    if state.open.stage.rig().skins.is_empty() {
        return;
    }
    let shown =
        CollapsingHeader::new("Weight problems").show(ui, |ui| regions(ui, state, &Filter::default(), commands));
    let hint = "Where the skin stretches, layers cross or sides differ, in random poses";
    if shown.header_response.on_hover_text(hint).clicked() && !state.open.stage.looks_for_suspects() {
        commands.push(Command::LookForSuspects(true));
    }
}

/// Draws the regions of lint: looked for where somebody asks, and listed as far as they pass a filter.
pub(in crate::ui) fn suspects_ui(ui: &mut Ui, state: &AppState, filter: &Filter, commands: &mut Vec<Command>) {
    if state.open.stage.rig().skins.is_empty() {
        return;
    }
    ui.add_space(6.0);
    ui.label(RichText::new("Weight problems").strong());
    regions(ui, state, filter, commands);
}

fn regions(ui: &mut Ui, state: &AppState, filter: &Filter, commands: &mut Vec<Command>) {
    if !state.open.stage.looks_for_suspects() {
        let hint = "Poses each joint within its limits, or by up to 45°, and looks at the skin of both sides";
        if ui.button("Find weight problems").on_hover_text(hint).clicked() {
            commands.push(Command::LookForSuspects(true));
        }
        return;
    }
    let is_one = Arc::ptr_eq(state.open.stage.open_on(Side::A), state.open.stage.open_on(Side::B));
    for side in Side::ALL.into_iter().take(if is_one { 1 } else { 2 }) {
        if !is_one {
            ui.label(RichText::new(format!("On {side:?}")).color(side_text(side, ui.visuals())));
        }
        if let Some(found) = state.open.stage.suspects(side) {
            list(ui, side, (found, filter), state, commands);
        } else {
            let done = state.open.stage.progress.get::<SuspectPlan>().unwrap_or_default();
            ui.add(ProgressBar::new(done).desired_height(4.0).desired_width(120.0));
        }
    }
}

fn list(ui: &mut Ui, side: Side, (found, filter): (&Suspects, &Filter), state: &AppState, commands: &mut Vec<Command>) {
    if found.list.is_empty() {
        ui.label(RichText::new(format!("None, in {}.", counted(found.poses, "pose"))).weak());
        return;
    }
    let rig = state.open.stage.rig();
    let passes = |suspect: &Suspect| filter.is_in(suspect.kind.title()) || filter.is_in(&suspect.sentence(rig));
    let shown: Vec<usize> =
        (0..found.list.len()).filter(|&index| filter.is_empty() || passes(&found.list[index])).collect();
    if shown.is_empty() {
        ui.label(RichText::new("No matching regions").weak());
        return;
    }
    let said =
        format!("{}, largest and worst first. A click shows it in its worst pose.", counted(found.count, "region"));
    ui.label(RichText::new(said).small().weak());
    ui.spacing_mut().item_spacing.y = 2.0;
    let selected = state.open.stage.selected_suspect(side);
    for index in shown {
        let is_selected = selected == Some(index);
        if row(ui, side, &found.list[index], rig, is_selected).clicked() {
            commands.push(Command::ShowSuspect((!is_selected).then_some((side, index))));
        }
    }
    if let Some(more @ 1..) = found.count.checked_sub(found.list.len()).filter(|_| filter.is_empty()) {
        ui.label(RichText::new(format!("{} more rank lower and are not listed.", grouped(more))).weak());
    }
}

/// Draws a warning sign, what is suspicious and how much, wrapped to the width of the panel.
fn row(ui: &mut Ui, side: Side, suspect: &Suspect, rig: &Rig, is_selected: bool) -> Response {
    const PADDING: Vec2 = Vec2::new(6.0, 4.0);
    const ICON: f32 = 20.0;
    let width = ui.available_width();
    let visuals = ui.visuals();
    let (icon, color) = theme::severity_look(Severity::Warning, visuals);
    let (ink, weak) = (visuals.text_color(), visuals.weak_text_color());
    let sentence = suspect.sentence(rig);
    let mut job = LayoutJob::default();
    let format = |size, color| TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    job.append(&sentence, 0.0, format(13.0, ink));
    let count = suspect.vertex_count();
    let vertices = if count == 1 { "vertex" } else { "vertices" };
    // A number stays with its noun.
    job.append(&format!("  {}\u{a0}{vertices}", grouped(count)), 0.0, format(11.0, weak));
    job.wrap.max_width = width - ICON - 2.0 * PADDING.x;
    let galley = ui.painter().layout_job(job);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, galley.size().y + 2.0 * PADDING.y), Sense::click());
    let name = format!("{}: {sentence}", suspect.kind.title());
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListItem, true, is_selected, format!("{name} On {side:?}"))
    });
    theme::paint_row(ui, rect, &response, is_selected);
    let icon_at = pos2(rect.left() + PADDING.x, rect.top() + PADDING.y);
    ui.painter().text(icon_at, Align2::LEFT_TOP, icon, FontId::proportional(13.0), color);
    ui.painter().galley(icon_at + Vec2::new(ICON, 0.0), galley, ink);
    let hint = if is_selected {
        "Click to go back to the pose before"
    } else {
        "Click to see it in its worst pose; undo takes the pose back"
    };
    response.on_hover_text(format!("{}\n{hint}", suspect.kind.title()))
}
