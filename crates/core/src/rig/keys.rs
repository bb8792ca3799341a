use std::collections::BTreeSet;

use super::{Channel, Clip, Interpolation, NodeIndex};

/// A key of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipKey {
    /// Time from the clip's start, seconds.
    pub time_secs: f32,
    /// Interpolation from this key to the next.
    pub interpolation: Interpolation,
}

/// Frame rate for displaying clip times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRate {
    /// Frames per second.
    pub per_sec: f32,
    /// Time of frame 0, seconds; less than the duration of a frame. Non-zero only if frames are counted from the first
    /// key instead of the clip's start.
    pub phase_secs: f32,
    /// Whether the file states the rate or all keys fit it; false if the rate is assumed.
    pub is_of_keys: bool,
}

impl Default for FrameRate {
    fn default() -> Self {
        Self { per_sec: 30.0, phase_secs: 0.0, is_of_keys: false }
    }
}

/// Common rates, most likely first; NTSC rates last.
const COMMON_RATES: [f32; 11] =
    [30.0, 24.0, 25.0, 60.0, 50.0, 48.0, 100.0, 120.0, 30_000.0 / 1001.0, 24_000.0 / 1001.0, 60_000.0 / 1001.0];

/// A key is on a frame if it is at most this far from the frame, in frames. Allows for rounded times; some files round
/// to milliseconds.
const OFF_FRAME: f32 = 0.03;

impl FrameRate {
    /// Creates a known rate, frames per second, with frame 0 at 0 s.
    pub const fn new(per_sec: f32) -> Self {
        Self { per_sec, phase_secs: 0.0, is_of_keys: true }
    }

    /// Returns the number of the frame that contains a time (seconds), counted from 0.
    pub fn frame(self, time_secs: f32) -> u32 {
        ((time_secs - self.phase_secs) * self.per_sec + OFF_FRAME).max(0.0).floor() as u32
    }

    /// Returns the time of a frame, seconds.
    pub fn time_secs(self, frame: u32) -> f32 {
        self.phase_secs + frame as f32 / self.per_sec
    }

    /// Returns the times of every `step`-th frame from 0 to an end, and the end itself unless a frame is there, in
    /// seconds.
    pub fn times_secs(self, end_secs: f32, step: usize) -> Vec<f32> {
        let end = end_secs.max(0.0);
        let mut times: Vec<f32> =
            (0..=self.frame(end)).step_by(step).map(|frame| self.time_secs(frame).min(end)).collect();
        if times.last().is_none_or(|last| end - last > OFF_FRAME / self.per_sec) {
            times.push(end);
        }
        times
    }

    /// Returns the earliest time that [`Self::frame`] assigns to a frame, seconds.
    pub fn start_secs(self, frame: u32) -> f32 {
        self.phase_secs + (frame as f32 - OFF_FRAME) / self.per_sec
    }

    /// Returns the time of the next frame, seconds.
    pub fn next(self, time_secs: f32) -> f32 {
        self.time_secs(self.frame(time_secs).saturating_add(1))
    }

    /// Returns the time of the previous frame, seconds, at least 0.
    pub fn previous(self, time_secs: f32) -> f32 {
        let frame = self.frame(time_secs);
        let is_within = time_secs - self.time_secs(frame) > OFF_FRAME / self.per_sec;
        self.time_secs(if is_within { frame } else { frame.saturating_sub(1) })
    }

    fn fits(self, time_secs: f32) -> bool {
        let frames = (time_secs - self.phase_secs) * self.per_sec;
        (frames - frames.round()).abs() <= OFF_FRAME
    }

    fn with_frame_at(self, time_secs: f32) -> Self {
        let phase_secs = time_secs.rem_euclid(1.0 / self.per_sec);
        if self.fits(time_secs) { self } else { Self { phase_secs, ..self } }
    }

    fn is_dense(self, pair: &[f32]) -> bool {
        (SAME_KEY..(1.0 + OFF_FRAME) / self.per_sec).contains(&(pair[1] - pair[0]))
    }
}

impl Clip {
    /// Returns the authored rate, or else a common rate that fits all keys, or else 30 frames per second. Frames are
    /// counted from the clip's start or, if keys are one frame apart only when counted from the first key, from the
    /// first key.
    pub fn frame_rate(&self) -> FrameRate {
        match self.authored_rate.filter(|rate| (1.0..=1000.0).contains(rate)) {
            Some(per_sec) => FrameRate::new(per_sec),
            None => self.key_rate(),
        }
    }

