//! Weight editing, and weight statistics of both sides with totals and a table of joints.

mod editing;
mod table;
mod totals;

use egui::{CollapsingHeader, RichText, Ui};

use crate::stage::WeightStatisticsPlan;
use crate::state::{AppState, Command, Commands};
use crate::ui::theme;
use crate::view::Side;
pub(super) use editing::ui as editing_ui;
use table::JointTable;

#[derive(Default)]
pub(super) struct WeightsSection {
    is_of_b: bool,
    table: JointTable,
}

impl WeightsSection {
    /// Draws the section. Opening it requests the statistics; closing it withdraws the request.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        if state.open.stage.rig().skins.is_empty() {
            return;
        }
        let shown = CollapsingHeader::new(RichText::new("Weight statistics").strong()).id_salt("weights");
        let response = shown.show_unindented(ui, |ui| self.numbers(ui, state, commands));
        if response.header_response.clicked() {
            let is_requested = state.open.stage.requests.has::<WeightStatisticsPlan>();
            commands.push(Command::request::<WeightStatisticsPlan>(!is_requested));
        }
    }

    fn numbers(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        if !state.open.stage.requests.has::<WeightStatisticsPlan>() {
            let hint = "Sums, influences, smoothness, islands and symmetry of both sides";
            if ui.button("Compute statistics").on_hover_text(hint).clicked() {
                commands.push(Command::request::<WeightStatisticsPlan>(true));
            }
            return;
        }
        totals::ui(ui, state);
        ui.horizontal(|ui| {
            for side in Side::ALL {
                let text = RichText::new(format!("Joints of {side:?}")).color(theme::side_text(side, ui.visuals()));
                ui.selectable_value(&mut self.is_of_b, side == Side::B, text);
            }
        });
        let side = if self.is_of_b { Side::B } else { Side::A };
        match state.open.stage.side_value::<WeightStatisticsPlan>(side) {
            Some(_) if state.open.stage.other_on(side).is_some() => {
                let hint = "Open it to see its joints.";
                ui.weak(format!("{side:?} shows another file.")).on_hover_text(hint);
            }
            Some(numbers) => {
                copy_buttons(ui, side, state);
                self.table.ui(ui, &numbers.joints, state, commands);
            }
            None => _ = ui.weak("Computing…"),
        }
    }
}

fn copy_buttons(ui: &mut Ui, side: Side, state: &AppState) {
    let hints = ["One line per joint", "All statistics, as rigscope weights --json writes them"];
    ui.horizontal(|ui| {
        for (is_json, hint) in [false, true].into_iter().zip(hints) {
            let text = if is_json { "Copy as JSON" } else { "Copy as CSV" };
            if ui.small_button(text).on_hover_text(hint).clicked() {
                ui.copy_text(WeightStatisticsPlan::text(&state.open.stage, side, is_json).unwrap_or_default());
            }
        }
    });
}
