use egui::{ComboBox, RichText, ScrollArea, Ui};

use super::bend_test::BendTestList;
use super::{side, simulator, weight_problems};
use crate::state::{Action, AppState, Command, Commands};
use crate::ui::actions;
use crate::ui::theme;
use crate::view::{Compare, Ghost, Layout, Overlay, Side};

const BAND: f32 = 3.0;

pub(crate) fn ui(ui: &mut Ui, bend_test: &mut BendTestList, state: &AppState, commands: &mut Commands) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // Keeps the fields clear of the scroll bar.
        ui.set_max_width(ui.available_width() - 6.0);
        for side in Side::ALL {
            let beside_band = egui::Margin { left: BAND as i8 + 6, ..egui::Margin::ZERO };
            let drawn = egui::Frame::new().inner_margin(beside_band).show(ui, |ui| {
                ui.push_id(side, |ui| {
                    side::ui(ui, side, state, commands);
                    overlay(ui, side, state, commands);
                });
            });
            let band = drawn.response.rect.with_max_x(drawn.response.rect.left() + BAND);
            ui.painter().rect_filled(band, BAND / 2.0, theme::side_color(side));
            ui.add_space(6.0);
        }
        let compare = &state.open.stage.view.compare;
        if compare.layout == Layout::Ghost {
            ghost(ui, compare, commands);
        }
        weight_problems::ui(ui, state, commands);
        bend_test.ui(ui, state, commands);
        ui.collapsing("Influence simulator", |ui| simulator::ui(ui, state, commands));
        ui.separator();
        ui.horizontal(|ui| {
            actions::button(ui, Action::SwapSides, state, commands);
            let mut is_clay = state.open.stage.view.is_clay();
            if ui.checkbox(&mut is_clay, "Clay").on_hover_text(Action::ToggleClay.spec().hint).changed() {
                commands.push(Command::Do(Action::ToggleClay));
            }
        });
    });
}

fn overlay(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    let shown = state.open.stage.view.overlay(side);
    let mut chosen = shown;
    ui.horizontal(|ui| {
        ui.label("Overlay");
        let text = chosen.map_or("Nothing", Overlay::title);
        let combo = ComboBox::from_id_salt("overlay")
            .width(ui.available_width() - 8.0)
            .truncate()
            .height(480.0)
            .selected_text(text);
        let response = combo.show_ui(ui, |ui| {
            ui.selectable_value(&mut chosen, None, "Nothing");
            for overlay in Overlay::ALL {
                ui.selectable_value(&mut chosen, Some(overlay), overlay.title());
            }
        });
        response.response.accessible_name(format!("Overlay on {side:?}"));
    });
    commands.push_if(chosen != shown, Command::SetOverlay(side, chosen));
}

fn ghost(ui: &mut Ui, compare: &Compare, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("B as").color(theme::side_text(Side::B, ui.visuals())));
        for (ghost, text) in [(Ghost::Translucent, "Glass"), (Ghost::Outline, "Outline")] {
            commands.push_if(ui.selectable_label(compare.ghost == ghost, text).clicked(), Command::SetGhost(ghost));
        }
    });
}
