//! Differences between the files of the two sides, grouped by kind. Clicking a row selects the changed item.

use egui::text::{LayoutJob, TextFormat};
use egui::{FontId, Response, RichText, ScrollArea, Sense, Ui};

use super::counts::grouped;
use super::search::filter_field;
use super::theme;
use crate::diff::{Change, ChangedObject, RigDiff, Tolerances, rounded};
use crate::stage::{ChangePlan, ChangeState};
use crate::state::{AppState, Command, Commands};
use crate::text::capitalized;

#[derive(Default)]
pub(super) struct ChangesPanel {
    filter: String,
}

const MAX_ROWS: usize = 400;

impl ChangesPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        if let Some([old, new]) = ChangePlan::names(&state.open.stage) {
            let names = RichText::new(format!("From {old} to {new}")).strong();
            ui.add(egui::Label::new(names).truncate()).on_hover_text(format!("Changes from {old} to {new}"));
            ui.add_space(4.0);
        }
        match ChangeState::new(&state.open.stage) {
            ChangeState::Nothing => {
                _ = ui.weak("Compare > Compare with file… lists what changed.");
            }
            ChangeState::Awaited => _ = ui.weak("Comparing the files…"),
            ChangeState::Stopped => {
                ui.weak("The comparison was stopped.");
                commands.push_if(ui.button("Compare again").clicked(), Command::request::<ChangePlan>(true));
            }
            ChangeState::Found(diff, _) if diff.is_same() => nothing(ui, state, diff),
            ChangeState::Found(diff, selected) => self.list(ui, diff, selected, commands),
        }
    }

    fn list(&mut self, ui: &mut Ui, diff: &RigDiff, selected: Option<usize>, commands: &mut Commands) {
        filter_field(ui, &mut self.filter, "Filter changes", "Filter by kind or name");
        let wanted = self.filter.to_lowercase();
        let shown: Vec<(usize, &Change)> =
            diff.changes.iter().enumerate().filter(|(_, change)| matches(change, &wanted)).collect();
        if ui.button("Copy as text").on_hover_text("Copy the changes below as text").clicked() {
            let lines: Vec<String> =
                shown.iter().map(|(_, change)| format!("{}: {}", change.kind, line(change))).collect();
            ui.copy_text(lines.join("\n"));
        }
        if shown.is_empty() {
            ui.weak("No matching changes");
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let mut kind = None;
            for &(index, change) in shown.iter().take(MAX_ROWS) {
                if kind.replace(change.kind) != Some(change.kind) {
                    heading(ui, change, shown.iter().filter(|(_, other)| other.kind == change.kind).count());
                }
                let is_selected = selected == Some(index);
                if row(ui, change, is_selected).clicked() && change.place.is_some() {
                    commands.push(Command::ShowChange((!is_selected).then_some(index)));
                }
            }
            if let Some(more @ 1..) = shown.len().checked_sub(MAX_ROWS) {
                ui.weak(format!("{more} more; use the filter to find them."));
            }
        });
    }
}

fn matches(change: &Change, wanted: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    wanted.is_empty() || has(change.kind.name()) || has(&change.object_name) || change.now.as_deref().is_some_and(has)
}

fn line(change: &Change) -> String {
    let details = change.details();
    if details.is_empty() { change.object_name.clone() } else { format!("{}: {details}", change.object_name) }
}

fn nothing(ui: &mut Ui, state: &AppState, diff: &RigDiff) {
    ui.heading("No differences");
    ui.add_space(4.0);
    let [moved, rounding] = [diff.rounding_m, Tolerances::for_rig(state.open.stage.rig()).distance_m]
        .map(|metres| rounded(f64::from(metres) * 1000.0));
    let text = if diff.rounding_m > 0.0 {
        format!("Vertices moved by up to {moved} mm; differences of up to {rounding} mm count as rounding.")
    } else {
        "Joints, meshes, weights, clips, morph targets and materials are the same.".to_owned()
    };
    ui.weak(text);
}

fn heading(ui: &mut Ui, change: &Change, count: usize) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.strong(capitalized(change.kind.name()));
        ui.weak(grouped(count));
    });
}

fn row(ui: &mut Ui, change: &Change, is_selected: bool) -> Response {
    let visuals = ui.visuals();
    let format = |color, size| TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    let mut job = LayoutJob::default();
    job.append(&change.object_name, 0.0, format(visuals.text_color(), 13.0));
    let details = change.details();
    if !details.is_empty() {
        job.append(&format!("\n{details}"), 0.0, format(visuals.weak_text_color(), 11.0));
    }
    let sense = if change.place.is_some() { Sense::click() } else { Sense::hover() };
    let name = format!("{}: {}", change.kind, line(change));
    theme::text_row(ui, job, None, sense, (&name, is_selected)).on_hover_text(hint(change))
}

fn hint(change: &Change) -> &'static str {
    match change.place.map(|place| place.part) {
        Some(ChangedObject::Node(_)) => "Click to frame the joint and show the difference",
        Some(ChangedObject::Mesh(_)) => "Click to frame the mesh and show the difference",
        Some(ChangedObject::Material(_)) => "Click to frame the surfaces with this material",
        Some(ChangedObject::Clip(_)) => "Click to choose the clip and show the difference",
        Some(ChangedObject::Morph(_)) => "Click to choose the morph target and show the difference",
        None => "Applies to the whole file",
    }
}
