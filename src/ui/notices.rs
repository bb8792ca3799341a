//! Notices and loading progress, drawn in the viewport corner without labels and handles.

use egui::{
    Align, Align2, Area, Button, Color32, Frame, Id, Label, Layout, Margin, Order, ProgressBar, Rect, RichText, Stroke,
    Ui, Vec2,
};

use super::split_row::split_row;
use super::theme::severity_icon;
use crate::analysis::lint;
use crate::stage::NoticeOffer;
use crate::state::{
    AppState, Command, Commands, DrawFault, LibraryCommand, LoadingFile, Notice, NoticeKind, RemovedPose,
};

const WIDTH: f32 = 340.0;
const MARGIN: f32 = 12.0;

/// Returns how long a notice is shown, in seconds; `None` if it stays until dismissed.
fn lifetime(kind: NoticeKind) -> Option<f64> {
    match kind {
        NoticeKind::Done => Some(6.0),
        NoticeKind::Info => Some(12.0),
        NoticeKind::Warning => Some(20.0),
        NoticeKind::Error => None,
    }
}

#[derive(Default)]
pub(super) struct NoticeArea {
    /// The current timed notice, and when it was first shown or last hovered, in seconds of egui time.
    timed: Option<(Notice, f64)>,
}

impl NoticeArea {
    /// Draws notices and progress at the lower right, `above` points above the viewport's bottom edge.
    pub(super) fn ui(&mut self, ui: &mut Ui, viewport: Rect, above: f32, state: &AppState, commands: &mut Commands) {
        let is_any = state.notices.newest().is_some()
            || state.draw_fault.is_some()
            || state.loading.is_some()
            || state.open.library.removed.is_some();
        let is_read = is_any && cards(ui, viewport, above, state, commands);
        self.dismiss_in_time(ui, is_read, state, commands);
    }

    /// Dismisses an expired notice, unless the pointer is over it.
    fn dismiss_in_time(&mut self, ui: &Ui, is_read: bool, state: &AppState, commands: &mut Commands) {
        let timed = state.notices.newest().and_then(|n| Some((n, lifetime(n.kind)?)));
        let Some((notice, lifetime)) = timed else {
            self.timed = None;
            return;
        };
        let now = ui.input(|i| i.time);
        let same = self.timed.take().filter(|(shown, _)| shown == notice && !is_read);
        let since = same.map_or(now, |(_, since)| since);
        let left = since + lifetime - now;
        if left > 0.0 {
            ui.ctx().request_repaint_after_secs(left as f32);
        } else {
            commands.push(Command::DismissNotice);
        }
        self.timed = Some((notice.clone(), since));
    }
}

fn cards(ui: &Ui, viewport: Rect, above: f32, state: &AppState, commands: &mut Commands) -> bool {
    let width = WIDTH.min(viewport.width() - 2.0 * MARGIN);
    let area = Area::new(Id::unique("notices"))
        .order(Order::Middle)
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(viewport.right_bottom() - Vec2::new(MARGIN, MARGIN + above))
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            if let Some(loading) = &state.loading {
                loading_ui(ui, loading, commands);
            }
            if let Some(fault) = &state.draw_fault {
                fault_ui(ui, fault, commands);
            }
            if let Some(removed) = &state.open.library.removed {
                removed_ui(ui, removed, commands);
            }
            if let Some(notice) = state.notices.newest() {
                notice_ui(ui, notice, commands);
            }
        });
    area.response.contains_pointer()
}

fn card(ui: &mut Ui, edge: Color32, add: impl FnOnce(&mut Ui)) {
    Frame::new()
        .fill(ui.visuals().window_fill)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(8)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, add);
}

fn notice_ui(ui: &mut Ui, notice: &Notice, commands: &mut Commands) {
    let (icon, color) = match notice.kind {
        NoticeKind::Done => ("✔", ui.visuals().weak_text_color()),
        NoticeKind::Info => severity_icon(lint::Severity::Note, ui.visuals()),
        NoticeKind::Warning => severity_icon(lint::Severity::Warning, ui.visuals()),
        NoticeKind::Error => severity_icon(lint::Severity::Error, ui.visuals()),
    };
    card(ui, color, |ui| {
        ui.horizontal_top(|ui| {
            ui.label(RichText::new(icon).color(color).size(15.0));
            let width = (ui.available_width() - 36.0).max(0.0);
            ui.allocate_ui_with_layout(Vec2::new(width, 0.0), Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                ui.label(&notice.text);
                if let Some(action) = notice.offer.map(NoticeOffer::action) {
                    let button = ui.button(action.spec().name).on_hover_text(action.spec().hover_text(ui.ctx()));
                    if button.clicked() {
                        commands.extend([Command::DismissNotice, Command::Do(action)]);
                    }
                }
            });
            commands.push_if(dismiss(ui, "Dismiss"), Command::DismissNotice);
        });
    });
}

fn fault_ui(ui: &mut Ui, fault: &DrawFault, commands: &mut Commands) {
    let (icon, color) = severity_icon(lint::Severity::Error, ui.visuals());
    card(ui, color, |ui| {
        ui.horizontal_top(|ui| {
            ui.label(RichText::new(icon).color(color).size(15.0));
            ui.vertical(|ui| {
                ui.add(Label::new(&fault.text).wrap());
                let again = |ui: &mut Ui| ui.button("Try again").on_hover_text("Draw the picture again");
                commands.push_if(fault.can_retry && again(ui).clicked(), Command::RetryDraw);
            });
        });
    });
}

fn removed_ui(ui: &mut Ui, removed: &RemovedPose, commands: &mut Commands) {
    card(ui, ui.visuals().window_stroke.color, |ui| {
        let did = if removed.is_replaced { "Replaced" } else { "Deleted" };
        let told = |ui: &mut Ui, _: &mut Commands| {
            ui.add(Label::new(format!("{did} {}", removed.name)).wrap());
        };
        split_row(ui, commands, told, |ui, commands| {
            let undo = ui.button("Undo").on_hover_text("Put the file back from the trash");
            commands.push_if(undo.clicked(), Command::Library(LibraryCommand::Restore));
            commands.push_if(dismiss(ui, "Dismiss deletion"), Command::Library(LibraryCommand::DismissRemoved));
        });
    });
}

fn dismiss(ui: &mut Ui, name: &str) -> bool {
    ui.add(Button::new("✖").frame(false)).accessible_name(name).on_hover_text("Dismiss").clicked()
}

fn loading_ui(ui: &mut Ui, loading: &LoadingFile, commands: &mut Commands) {
    card(ui, ui.visuals().window_stroke.color, |ui| {
        ui.horizontal(|ui| {
            ui.label(format!("Opening {}", loading.name));
            ui.weak(&loading.stage);
            commands.push_if(ui.button("Cancel").clicked(), Command::CancelLoad);
        });
        let bar = ProgressBar::new(loading.fraction.unwrap_or(0.0)).desired_height(4.0);
        ui.add(bar);
    });
}
