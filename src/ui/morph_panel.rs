//! Morphs tab: the face section, and a slider for each morph target with its weight from the clip or file.

use egui::{Button, Rect, ScrollArea, Slider, SliderClamping, Stroke, TextEdit, Ui};

use super::actions;
use super::face_panel;
use super::names::Name;
use super::search::Filter;
use super::theme::ROW_HEIGHT;
use super::weight_row::{ShownWeight, WeightColumns, WeightRow, weight_row};
use crate::rig::{Morph, MorphIndex, common_prefix};
use crate::state::{Action, AppState, Command, Commands};
use crate::view::{Overlay, Side};

#[derive(Default)]
pub(super) struct MorphPanel {
    filter: String,
}

/// The filter is shown for more morph targets and expressions than this.
const MANY: usize = 8;

impl MorphPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let morphs = state.open.stage.rig().morphs();
        let rig = state.open.stage.rig();
        if morphs.is_empty() && !rig.has_face() {
            ui.weak("This file has no morph targets.");
            return;
        }
        buttons(ui, state, commands);
        ui.add_space(4.0);
        face_panel::look_at_ui(ui, state, commands);
        if morphs.len() + rig.expressions.len() > MANY {
            let field = TextEdit::singleline(&mut self.filter)
                .hint_text("🔍 Filter morph targets")
                .desired_width(f32::INFINITY);
            ui.add(field).accessible_name("Filter morph targets").on_hover_text("Filter by name");
            ui.add_space(4.0);
        } else {
            self.filter.clear();
        }
        let wanted = Filter::new(&self.filter);
        face_panel::expressions_ui(ui, state, &wanted, commands);
        if morphs.is_empty() {
            return;
        }
        if rig.has_face() {
            ui.add_space(4.0);
            ui.strong("Morph targets");
        }
        let prefix = common_prefix(morphs.iter().map(|morph| morph.name.as_str()));
        let shown: Vec<(MorphIndex, &Morph)> =
            state.open.stage.rig().indexed_morphs().filter(|(_, morph)| wanted.is_in(&morph.name)).collect();
        if shown.is_empty() {
            ui.weak("No matching morph targets");
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let columns = WeightColumns::new(ui);
        ScrollArea::vertical().id_salt("morph targets").auto_shrink(false).show_rows(
            ui,
            ROW_HEIGHT,
            shown.len(),
            |ui, rows| {
                for &(at, morph) in &shown[rows] {
                    row(ui, columns, state, (at, morph, prefix), commands);
                }
            },
        );
    }
}

const MIN_WEIGHT: f32 = -1.0;
const MAX_WEIGHT: f32 = 2.0;

fn buttons(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        for (action, text) in
            [(Action::ResetMorphs, "Clear all"), (Action::CopyMorphs, "Copy"), (Action::PastePose, "Paste")]
        {
            actions::button_called(ui, action, text, state, commands);
        }
        let is_painted = state.open.stage.view.overlay(Side::A) == Some(Overlay::Morph);
        let hint = "Show how far the chosen target moves each vertex";
        if ui.add(Button::selectable(is_painted, "Heat map")).on_hover_text(hint).clicked() {
            commands.push(Command::SetOverlay(Side::A, (!is_painted).then_some(Overlay::Morph)));
        }
    });
}

fn row(
    ui: &mut Ui,
    columns: WeightColumns,
    state: &AppState,
    (at, morph, prefix): (MorphIndex, &Morph, &str),
    commands: &mut Commands,
) {
    let mut weight = state.open.stage.pose().morph_weight(at);
    let below = state.open.stage.morph_weight_below(at);
    let mut is_chosen = false;
    let label = |ui: &mut Ui| {
        ui.spacing_mut().button_padding.x = 4.0;
        let is_active = state.open.stage.view.active_morph(state.open.stage.rig()) == Some(at);
        let name = Name::among(&morph.name, prefix).button(ui, is_active);
        is_chosen = name.on_hover_text(about(morph)).clicked();
    };
    let shown = shown_weight(state, below, weight);
    // Does not clamp, because files and typed numbers may exceed the slider's range.
    let WeightRow { slider, edit, is_cleared } =
        weight_row(ui, columns, &morph.name, shown, &mut weight, label, |weight| {
            Slider::new(weight, MIN_WEIGHT..=MAX_WEIGHT).clamping(SliderClamping::Never)
        });
    commands.push_if(is_chosen, Command::ChooseMorph(at));
    if is_cleared {
        commands.push(Command::SetMorphs(vec![(at, 0.0)]));
    }
    edit.emit(|| Command::SetMorphs(vec![(at, weight)]), commands);
    zero_mark(ui, slider.rect);
    slider.on_hover_text("Added to the clip's weight");
}

fn zero_mark(ui: &Ui, slider: Rect) {
    // Insets the ends, because the slider's knob stays inside the rail.
    let ends = slider.x_range().shrink(slider.height() / 3.0);
    let x = egui::lerp(ends.min..=ends.max, -MIN_WEIGHT / (MAX_WEIGHT - MIN_WEIGHT));
    let stroke = Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().vline(x, slider.bottom() - 4.0..=slider.bottom(), stroke);
}

/// Returns the total weight to show if the clip, the file or expressions contribute to it.
fn shown_weight(state: &AppState, below: f32, weight: f32) -> Option<ShownWeight> {
    let from = match (state.open.stage.playback.clip, state.open.stage.posed().expressions.as_slice()) {
        (_, [_, ..]) => "File, clip and expressions together give",
        (Some(_), _) => "The clip gives",
        (None, _) => "The file gives",
    };
    let whole = below + weight;
    let hint = format!("{from} {below:.2}; with your {weight:.2} the weight is {whole:.2}");
    (below.abs() >= 0.005).then_some(ShownWeight { weight: whole, hint })
}

fn about(morph: &Morph) -> String {
    let meshes = match morph.targets.len() {
        1 => String::new(),
        count => format!("\nMoves {count} meshes that have a target of this name"),
    };
    format!("{}{meshes}\nClick to choose it for the heat map", morph.name)
}
