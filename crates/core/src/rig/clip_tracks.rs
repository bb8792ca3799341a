//! Clip data arranged for playback. Channels with equal key times share one key search. Rotations are interpolated in
//! groups of four.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use glam::{DVec3, Quat, Vec3, Vec4};

use super::clip::KeySpan;
use super::slerp::slerp_four;
use super::{Channel, Clip, Interpolation, NodeIndex, Property, Trs};

/// Channels of a [`Clip`], grouped by how they are sampled.
#[derive(Clone, Debug, Default)]
pub struct ClipTracks {
    timelines: Vec<KeyTimes>,
    translations: Vec<ChannelTrack>,
    scales: Vec<ChannelTrack>,
    /// Linearly interpolated rotations with keys of nearly unit length.
    arcs: Vec<ChannelTrack>,
    others: Vec<ChannelTrack>,
    morphs: Vec<ChannelTrack>,
    nodes: Vec<NodeIndex>,
    /// [`super::Rig::clip_root`], found on demand.
    pub(super) root: OnceLock<NodeIndex>,
}

#[derive(Clone, Copy, Debug)]
struct ChannelTrack {
    channel: usize,
    timeline: usize,
}

/// Reusable buffer for the key span of each timeline.
#[derive(Clone, Debug, Default)]
pub struct KeySpans(Vec<KeySpan>);

#[derive(Debug)]
struct KeyTimes {
    times_secs: Arc<[f32]>,
    /// Number of keys up to the last requested time. The next search starts here, which affects only speed.
    last: AtomicUsize,
}

impl Clone for KeyTimes {
    fn clone(&self) -> Self {
        Self::new(&self.times_secs)
    }
}

impl KeyTimes {
    fn new(times_secs: &Arc<[f32]>) -> Self {
        Self { times_secs: Arc::clone(times_secs), last: AtomicUsize::new(0) }
    }

    fn span(&self, time_secs: f32) -> KeySpan {
        let times = &*self.times_secs;
        let is_count = |count: usize| {
            count.checked_sub(1).is_none_or(|before| times[before] <= time_secs)
                && times.get(count).is_none_or(|&next| next > time_secs)
        };
        let last = self.last.load(Ordering::Relaxed);
        if is_count(last) {
            return KeySpan::new(times, last, time_secs);
        }
        let next = (last + 1).min(times.len());
        let count = if is_count(next) { next } else { times.partition_point(|&t| t <= time_secs) };
        self.last.store(count, Ordering::Relaxed);
        KeySpan::new(times, count, time_secs)
    }
}

/// Keys whose squared quaternion length is in this range give the same arc in single and in double precision.
const NEARLY_UNIT: std::ops::Range<f32> = 0.5..2.0;

impl ClipTracks {
    /// Groups a clip's channels. If several channels animate the same property of a node, only the last one is used.
    pub fn new(clip: &Clip) -> Self {
        let mut tracks = Self::default();
        let mut timeline_of = HashMap::new();
        let mut taken = HashSet::new();
        for (number, channel) in clip.channels.iter().enumerate().rev() {
            let is_morph = channel.property == Property::MorphWeights;
            if !is_morph && !taken.insert((channel.node, channel.property)) {
                continue;
            }
            let timeline = *timeline_of.entry(channel.times_secs.as_ptr()).or_insert_with(|| {
                tracks.timelines.push(KeyTimes::new(&channel.times_secs));
                tracks.timelines.len() - 1
            });
            tracks.track_list(channel).push(ChannelTrack { channel: number, timeline });
            if !is_morph {
                tracks.nodes.push(channel.node);
            }
        }
        tracks.morphs.reverse();
        // Pads to a multiple of four with copies: setting a rotation twice is cheaper than handling a remainder.
        if let Some(&last) = tracks.arcs.last() {
            tracks.arcs.resize(tracks.arcs.len().next_multiple_of(4), last);
        }
        tracks.nodes.sort_unstable();
        tracks.nodes.dedup();
        tracks
    }

