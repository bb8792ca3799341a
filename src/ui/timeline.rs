//! The clip: which, where, and whether it plays.

use egui::{Button, ComboBox, PointerButton, RichText, Slider, Ui};

use super::actions::info;
use super::ends::ends;
use crate::state::{Action, AppState, Command};

/// Draws the bar.
pub fn ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        chooser(ui, state, commands);
        let playback = &state.open.playback;
        let has_clip = playback.clip.is_some();
        button(ui, Action::StepBack, "⏮", "Step back", has_clip, false, commands);
        let (icon, name) = if playback.is_playing { ("⏸", "Pause") } else { ("▶", "Play") };
        button(ui, Action::TogglePlay, icon, name, true, playback.is_playing, commands);
        button(ui, Action::StepForward, "⏭", "Step forward", has_clip, false, commands);
        button(ui, Action::ToggleLoop, "🔁", "Loop", true, playback.is_looping, commands);
        ui.add_enabled_ui(has_clip, |ui| scrubber(ui, state, commands));
    });
}

fn chooser(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let rig = state.rig();
    let shown = state.open.playback.clip.and_then(|c| rig.clips.get(c)).map_or("Rest pose", |c| c.name.as_str());
    ComboBox::from_id_salt("clip")
        .selected_text(shown)
        .width(160.0)
        .height(360.0)
        .show_ui(ui, |ui| {
            if ui.selectable_label(state.open.playback.clip.is_none(), "Rest pose").clicked() {
                commands.push(Command::SetClip(None));
            }
            for (i, clip) in rig.clips.iter().enumerate() {
                let text = format!("{} · {:.2} s", clip.name, clip.duration_secs);
                if ui.selectable_label(state.open.playback.clip == Some(i), text).clicked() {
                    commands.push(Command::SetClip(Some(i)));
                }
            }
        })
        .response
        .accessible_name("Clip")
        .on_hover_text("Clip; your pose composes on top of it");
}

fn button(
    ui: &mut Ui,
    action: Action,
    icon: &str,
    name: &str,
    is_enabled: bool,
    is_on: bool,
    commands: &mut Vec<Command>,
) {
    let button = Button::selectable(is_on, icon).min_size([28.0, 22.0].into());
    let response =
        ui.add_enabled(is_enabled, button).accessible_name(name).on_hover_text(info(action).hover_text(ui.ctx()));
    if response.clicked() {
        commands.push(Command::Do(action));
    }
}

fn scrubber(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    let duration = state.open.playback.duration_secs(state.rig());
    let mut time = state.open.playback.time_secs;
    let mut speed = state.open.playback.speed;
    let shown = format!("{time:5.2} / {duration:.2} s");
    let slider = |ui: &mut Ui, commands: &mut Vec<Command>| {
        ui.spacing_mut().slider_width = ui.available_width().max(40.0);
        let slider = Slider::new(&mut time, 0.0..=duration.max(1e-3)).show_value(false).trailing_fill(true);
        // To egui every button drags a slider.
        let is_other_button = ui.input(|i| {
            let mut others = [PointerButton::Secondary, PointerButton::Middle].into_iter();
            others.any(|button| i.pointer.button_down(button) || i.pointer.button_released(button))
        });
        let response = ui.add(slider).accessible_name("Time").on_hover_text("Drag to a time of the clip");
        if response.changed() && !is_other_button {
            commands.push(Command::Seek(time));
        }
    };
    ends(ui, commands, slider, |ui, commands| {
        ui.label(RichText::new(shown).monospace());
        let field = egui::DragValue::new(&mut speed).range(0.05..=4.0).speed(0.01).fixed_decimals(2).suffix("×");
        if ui.add(field).accessible_name("Speed").on_hover_text("Speed").changed() {
            commands.push(Command::SetSpeed(speed));
        }
    });
}
