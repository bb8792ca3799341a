//! Converts clips to animations: one channel per node property, with strictly ascending, non-negative times.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::repeat;

use glam::{Quat, Vec3, Vec4};
use serde_json::{Value, json};

use super::attributes::OFF_UNIT;
use super::buffer::named;
use super::buffer::{GlbBuffer, ViewContent};
use super::morphs::target_count;
use super::tree::GlbTree;
use rigscope_core::rig::{Channel, Clip, Hierarchy, Interpolation, NodeIndex, Property, Rig, unit_rotation};

pub(super) struct GlbClips<'a> {
    hierarchy: &'a Hierarchy,
    still: Option<(usize, Vec3)>,
    /// For each node of the rig, the file nodes that carry its meshes, each with its morph target count.
    carriers: BTreeMap<NodeIndex, Vec<(usize, usize)>>,
    times: BTreeMap<Vec<u32>, usize>,
    /// Number of channels that were left out because no exported mesh has their morph targets.
    pub unused_channels: usize,
    pub off_unit: usize,
}

struct Keys {
    times_secs: Vec<f32>,
    values: Vec<f32>,
    interpolation: Interpolation,
}

impl<'a> GlbClips<'a> {
    pub(super) fn new(rig: &'a Rig, tree: &GlbTree) -> Self {
        let mut carriers: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (instance, carrier) in rig.instances.iter().zip(&tree.carriers) {
            let targets = target_count(&rig.meshes[instance.mesh]);
            carriers.entry(instance.node).or_default().extend(carrier.map(|node| (node, targets)));
        }
        Self {
            hierarchy: &rig.hierarchy,
            still: tree.still,
            carriers,
            times: BTreeMap::new(),
            unused_channels: 0,
            off_unit: 0,
        }
    }

    /// Returns the animation of a clip. glTF requires at least one channel, and omitting a clip would renumber the
    /// later ones, so a clip without channels gets keys that hold the node `still` at rest. If there is no such node,
    /// returns `None`.
    pub(super) fn animation(&mut self, clip: &Clip, buffer: &mut GlbBuffer) -> Option<Value> {
        let late_secs = late_secs(clip);
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for channel in played(clip) {
            for (node, width) in self.targets(channel) {
                let keys = self.keys(channel, width, late_secs);
                let input = self.input(&keys.times_secs, buffer);
                let output = output(channel.property, &keys.values, buffer);
                let target = json!({"node": node, "path": path(channel.property)});
                channels.push(json!({"sampler": samplers.len(), "target": target}));
                samplers.push(json!({"input": input, "output": output, "interpolation": name(keys.interpolation)}));
            }
        }
        if let (true, Some((node, place))) = (channels.is_empty(), self.still) {
            let ends = [0.0, clip.duration_secs];
            let times_secs = &ends[..if clip.duration_secs > 0.0 { 2 } else { 1 }];
            let input = self.input(times_secs, buffer);
            let output = output(Property::Translation, &place.to_array().repeat(times_secs.len()), buffer);
            let target = json!({"node": node, "path": path(Property::Translation)});
            channels.push(json!({"sampler": 0, "target": target}));
            samplers.push(json!({"input": input, "output": output, "interpolation": name(Interpolation::Step)}));
        }
        (!channels.is_empty()).then(|| named(&clip.name, json!({"channels": channels, "samplers": samplers})))
    }

    /// Returns the target nodes of a channel, each with its number of values per key. For a split mesh, this number may
    /// differ between nodes.
    fn targets(&mut self, channel: &Channel) -> Vec<(usize, usize)> {
        if channel.property != Property::MorphWeights {
            return vec![(self.hierarchy.source(channel.node), channel.width)];
        }
        let carriers = self.carriers.get(&channel.node).into_iter().flatten();
        let morphed: Vec<_> = carriers.copied().filter(|(_, targets)| *targets > 0).collect();
        self.unused_channels += usize::from(morphed.is_empty());
        morphed
    }

    fn keys(&mut self, channel: &Channel, width: usize, late_secs: f32) -> Keys {
        let per_key = channel.values.len() / channel.times_secs.len();
        let rising = rising(channel, late_secs);
        let numbers =
            rising.iter().flat_map(|(key, _)| channel.values[key * per_key..][..per_key].chunks(channel.width.max(1)));
        let numbers = numbers.flat_map(|value| value.iter().copied().chain(repeat(0.0)).take(width));
        let mut keys = Keys {
            times_secs: rising.iter().map(|(_, time)| *time).collect(),
            values: numbers.collect(),
            interpolation: channel.interpolation,
        };
        if keys.interpolation == Interpolation::CubicSpline && keys.times_secs.len() == 1 {
            // glTF requires at least two spline keys; a single key is constant under any interpolation.
            keys.values = keys.values[width..2 * width].to_vec();
            keys.interpolation = Interpolation::Step;
        }
        if channel.property == Property::Rotation {
            self.make_units(&mut keys);
        }
        keys
    }

    fn make_units(&mut self, keys: &mut Keys) {
        let (per_key, value) = if keys.interpolation == Interpolation::CubicSpline { (12, 4) } else { (4, 0) };
        for key in keys.values.chunks_exact_mut(per_key) {
            let rotation = Vec4::from_slice(&key[value..]);
            if (rotation.length() - 1.0).abs() <= OFF_UNIT {
                continue;
            }
            self.off_unit += 1;
            let unit = unit_rotation(Quat::from_vec4(rotation)).unwrap_or_default();
            let scale = if rotation.length() > 0.0 { rotation.length().recip() } else { 1.0 };
            key.iter_mut().filter(|_| scale.is_finite()).for_each(|x| *x *= scale);
            unit.write_to_slice(&mut key[value..]);
        }
    }

