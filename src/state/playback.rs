//! Which clip plays, and where it is.

use crate::rig::{ClipMoment, Rig};

/// The clip and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Index into `Rig::clips`; `None` shows the rest pose.
    pub clip: Option<usize>,
    /// Seconds from the clip's start.
    pub time_secs: f32,
    /// Time goes on.
    pub is_playing: bool,
    /// Begins again at the end.
    pub is_looping: bool,
    /// Factor on time.
    pub speed: f32,
}

impl Default for Playback {
    fn default() -> Self {
        Self { clip: None, time_secs: 0.0, is_playing: false, is_looping: true, speed: 1.0 }
    }
}

impl Playback {
    /// For a rig read again: the clip of the same name, at the same time as far as it goes on.
    pub(super) fn carried(&self, old: &Rig, new: &Rig) -> Self {
        let named = |index: usize| {
            let name = &old.clips.get(index)?.name;
            // Of clips of one name, the one with the same number.
            let is_same = |c: &usize| new.clips[*c].name == *name;
            Some(index).filter(|i| *i < new.clips.len()).filter(is_same).or((0..new.clips.len()).find(is_same))
        };
        let clip = self.clip.and_then(named);
        let mut carried = Self { clip, is_playing: self.is_playing && clip.is_some(), ..self.clone() };
        carried.seek(self.time_secs, new);
        carried
    }

    /// What to sample, if a clip is chosen.
    pub fn sample(&self) -> Option<ClipMoment> {
        self.clip.map(|clip| ClipMoment { clip, time_secs: self.time_secs })
    }

    /// Length of the chosen clip, seconds; 0 without one.
    pub fn duration_secs(&self, rig: &Rig) -> f32 {
        self.clip.and_then(|c| rig.clips.get(c)).map_or(0.0, |c| c.duration_secs)
    }

    /// Moves on; true where the time changed.
    pub fn advance(&mut self, elapsed_secs: f32, rig: &Rig) -> bool {
        let duration = self.duration_secs(rig);
        if !self.is_playing || duration <= 0.0 {
            return false;
        }
        let time = self.time_secs + elapsed_secs * self.speed;
        if self.is_looping {
            self.time_secs = time.rem_euclid(duration);
        } else {
            self.time_secs = time.clamp(0.0, duration);
            self.is_playing = time < duration;
        }
        true
    }

    /// Starts or pauses; at the end of a clip that does not loop it starts over.
    pub fn toggle(&mut self, rig: &Rig) {
        self.is_playing = !self.is_playing && self.duration_secs(rig) > 0.0;
        if self.is_playing && !self.is_looping && self.time_secs >= self.duration_secs(rig) {
            self.time_secs = 0.0;
        }
    }

    /// Moves to a time within the clip.
    pub fn seek(&mut self, time_secs: f32, rig: &Rig) {
        self.time_secs = time_secs.clamp(0.0, self.duration_secs(rig));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Clip, RigParts};

    fn rig() -> Rig {
        Rig::new(RigParts { clips: vec![Clip { duration_secs: 4.0, ..Clip::default() }], ..RigParts::default() })
    }

    #[test]
    fn time_goes_by_the_speed_around_the_end_or_up_to_it() {
        let playing = Playback { clip: Some(0), is_playing: true, speed: 2.0, ..Playback::default() };
        let after = |elapsed, is_looping| {
            let mut playback = Playback { is_looping, ..playing.clone() };
            assert!(playback.advance(elapsed, &rig()));
            (playback.time_secs, playback.is_playing)
        };
        assert_eq!([after(1.5, true), after(1.5, false)], [(3.0, true); 2]);
        assert_eq!([after(2.5, true), after(2.5, false)], [(1.0, true), (4.0, false)]);
    }

    #[test]
    fn only_a_clip_that_does_not_loop_starts_over_at_its_end() {
        let time_of = |is_looping| {
            let mut playback = Playback { clip: Some(0), time_secs: 4.0, is_looping, ..Playback::default() };
            playback.toggle(&rig());
            (playback.time_secs, playback.is_playing)
        };
        assert_eq!([time_of(true), time_of(false)], [(4.0, true), (0.0, true)]);
    }
}
