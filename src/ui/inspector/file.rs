//! Joint panel while no joint is selected: file summary, findings, clips and suggested next steps.

use egui::{Align, Grid, Image, Layout, RichText, Ui, Vec2};

use super::vrm;
use crate::stage::LintStatus;
use crate::state::{Action, AppState, Command, Commands, SidePanel, listed_joints_source};
use crate::ui::counts::{by_severity, grouped};
use crate::ui::names::Name;
use crate::ui::theme;
use crate::ui::thumbnails::thumbnail_texture;

const MAX_CLIPS: usize = 5;

const PICTURE: f32 = 112.0;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.first_loading().is_some() {
        ui.weak("Opening…");
        return;
    }
    ui.heading("No joint selected");
    ui.add_space(4.0);
    ui.weak("Click a bone, or a name in the tree. Then drag a ring to rotate it.");
    ui.add_space(16.0);
    let whose = listed_joints_source(&state.open.stage).unwrap_or_else(|| "This file".to_owned());
    ui.strong(whose);
    ui.horizontal_top(|ui| {
        counts(ui, state, commands);
        picture(ui, state);
    });
    clips(ui, state, commands);
    vrm::ui(ui, state.open.stage.rig());
    next(ui, state, commands);
}

fn counts(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let rig = state.open.stage.rig();
    Grid::new("file").num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
        for (what, count) in [
            ("Joints", rig.joint_count()),
            ("Skins", rig.skins.len()),
            ("Meshes", rig.instances.len()),
            ("Vertices", rig.vertex_count()),
            ("Materials", rig.materials.len()),
            ("Clips", rig.clips.len()),
        ] {
            ui.weak(what);
            ui.label(grouped(count));
            ui.end_row();
        }
        // The tour hides the findings.
        if state.tour.is_none() {
            ui.weak("Findings");
            findings(ui, state, commands);
            ui.end_row();
        }
    });
}

fn picture(ui: &mut Ui, state: &AppState) {
    let path = state.open.stage.document.source.path().and_then(|path| std::path::absolute(path).ok());
    let Some(thumbnail) = path.and_then(|path| state.recent_pictures.get(&path)) else { return };
    let texture = thumbnail_texture(ui.ctx(), thumbnail);
    let size = Vec2::splat(PICTURE);
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        if ui.available_width() >= PICTURE {
            let image =
                Image::new(&texture).fit_to_exact_size(size).corner_radius(4).alt_text("Picture of the rest pose");
            ui.add(image).on_hover_text("The rest pose");
        }
    });
}

fn findings(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let status = LintStatus::for_stage(&state.open.stage);
    let Some(worst) = status.worst() else {
        let nothing = if state.open.stage.lint.is_awaited(&state.open.stage.requests) { "Checking…" } else { "None" };
        ui.weak(nothing);
        return;
    };
    let color = theme::severity_icon(worst, ui.visuals()).1;
    if ui.link(RichText::new(by_severity(&status)).color(color)).on_hover_text("Open the Lint panel").clicked() {
        commands.push(Command::SetSidePanel(SidePanel::Lint));
    }
}

fn clips(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let clips = &state.open.stage.rig().clips;
    if clips.is_empty() {
        return;
    }
    ui.add_space(16.0);
    ui.strong("Clips");
    for (number, clip) in clips.iter().enumerate().take(MAX_CLIPS) {
        let is_chosen = state.open.stage.playback.clip == Some(number);
        let name = Name::new(clip.title());
        let hint = format!("{:.2} s. Click to choose it; Space plays", clip.duration_secs);
        if name.button(ui, is_chosen).on_hover_text(hint).clicked() {
            commands.push(Command::SetClip((!is_chosen).then_some(number)));
        }
    }
    if let Some(more @ 1..) = clips.len().checked_sub(MAX_CLIPS) {
        ui.weak(format!("and {} more, below the picture", grouped(more)));
    }
}

fn next(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.add_space(16.0);
    ui.strong("What next");
    ui.horizontal_wrapped(|ui| {
        for (action, text) in [
            (Action::LayoutWipe, "Compare LBS with DQS"),
            (Action::TogglePlay, "Play"),
            (Action::ShowLint, "Check"),
            (Action::StartTour, "Take the tour"),
        ] {
            let hint = action.spec().hover_text(ui.ctx());
            commands.push_if(state.can(action) && ui.button(text).on_hover_text(hint).clicked(), Command::Do(action));
        }
    });
}