    fn track_list(&mut self, channel: &Channel) -> &mut Vec<ChannelTrack> {
        match (channel.property, channel.interpolation) {
            (Property::MorphWeights, _) => &mut self.morphs,
            (Property::Translation, Interpolation::Linear) => &mut self.translations,
            (Property::Scale, Interpolation::Linear) => &mut self.scales,
            (Property::Rotation, Interpolation::Linear) if has_unit_keys(channel) => &mut self.arcs,
            _ => &mut self.others,
        }
    }

    /// Returns the animated nodes, by ascending index.
    pub fn nodes(&self) -> &[NodeIndex] {
        &self.nodes
    }

    /// Samples the clip that was passed to [`Self::new`] into `locals`, which has one entry per node. Results are
    /// within 1e-6 of [`Channel::sample`].
    pub fn sample_into(&self, clip: &Clip, time_secs: f32, KeySpans(spans): &mut KeySpans, locals: &mut [Trs]) {
        spans.clear();
        spans.extend(self.timelines.iter().map(|t| t.span(time_secs)));
        let of = |track: &ChannelTrack| (&clip.channels[track.channel], &spans[track.timeline]);
        let line = |(channel, span): (&Channel, &KeySpan)| {
            let [from, to] = [span.from, span.to].map(|key| Vec3::from_slice(&channel.values[key * 3..]));
            from + (to - from) * span.fraction
        };
        for of in self.translations.iter().map(of) {
            locals[of.0.node.index()].translation = line(of);
        }
        for of in self.scales.iter().map(of) {
            locals[of.0.node.index()].scale = line(of);
        }
        for four in self.arcs.as_chunks::<4>().0 {
            let four = four.each_ref().map(of);
            let [a, b, c, d] = four;
            let key = |(channel, _): (&Channel, &KeySpan), key: usize| Vec4::from_slice(&channel.values[key * 4..]);
            let from = [key(a, a.1.from), key(b, b.1.from), key(c, c.1.from), key(d, d.1.from)];
            let to = [key(a, a.1.to), key(b, b.1.to), key(c, c.1.to), key(d, d.1.to)];
            let turned = slerp_four(from, to, Vec4::new(a.1.fraction, b.1.fraction, c.1.fraction, d.1.fraction));
            for ((channel, _), rotation) in four.into_iter().zip(turned) {
                locals[channel.node.index()].rotation = Quat::from_vec4(rotation);
            }
        }
        for (channel, span) in self.others.iter().map(of) {
            channel.apply(span, &mut locals[channel.node.index()]);
        }
    }

    /// Samples translations in double precision into `translations`, which has one entry per node; `spans` must come
    /// from the previous call of [`Self::sample_into`].
    pub(super) fn sample_translations(&self, clip: &Clip, KeySpans(spans): &KeySpans, translations: &mut [DVec3]) {
        for track in self.translations.iter().chain(&self.others) {
            let channel = &clip.channels[track.channel];
            if channel.property == Property::Translation {
                translations[channel.node.index()] = channel.translation(&spans[track.timeline]);
            }
        }
    }

    /// Returns a node's translation at the clip's start; `None` if the clip does not translate it.
    pub(super) fn start_translation(&self, clip: &Clip, node: NodeIndex) -> Option<DVec3> {
        let mut moved = self.translations.iter().chain(&self.others);
        let track = moved.find(|track| {
            let channel = &clip.channels[track.channel];
            (channel.node, channel.property) == (node, Property::Translation)
        })?;
        Some(clip.channels[track.channel].translation(&self.timelines[track.timeline].span(0.0)))
    }

    pub(super) fn sample_morphs(&self, clip: &Clip, time_secs: f32, mut sampled: impl FnMut(&Channel, &KeySpan)) {
        for track in &self.morphs {
            sampled(&clip.channels[track.channel], &self.timelines[track.timeline].span(time_secs));
        }
    }
}

fn has_unit_keys(channel: &Channel) -> bool {
    channel.values.chunks_exact(4).all(|key| NEARLY_UNIT.contains(&Vec4::from_slice(key).length_squared()))
}

pub(super) fn share_times<'a>(channels: impl Iterator<Item = &'a mut Channel>) {
    let mut known = HashSet::new();
    for channel in channels {
        let times = HashedTimes(Arc::clone(&channel.times_secs));
        match known.get(&times) {
            Some(HashedTimes(same)) => channel.times_secs = Arc::clone(same),
            None => _ = known.insert(times),
        }
    }
}