    /// Returns a common rate that fits all keys, or else 30 frames per second. Ignores the authored rate.
    pub fn key_rate(&self) -> FrameRate {
        let times = || self.channels.iter().flat_map(|c| c.times_secs.iter().copied());
        if !times().any(|t| t > SAME_KEY) {
            return FrameRate::default();
        }
        let fitting = COMMON_RATES.map(FrameRate::new).into_iter().find(|rate| times().all(|t| rate.fits(t)));
        if fitting.is_some_and(|rate| self.has_dense_keys(rate)) {
            return fitting.unwrap_or_default();
        }
        self.rate_from_first_key().or(fitting).unwrap_or_default()
    }

    /// Finds a common frame rate that fits all keys when frames are counted from the first key of the channel with the
    /// most keys. At least two keys must be one frame apart.
    fn rate_from_first_key(&self) -> Option<FrameRate> {
        // A channel with one key is constant, so the key's time is irrelevant.
        let moving = || self.channels.iter().map(|channel| &channel.times_secs).filter(|times| times.len() > 1);
        let first = *moving().max_by_key(|times| times.len())?.first()?;
        let fits_all = |rate: &FrameRate| moving().all(|times| times.iter().all(|&time| rate.fits(time)));
        let mut rates = COMMON_RATES.into_iter().map(|per_sec| FrameRate::new(per_sec).with_frame_at(first));
        rates.find(|rate| fits_all(rate) && self.has_dense_keys(*rate))
    }

    fn has_dense_keys(&self, rate: FrameRate) -> bool {
        self.channels.iter().any(|c| c.times_secs.windows(2).any(|pair| rate.is_dense(pair)))
    }

    /// Returns whether `per_sec` is a plausible alternative: the clip has no authored rate, all keys fit `per_sec`, and
    /// no two keys are one frame apart at [`Self::frame_rate`].
    pub fn may_have_rate(&self, per_sec: f32) -> bool {
        let rate = FrameRate::new(per_sec);
        self.authored_rate.is_none()
            && self.channels.iter().all(|c| c.times_secs.iter().all(|&time| rate.fits(time)))
            && !self.has_dense_keys(self.frame_rate())
    }

    /// Returns the keys of `nodes` by ascending time, without duplicates. A key interpolates as a step only if all
    /// channels with a key at that time do.
    pub fn node_keys(&self, nodes: &[NodeIndex]) -> Vec<ClipKey> {
        let nodes: BTreeSet<NodeIndex> = nodes.iter().copied().collect();
        let of_nodes = self.channels.iter().filter(|c| nodes.contains(&c.node));
        let mut keys: Vec<ClipKey> = of_nodes.flat_map(Channel::keys).collect();
        let is_step = |key: &ClipKey| key.interpolation == Interpolation::Step;
        keys.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs).then(is_step(a).cmp(&is_step(b))));
        keys.dedup_by(|next, key| {
            let is_same = next.time_secs - key.time_secs <= SAME_KEY;
            if is_same && is_step(key) {
                key.interpolation = next.interpolation;
            }
            is_same
        });
        keys
    }

    /// Returns the time of the first key after a time, seconds.
    pub fn key_after(&self, time_secs: f32) -> Option<f32> {
        let next =
            |c: &Channel| c.times_secs.get(c.times_secs.partition_point(|&t| t <= time_secs + SAME_KEY)).copied();
        self.channels.iter().filter_map(next).min_by(f32::total_cmp)
    }

    /// Returns the time of the last key before a time, seconds.
    pub fn key_before(&self, time_secs: f32) -> Option<f32> {
        let count = |c: &Channel| c.times_secs.partition_point(|&t| t < time_secs - SAME_KEY);
        let last = |c: &Channel| c.times_secs.get(count(c).checked_sub(1)?).copied();
        self.channels.iter().filter_map(last).max_by(f32::total_cmp)
    }
}

/// Keys at most this far apart count as simultaneous, seconds, because each channel rounds its own times.
const SAME_KEY: f32 = 1e-4;

