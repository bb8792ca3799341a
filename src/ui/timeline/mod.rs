mod chooser;
mod ranking;
mod track;

use std::sync::{Arc, Weak};

use egui::{Align, Button, DragValue, Label, Layout, Rangef, RichText, Ui, vec2};

pub(super) use track::on_frame;

use super::theme::ROW_HEIGHT;
use crate::rig::{ClipKey, FrameRate, NodeIndex, Rig};
use crate::stage::Repeat;
use crate::state::{Action, AppState, Command, Commands};

#[derive(Default)]
pub(super) struct Timeline {
    chooser: chooser::ClipChooser,
    keys: KeyMarks,
}

/// A field to the right of the track.
#[derive(Clone, Copy)]
enum NumberField {
    Frame,
    FrameCount,
    Time,
    FrameRate,
    Speed,
}

/// Fields to the right of the track in their order, with their widths in points. Where there is little room, those with
/// the highest rank give way to the track first; those of rank 0 always stay.
const NUMBERS: [(NumberField, f32, u8); 5] = [
    (NumberField::Frame, 44.0, 0),
    (NumberField::FrameCount, 50.0, 1),
    (NumberField::Time, 62.0, 2),
    (NumberField::FrameRate, 68.0, 3),
    (NumberField::Speed, 48.0, 0),
];
const GAP: f32 = 6.0;
/// The track is at least this wide if fields can give way to it, points.
const MIN_TRACK: f32 = 80.0;

impl Timeline {
    /// Draws the timeline. Returns the horizontal extent of the time axis.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) -> Rangef {
        let row = vec2(ui.available_width(), track::HEIGHT);
        ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            self.chooser.ui(ui, state, commands);
            buttons(ui, state, commands);
            ui.add_enabled_ui(state.open.stage.playback.clip.is_some(), |ui| {
                let shown = shown_rank(ui.available_width());
                let width = (ui.available_width() - numbers_width(shown)).max(40.0);
                let across = track::ui(ui, width, state, self.keys.keys(state), commands);
                numbers(ui, state, shown, commands);
                across
            })
            .inner
        })
        .inner
    }
}

fn buttons(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let stage = &state.open.stage;
    let (playback, root) = (&stage.playback, stage.playback.root(stage.rig()));
    let has_clip = playback.clip.is_some();
    let (icon, name) = if playback.is_playing { ("⏸", "Pause") } else { ("▶", "Play") };
    for (action, icon, name, is_enabled, is_on) in [
        (Action::StepBack, "⏮", "Step back", has_clip, false),
        (Action::TogglePlay, icon, name, true, playback.is_playing),
        (Action::StepForward, "⏭", "Step forward", has_clip, false),
        (Action::ToggleLoop, "🔁", "Loop", true, playback.repeat == Repeat::Loop),
        (Action::TogglePingPong, "↔", "Ping-pong", true, playback.repeat == Repeat::PingPong),
        (Action::ToggleHoldRoot, "⚓", "Hold in place", true, playback.holds_root),
        (Action::ToggleFollowRoot, "🎥", "Follow root", has_clip, stage.camera_tie.follows(root)),
        (Action::ToggleTracks, "📈", "Tracks", true, state.is_track_drawer_open()),
    ] {
        let button = Button::selectable(is_on, icon).min_size(vec2(28.0, ROW_HEIGHT));
        let response = ui.add_enabled(is_enabled, button).accessible_name(name);
        commands.push_if(response.on_hover_text(action.spec().hover_text(ui.ctx())).clicked(), Command::Do(action));
    }
}

/// Returns the highest rank of fields that are shown beside the track in `room` points.
fn shown_rank(room: f32) -> u8 {
    let max_rank = NUMBERS.iter().map(|(_, _, rank)| *rank).max().unwrap_or(0);
    (0..=max_rank).rev().find(|rank| numbers_width(*rank) + MIN_TRACK <= room).unwrap_or(0)
}

fn numbers_width(shown_rank: u8) -> f32 {
    NUMBERS.iter().filter(|(_, _, rank)| *rank <= shown_rank).map(|(_, width, _)| width + GAP).sum()
}

