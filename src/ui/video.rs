use egui::{Button, Checkbox, ComboBox, DragValue, Grid, Id, Modal, RichText, Ui};

use crate::stage::{VideoFormat, VideoPlan};
use crate::state::{AppState, Command, Commands};

/// Draws the dialog for saving a video or image sequence. The dialog is hidden while a path is chosen.
pub(super) fn ui(ui: &Ui, state: &AppState, commands: &mut Commands) {
    let Some(plan) = state.video.plan.filter(|_| state.paths.prompt.is_none()) else { return };
    let mut changed = plan;
    let mut is_chosen = false;
    let modal = Modal::new(Id::unique("video")).show(ui.ctx(), |ui| {
        ui.set_width(380.0);
        ui.label(RichText::new("Save a video").heading().strong());
        ui.add_space(4.0);
        settings(ui, state, &mut changed);
        ui.add_space(4.0);
        ui.weak(summary(state, &changed));
        ui.add_space(12.0);
        ui.horizontal(|ui| {
            let ink = ui.visuals().selection.stroke.color;
            let save = Button::new(RichText::new("Save…").color(ink)).fill(ui.visuals().selection.bg_fill);
            let obstacle = state.video.obstacle(changed.format, &state.settings);
            let save = ui.add_enabled(changed.moves() && obstacle.is_none(), save);
            let save = save.on_disabled_hover_text(obstacle.unwrap_or("Nothing moves in this video"));
            is_chosen = save.on_hover_text("Choose a file").clicked();
            ui.button("Cancel").on_hover_text("Close (Esc)").clicked()
        })
        .inner
    });
    if modal.inner || modal.should_close() {
        commands.push(Command::PlanVideo(None));
    } else {
        commands.extend((changed != plan).then_some(Command::PlanVideo(Some(changed))));
        commands.extend(is_chosen.then_some(Command::ChooseVideoPath));
    }
}

fn settings(ui: &mut Ui, state: &AppState, plan: &mut VideoPlan) {
    let clip = state.open.stage.playback.clip.and_then(|clip| state.open.stage.rig().clips.get(clip));
    Grid::new("video settings").num_columns(2).spacing([16.0, 6.0]).show(ui, |ui| {
        ui.label("Clip");
        let text = clip.map_or("No clip", |clip| if clip.name.is_empty() { "Plays" } else { &clip.name });
        ui.add_enabled(clip.is_some(), Checkbox::new(&mut plan.plays_clip, text))
            .on_hover_text("Play the range marked in the timeline, or the whole clip")
            .on_disabled_hover_text("Choose a clip in the timeline first");
        ui.end_row();
        ui.label("Camera");
        ui.horizontal(|ui| {
            ui.checkbox(&mut plan.turns, "Turntable, duration")
                .on_hover_text("Circle the character once with the camera");
            let seconds =
                DragValue::new(&mut plan.turn_secs).range(0.5..=600.0).speed(0.05).max_decimals(1).suffix(" s");
            ui.add_enabled(plan.turns, seconds)
                .accessible_name("Turntable duration")
                .on_hover_text("Duration of one revolution");
        });
        ui.end_row();
        ui.label("Frames per second");
        ui.add(DragValue::new(&mut plan.rate).range(1.0..=240.0).speed(0.2).min_decimals(0).max_decimals(3))
            .accessible_name("Frames per second");
        ui.end_row();
        ui.label("Height");
        let heights =
            ComboBox::from_id_salt("video height").selected_text(format!("{} pixels", plan.height)).show_ui(ui, |ui| {
                for height in VideoPlan::HEIGHTS {
                    ui.selectable_value(&mut plan.height, height, format!("{height} pixels"));
                }
            });
        heights.response.accessible_name("Height");
        ui.end_row();
        ui.label("Format");
        let formats = ComboBox::from_id_salt("video format").selected_text(plan.format.name()).show_ui(ui, |ui| {
            let is_possible = |format: &VideoFormat| state.video.obstacle(*format, &state.settings).is_none();
            let (possible, impossible): (Vec<_>, Vec<_>) = VideoFormat::ALL.into_iter().partition(is_possible);
            for format in possible.into_iter().chain(impossible) {
                let obstacle = state.video.obstacle(format, &state.settings);
                let choice = Button::selectable(plan.format == format, format.name());
                let choice = ui.add_enabled(obstacle.is_none(), choice);
                if choice.on_disabled_hover_text(obstacle.unwrap_or_default()).clicked() {
                    plan.format = format;
                }
            }
        });
        formats.response.accessible_name("Format");
        ui.end_row();
    });
    if state.video.has_ffmpeg == Some(false) {
        ui.add_space(4.0);
        ui.weak("Videos (.mp4, .webm, .gif) need ffmpeg, which is not on the PATH.");
    }
}

fn summary(state: &AppState, plan: &VideoPlan) -> String {
    if !plan.moves() {
        return "Nothing moves in this video.".to_owned();
    }
    let (frames, [width, height]) = (plan.motion(&state.open.stage).count(), plan.size(state.open.stage.aspect));
    format!("{frames} frames of {width} × {height} pixels, {:.1} s.", frames as f32 / plan.rate)
}
