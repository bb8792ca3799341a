use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Button, Layout, PopupCloseBehavior, ProgressBar, Rect, RichText, Ui, UiBuilder};

use super::paint::{GAP, TrackColumns};
use crate::analysis::tracks::TrackKind;
use crate::stage::{TrackPlan, TrackState};
use crate::state::{Action, AppState, Command, Commands, TrackDrawer};
use crate::ui::actions::close_button;

pub(super) fn ui(ui: &mut Ui, head: Rect, columns: TrackColumns, state: &AppState, commands: &mut Commands) {
    let mut part = |name: &str, rect: Rect, layout: Layout| {
        ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect).layout(layout))
    };
    let names = Rect::from_x_y_ranges(columns.names, head.y_range());
    let mut left = part("left", names, Layout::left_to_right(Align::Center));
    menu(&mut left, state, commands);
    status(&mut left, state, commands);
    let worst = Rect::from_x_y_ranges(columns.worst, head.y_range());
    let mut title = part("worst", worst, Layout::left_to_right(Align::Center));
    title.add_space(GAP);
    title.label(RichText::new("Worst frame").small().weak());
    let mut right = part("right", worst, Layout::right_to_left(Align::Center));
    close_button(&mut right, Action::ToggleTracks, "Close the tracks", commands);
}

fn menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let drawer = &state.settings.tracks;
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = Button::new("Tracks ⏷");
    let (response, _) = MenuButton::from_button(button).config(stays).ui(ui, |ui| {
        for kind in TrackKind::ALL {
            if kind == TrackKind::AngularSpeed {
                ui.separator();
                ui.label(RichText::new("Selected joints").small().weak());
            }
            let mut is_shown = drawer.shows(kind);
            if ui.checkbox(&mut is_shown, kind.name()).on_hover_text(kind.hint()).changed() {
                let is_kept = |of: &TrackKind| if *of == kind { is_shown } else { drawer.shows(*of) };
                let shown = TrackKind::ALL.into_iter().filter(is_kept).collect();
                commands.push(Command::SetTrackDrawer(TrackDrawer { shown, ..drawer.clone() }));
            }
        }
    });
    response.on_hover_text("Choose what to show over time").accessible_name("Choose tracks");
}

fn status(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if !state.settings.tracks.shown.iter().any(|kind| !kind.is_of_joints()) {
        return;
    }
    let small = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).small().weak());
    let tracks = TrackState::new(&state.open.stage);
    if let Some(fraction) = state.open.stage.progress.get::<TrackPlan>() {
        let is_again = matches!(tracks, TrackState::Awaited(Some(_)));
        small(ui, if is_again { "Re-measuring" } else { "Measuring" });
        ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(60.0));
        let button = ui.small_button("Cancel").accessible_name("Cancel measuring the clip");
        commands.push_if(button.on_hover_text("Stop measuring (Esc)").clicked(), Command::request::<TrackPlan>(false));
        return;
    }
    match tracks {
        TrackState::Awaited(Some(_)) if state.open.history.is_open() => _ = small(ui, "Measured again after the edit"),
        TrackState::Awaited(None) if state.open.history.is_open() => _ = small(ui, "Measured after the edit"),
        TrackState::Awaited(_) => _ = small(ui, "Measuring"),
        TrackState::Stopped(last) => {
            small(ui, if last.is_some() { "From before the last change" } else { "Not measured" });
            let button = ui.small_button("Measure").accessible_name("Measure the clip");
            if button.on_hover_text("Measure both sides over the clip").clicked() {
                commands.push(Command::request::<TrackPlan>(true));
            }
        }
        TrackState::Measured(tracks) if tracks.step > 1 => {
            let text = format!("One in {} frames", tracks.step);
            small(ui, &text).on_hover_text("The clip has too many frames to keep all");
        }
        _ => {}
    }
}
