use super::{CameraTie, Stage};
use crate::rig::{Clip, ClipMoment, FrameRate, NodeIndex, Rig};

/// Behaviour at the end of the playback range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Playback stops at the end.
    Once,
    /// Playback restarts from the beginning.
    #[default]
    Loop,
    /// Playback alternates between forwards and backwards.
    PingPong,
}

/// Clip, time and playback settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Index into `Rig::clips`; `None` shows the rest pose.
    pub clip: Option<usize>,
    /// Seconds from the clip's start.
    pub time_secs: f32,
    /// True while playing.
    pub is_playing: bool,
    /// Behaviour at the end of the playback range.
    pub repeat: Repeat,
    is_backward: bool,
    /// Speed factor.
    pub speed: f32,
    /// True to hold the clip's root in place, so that the character walks on the spot. Measures of the clip don't.
    pub holds_root: bool,
    range: Option<[f32; 2]>,
}

const MIN_RANGE_SECS: f32 = 0.01;

impl Default for Playback {
    fn default() -> Self {
        Self {
            clip: None,
            time_secs: 0.0,
            is_playing: false,
            repeat: Repeat::default(),
            is_backward: false,
            speed: 1.0,
            holds_root: false,
            range: None,
        }
    }
}

impl Playback {
    #[must_use]
    pub(crate) fn with_clip(&self, clip: Option<usize>) -> Self {
        let &Self { repeat, speed, holds_root, .. } = self;
        Self { clip, is_playing: clip.is_some(), repeat, speed, holds_root, ..Self::default() }
    }

    /// Returns the playback for a reloaded rig: the clip with the same name, with time and range clamped to its length.
    pub(crate) fn carried(&self, old: &Rig, new: &Rig) -> Self {
        let named = |index: usize| {
            let name = &old.clips.get(index)?.name;
            // If several clips have this name, prefers the one at the same index.
            let is_same = |c: &usize| new.clips[*c].name == *name;
            Some(index).filter(|i| *i < new.clips.len()).filter(is_same).or((0..new.clips.len()).find(is_same))
        };
        let clip = self.clip.and_then(named);
        let mut carried = Self { clip, is_playing: self.is_playing && clip.is_some(), ..self.clone() };
        carried.set_range(self.range, new);
        carried.seek(self.time_secs, new);
        carried
    }

    /// True if `carried`, the playback for the reloaded rig, still has the clip, range and time.
    pub(crate) fn is_whole_in(&self, carried: &Self) -> bool {
        (self.clip.is_some(), self.time_secs, self.range) == (carried.clip.is_some(), carried.time_secs, carried.range)
    }

    /// True if the user has not changed clip, range or time since `before`. Ignores time changes during playback.
    pub(crate) fn is_left_alone(&self, before: &Self) -> bool {
        let has_same_time = self.is_playing || self.time_secs == before.time_secs;
        has_same_time && (self.clip, self.range) == (before.clip, before.range)
    }

    /// Returns `now` with the clip, range and time of `self`. Keeps the time of `now` if `now` is playing.
    #[must_use]
    pub(crate) fn resumed_from(&self, now: &Self) -> Self {
        let (clip, range, is_playing) = (self.clip, self.range, self.is_playing);
        match now.clip {
            Some(_) if now.is_playing => Self { clip, range, ..now.clone() },
            Some(_) => Self { clip, range, time_secs: self.time_secs, ..now.clone() },
            None => Self {
                clip,
                range,
                is_playing,
                time_secs: self.time_secs,
                is_backward: self.is_backward,
                ..now.clone()
            },
        }
    }

    /// Returns the moment to sample, if a clip is chosen.
    pub fn sample(&self) -> Option<ClipMoment> {
        let &Self { time_secs, holds_root, .. } = self;
        self.clip.map(|clip| ClipMoment { clip, time_secs, holds_root })
    }

    /// Returns the root of the chosen clip.
    pub fn root(&self, rig: &Rig) -> Option<NodeIndex> {
        rig.clip_root(self.clip?)
    }

    /// Returns the length of the chosen clip in seconds; 0 without a clip.
    pub fn duration_secs(&self, rig: &Rig) -> f32 {
        self.clip.and_then(|c| rig.clips.get(c)).map_or(0.0, |c| c.duration_secs)
    }

    /// Returns the frame rate for displaying times of the chosen clip.
    pub fn frame_rate(&self, rig: &Rig) -> FrameRate {
        self.clip.map_or_else(FrameRate::default, |clip| rig.frame_rate(clip))
    }

