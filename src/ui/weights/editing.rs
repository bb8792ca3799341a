use egui::{Button, DragValue, ProgressBar, RichText, Sense, Ui};

use crate::stage::WeightEditPlan;
use crate::state::{Action, AppState, Command, Commands};
use crate::ui::actions::{self};
use crate::ui::counts::grouped;
use crate::ui::names::Name;
use crate::ui::split_row::split_row;
use crate::weights::JointMean;

const MAX_LISTED: usize = 12;

/// Draws the weight editing section. While editing is off, draws only the switch.
pub(crate) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.open.stage.rig().skins.is_empty() {
        return;
    }
    let editing = &state.open.stage.editing;
    ui.horizontal(|ui| {
        let switch = Action::ToggleWeightEditing.spec();
        let button = Button::new(switch.name).selected(editing.is_on);
        if ui.add(button).on_hover_text(switch.hover_text(ui.ctx())).clicked() {
            commands.push(Command::Do(Action::ToggleWeightEditing));
        }
        if editing.is_on {
            ui.weak("of side A");
        }
    });
    if !editing.is_on {
        return;
    }
    if let Some(obstacle) = state.obstacle(Action::InvertVertices) {
        ui.weak(format!("{obstacle}."));
        return;
    }
    selection(ui, state, commands);
    // Draws the buttons above the list, so that the buttons don't move when the number of joints changes.
    operations(ui, state, commands);
    joints(ui, state, commands);
    ui.separator();
}

fn selection(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let editing = &state.open.stage.editing;
    let count = editing.vertices();
    if count == 0 {
        let hint = "Click the skin, or Shift + drag a box. Shift + click toggles, Ctrl + drag deselects, double-click selects \
                    everything connected. Alt + click selects the joint there.";
        ui.weak(hint);
    } else {
        let noun = if count == 1 { "vertex" } else { "vertices" };
        let text = RichText::new(format!("{} {noun} selected", grouped(count))).strong();
        ui.label(text).on_hover_text("Vertices at the same position are edited together");
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (action, text) in [
            (Action::SelectPieces, "Connected"),
            (Action::GrowVertices, "Grow"),
            (Action::ShrinkVertices, "Shrink"),
            (Action::InvertVertices, "Invert"),
            (Action::ClearVertices, "Clear"),
            (Action::SelectFindingVertices, "Of the finding"),
        ] {
            actions::button_called(ui, action, text, state, commands);
        }
    });
    let mut is_through = editing.is_through;
    let hint = "Boxes also select vertices that face away";
    if ui.checkbox(&mut is_through, "Box selects through the body").on_hover_text(hint).changed() {
        commands.push(Command::SetSelectThrough(is_through));
    }
}

fn joints(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let means = state.open.stage.editing.means();
    let locked = &state.open.stage.editing.locked;
    if means.is_empty() && locked.is_empty() {
        return;
    }
    ui.add_space(4.0);
    ui.label(RichText::new("Mean weight by joint").small().weak());
    for mean in means.iter().take(MAX_LISTED) {
        joint(ui, *mean, state, commands);
    }
    if let Some(more @ 1..) = means.len().checked_sub(MAX_LISTED) {
        ui.weak(format!("{more} more"));
    }
    // Lists all locked joints, so that they can be unlocked.
    for &other in locked.iter().filter(|joint| means.iter().take(MAX_LISTED).all(|mean| mean.joint != **joint)) {
        joint(ui, JointMean { joint: other, mean: 0.0, points: 0 }, state, commands);
    }
}

fn joint(ui: &mut Ui, mean: JointMean, state: &AppState, commands: &mut Commands) {
    let name = state.open.stage.rig().hierarchy.name(mean.joint);
    let is_locked = state.open.stage.editing.locked.contains(&mean.joint);
    let row = |ui: &mut Ui, commands: &mut Commands| {
        let (bar, _) = ui.allocate_exact_size(egui::vec2(40.0, 10.0), Sense::hover());
        ui.painter().rect_filled(bar, 2.0, ui.visuals().extreme_bg_color);
        let filled = bar.with_max_x(bar.left() + bar.width() * mean.mean.clamp(0.0, 1.0));
        ui.painter().rect_filled(filled, 2.0, ui.visuals().weak_text_color());
        ui.label(RichText::new(format!("{:.3}", mean.mean)).monospace());
        let is_selected = state.open.stage.view.active_joint() == Some(mean.joint);
        let shown = Name::for_node(mean.joint, state.open.stage.rig()).button(ui, is_selected);
        let points = grouped(mean.points);
        let hint = format!("{name}\nInfluences {points} of the selected points. Click to select it and assign weight");
        commands.push_if(shown.on_hover_text(hint).clicked(), Command::Select(Some(mean.joint)));
    };
    split_row(ui, commands, row, |ui, commands| {
        let text = if is_locked { "Locked" } else { "Lock" };
        let button = ui.add(Button::selectable(is_locked, RichText::new(text).small()));
        let hint = if is_locked { "Locked in edits. Click to unlock" } else { "Protect these weights from edits" };
        if button.accessible_name(format!("{text} {name}")).on_hover_text(hint).clicked() {
            commands.push(Command::ToggleLocked(mean.joint));
        }
    });
}

fn operations(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.add_space(6.0);
    match state.open.stage.view.active_joint().filter(|joint| state.open.stage.rig().is_joint(*joint)) {
        Some(joint) => {
            ui.horizontal(|ui| {
                ui.weak("Joint");
                let strong = ui.visuals().strong_text_color();
                let name = state.open.stage.rig().hierarchy.name(joint);
                Name::for_node(joint, state.open.stage.rig())
                    .label_in(ui, &egui::TextStyle::Body, strong)
                    .on_hover_text(name);
            });
        }
        None => _ = ui.weak("Select a joint to give it weight."),
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut amount = state.open.stage.editing.amount;
        let field = DragValue::new(&mut amount).range(0.0..=1.0).speed(0.005).fixed_decimals(2);
        let hint = "Weight to assign, add or subtract";
        if ui.add(field).on_hover_text(hint).accessible_name("Weight").changed() {
            commands.push(Command::SetWeightAmount(amount));
        }
        for (action, text) in
            [(Action::AssignWeight, "Assign"), (Action::AddWeight, "Add"), (Action::SubtractWeight, "Subtract")]
        {
            actions::button_called(ui, action, text, state, commands);
        }
        actions::button(ui, Action::RigidToJoint, state, commands);
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (action, text) in [
            (Action::SmoothWeights, "Smooth"),
            (Action::CopyNearestWeights, "Copy from nearest"),
            (Action::MirrorWeights, "Mirror"),
        ] {
            actions::button_called(ui, action, text, state, commands);
        }
    });
    if let Some(done) = state.open.stage.progress.get::<WeightEditPlan>() {
        ui.add(ProgressBar::new(done).desired_height(4.0).desired_width(120.0));
    }
    if let Some(edits) = state.open.stage.view.sides[crate::view::Side::A].weights.edits() {
        let hint = "Undo reverts single edits. Save with File > Export weights";
        let noun = if edits.len() == 1 { "vertex" } else { "vertices" };
        let text = format!("Edited so far: {} {noun}", grouped(edits.len()));
        ui.label(RichText::new(text).small().weak()).on_hover_text(hint);
    }
}
