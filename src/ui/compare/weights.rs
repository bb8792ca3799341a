use std::time::Duration;

use egui::{Button, ComboBox, ProgressBar, RichText, TextStyle, Ui};

use crate::stage::{ChoiceState, ComparisonFilePlan, Preview, RigChoice, WeightPlan};
use crate::state::{Action, AppState, Command, Commands, PathUse};
use crate::ui::counts::counted;
use crate::ui::names::{self, Name};
use crate::ui::split_row::split_row;
use crate::view::{ShownFile, Side};
use crate::weights::{Recipe, WeightChoice, WeightRefinement, Weighting};

const MAX_LISTED: usize = 40;

/// Maximum height of the list, points. All entries fit into it.
const LIST_HEIGHT: f32 = 400.0;

pub(super) fn ui(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    let file = &state.open.stage.view.sides[side].file;
    let current = &state.open.stage.view.sides[side].weights;
    // The chosen weights; `None` if the side shows another character.
    let mut choice = Some(current.clone()).filter(|_| file.is_open());
    ui.horizontal(|ui| {
        ui.label(if file.is_open() { "Weights" } else { "File" });
        let width = ui.available_width() - 8.0;
        let title = choice.as_ref().map_or_else(|| file.title(), WeightChoice::title);
        let title = names::shortened(ui, &title, width - 28.0, &TextStyle::Button);
        // The list must be tall enough not to scroll, because users would miss the files at its end.
        let combo = ComboBox::from_id_salt("weights").width(width).height(LIST_HEIGHT).truncate().selected_text(title);
        let shown = combo.show_ui(ui, |ui| sources(ui, side, &mut choice, commands));
        shown.response.accessible_name(format!("Weights of {side:?}"));
    });
    comparison_progress(ui, side, state, commands);
    progress(ui, side, state, commands);
    let Some(mut choice) = choice else { return };
    if choice.refinement_mut().is_some() {
        ui.collapsing(RichText::new("Weight settings").weak(), |ui| settings(ui, side, state, &mut choice));
    }
    commands.push_if(!file.is_open() || choice != *current, Command::SetWeights(side, choice));
    if side == Side::B && state.open.stage.view.has_weight_difference() {
        difference(ui, state, commands);
    }
}

fn difference(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let is_shown = state.open.stage.previews.shown() == Some(Preview::WeightDifference);
    let button = Button::new("Show weight difference").selected(is_shown);
    let hint = "Colour both sides by how much the weights of A and B differ";
    if ui.add(button).on_hover_text(hint).clicked() {
        commands.push(Command::ShowWeightDifference(!is_shown));
    }
}

fn sources(ui: &mut Ui, side: Side, choice: &mut Option<WeightChoice>, commands: &mut Commands) {
    let refinement = choice.as_mut().and_then(WeightChoice::refinement_mut);
    let refinement = refinement.map(|refinement| *refinement).unwrap_or_default();
    ui.selectable_value(choice, Some(WeightChoice::File), "File").on_hover_text("The weights in the file");
    let hint = "As stored, neither sorted nor normalised, as engines read them";
    ui.selectable_value(choice, Some(WeightChoice::Stored), WeightChoice::Stored.title()).on_hover_text(hint);
    let hint = "The file's weights, smoothed, made symmetric, pruned or limited";
    ui.selectable_value(choice, Some(WeightChoice::Refined(refinement)), "File, refined").on_hover_text(hint);
    for weighting in Weighting::ALL {
        let known =
            if let Some(WeightChoice::Computed(recipe)) = &*choice { recipe.clone() } else { Recipe::default() };
        let by_method = WeightChoice::Computed(Recipe { weighting, refinement, ..known });
        let spec = weighting.spec();
        let source = if spec.source.is_empty() { String::new() } else { format!("\n{}", spec.source) };
        ui.selectable_value(choice, Some(by_method), spec.title).on_hover_text(format!("{}{source}", spec.hint));
    }
    let hint = "Transfer by nearest surface, with joints matched by name";
    let is_other = matches!(choice.as_ref().map(WeightChoice::base), Some(WeightChoice::Transferred { .. }));
    if ui.selectable_label(is_other, "Transfer weights from file…").on_hover_text(hint).clicked() {
        commands.push(Command::AskForPath(PathUse::TransferWeights(side)));
    }
    if side == Side::B {
        ui.separator();
        let hint = "Show another character with its own weights in the same pose";
        if ui.selectable_label(choice.is_none(), "Compare with file…").on_hover_text(hint).clicked() {
            commands.push(Command::Do(Action::CompareWith));
        }
        let hint = Action::CompareWithPoints.spec().hint;
        if ui.selectable_label(false, Action::CompareWithPoints.spec().name).on_hover_text(hint).clicked() {
            commands.push(Command::Do(Action::CompareWithPoints));
        }
    }
}