    /// Returns the start and end of the playback range in seconds; `None` for the whole clip.
    pub fn range(&self) -> Option<[f32; 2]> {
        self.range
    }

    /// Returns the start and end, in seconds, of the playback range or, without one, of the whole clip.
    pub fn played_secs(&self, rig: &Rig) -> [f32; 2] {
        self.range.unwrap_or([0.0, self.duration_secs(rig)])
    }

    /// Sets the playback range; its two ends may be in either order. Plays the whole clip if the range is outside the
    /// clip, is too short or covers the whole clip.
    pub fn set_range(&mut self, range: Option<[f32; 2]>, rig: &Rig) {
        let duration = self.duration_secs(rig);
        let within = |[a, b]: [f32; 2]| [a.min(b).clamp(0.0, duration), a.max(b).clamp(0.0, duration)];
        let is_part = |&[from, to]: &[f32; 2]| to - from >= MIN_RANGE_SECS && (from > 0.0 || to < duration);
        self.range = range.filter(|r| r.iter().all(|t| t.is_finite())).map(within).filter(is_part);
    }

    /// Starts the range at the current time. If the range ended before that, extends it to the clip's end.
    pub(crate) fn play_from_here(&mut self, rig: &Rig) {
        let [_, to] = self.played_secs(rig);
        let to = if to > self.time_secs { to } else { self.duration_secs(rig) };
        self.set_range(Some([self.time_secs, to]), rig);
    }

    /// Ends the range at the current time. If the range started after that, extends it to the clip's start.
    pub(crate) fn play_to_here(&mut self, rig: &Rig) {
        let [from, _] = self.played_secs(rig);
        let from = if from < self.time_secs { from } else { 0.0 };
        self.set_range(Some([from, self.time_secs]), rig);
    }

    /// Advances the time; returns true if the time changed.
    pub fn advance(&mut self, elapsed_secs: f32, rig: &Rig) -> bool {
        let [from, to] = self.played_secs(rig);
        let length = to - from;
        if !self.is_playing || length <= 0.0 {
            return false;
        }
        let step = elapsed_secs * self.speed;
        let at = self.time_secs - from;
        match self.repeat {
            Repeat::Once => {
                self.time_secs = (self.time_secs + step).clamp(from, to);
                self.is_playing = self.time_secs < to;
            }
            Repeat::Loop => self.time_secs = from + (at + step).rem_euclid(length),
            Repeat::PingPong => {
                // A forward and backward pass takes twice the length.
                let round = if self.is_backward { 2.0 * length - at } else { at };
                let round = (round + step).rem_euclid(2.0 * length);
                self.is_backward = round > length;
                self.time_secs = from + if self.is_backward { 2.0 * length - round } else { round };
            }
        }
        true
    }

    /// Toggles between playing and paused. Plays the first clip if none is chosen. With [`Repeat::Once`], starts over
    /// if the end was reached.
    pub fn toggle(&mut self, rig: &Rig) {
        if self.clip.is_none() && !rig.clips.is_empty() {
            *self = self.with_clip(Some(0));
            return;
        }
        let [from, to] = self.played_secs(rig);
        self.is_playing = !self.is_playing && to > from;
        if self.is_playing && self.repeat == Repeat::Once && self.time_secs >= to {
            self.time_secs = from;
        }
    }

    /// Sets a repeat mode, or [`Repeat::Once`] if that mode is already set.
    pub fn toggle_repeat(&mut self, repeat: Repeat) {
        self.repeat = if self.repeat == repeat { Repeat::Once } else { repeat };
        self.is_backward = false;
    }

    /// Sets the time in seconds, clamped to the clip.
    pub fn seek(&mut self, time_secs: f32, rig: &Rig) {
        self.time_secs = time_secs.clamp(0.0, self.duration_secs(rig));
    }

    /// Pauses at a time in seconds, clamped to the clip.
    pub fn pause_at(&mut self, time_secs: f32, rig: &Rig) {
        self.is_playing = false;
        self.seek(time_secs, rig);
    }

    pub(crate) fn seek_frame(&mut self, rig: &Rig, neighbour: fn(FrameRate, f32) -> f32) {
        self.pause_at(neighbour(self.frame_rate(rig), self.time_secs), rig);
    }

