use egui::{Align, Button, Label, Layout, ProgressBar, RichText, Ui};

use super::counts::{by_severity, counted, grouped, repaired};
use super::pins::pin_error;
use super::{compare, theme};
use crate::fonts::drawn;
use crate::stage::{CentersPlan, LintStatus};
use crate::state::{Action, AppState, Command, Commands, FrameTimes, SidePanel, active_modes};

/// Draws the status bar. During a keyboard drag, shows the text `drag` instead of the counts.
pub(super) fn ui(ui: &mut Ui, drag: Option<String>, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        if let Some(drag) = drag {
            ui.strong(drag);
            let keys = "X Y Z axis, again local · type a number · Ctrl snap · Shift fine · Enter keeps · Esc restores";
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(keys).small().weak()).truncate());
            });
            return;
        }
        modes(ui, state, commands);
        let rig = state.open.stage.rig();
        let counts = format!("{} joints · {} vertices", grouped(rig.joint_count()), grouped(rig.vertex_count()));
        ui.label(RichText::new(counts).small().weak());
        if state.settings.frame_times {
            ui.label(RichText::new(frame_times(state.frame_times)).small().weak())
                .on_hover_text("Time of the 3D view and of the whole frame");
        }
        let stage = &state.open.stage;
        if let Some(note) = stage.trails.note(&stage.view, &stage.playback, stage.probes.places.len()) {
            ui.label(RichText::new(note).small().weak());
        }
        missed_pins(ui, state, commands);
        findings(ui, state, commands);
        ongoing(ui, state, commands);
        if state.shows_numbers() {
            compare::numbers_ui(ui, state);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let hints = RichText::new(hints(ui, state)).small().weak();
            ui.add(Label::new(hints).truncate());
        });
    });
}

fn frame_times(FrameTimes { picture, frame }: FrameTimes) -> String {
    let [picture, frame] = [picture, frame].map(|time| time.as_secs_f64() * 1e3);
    format!("picture {picture:.1} ms · frame {frame:.1} ms")
}

fn hints(ui: &Ui, state: &AppState) -> String {
    let keys = |of: &[(Action, &str)]| {
        of.iter().filter_map(|(action, does)| action.spec().key_hint(ui.ctx(), does)).collect::<Vec<_>>()
    };
    let help = (Action::ToggleHelp, "keys");
    match (state.open.stage.view.is_dragging, state.open.stage.view.active_joint()) {
        (true, _) => "Ctrl snap · Shift fine · X Y Z axis · type a number · Esc cancel".to_owned(),
        (false, _) if state.open.stage.editing.is_on => {
            let mouse = ["Click a vertex", "Shift + drag a box", "double click connected ones", "Alt + click a joint"];
            let keys = keys(&[(Action::ToggleWeightEditing, "done"), help]);
            [mouse.map(str::to_owned).to_vec(), keys].concat().join(" · ")
        }
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

/// Draws the modes that are on. Clicking one leaves it.
fn modes(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for mode in active_modes(&state.open.stage) {
        let name = mode.spec().name;
        let text = RichText::new(format!("{name} ✖")).small().color(theme::selection_text(ui.visuals()));
        let response = ui.add(Button::new(text)).accessible_name(format!("Leave {name}"));
        commands.push_if(response.on_hover_text("Leave this mode (Esc)").clicked(), Command::Do(mode));
    }
}

/// Draws the pins that are out of reach. Clicking them selects their joints.
fn missed_pins(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let stage = &state.open.stage;
    let nodes: Vec<_> = stage.posed().missed_pins(stage.rig()).map(|missed| missed.node).collect();
    let text = match (nodes.as_slice(), stage.posed().missed_pins(stage.rig()).next()) {
        ([node], Some(missed)) => {
            format!("{} is {} from its pin", drawn(stage.rig().hierarchy.name(*node)), pin_error(missed))
        }
        ([], _) | (_, None) => return,
        (several, _) => format!("{} out of reach", counted(several.len(), "pin")),
    };
    let button = Button::new(RichText::new(text).small().color(ui.visuals().error_fg_color));
    let response = ui.add(button.frame_when_inactive(false)).on_hover_text("Select the joints that miss their pins");
    commands.push_if(response.clicked(), Command::SelectAll(nodes));
}

/// Draws the number of open findings. Clicking it opens the list.
fn findings(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let status = LintStatus::for_stage(&state.open.stage);
    let Some(worst) = status.worst() else { return };
    let (icon, color) = theme::severity_icon(worst, ui.visuals());
    let text = format!("{icon} {}", counted(status.left().count(), "finding"));
    let button = Button::new(RichText::new(text).small().color(color)).frame_when_inactive(false);
    let repaired = repaired(&status).into_iter().map(|(_, said)| format!("; {said}")).collect::<Vec<_>>().concat();
    let hint = format!("{}{repaired}. Click to see them", by_severity(&status));
    commands.push_if(ui.add(button).on_hover_text(hint).clicked(), Command::SetSidePanel(SidePanel::Lint));
}

/// Draws the first running job, with a menu of all running jobs.
fn ongoing(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let line =
        |does: &str, so_far: &str| if so_far.is_empty() { does.to_owned() } else { format!("{does} · {so_far}") };
    let opening = state.loading.as_ref().map(|l| line(&format!("Opening {}", l.name), &l.stage));
    let first = opening.or_else(|| state.jobs.first().map(|job| line(&job.does, &job.so_far)));
    let Some(first) = first else { return };
    ui.spinner();
    let first = RichText::new(first).small();
    if state.jobs.is_empty() {
        ui.label(first);
        return;
    }
    let menu = egui::containers::menu::MenuButton::from_button(Button::new(first).frame_when_inactive(false));
    let (response, _) = menu.ui(ui, |ui| {
        for job in &state.jobs {
            ui.horizontal(|ui| {
                ui.add(ProgressBar::new(job.fraction).desired_height(4.0).desired_width(80.0));
                ui.label(RichText::new(line(&job.does, &job.so_far)).small());
                if ui.small_button("Cancel").accessible_name(format!("Cancel: {}", job.does)).clicked() {
                    commands.push(Command::CancelJob(job.id));
                }
            });
        }
    });
    let centers = "\nUses LBS until centres of rotation are computed";
    let centers = if state.open.stage.progress.get::<CentersPlan>().is_some() { centers } else { "" };
    response.on_hover_text(format!("Click to list and cancel running jobs{centers}"));
}