fn progress(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    match WeightChoice::state(&state.open.stage, side) {
        ChoiceState::Own => {}
        ChoiceState::Awaited => {
            let done = state.open.stage.progress.get::<WeightPlan>();
            let hint = "Stop computing and keep the file's weights";
            let cancel = format!("Cancel the weights of {side:?}");
            if waiting(ui, "The file's weights are shown meanwhile", done, &cancel, hint) {
                commands.push(Command::CancelWeights(side));
            }
        }
        ChoiceState::Missing(problem) => {
            ui.weak(format!("{problem}. The file's weights are shown."));
            let name = format!("Compute the weights of {side:?} again");
            if ui.small_button("Try again").accessible_name(name).clicked() {
                commands.push(Command::RecomputeWeights(side));
            }
        }
        // A repair has a note for each change, other methods only a few.
        ChoiceState::Shown(weighted)
            if matches!(&state.open.stage.view.sides[side].weights, WeightChoice::Repaired(_)) =>
        {
            outcome(ui, "Computed", weighted.took, &weighted.notes);
        }
        ChoiceState::Shown(weighted) => {
            for note in &weighted.notes {
                ui.label(RichText::new(note).small());
            }
            outcome(ui, "Computed", weighted.took, &[]);
        }
    }
}

fn comparison_progress(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    match ShownFile::state(&state.open.stage, side) {
        ChoiceState::Own => {}
        ChoiceState::Awaited => {
            let done = state.open.stage.progress.get::<ComparisonFilePlan>();
            let cancel = format!("Cancel the file of {side:?}");
            let hint = "Stop reading and keep the open file";
            if waiting(ui, "The open file is shown meanwhile", done, &cancel, hint) {
                commands.push(Command::CancelComparisonFile(side));
            }
        }
        ChoiceState::Missing(problem) => {
            ui.weak(format!("{problem}. The open file is shown."));
            if ui.small_button("Try again").accessible_name(format!("Read the file of {side:?} again")).clicked() {
                commands.push(Command::ReloadComparisonFile(side));
            }
        }
        ChoiceState::Shown(other) => outcome(ui, "Read and matched", other.took, &other.notes),
    }
}

/// Draws a job's progress and a cancel button with this accessible name and tooltip. Returns whether the button was
/// clicked.
fn waiting(ui: &mut Ui, shown: &str, done: Option<f32>, name: &str, hint: &str) -> bool {
    ui.weak(shown);
    ui.horizontal(|ui| {
        ui.add(ProgressBar::new(done.unwrap_or_default()).desired_height(4.0).desired_width(120.0));
        ui.small_button("Cancel").accessible_name(name).on_hover_text(hint).clicked()
    })
    .inner
}

fn outcome(ui: &mut Ui, what: &str, took: Duration, notes: &[String]) {
    let took = format!("{what} in {:.2} s", took.as_secs_f64());
    if notes.is_empty() {
        ui.weak(took);
        return;
    }
    let heading = format!("{took}, {}", counted(notes.len(), "note"));
    ui.collapsing(RichText::new(heading).weak(), |ui| {
        for note in notes {
            ui.label(RichText::new(note).small());
        }
    });
}

fn settings(ui: &mut Ui, side: Side, state: &AppState, choice: &mut WeightChoice) {
    if let WeightChoice::Computed(recipe) = choice {
        let hint = "Grid cells along the body's longest side: more resolve thinner gaps";
        let cells = [(None, "Auto"), (Some(64), "64"), (Some(128), "128"), (Some(256), "256"), (Some(512), "512")];
        row(ui, side, "Cells", hint, &mut recipe.cells, &cells);
    }
    if let Some(chosen) = choice.refinement_mut() {
        refinement(ui, side, chosen);
    }
    if let WeightChoice::Computed(recipe) = choice {
        if recipe.weighting == Weighting::Auto && !recipe.refinement.is_symmetric {
            let hint = "Compute both halves separately, even where the body is symmetric";
            let shown = ui.checkbox(&mut recipe.is_asymmetric, "Halves may differ").on_hover_text(hint);
            shown.accessible_name(format!("Halves may differ on {side:?}"));
        }
        left_out(ui, side, state, recipe);
    }
}