fn numbers(ui: &mut Ui, state: &AppState, shown_rank: u8, commands: &mut Commands) {
    let playback = &state.open.stage.playback;
    let (rate, duration) =
        (playback.frame_rate(state.open.stage.rig()), playback.duration_secs(state.open.stage.rig()));
    let label = |ui: &mut Ui, width: f32, text: String| {
        let label = Label::new(RichText::new(text).monospace()).truncate().halign(egui::Align::LEFT);
        ui.allocate_ui(vec2(width, ROW_HEIGHT), |ui| {
            ui.set_min_width(width);
            ui.add(label)
        })
        .inner
    };
    let last = rate.frame(duration);
    for (field, width, _) in NUMBERS.into_iter().filter(|(_, _, rank)| *rank <= shown_rank) {
        match field {
            NumberField::Frame => {
                let mut frame = rate.frame(playback.time_secs);
                let field = DragValue::new(&mut frame).range(0..=last).speed(0.2);
                let field = ui.add_sized([width, ROW_HEIGHT], field).accessible_name("Frame");
                if field.on_hover_text("Frame number, from 0; drag or type").changed() {
                    commands.push(Command::Seek(rate.time_secs(frame)));
                }
            }
            NumberField::FrameCount => {
                label(ui, width, format!("/ {last}")).on_hover_text("The clip's last frame");
            }
            NumberField::Time => {
                let hint = format!("Time in the clip, which is {duration:.2} s long");
                label(ui, width, format!("{:6.2} s", playback.time_secs)).on_hover_text(hint);
            }
            NumberField::FrameRate => {
                let rate_text = if playback.clip.is_some() { rate_text(rate) } else { String::new() };
                label(ui, width, rate_text).on_hover_text(rate_hint(rate));
            }
            NumberField::Speed => {
                let mut speed = playback.speed;
                let field = DragValue::new(&mut speed).range(0.05..=4.0).speed(0.01).fixed_decimals(2).suffix("×");
                let field = ui.add_sized([width, ROW_HEIGHT], field).accessible_name("Speed");
                commands.push_if(field.on_hover_text("Speed").changed(), Command::SetSpeed(speed));
            }
        }
    }
}

fn rate_text(rate: FrameRate) -> String {
    let digits = if rate.per_sec.fract() == 0.0 { 0 } else { 2 };
    format!("{:.digits$} fps{}", rate.per_sec, if rate.is_of_keys { "" } else { "?" })
}

fn rate_hint(rate: FrameRate) -> &'static str {
    if rate.is_of_keys {
        "Frame rate: all keys lie on frames"
    } else {
        "Assumed frame rate: the keys fit no common rate"
    }
}

/// Keys of the selected joints, cached until the selection or the clip changes.
#[derive(Default)]
struct KeyMarks {
    rig: Weak<Rig>,
    clip: Option<usize>,
    selected: Vec<NodeIndex>,
    keys: Vec<ClipKey>,
}

impl KeyMarks {
    fn keys(&mut self, state: &AppState) -> &[ClipKey] {
        let (rig, clip, selected) =
            (state.open.stage.rig(), state.open.stage.playback.clip, &state.open.stage.view.selected);
        let is_known =
            std::ptr::eq(self.rig.as_ptr(), Arc::as_ptr(rig)) && self.clip == clip && self.selected == *selected;
        if !is_known {
            let keys = clip.and_then(|c| rig.clips.get(c)).map_or_else(Vec::new, |clip| clip.node_keys(selected));
            *self = Self { rig: Arc::downgrade(rig), clip, selected: selected.clone(), keys };
        }
        &self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Channel, Clip, Hierarchy, Interpolation, NodeDescription, Property, RigData};
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Command, Settings};

    /// Returns a rig of two joints. A clip has three keys for one of them.
    fn rig() -> Rig {
        let channel =
            Channel::new(NodeIndex(0), Property::Translation, Interpolation::Step, [0.0, 0.5, 1.0], vec![0.0; 9]);
        Rig::new(RigData {
            hierarchy: Hierarchy::new(&[NodeDescription::default(), NodeDescription::default()]).unwrap(),
            clips: vec![Clip { channels: vec![channel], duration_secs: 1.0, ..Clip::default() }],
            ..RigData::default()
        })
    }

    #[test]
    fn numbers_give_way_to_a_short_track() {
        let all = 44.0 + 50.0 + 62.0 + 68.0 + 48.0 + 5.0 * GAP;
        assert_eq!(shown_rank(all + MIN_TRACK), 3);
        assert_eq!(shown_rank(all + MIN_TRACK - 1.0), 2, "the frame rate first");
        assert_eq!((shown_rank(0.0), numbers_width(0)), (0, 44.0 + 48.0 + 2.0 * GAP));
    }

    #[test]
    fn keys_are_those_of_the_selected_joints_in_the_chosen_clip() {
        let document = Document::new(Source::BuiltIn(BuiltIn::Tube), rig(), Vec::new());
        let mut state = AppState::new(document, Settings::default());
        let mut marks = KeyMarks::default();
        let mut count = |state: &AppState| marks.keys(state).len();
        state.apply(Command::Select(Some(NodeIndex(0))));
        assert_eq!(count(&state), 0, "no clip");
        state.apply(Command::SetClip(Some(0)));
        assert_eq!(count(&state), 3);
        for selected in [Some(NodeIndex(1)), None] {
            state.apply(Command::Select(selected));
            assert_eq!(count(&state), 0, "{selected:?}");
        }
    }
}