    pub(crate) fn seek_key(&mut self, rig: &Rig, key: fn(&Clip, f32) -> Option<f32>) {
        let clip = self.clip.and_then(|clip| rig.clips.get(clip));
        self.pause_at(clip.and_then(|clip| key(clip, self.time_secs)).unwrap_or(self.time_secs), rig);
    }
}

impl Stage {
    /// Chooses a clip; `None` shows the rest pose.
    pub fn set_clip(&mut self, clip: Option<usize>) {
        let follows_root = self.camera_tie.follows(self.playback.root(self.rig()));
        self.playback = self.playback.with_clip(clip.filter(|&c| c < self.rig().clips.len()));
        if let Some(root) = self.playback.root(self.rig()).filter(|_| follows_root) {
            self.camera_tie = CameraTie::to_joint(Some(root), self.posed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use glam::Vec3;

    use crate::import::Job;
    use crate::rig::{Channel, Clip, NodeIndex, Property, RigData};
    use crate::stage::{BuiltIn, Document, Session, Snapshot};
    use crate::view::{Layout, PerSide, Side};

    fn rig(duration_secs: f32) -> Rig {
        Rig::new(RigData { clips: vec![Clip { duration_secs, ..Clip::default() }], ..RigData::default() })
    }

    fn playing(repeat: Repeat, range: Option<[f32; 2]>, time_secs: f32) -> Playback {
        let mut playback = Playback { repeat, ..Playback::default() }.with_clip(Some(0));
        playback.set_range(range, &rig(4.0));
        playback.seek(time_secs, &rig(4.0));
        playback
    }

    fn times<const N: usize>(mut playback: Playback) -> [f32; N] {
        std::array::from_fn(|_| {
            playback.advance(0.5, &rig(4.0));
            playback.time_secs
        })
    }

    #[test]
    fn the_part_between_the_ends_plays_in_each_way() {
        let part = Some([1.0, 2.0]);
        assert_eq!(times(playing(Repeat::Loop, part, 1.0)), [1.5, 1.0, 1.5, 1.0]);
        assert_eq!(times(playing(Repeat::PingPong, part, 1.25)), [1.75, 1.75, 1.25, 1.25, 1.75]);
        assert_eq!(times(playing(Repeat::Once, part, 1.0)), [1.5, 2.0, 2.0]);
        assert_eq!(times(playing(Repeat::Loop, None, 3.25)), [3.75, 0.25]);
        assert_eq!(times(playing(Repeat::PingPong, None, 3.25)), [3.75, 3.75, 3.25]);
        for repeat in [Repeat::Loop, Repeat::PingPong, Repeat::Once] {
            let [first] = times(playing(repeat, part, 3.7));
            assert!((1.0..=2.0).contains(&first), "{repeat:?} begins within, from wherever: {first}");
        }
    }

    #[test]
    fn single_playback_stops_at_the_end_and_restarts() {
        let mut playback = playing(Repeat::Once, Some([1.0, 2.0]), 1.75);
        playback.advance(0.5, &rig(4.0));
        assert!(!playback.is_playing && !playback.advance(0.5, &rig(4.0)));
        playback.toggle(&rig(4.0));
        assert_eq!((playback.is_playing, playback.time_secs), (true, 1.0));
    }

    #[test]
    fn a_part_begins_or_ends_where_the_time_is() {
        let rig = rig(4.0);
        let from = |range, time| {
            let mut playback = playing(Repeat::Loop, range, time);
            playback.play_from_here(&rig);
            playback.range()
        };
        let to = |range, time| {
            let mut playback = playing(Repeat::Loop, range, time);
            playback.play_to_here(&rig);
            playback.range()
        };
        assert_eq!((from(None, 1.0), to(None, 1.0)), (Some([1.0, 4.0]), Some([0.0, 1.0])));
        let part = Some([1.0, 2.0]);
        assert_eq!((from(part, 1.5), to(part, 1.5)), (Some([1.5, 2.0]), Some([1.0, 1.5])));
        assert_eq!((from(part, 3.0), to(part, 0.5)), (Some([3.0, 4.0]), Some([0.0, 0.5])), "beyond the part");
    }

    #[test]
    fn playback_range_is_sorted_and_clamped_and_none_for_the_whole_clip() {
        let set = |range| playing(Repeat::Loop, Some(range), 0.0).range();
        assert_eq!(set([3.0, 1.0]), Some([1.0, 3.0]));
        assert_eq!(set([-1.0, 3.0]), Some([0.0, 3.0]));
        for all in [[0.0, 4.0], [-5.0, 9.0], [2.0, 2.0], [7.0, 9.0], [f32::NAN, 1.0]] {
            assert_eq!(set(all), None, "{all:?}");
        }
        let playback = playing(Repeat::Loop, Some([1.0, 3.0]), 0.0);
        assert_eq!(playback.carried(&rig(4.0), &rig(2.0)).range(), Some([1.0, 2.0]), "a shorter clip");
        assert_eq!(playback.with_clip(Some(0)).range(), None, "another clip");
    }

    #[test]
    fn time_goes_by_the_speed() {
        let playback = Playback { speed: 2.0, ..playing(Repeat::Loop, None, 0.0) };
        assert_eq!(times(playback), [1.0, 2.0, 3.0, 0.0]);
    }

    /// Returns the tube with a clip that carries it 2 m to the side and 1 m up.
    fn travelling() -> Stage {
        let document = Document::built_in(BuiltIn::Tube);
        let root = NodeIndex(0);
        let from = document.rig.hierarchy.rest(root).translation;
        let values = [from, from + Vec3::new(2.0, 1.0, 0.0)].iter().flat_map(Vec3::to_array).collect();
        let channel = Channel::linear(root, Property::Translation, [0.0, 1.0], values);
        let clip = Clip { name: "walk".to_owned(), channels: vec![channel], duration_secs: 1.0, ..Clip::default() };
        let parts = RigData { clips: vec![clip], ..RigData::clone(&document.rig) };
        let mut stage = Stage::new(Document { rig: Arc::new(Rig::new(parts)), ..document });
        stage.set_clip(Some(0));
        stage
    }

    fn root_at(stage: &mut Stage, side: Side, time_secs: f32) -> Vec3 {
        stage.playback.pause_at(time_secs, &stage.document.rig);
        stage.refresh();
        stage.actor(side).pose.posed.world_from_node[0].translation
    }

    #[test]
    fn a_held_root_is_held_on_both_sides_in_trails_and_sessions_and_not_in_measures() {
        let mut stage = travelling();
        stage.before = Some(Arc::new(Rig::clone(stage.rig())));
        stage.show_previous();
        stage.set_layout(Layout::Wipe);
        assert_eq!(stage.compute_pending(&Job::default()), [""; 0]);
        stage.view.select(Some(NodeIndex(0)), &stage.document.rig.hierarchy);
        (stage.view.display.trails, stage.view.display.root_path) = (true, true);
        let pose = stage.pose().clone();
        stage.playback.holds_root = true;
        for side in Side::ALL {
            let [start, end] = [0.0, 1.0].map(|time| root_at(&mut stage, side, time));
            assert!(end.distance(start + Vec3::Y) < 1e-5, "side {side:?}: {end} from {start}");
            let trails = stage.trails.get(side).unwrap();
            assert!(trails.joints[0].points.last().unwrap().distance(end) < 1e-5, "the trail ends at the joint");
        }
        assert!(
            stage
                .trails
                .note(&stage.view, &stage.playback, stage.probes.places.len())
                .is_some_and(|note| note.contains("held in place"))
        );
        assert_eq!(stage.pose(), &pose, "nothing is edited");
        let mut restored = travelling();
        Session::parse(Snapshot::new(&stage, false).session().to_json().as_bytes()).unwrap().restore(&mut restored);
        assert!(restored.playback.holds_root);
        restored.set_clip(Some(0));
        assert!(restored.playback.holds_root, "for the next clip too");
        // Measures make their own moments.
        let skinner = || Arc::new(stage.skinned(Side::A).skinner().unwrap());
        let job = stage.motion_job(PerSide { a: skinner(), b: skinner() }, vec![0], None);
        assert_eq!(job.sides.a.pose, pose.over_time());
    }

    #[test]
    fn the_played_range_alone_leaves_the_pose_as_it_is() {
        let figure = Document::built_in(BuiltIn::Figure);
        let mut stage = Stage::new(figure);
        stage.set_clip(Some(0));
        stage.refresh();
        let version = stage.characters.version();
        stage.playback.set_range(Some([0.1, 0.4]), &stage.document.rig);
        stage.refresh();
        assert_eq!(stage.characters.version(), version);
        stage.playback.pause_at(0.3, &stage.document.rig);
        stage.refresh();
        assert_ne!(stage.characters.version(), version);
    }
}
