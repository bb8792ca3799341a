//! One track: its name with the values of now, its lines, and its worst frames.

use egui::{Align, Button, Color32, Label, Layout, Rect, RichText, TextStyle, Ui, UiBuilder, Visuals};

use super::window::{Ticks, TimeWindow};
use super::{Columns, GAP, paint, text};
use crate::analysis::tracks::{JointTracks, KeyMark, Line, LineOf, Sampling, SkinTracks, Track, TrackKind, nearest};
use crate::rig::{FrameRate, NodeIndex};
use crate::stage::TrackState;
use crate::state::{AppState, Command};
use crate::ui::compare::{side_color, side_text};
use crate::ui::names::{self, Name};
use crate::ui::{probe, theme};

/// Width of the labels of the value axis, points.
const AXIS: f32 = 52.0;

/// A track as it is drawn.
pub(super) struct Row<'a> {
    pub kind: TrackKind,
    pub content: Result<Lines<'a>, String>,
}

/// Lines of a track.
pub(super) struct Lines<'a> {
    pub track: &'a Track,
    pub times_secs: &'a [f32],
    pub sampling: Sampling,
    /// True where the lines are of what is shown now.
    pub is_current: bool,
    pub marks: &'a [KeyMark],
    /// Tracks that joints of values are named by; `None` for tracks of joints.
    skin: Option<&'a SkinTracks>,
}

/// The tracks that are shown, with what there is of each.
pub(super) fn rows(state: &AppState) -> Vec<Row<'_>> {
    let kinds = TrackKind::ALL.into_iter().filter(|kind| state.settings.tracks.shows(*kind));
    let (skin, joints) = (state.open.tracks(), state.open.joint_tracks());
    kinds
        .map(|kind| {
            let content = if kind.is_of_joints() { of_joints(kind, joints, state) } else { of_skin(kind, &skin) };
            Row { kind, content }
        })
        .collect()
}

fn of_skin<'a>(kind: TrackKind, state: &TrackState<'a>) -> Result<Lines<'a>, String> {
    let (tracks, is_current) = match state {
        TrackState::Measured(tracks) => (*tracks, true),
        TrackState::Awaited(Some(last)) | TrackState::Stopped(Some(last)) => (*last, false),
        TrackState::Awaited(None) => return Err("Being measured".to_owned()),
        TrackState::Stopped(None) => return Err("Not measured".to_owned()),
        TrackState::Off(why) => return Err(why.clone()),
        TrackState::NoClip | TrackState::OnePose => return Err(String::new()),
    };
    let track = tracks.track(kind).ok_or_else(String::new)?;
    match &track.off {
        Some(why) => Err(why.clone()),
        None => Ok(Lines {
            track,
            times_secs: &tracks.times_secs,
            sampling: Sampling::AtFrames,
            is_current,
            marks: &[],
            skin: Some(tracks),
        }),
    }
}

fn of_joints<'a>(kind: TrackKind, tracks: Option<&'a JointTracks>, state: &AppState) -> Result<Lines<'a>, String> {
    if state.open.view.selected.is_empty() {
        return Err("Select joints to see how the clip turns them".to_owned());
    }
    let track = tracks.and_then(|tracks| Some((tracks, tracks.track(kind)?)));
    let (tracks, track) = track.ok_or_else(|| "Being sampled".to_owned())?;
    let sampling = JointTracks::sampling(kind);
    let (times_secs, marks) = (&tracks.times_secs[..], &tracks.marks[..]);
    Ok(Lines { track, times_secs, sampling, is_current: true, marks, skin: None })
}

/// Colour of a line of a track.
pub(super) fn line_color(of: LineOf, number: usize, visuals: &Visuals) -> Color32 {
    match of {
        LineOf::Side(side) => theme::as_mark(side_color(side), visuals),
        LineOf::Both => visuals.text_color(),
        LineOf::Joint(_) => theme::as_text(probe::row_color(number), visuals),
    }
}

/// Colour of text on a line of a track.
fn text_color(of: LineOf, number: usize, visuals: &Visuals) -> Color32 {
    if let LineOf::Side(side) = of { side_text(side, visuals) } else { line_color(of, number, visuals) }
}

