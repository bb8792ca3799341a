//! Simulation of engines with fewer or less precise weights. Clicking a row of the table applies the row's limit to
//! side B.

use egui::{Button, Grid, ProgressBar, RichText, Ui};

use super::numbers::length;
use crate::skinning::Skinning;
use crate::stage::{DerivedKind, SimulationPlan};
use crate::state::{AppState, Command, Commands};
use crate::view::Side;
use crate::weights::WeightChoice;

/// Width of a column of errors, points.
const NUMBER_WIDTH: f32 = 64.0;
const GAP: f32 = 10.0;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let hint = "Measure the error in this pose";
        commands.push_if(ui.button("This pose").on_hover_text(hint).clicked(), Command::Simulate { is_clip: false });
        let has_clip = state.open.stage.playback.clip.is_some();
        let button = ui.add_enabled(has_clip, Button::new("Whole clip"));
        let button = button
            .on_hover_text("Measure the error in every frame of the clip")
            .on_disabled_hover_text("No clip is chosen");
        commands.push_if(button.clicked(), Command::Simulate { is_clip: true });
    });
    if let Some(fraction) = state.open.stage.progress.get::<SimulationPlan>() {
        ui.horizontal(|ui| {
            ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(140.0));
            commands.push_if(
                ui.small_button("Cancel").clicked(),
                Command::CancelTest(DerivedKind::new::<SimulationPlan>()),
            );
        });
    }
    let Some((plan, rows)) = state.open.stage.simulation.ok() else { return };
    let over = if plan.is_clip { "Error over the whole clip" } else { "Error in the measured pose" };
    ui.label(RichText::new(over).small().weak());
    // The names give way to the numbers in a narrow panel.
    let max_name = (ui.available_width() - 2.0 * (NUMBER_WIDTH + GAP)).max(40.0);
    Grid::new("simulated").num_columns(3).spacing([GAP, 2.0]).striped(true).show(ui, |ui| {
        for title in ["Kept", "max", "mean"] {
            ui.label(RichText::new(title).small().weak());
        }
        ui.end_row();
        for (engine, error) in rows {
            let weights = &state.open.stage.view.sides.b.weights;
            let is_stored = *weights == WeightChoice::Stored;
            let is_b =
                state.open.stage.view.sides.b.skinning.influences == engine.limit && is_stored == engine.reads_stored;
            let row = ui.scope(|ui| {
                ui.set_max_width(max_name);
                ui.add(Button::selectable(is_b, engine.name()).truncate())
            });
            if row.inner.on_hover_text("Show on side B with A's method").clicked() {
                let of_a = || state.open.stage.view.sides.a.weights.clone();
                if engine.reads_stored != is_stored {
                    let choice = if engine.reads_stored { WeightChoice::Stored } else { of_a() };
                    commands.push(Command::SetWeights(Side::B, choice));
                }
                let skinning = Skinning { influences: engine.limit, ..state.open.stage.view.sides.a.skinning.clone() };
                commands.push(Command::SetSkinning(Side::B, skinning));
            }
            for metres in [error.max, error.mean] {
                ui.label(RichText::new(length(metres)).monospace());
            }
            ui.end_row();
        }
    });
}
