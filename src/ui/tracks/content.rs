use egui::{Color32, Visuals};

use super::text;
use crate::analysis::tracks::{JointTracks, KeyMark, Line, LineOwner, Sampling, SkinTracks, Track, TrackKind, nearest};
use crate::rig::{FrameRate, NodeIndex};
use crate::stage::TrackState;
use crate::state::AppState;
use crate::ui::joint_rows::row_color;
use crate::ui::theme;

pub(super) struct TrackRow<'a> {
    pub kind: TrackKind,
    pub content: Result<Lines<'a>, String>,
}

pub(super) struct Lines<'a> {
    pub track: &'a Track,
    pub times_secs: &'a [f32],
    pub sampling: Sampling,
    /// False while newer values are being measured.
    pub is_current: bool,
    pub marks: &'a [KeyMark],
    /// Skin tracks, for the names of joints; `None` for tracks of joints.
    skin: Option<&'a SkinTracks>,
}

pub(super) fn rows(state: &AppState) -> Vec<TrackRow<'_>> {
    let kinds = TrackKind::ALL.into_iter().filter(|kind| state.settings.tracks.shows(*kind));
    let (skin, joints) = (TrackState::new(&state.open.stage), state.open.stage.tracks.joints(&state.open.stage));
    kinds
        .map(|kind| {
            let content = if kind.is_of_joints() { of_joints(kind, joints, state) } else { of_skin(kind, &skin) };
            TrackRow { kind, content }
        })
        .collect()
}

fn of_skin<'a>(kind: TrackKind, state: &TrackState<'a>) -> Result<Lines<'a>, String> {
    let (tracks, is_current) = match state {
        TrackState::Measured(tracks) => (*tracks, true),
        TrackState::Awaited(Some(last)) | TrackState::Stopped(Some(last)) => (*last, false),
        TrackState::Awaited(None) => return Err("Measuring…".to_owned()),
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
    if state.open.stage.view.selected.is_empty() {
        return Err("Select joints to see their rotation in the clip".to_owned());
    }
    let track = tracks.and_then(|tracks| Some((tracks, tracks.track(kind)?)));
    let (tracks, track) = track.ok_or_else(|| "Sampling…".to_owned())?;
    let sampling = JointTracks::sampling(kind);
    let (times_secs, marks) = (&tracks.times_secs[..], &tracks.marks[..]);
    Ok(Lines { track, times_secs, sampling, is_current: true, marks, skin: None })
}

pub(super) fn line_color(owner: LineOwner, number: usize, visuals: &Visuals) -> Color32 {
    match owner {
        LineOwner::Side(side) => theme::as_mark(theme::side_color(side), visuals),
        LineOwner::Both => visuals.text_color(),
        LineOwner::Joint(_) => theme::as_text(row_color(number), visuals),
    }
}

pub(super) fn text_color(owner: LineOwner, number: usize, visuals: &Visuals) -> Color32 {
    if let LineOwner::Side(side) = owner { theme::side_text(side, visuals) } else { line_color(owner, number, visuals) }
}

impl Lines<'_> {
    /// Returns a line's value at a time, and the name of the joint where the value occurs.
    pub(super) fn value_at(&self, line: &Line, time_secs: f32) -> (f32, Option<&str>) {
        let at = nearest(self.times_secs, self.sampling, time_secs);
        (line.values.get(at).copied().unwrap_or(f32::NAN), self.joint_name(line, at))
    }

    pub(super) fn joint_name(&self, line: &Line, at: usize) -> Option<&str> {
        let joint = line.joints.get(at).copied().flatten()?;
        Some(self.skin?.joint_name(line.owner, joint))
    }

    /// Returns the worst frame of each line, as line index, line, time in seconds and value.
    pub(super) fn worst(&self) -> impl Iterator<Item = (usize, &Line, f32, f32)> {
        let lines = self.track.lines.iter().enumerate();
        lines.filter_map(|(number, line)| {
            let at = line.worst?;
            Some((number, line, *self.times_secs.get(at)?, *line.values.get(at)?))
        })
    }
}

impl TrackRow<'_> {
    pub(super) fn owner(&self, owner: LineOwner, state: &AppState) -> String {
        match owner {
            LineOwner::Side(side) => format!("{side:?}, {}", state.open.stage.side_name(side)),
            LineOwner::Both => self.kind.name().to_owned(),
            LineOwner::Joint(joint) => name(joint, state),
        }
    }

    /// Returns text about the frame, values and unusual keys at a time. Includes keys up to `near` seconds away.
    pub(super) fn hover_text_at(&self, time_secs: f32, near: f32, rate: FrameRate, state: &AppState) -> String {
        let Ok(lines) = &self.content else { return self.kind.hint().to_owned() };
        let at = nearest(lines.times_secs, lines.sampling, time_secs);
        let shown = lines.times_secs.get(at).copied().filter(|_| lines.sampling == Sampling::AtFrames);
        let shown = shown.unwrap_or(time_secs);
        let frame = rate.frame(shown);
        let mut told = vec![format!("{} · frame {frame} · {shown:.3} s", self.kind.name())];
        for line in &lines.track.lines {
            let (value, joint) = lines.value_at(line, time_secs);
            let place = joint.map_or_else(String::new, |joint| format!(" at {joint}"));
            let owner = match line.owner {
                LineOwner::Joint(joint) => name(joint, state),
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
}

pub(super) fn name(joint: NodeIndex, state: &AppState) -> String {
    state.open.stage.rig().hierarchy.name(joint).to_owned()
}
