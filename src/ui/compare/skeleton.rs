//! Controls for a side that shows the open character with a changed skeleton: its operations, and their proof.

use egui::{RichText, Ui};

use crate::state::{Action, AppState, Command, Commands};
use crate::ui::actions;
use crate::ui::names::Name;
use crate::view::{ShownFile, Side};

pub(super) fn ui(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    let stage = &state.open.stage;
    let operations = stage.view.sides[side].file.skeleton_changes();
    if operations.is_empty() {
        return;
    }
    ui.label("Changed skeleton").on_hover_text("The open character after operations of Edit > Skeleton");
    let refit = stage.refit_on(side);
    for (number, text) in operations.iter().enumerate() {
        operation(ui, side, (number, text), operations, commands);
        let note = refit.and_then(|refit| refit.notes.get(number)?.split_once(": "));
        note.map(|(_, note)| ui.label(RichText::new(note).small()));
    }
    let Some(refit) = refit else { return };
    let color = if refit.proof.holds() {
        ui.visuals().strong_text_color()
    } else if refit.changes_skin {
        ui.visuals().warn_fg_color
    } else {
        ui.visuals().error_fg_color
    };
    ui.label(RichText::new(refit.verdict()).strong().color(color));
    for line in refit.proof.lines() {
        ui.label(RichText::new(line).small());
    }
    if side == Side::B {
        actions::button(ui, Action::ExportRigOfB, state, commands);
    }
}

/// Draws one operation with a button that removes it.
fn operation(ui: &mut Ui, side: Side, (number, text): (usize, &str), operations: &[String], commands: &mut Commands) {
    ui.horizontal(|ui| {
        // A pose is long.
        let shown = text.split('{').next().unwrap_or(text).trim_end_matches('=');
        let is_removed = side == Side::B
            && ui
                .small_button("✖")
                .accessible_name(format!("Remove {shown}"))
                .on_hover_text("Take this operation back")
                .clicked();
        Name::new(shown).label(ui);
        if is_removed {
            let mut left = operations.to_vec();
            left.remove(number);
            commands.push(if left.is_empty() {
                Command::Do(Action::StopComparing)
            } else {
                Command::CompareWith(ShownFile::Refit(left))
            });
        }
    });
}