#[derive(PartialEq)]
struct HashedTimes(Arc<[f32]>);

/// Valid because no time is NaN.
impl Eq for HashedTimes {}

impl Hash for HashedTimes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // 0 and -0 are equal.
        self.0.iter().for_each(|time| (time + 0.0).to_bits().hash(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::any_rotation;
    use proptest::prelude::*;

    fn any_channel() -> impl Strategy<Value = Channel> {
        let property = prop_oneof![Just(Property::Translation), Just(Property::Rotation), Just(Property::Scale)];
        let interpolation =
            prop_oneof![Just(Interpolation::Linear), Just(Interpolation::Step), Just(Interpolation::CubicSpline)];
        let keys = prop::collection::vec((0_u8..4, prop::array::uniform3((any_rotation(), 0.5_f32..1.5))), 1..8);
        (0_u32..4, property, interpolation, keys).prop_map(|(node, property, interpolation, keys)| {
            let steps = keys.iter().map(|(step, _)| f32::from(*step) * 0.5);
            let times = steps.scan(0.0, |time, step| Some(std::mem::replace(time, *time + step))).collect();
            let width = if property == Property::Rotation { 4 } else { 3 };
            let parts = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let value = |(q, length): &(Quat, f32)| (*q * *length).to_array().into_iter().take(width);
            let values = keys.iter().flat_map(|(_, values)| values.iter().take(parts).flat_map(value)).collect();
            Channel { node: NodeIndex(node), property, interpolation, times_secs: times, values, width }
        })
    }

    fn one_by_one(clip: &Clip, time_secs: f32, locals: &mut [Trs]) {
        for channel in &clip.channels {
            let until = channel.times_secs.partition_point(|&t| t <= time_secs);
            channel.apply(&KeySpan::new(&channel.times_secs, until, time_secs), &mut locals[channel.node.index()]);
        }
    }

    proptest! {
        #[test]
        fn together_channels_are_as_each_by_itself(channels in prop::collection::vec(any_channel(), 0..12),
            moments in prop::collection::vec(-1.0_f32..8.0, 12)) {
            let mut clip = Clip { channels, ..Clip::default() };
            share_times(clip.channels.iter_mut());
            let tracks = ClipTracks::new(&clip);
            let mut spans = KeySpans::default();
            // Random times, then ascending ones, then the keys themselves.
            let keys: Vec<f32> = clip.channels.iter().flat_map(|c| c.times_secs.iter().copied()).collect();
            for time in moments.into_iter().chain((0..80).map(|i| i as f32 * 0.1)).chain(keys) {
                let (mut exact, mut found) = (vec![Trs::IDENTITY; 4], vec![Trs::IDENTITY; 4]);
                one_by_one(&clip, time, &mut exact);
                tracks.sample_into(&clip, time, &mut spans, &mut found);
                for (exact, found) in exact.iter().zip(&found) {
                    prop_assert!((exact.rotation - found.rotation).length() <= 1e-6, "{exact:?} {found:?} at {time}");
                    prop_assert_eq!((exact.translation, exact.scale), (found.translation, found.scale));
                }
            }
        }
    }

    #[test]
    fn equal_times_are_kept_once() {
        let channel = |times_secs: [f32; 2]| {
            Channel::new(NodeIndex(0), Property::Scale, Interpolation::Step, times_secs, vec![1.0; 6])
        };
        let mut channels = [channel([0.0, 1.0]), channel([-0.0, 1.0]), channel([0.0, 2.0])];
        share_times(channels.iter_mut());
        let [a, b, c] = channels.map(|c| c.times_secs);
        assert!(Arc::ptr_eq(&a, &b) && !Arc::ptr_eq(&a, &c));
        assert_eq!(*c, [0.0, 2.0]);
        let clip = Clip { channels: vec![channel([0.0, 1.0]), channel([0.0, 1.0])], ..Clip::default() };
        assert_eq!(
            ClipTracks::new(&clip).translations.len() + ClipTracks::new(&clip).others.len(),
            1,
            "the later wins"
        );
    }
}