impl Channel {
    fn keys(&self) -> impl Iterator<Item = ClipKey> + '_ {
        self.times_secs.iter().map(|&time_secs| ClipKey { time_secs, interpolation: self.interpolation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Property;

    fn channel(node: u32, interpolation: Interpolation, times_secs: Vec<f32>) -> Channel {
        let parts = if interpolation == Interpolation::CubicSpline { 9 } else { 3 };
        let values = vec![0.0; parts * times_secs.len()];
        Channel::new(NodeIndex(node), Property::Translation, interpolation, times_secs, values)
    }

    fn clip(channels: Vec<Channel>) -> Clip {
        Clip { channels, ..Clip::default() }
    }

    #[test]
    fn the_frame_rate_is_that_on_whose_frames_all_keys_lie() {
        let at = |rate: f32, frames: &[u32]| {
            let times = frames.iter().map(|&f| f as f32 / rate).collect();
            clip(vec![channel(0, Interpolation::Linear, times)]).frame_rate()
        };
        let frames: Vec<u32> = (0..200).collect();
        for rate in [24.0, 25.0, 30.0, 48.0, 60.0, 120.0] {
            assert_eq!(at(rate, &frames), FrameRate::new(rate));
        }
        assert_eq!(at(30.0, &[0, 15, 30]).per_sec, 30.0, "the likeliest of several");
        let ntsc = at(30_000.0 / 1001.0, &frames);
        assert!((ntsc.per_sec - 29.97).abs() < 0.001 && ntsc.is_of_keys);
        assert_eq!(at(7.3, &frames), FrameRate::default(), "none that is common");
        assert_eq!(at(60.0, &[0]), FrameRate::default(), "one key at 0 says nothing");
    }

    #[test]
    fn rate_and_phase_are_found_apart() {
        let rate_of = |times: &[Vec<f32>]| {
            clip(times.iter().map(|times| channel(0, Interpolation::Linear, times.clone())).collect()).frame_rate()
        };
        let from = |first: f32, rate: f32| (0..40).map(|key| first + key as f32 / rate).collect::<Vec<f32>>();
        let is = |found: FrameRate, per_sec: f32, phase_secs: f32| {
            found.per_sec == per_sec && (found.phase_secs - phase_secs).abs() < 1e-4 && found.is_of_keys
        };
        let late = rate_of(&[from(1.0 / 30.0, 24.0)]);
        assert!(is(late, 24.0, 1.0 / 30.0), "and not the 120 on which all of its keys lie too: {late:?}");
        assert_eq!((late.frame(1.0 / 30.0), late.frame(1.0 / 30.0 + 5.0 / 24.0)), (0, 5));
        assert!((late.next(1.0 / 30.0) - (1.0 / 30.0 + 1.0 / 24.0)).abs() < 1e-6);
        assert!(is(rate_of(&[from(1.0 / 30.0, 24.0), vec![0.0]]), 24.0, 1.0 / 30.0), "beside a channel that is still");
        assert!(is(rate_of(&[from(1.0 / 60.0, 30.0)]), 30.0, 1.0 / 60.0));
        assert!(is(rate_of(&[from(1.0 / 24.0, 24.0)]), 24.0, 0.0), "a whole frame late");
        assert!(is(rate_of(&[vec![1.0 / 24.0, 13.0 / 24.0]]), 24.0, 0.0), "too few keys to tell");
        assert!(is(rate_of(&[from(0.0, 30.0), from(1.0 / 60.0, 30.0)]), 60.0, 0.0), "channels in turns");
    }

    #[test]
    fn steps_go_from_frame_to_frame_and_from_between_to_the_nearest() {
        let rate = FrameRate::new(24.0);
        assert_eq!([0.0, 1.0 / 24.0, 0.99, 1.0].map(|t| rate.frame(t)), [0, 1, 23, 24]);
        for frame in 1..500 {
            let time = rate.time_secs(frame);
            assert_eq!((rate.frame(rate.next(time)), rate.frame(rate.previous(time))), (frame + 1, frame - 1));
        }
        assert_eq!((rate.previous(1.02), rate.next(1.02)), (1.0, 25.0 / 24.0));
        assert_eq!(rate.previous(0.0), 0.0);
    }

    #[test]
    fn node_keys_are_listed_once_and_marked_as_steps_if_all_are() {
        let clip = clip(vec![
            channel(0, Interpolation::Step, vec![0.0, 1.0, 2.0]),
            channel(0, Interpolation::Linear, vec![1.000_01, 2.0]),
            channel(1, Interpolation::CubicSpline, vec![0.5]),
            channel(2, Interpolation::Linear, vec![0.7]),
        ]);
        let keys = |nodes: &[u32]| {
            let nodes: Vec<NodeIndex> = nodes.iter().copied().map(NodeIndex).collect();
            clip.node_keys(&nodes).into_iter().map(|k| (k.time_secs, k.interpolation)).collect::<Vec<_>>()
        };
        let (step, linear, cubic) = (Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline);
        assert_eq!(keys(&[1, 0]), [(0.0, step), (0.5, cubic), (1.0, linear), (2.0, linear)]);
        assert!(keys(&[]).is_empty() && keys(&[7]).is_empty());
    }
}