    fn input(&mut self, times_secs: &[f32], buffer: &mut GlbBuffer) -> usize {
        let bits = times_secs.iter().map(|time| time.to_bits()).collect();
        let write = || buffer.bounded_rows(times_secs.iter().map(|&time| [time]), ViewContent::Other);
        *self.times.entry(bits).or_insert_with(write)
    }
}

pub(super) fn late_secs(clip: &Clip) -> f32 {
    let begins = clip.channels.iter().filter_map(|channel| channel.times_secs.first());
    begins.fold(0.0, |late: f32, &begin| late.max(-begin))
}

/// Returns the channels that take effect: the last one for each property of a node.
fn played(clip: &Clip) -> Vec<&Channel> {
    let mut taken = BTreeSet::new();
    let is_last = |channel: &&Channel| taken.insert((channel.node, path(channel.property)));
    let mut channels: Vec<&Channel> = clip.channels.iter().rev().filter(is_last).collect();
    channels.reverse();
    channels
}

/// Returns the index and the time in seconds of each key to write. Two keys at the same time form a jump: the first key
/// moves to the next smaller float, or is dropped if the interpolation is stepped.
fn rising(channel: &Channel, late_secs: f32) -> Vec<(usize, f32)> {
    let mut keys: Vec<(usize, f32)> = Vec::with_capacity(channel.times_secs.len());
    for (key, time) in channel.times_secs.iter().enumerate() {
        // Replaces -0 with 0, so that a delayed clip exports to the same bytes as a clip that starts at 0.
        let time = (time + late_secs).max(0.0) + 0.0;
        if let Some(last) = keys.last().copied().filter(|last| last.1 >= time) {
            keys.pop();
            let (earlier, before) = (time.next_down(), keys.last().map_or(-f32::MIN_POSITIVE, |key| key.1));
            if channel.interpolation != Interpolation::Step && earlier >= 0.0 && earlier > before {
                keys.push((last.0, earlier));
            }
        }
        keys.push((key, time));
    }
    keys
}

fn output(property: Property, values: &[f32], buffer: &mut GlbBuffer) -> usize {
    match property {
        Property::Rotation => buffer.rows(values.as_chunks::<4>().0.iter().copied(), ViewContent::Other),
        Property::Translation | Property::Scale => {
            buffer.rows(values.as_chunks::<3>().0.iter().copied(), ViewContent::Other)
        }
        Property::MorphWeights => buffer.rows(values.iter().map(|&weight| [weight]), ViewContent::Other),
    }
}

fn path(property: Property) -> &'static str {
    match property {
        Property::Translation => "translation",
        Property::Rotation => "rotation",
        Property::Scale => "scale",
        Property::MorphWeights => "weights",
    }
}

fn name(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "STEP",
        Interpolation::Linear => "LINEAR",
        Interpolation::CubicSpline => "CUBICSPLINE",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(interpolation: Interpolation, times_secs: &[f32]) -> Channel {
        Channel::new(NodeIndex(0), Property::Translation, interpolation, times_secs, vec![0.0; times_secs.len() * 3])
    }

    #[test]
    fn times_rise_strictly_and_a_jump_stays_one() {
        let rising = |interpolation, times: &[f32]| rising(&channel(interpolation, times), 0.0);
        let below_one = 1.0_f32.next_down();
        assert_eq!(
            rising(Interpolation::Linear, &[0.0, 1.0, 1.0, 2.0]),
            [(0, 0.0), (1, below_one), (2, 1.0), (3, 2.0)]
        );
        assert_eq!(rising(Interpolation::Step, &[0.0, 1.0, 1.0, 2.0]), [(0, 0.0), (2, 1.0), (3, 2.0)]);
        assert_eq!(rising(Interpolation::Linear, &[0.0, 0.0, 1.0]), [(1, 0.0), (2, 1.0)], "no time is below 0");
        assert_eq!(rising(Interpolation::Linear, &[below_one, 1.0, 1.0]), [(0, below_one), (2, 1.0)]);
    }

    #[test]
    fn a_clip_that_begins_before_0_is_later_as_a_whole() {
        let channels = vec![channel(Interpolation::Linear, &[-0.5, 1.0]), channel(Interpolation::Step, &[-1.0])];
        let clip = Clip { channels, ..Clip::default() };
        assert_eq!(late_secs(&clip), 1.0);
        assert_eq!(rising(&clip.channels[0], 1.0), [(0, 0.5), (1, 2.0)]);
        assert_eq!(rising(&clip.channels[1], 1.0), [(0, 0.0)]);
    }

    #[test]
    fn tangents_of_a_rotation_are_scaled_with_it_when_it_is_made_unit() {
        let hierarchy = Hierarchy::default();
        let mut clips = GlbClips {
            hierarchy: &hierarchy,
            still: None,
            carriers: BTreeMap::new(),
            times: BTreeMap::new(),
            unused_channels: 0,
            off_unit: 0,
        };
        let key = |length: f32| [[0.0, 0.0, length, 0.0], [0.0, 0.0, 0.0, length], [length, 0.0, 0.0, 0.0]].concat();
        let mut keys = Keys {
            times_secs: vec![0.0, 1.0],
            values: [key(2.0), key(1.0)].concat(),
            interpolation: Interpolation::CubicSpline,
        };
        clips.make_units(&mut keys);
        assert_eq!((keys.values, clips.off_unit), ([key(1.0), key(1.0)].concat(), 1));
    }

    #[test]
    fn of_two_channels_for_one_property_the_later_is_kept() {
        let channels = vec![channel(Interpolation::Step, &[0.0]), channel(Interpolation::Linear, &[0.0, 1.0])];
        let clip = Clip { channels, ..Clip::default() };
        assert!(played(&clip).iter().map(|c| c.interpolation).eq([Interpolation::Linear]));
    }
}