impl Lines<'_> {
    /// Value of a line at a time, and the name of the joint it was found at.
    fn value_at(&self, line: &Line, time_secs: f32) -> (f32, Option<&str>) {
        let at = nearest(self.times_secs, self.sampling, time_secs);
        (line.values.get(at).copied().unwrap_or(f32::NAN), self.joint_name(line, at))
    }

    /// Name of the joint at which a value of a line was found.
    fn joint_name(&self, line: &Line, at: usize) -> Option<&str> {
        let joint = line.joints.get(at).copied().flatten()?;
        Some(self.skin?.joint_name(line.of, joint))
    }

    /// Lines with their worst frames: the position of the line, the time in seconds, and the value.
    fn worst(&self) -> impl Iterator<Item = (usize, &Line, f32, f32)> {
        let lines = self.track.lines.iter().enumerate();
        lines.filter_map(|(number, line)| {
            let at = line.worst?;
            Some((number, line, *self.times_secs.get(at)?, *line.values.get(at)?))
        })
    }
}

impl Row<'_> {
    pub(super) fn ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        columns: Columns,
        (window, ticks): (&TimeWindow, &Ticks),
        state: &AppState,
        commands: &mut Vec<Command>,
    ) {
        let names = Rect::from_x_y_ranges(columns.names, rect.y_range());
        self.name_ui(&mut column(ui, names.with_max_x(names.right() - AXIS), self.kind, "name"), state);
        let plot = plot_rect(Rect::from_x_y_ranges(columns.plots, rect.y_range()));
        match &self.content {
            Ok(lines) => paint::row(ui, plot, lines, window, ticks),
            Err(why) => paint::words(ui, plot, why),
        }
        let worst = Rect::from_x_y_ranges(columns.worst, rect.y_range());
        self.worst_ui(&mut column(ui, worst, self.kind, "worst"), state, commands);
    }

    /// Draws the name, and below it the values at the time of the clip.
    fn name_ui(&self, ui: &mut Ui, state: &AppState) {
        ui.horizontal(|ui| {
            ui.add(Label::new(self.kind.name()).selectable(false)).on_hover_text(self.kind.hint());
            let active = state.open.selected().filter(|_| self.kind.is_of_joints() && self.content.is_ok());
            if let Some(joint) = active {
                let weak = ui.visuals().weak_text_color();
                Name::of(joint, state.open.rig()).label_in(ui, &TextStyle::Small, weak);
            }
        });
        let Ok(lines) = &self.content else { return };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 12.0;
            let now = state.open.playback.time_secs;
            for (number, line) in lines.track.lines.iter().enumerate() {
                let (value, joint) = lines.value_at(line, now);
                let said = [text::letter(line.of), text::value(self.kind, value)].join(" ");
                let color = text_color(line.of, number, ui.visuals());
                let color = if lines.is_current { color } else { ui.visuals().weak_text_color() };
                let label = Label::new(RichText::new(said.trim()).small().color(color)).selectable(false);
                let owner = self.owner(line.of, state);
                let place = joint.map_or_else(String::new, |joint| format!(" at {joint}"));
                ui.add(label).on_hover_text(format!("{owner} now{place}"));
            }
        });
    }

    /// Draws a button for the worst frame of each side, of joints for the worst of all.
    fn worst_ui(&self, ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
        let Ok(lines) = &self.content else { return };
        let mut worst: Vec<_> = lines.worst().collect();
        if self.kind.is_of_joints() {
            worst.sort_by(|a, b| b.3.total_cmp(&a.3));
            worst.truncate(1);
        }
        if worst.is_empty() {
            ui.add_space(4.0);
            let label = Label::new(RichText::new(text::nothing(self.kind)).small().weak()).truncate();
            ui.horizontal(|ui| {
                ui.add_space(GAP);
                ui.add(label)
            });
        }
        for (number, line, time_secs, value) in worst {
            let color = text_color(line.of, number, ui.visuals());
            let color = if lines.is_current { color } else { ui.visuals().weak_text_color() };
            let at = line.worst.and_then(|at| lines.joint_name(line, at)).map(str::to_owned);
            let joint = if let LineOf::Joint(joint) = line.of { Some(name(joint, state)) } else { at };
            let said = format!("{} {}  {time_secs:.2} s", text::letter(line.of), text::value(self.kind, value));
            let room = ui.available_width() - 110.0;
            let place = joint.as_deref().map(|joint| names::shortened(ui, joint, room, &TextStyle::Small));
            let said = [said, place.unwrap_or_default()].join("  ");
            let button = Button::new(RichText::new(said.trim()).small().color(color)).frame_when_inactive(false);
            let owner = text::letter(line.of);
            let label = format!("Worst frame of {} {owner}", self.kind.name());
            let place = joint.map_or_else(String::new, |joint| format!(" at {joint}"));
            let hint = format!("Go to the worst frame, {time_secs:.3} s: {}{place}", text::value(self.kind, value));
            if ui.add(button.small().truncate()).accessible_name(label.trim()).on_hover_text(hint).clicked() {
                commands.push(Command::Seek(time_secs));
            }
        }
    }

    /// Owner of a line in words.
    fn owner(&self, of: LineOf, state: &AppState) -> String {
        match of {
            LineOf::Side(side) => format!("{side:?}, {}", state.open.side_name(side)),
            LineOf::Both => self.kind.name().to_owned(),
            LineOf::Joint(joint) => name(joint, state),
        }
    }

    /// The frame, the values and the odd keys at a time, in words; keys count up to `near` seconds away.
    pub(super) fn told_at(&self, time_secs: f32, near: f32, rate: f32, state: &AppState) -> String {
        let Ok(lines) = &self.content else { return self.kind.hint().to_owned() };
        let at = nearest(lines.times_secs, lines.sampling, time_secs);
        let shown = lines.times_secs.get(at).copied().filter(|_| lines.sampling == Sampling::AtFrames);
        let shown = shown.unwrap_or(time_secs);
        let frame = FrameRate { per_sec: rate, is_of_keys: true }.frame(shown);
        let mut told = vec![format!("{} · frame {frame} · {shown:.3} s", self.kind.name())];
        for line in &lines.track.lines {
            let (value, joint) = lines.value_at(line, time_secs);
            let place = joint.map_or_else(String::new, |joint| format!(" at {joint}"));
            let owner = match line.of {
                LineOf::Joint(joint) => name(joint, state),
                of => text::letter(of),
            };
            told.push(format!("{owner} {}{place}", text::value(self.kind, value)).trim().to_owned());
        }
        let marks = lines.marks.iter().filter(|mark| (mark.time_secs - time_secs).abs() <= near);
        told.extend(marks.take(4).map(|mark| {
            format!("{} at {:.3} s: {}", name(mark.joint, state), mark.time_secs, text::odd_key(mark.odd))
        }));
        if !lines.is_current {
            told.push("From before the last change".to_owned());
        }
        told.join("\n")
    }

    /// Time (seconds) and height of the worst point of each line, as drawn in a row.
    pub(super) fn marks(&self, rect: Rect) -> impl Iterator<Item = (f32, f32)> {
        let lines = self.content.as_ref().ok();
        let range = lines.map(|lines| paint::ValueRange::of(lines.track, plot_rect(rect)));
        let worst = lines.into_iter().flat_map(Lines::worst);
        worst.filter_map(move |(_, _, time, value)| Some((time, range.as_ref()?.y(value))))
    }
}

fn name(joint: NodeIndex, state: &AppState) -> String {
    state.open.rig().hierarchy.name(joint).to_owned()
}

fn column(ui: &mut Ui, rect: Rect, kind: TrackKind, salt: &str) -> Ui {
    let layout = Layout::top_down(Align::Min);
    let rect = rect.with_min_y((rect.center().y - 17.0).max(rect.top()));
    let mut column = ui.new_child(UiBuilder::new().id_salt((kind, salt)).max_rect(rect).layout(layout));
    column.spacing_mut().item_spacing.y = 0.0;
    column.spacing_mut().interact_size.y = 16.0;
    column
}

/// Part of a row that its lines are drawn in.
fn plot_rect(rect: Rect) -> Rect {
    rect.with_max_y(rect.bottom() - 4.0)
}
