//! Simulation of engines that keep fewer or coarser influences: a table, and a click to see one as side B.

use egui::{Button, Grid, ProgressBar, RichText, Ui};

use super::numbers::length;
use crate::skinning::{InfluenceLimit, Skinning, WeightPrecision};
use crate::state::{AppState, Command};
use crate::view::Side;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let hint = "How far vertices are from where all influences of side A put them, in this pose";
        if ui.button("This pose").on_hover_text(hint).clicked() {
            commands.push(Command::Simulate { is_clip: false });
        }
        let has_clip = state.open.playback.clip.is_some();
        let button = ui.add_enabled(has_clip, Button::new("Whole clip"));
        let button = button
            .on_hover_text("Measure the error in every frame of the clip")
            .on_disabled_hover_text("No clip is chosen");
        if button.clicked() {
            commands.push(Command::Simulate { is_clip: true });
        }
    });
    if let Some(fraction) = state.simulating {
        ui.horizontal(|ui| {
            ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(140.0));
            if ui.small_button("Cancel").clicked() {
                commands.push(Command::CancelTest);
            }
        });
    }
    let Some(simulation) = state.open.simulation() else { return };
    let over = if simulation.is_clip { "Error over the whole clip" } else { "Error in the pose that was measured" };
    ui.label(RichText::new(over).small().weak());
    Grid::new("simulated").num_columns(3).spacing([10.0, 2.0]).striped(true).show(ui, |ui| {
        for title in ["Kept", "max", "mean"] {
            ui.label(RichText::new(title).small().weak());
        }
        ui.end_row();
        for (limit, error) in &simulation.rows {
            let is_b = state.open.skinning(Side::B).influences == *limit;
            let row = ui.add(Button::selectable(is_b, name(*limit)));
            if row.on_hover_text("Show it on side B, with A's method").clicked() {
                let skinning = Skinning { influences: *limit, ..state.open.skinning(Side::A).clone() };
                commands.push(Command::SetSkinning(Side::B, skinning));
            }
            for metres in [error.max, error.mean] {
                ui.label(RichText::new(length(metres)).monospace());
            }
            ui.end_row();
        }
    });
}

fn name(limit: InfluenceLimit) -> String {
    match (limit.count, limit.precision) {
        (Some(count), _) if limit.renormalizes => format!("{count}, renormalised"),
        (Some(count), _) => format!("{count}, as they are"),
        (None, WeightPrecision::Bits16) => "all, 16 bit".to_owned(),
        (None, WeightPrecision::Bits8) => "all, 8 bit".to_owned(),
        (None, WeightPrecision::Float) => "all".to_owned(),
    }
}
