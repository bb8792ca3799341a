//! What must be told, over the viewport until dismissed; and a file on its way.

use egui::{
    Align, Align2, Area, Button, Color32, Frame, Id, Label, Layout, Margin, Order, ProgressBar, Rect, RichText, Stroke,
    Ui, Vec2,
};

use super::actions::info;
use super::counts::by_severity;
use super::ends::ends;
use super::theme::severity_look;
use crate::analysis::lint;
use crate::state::{Action, AppState, Command, LibraryCommand, Loading, Notice, Removed, Severity, SidePanel};

/// How long a notice stays that goes away by itself, seconds.
const DONE_SECS: f64 = 6.0;

/// What is remembered of the notice from frame to frame.
#[derive(Default)]
pub struct Notices {
    /// The notice that goes away by itself, and since when it is shown.
    done: Option<(Notice, f64)>,
}

impl Notices {
    /// Draws the notice and the progress at the top of the viewport.
    pub fn ui(&mut self, ui: &mut Ui, viewport: Rect, state: &AppState, commands: &mut Vec<Command>) {
        self.dismiss_done(ui, state, commands);
        let is_any = state.notice.is_some() || state.loading.is_some() || state.open.library.removed.is_some();
        if is_any || state.open.lint.is_news {
            cards(ui, viewport, state, commands);
        }
    }

    fn dismiss_done(&mut self, ui: &Ui, state: &AppState, commands: &mut Vec<Command>) {
        let Some(notice) = state.notice.as_ref().filter(|n| n.severity == Severity::Done) else {
            self.done = None;
            return;
        };
        let now = ui.input(|i| i.time);
        let since = self.done.take().filter(|(shown, _)| shown == notice).map_or(now, |(_, since)| since);
        let left = since + DONE_SECS - now;
        if left > 0.0 {
            ui.ctx().request_repaint_after_secs(left as f32);
        } else {
            commands.push(Command::DismissNotice);
        }
        self.done = Some((notice.clone(), since));
    }
}

fn cards(ui: &Ui, viewport: Rect, state: &AppState, commands: &mut Vec<Command>) {
    let width = (viewport.width() - 180.0).clamp(160.0, 600.0);
    Area::new(Id::unique("notices"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(viewport.center_top() + Vec2::new(0.0, 12.0))
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            if let Some(loading) = &state.loading {
                loading_ui(ui, loading, commands);
            }
            if let Some(notice) = &state.notice {
                notice_ui(ui, notice, commands);
            }
            if let Some(removed) = &state.open.library.removed {
                removed_ui(ui, removed, commands);
            }
            if state.open.lint.is_news {
                findings_ui(ui, state, commands);
            }
        });
}

fn card(ui: &mut Ui, edge: Color32, add: impl FnOnce(&mut Ui)) {
    Frame::new()
        .fill(ui.visuals().window_fill)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(8)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, add);
}

fn notice_ui(ui: &mut Ui, notice: &Notice, commands: &mut Vec<Command>) {
    let (icon, color) = match notice.severity {
        Severity::Done => ("✔", super::theme::TEAL),
        Severity::Info => ("ℹ", super::theme::TEAL),
        Severity::Warning => severity_look(lint::Severity::Warning, ui.visuals()),
        Severity::Error => severity_look(lint::Severity::Error, ui.visuals()),
    };
    card(ui, color, |ui| {
        ui.horizontal_top(|ui| {
            ui.label(RichText::new(icon).color(color).size(15.0));
            let width = ui.available_width() - 36.0;
            ui.allocate_ui_with_layout(Vec2::new(width, 0.0), Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                ui.label(&notice.text);
            });
            if dismiss(ui, "Dismiss") {
                commands.push(Command::DismissNotice);
            }
        });
    });
}

/// A pose that went to the trash, and the way back.
fn removed_ui(ui: &mut Ui, removed: &Removed, commands: &mut Vec<Command>) {
    card(ui, super::theme::TEAL, |ui| {
        let did = if removed.is_replaced { "Replaced" } else { "Deleted" };
        let told = |ui: &mut Ui, _: &mut Vec<Command>| {
            ui.add(Label::new(format!("{did} {}", removed.name)).wrap());
        };
        ends(ui, commands, told, |ui, commands| {
            let undo = ui.button("Undo").on_hover_text("Put the file back from the trash");
            if undo.clicked() {
                commands.push(Command::Library(LibraryCommand::Restore));
            }
            if dismiss(ui, "Dismiss deletion") {
                commands.push(Command::Library(LibraryCommand::DismissRemoved));
            }
        });
    });
}

/// One line, whatever their number: the panel has the rest.
fn findings_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let Some(worst) = state.open.lint.worst() else { return };
    let (icon, color) = severity_look(worst, ui.visuals());
    card(ui, color, |ui| {
        let told = |ui: &mut Ui, _: &mut Vec<Command>| {
            ui.label(RichText::new(icon).color(color).size(15.0));
            ui.add(Label::new(format!("Lint found {} in this file.", by_severity(&state.open.lint))).wrap());
        };
        ends(ui, commands, told, |ui, commands| {
            if ui.button("Show").on_hover_text(info(Action::ShowLint).hover_text(ui.ctx())).clicked() {
                commands.push(Command::SetSidePanel(SidePanel::Lint));
            }
            if dismiss(ui, "Dismiss findings") {
                commands.push(Command::DismissFindings);
            }
        });
    });
}

fn dismiss(ui: &mut Ui, name: &str) -> bool {
    ui.add(Button::new("✖").frame(false)).accessible_name(name).on_hover_text("Dismiss").clicked()
}

fn loading_ui(ui: &mut Ui, loading: &Loading, commands: &mut Vec<Command>) {
    card(ui, ui.visuals().window_stroke.color, |ui| {
        ui.horizontal(|ui| {
            ui.label(format!("Opening {}", loading.name));
            ui.label(RichText::new(&loading.stage).weak());
            if ui.button("Cancel").clicked() {
                commands.push(Command::CancelLoad);
            }
        });
        let bar = ProgressBar::new(loading.fraction.unwrap_or(0.0)).desired_height(4.0);
        ui.add(bar);
    });
}
