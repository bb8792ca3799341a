//! Counts on the left, what the mouse does on the right.

use egui::{Align, Button, Label, Layout, RichText, Ui};

use super::actions::info;
use super::counts::{by_severity, counted, grouped};
use super::{compare, theme};
use crate::state::{Action, AppState, Command, SidePanel};

/// Draws the bar.
pub fn ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let rig = state.rig();
        let counts = format!("{} joints · {} vertices", grouped(rig.joint_count()), grouped(rig.vertex_count()));
        ui.label(RichText::new(counts).small().weak());
        findings(ui, state, commands);
        loading(ui, state);
        centers(ui, state);
        compare::numbers_ui(ui, state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let hints = RichText::new(hints(ui, state)).small().weak();
            ui.add(Label::new(hints).truncate());
        });
    });
}

/// What mouse and keys do now.
fn hints(ui: &Ui, state: &AppState) -> String {
    let keys = |of: &[(Action, &str)]| {
        of.iter().filter_map(|(action, does)| info(*action).key_hint(ui.ctx(), does)).collect::<Vec<_>>()
    };
    let help = (Action::ToggleHelp, "keys");
    match (state.open.view.is_dragging, state.selected()) {
        (true, _) => "Ctrl snap · Shift fine · X Y Z axis · type a number · Esc cancel".to_owned(),
        (false, Some(_)) => keys(&[
            (Action::ToolRotate, "rotate"),
            (Action::ToolMove, "move"),
            (Action::ToolScale, "scale"),
            (Action::NextMethod, "method"),
            (Action::FrameSelected, "frame"),
            help,
        ])
        .join(" · "),
        (false, None) => {
            let mouse = ["Click a bone", "drag to orbit", "right drag to pan", "wheel to zoom"].map(str::to_owned);
            [mouse.to_vec(), keys(&[help])].concat().join(" · ")
        }
    }
}

/// How many, and how grave the worst is; opens the list.
fn findings(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(worst) = state.open.lint.worst() else { return };
    let (icon, color) = theme::severity_look(worst, ui.visuals());
    let text = format!("{icon} {}", counted(state.open.lint.list().len(), "finding"));
    let button = Button::new(RichText::new(text).small().color(color)).frame_when_inactive(false);
    let hint = format!("{}. Click to see them", by_severity(&state.open.lint));
    if ui.add(button).on_hover_text(hint).clicked() {
        commands.push(Command::SetSidePanel(SidePanel::Lint));
    }
}

fn loading(ui: &mut Ui, state: &AppState) {
    if let Some(loading) = &state.loading {
        ui.spinner();
        ui.label(RichText::new(format!("Opening {} · {}", loading.name, loading.stage)).small());
    }
}

fn centers(ui: &mut Ui, state: &AppState) {
    if let Some(done) = state.centers_progress {
        ui.spinner();
        let hint = "Until they are found, vertices turn as in linear blend skinning";
        let text = format!("Finding centres of rotation · {:.0} %", done * 100.0);
        ui.label(RichText::new(text).small()).on_hover_text(hint);
    }
}