fn refinement(ui: &mut Ui, side: Side, refinement: &mut WeightRefinement) {
    let hint = "Smoothing passes along the surface";
    let times = [(0, "0"), (1, "1"), (2, "2"), (4, "4"), (8, "8"), (16, "16")];
    row(ui, side, "Smoothing", hint, &mut refinement.smoothing, &times);
    let hint = "Weights below this are removed";
    let min_weights = [(0.0, "0"), (1.0 / 255.0, "1/255"), (0.01, "0.01"), (0.05, "0.05")];
    row(ui, side, "Prune under", hint, &mut refinement.prune, &min_weights);
    let hint = "Maximum influences per vertex, largest first";
    let max_influences = [(Some(1), "1"), (Some(2), "2"), (Some(4), "4"), (Some(8), "8"), (None, "All")];
    row(ui, side, "Influences", hint, &mut refinement.max, &max_influences);
    let hint = "Give both halves of the body the same weights";
    let shown = ui.checkbox(&mut refinement.is_symmetric, "Symmetric").on_hover_text(hint);
    shown.accessible_name(format!("Symmetric weights of {side:?}"));
}

fn row<T: Copy + PartialEq>(ui: &mut Ui, side: Side, label: &str, hint: &str, value: &mut T, choices: &[(T, &str)]) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.label(label).on_hover_text(hint);
        for (choice, text) in choices {
            let shown = ui.selectable_value(value, *choice, *text).on_hover_text(hint);
            shown.accessible_name(format!("{label} of {side:?}: {text}"));
        }
    });
}

/// Draws the joints that get no weight, with buttons to include them or to exclude the selected joint.
fn left_out(ui: &mut Ui, side: Side, state: &AppState, recipe: &mut Recipe) {
    let weighting = recipe.weighting;
    let left_out = &mut recipe.left_out;
    let hierarchy = &state.open.stage.rig().hierarchy;
    let helpers = state.open.stage.helpers.get(state.open.stage.rig());
    let found = || {
        helpers
            .iter()
            .filter(|helper| weighting.leaves_out(helper))
            .map(|helper| hierarchy.name(helper.node).to_owned())
            .collect()
    };
    let mut names: Vec<String> = left_out.clone().unwrap_or_else(found);
    ui.horizontal(|ui| {
        ui.label("Joints left out").on_hover_text("Joints without weights, such as helpers and IK targets");
        let hint = "Leave out the detected helpers again";
        if left_out.is_some() && ui.small_button("Reset").on_hover_text(hint).clicked() {
            *left_out = None;
        }
    });
    if names.is_empty() {
        ui.weak("None");
    }
    let mut taken_in = None;
    for name in names.iter().take(MAX_LISTED) {
        let reason = helpers.iter().find(|helper| hierarchy.name(helper.node) == name);
        let label = |ui: &mut Ui, _: &mut Commands| {
            let label = Name::among(name, state.open.stage.rig().joint_prefix()).label(ui);
            let reason = reason.map_or("Left out by you", |helper| &helper.reason);
            label.on_hover_text(format!("{name}\n{reason}"));
        };
        split_row(ui, &mut Commands::default(), label, |ui, _| {
            let take_in = ui.small_button("Include").accessible_name(format!("Include {name} on {side:?}"));
            if take_in.on_hover_text("Give this joint weights again").clicked() {
                taken_in = Some(name.clone());
            }
        });
    }
    if let Some(more @ 1..) = names.len().checked_sub(MAX_LISTED) {
        ui.weak(format!("{more} more"));
    }
    let selected = state.open.stage.view.active_joint().filter(|node| state.open.stage.rig().is_joint(*node));
    let selected = selected.map(|node| hierarchy.name(node).to_owned());
    match selected.filter(|name| !names.contains(name)) {
        Some(name) => {
            let whole = format!("Leave out {name}");
            let text = names::shortened(ui, &whole, ui.available_width() - 16.0, &TextStyle::Button);
            let button = ui.small_button(text).accessible_name(&whole);
            if button.on_hover_text(format!("{name} gets no weight")).clicked() {
                names.push(name);
                *left_out = Some(names.clone());
            }
        }
        None => _ = ui.weak("Select a joint to leave it out."),
    }
    if let Some(name) = taken_in {
        names.retain(|kept| *kept != name);
        *left_out = Some(names);
    }
}
