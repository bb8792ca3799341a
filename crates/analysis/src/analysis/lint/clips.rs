//! Rules about key frames: keys without motion, invalid rotations, repeated clips and spikes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use glam::{Affine3, Quat};

use super::finding::{FindingList, name_list, short};
use super::{Code, NodeList, Target};
use crate::analysis::rotation_keys::{flipped_keys, jumping_keys};
use rigscope_core::rig::{
    Bounds, Channel, Clip, Interpolation, MeshInstance, NodeIndex, Pose, Property, Rig, evaluate,
};
use rigscope_core::text::{self, counted};

/// Differences from rest up to this are invisible: radians, scale factors, or lengths relative to the rig's size.
const STILL: f32 = 1e-5;
/// A clip whose first key is later than this is reported, seconds.
const LATE: f32 = 0.5;
/// Maximum deviation of a quaternion's length from 1 caused by rounding to 8 bits, which glTF allows.
const ROUNDED_LENGTH: f32 = 0.00769;

/// A key earlier than 0 s by no more than this many seconds counts as rounding error.
const ROUNDED_TIME: f32 = 1e-4;

pub(super) fn unmoving(rig: &Rig, findings: &mut FindingList) {
    let still = Stillness::new(rig);
    for (index, clip) in rig.clips.iter().enumerate() {
        if clip.channels.iter().all(|channel| still.is_still(channel)) {
            let message = format!("Clip {index} \"{}\" moves nothing.", short(&clip.name));
            findings.push(Code::ClipMovesNothing, message, Target::clip(index));
        }
    }
}

struct Stillness<'a> {
    rig: &'a Rig,
    rest: Vec<Affine3>,
    carriers: HashMap<NodeIndex, &'a MeshInstance>,
}

impl<'a> Stillness<'a> {
    fn new(rig: &'a Rig) -> Self {
        let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).world_from_node;
        let mut carriers = HashMap::new();
        for instance in &rig.instances {
            carriers.entry(instance.node).or_insert(instance);
        }
        Self { rig, rest, carriers }
    }

    fn is_still(&self, channel: &Channel) -> bool {
        let rest = self.rest_value(channel);
        let seen: Vec<f32> =
            (0..channel.width).map(|component| self.invisible_difference(channel, &rest, component)).collect();
        let is_near = |value: &[f32], sign: f32| {
            value.iter().zip(&rest).zip(&seen).all(|((v, r), seen)| (v - sign * r).abs() <= *seen)
        };
        let is_rotation = channel.property == Property::Rotation;
        channel.key_values().all(|key| is_near(key, 1.0) || (is_rotation && is_near(key, -1.0)))
            && tangents_are_zero(channel, &seen)
    }

    fn rest_value(&self, channel: &Channel) -> Vec<f32> {
        let rest = self.rig.hierarchy.rest(channel.node);
        match channel.property {
            Property::Translation => rest.translation.to_array().to_vec(),
            Property::Rotation => rest.rotation.to_array().to_vec(),
            Property::Scale => rest.scale.to_array().to_vec(),
            Property::MorphWeights => {
                self.carriers.get(&channel.node).map(|i| i.morph_weights.clone()).unwrap_or_default()
            }
        }
    }

    fn invisible_difference(&self, channel: &Channel, rest: &[f32], component: usize) -> f32 {
        match channel.property {
            Property::Translation => {
                let above = self.rig.hierarchy.parent(channel.node).map(|parent| self.rest[parent.index()].matrix3);
                let scale = above.map_or(1.0, |m| m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length()));
                STILL * self.rig.size() / scale
            }
            Property::Rotation => STILL,
            Property::Scale => STILL * rest.get(component).map_or(1.0, |scale| scale.abs()),
            Property::MorphWeights => {
                STILL / self.carriers.get(&channel.node).map_or(1.0, |i| self.reach(i, component))
            }
        }
    }

    /// Returns a morph target's maximum displacement relative to the size of its mesh, or 1 if the displacement is
    /// smaller than the mesh.
    fn reach(&self, instance: &MeshInstance, target: usize) -> f32 {
        let (mut bounds, mut farthest) = (Bounds::default(), 0.0_f32);
        for primitive in &self.rig.meshes[instance.mesh].primitives {
            primitive.positions.iter().for_each(|position| bounds.add(*position));
            let moved = primitive.morph_targets.get(target).map_or(&[][..], |target| &target.positions);
            farthest = moved.iter().map(|by| by.length()).fold(farthest, f32::max);
        }
        (farthest / bounds.diagonal().max(f32::MIN_POSITIVE)).max(1.0)
    }
}

fn tangents_are_zero(channel: &Channel, seen: &[f32]) -> bool {
    let values = channel.values.chunks_exact(channel.width.max(1)).enumerate();
    let mut tangents = values.filter(|(i, _)| channel.interpolation == Interpolation::CubicSpline && i % 3 != 1);
    tangents.all(|(_, tangent)| tangent.iter().zip(seen).all(|(x, seen)| x.abs() <= *seen))
}

pub(super) fn rotation_keys(rig: &Rig, findings: &mut FindingList) {
    add_key_finding(
        rig,
        findings,
        Code::QuaternionFlip,
        |channel| flipped_keys(channel).len(),
        ["rotation changes sign between keys", "rotations change sign between keys"],
    );
    add_key_finding(
        rig,
        findings,
        Code::KeysNotUnit,
        lengths_off,
        ["rotation key is not of unit length", "rotation keys are not of unit length"],
    );
    add_key_finding(
        rig,
        findings,
        Code::KeySpike,
        |channel| jumping_keys(channel).len(),
        ["rotation key jumps there and back", "rotation keys jump there and back"],
    );
}

pub(super) fn before_start(rig: &Rig, findings: &mut FindingList) {
    for (number, clip) in rig.clips.iter().enumerate() {
        let early = clip.channels.iter().filter(|channel| channel.times_secs.iter().any(|&time| time < -ROUNDED_TIME));
        let mut nodes: Vec<NodeIndex> = early.clone().map(|channel| channel.node).collect();
        let first = early.flat_map(|channel| channel.times_secs.iter().copied()).fold(0.0, f32::min);
        nodes.sort_unstable();
        nodes.dedup();
        if !nodes.is_empty() {
            let (name, names) = (short(&clip.name), name_list(&rig.hierarchy, &nodes));
            let message = format!(
                "Clip {number} \"{name}\" has keys from {} s on, at {names}; what lies before 0 s is not played.",
                text::number(first)
            );
            let nodes = NodeList::new(&rig.hierarchy, nodes);
            findings.push(Code::KeysBeforeStart, message, Target::Clip { clip: number, nodes });
        }
    }
}

pub(super) fn late_start(rig: &Rig, findings: &mut FindingList) {
    for (number, clip) in rig.clips.iter().enumerate() {
        let start = clip.first_key_secs().filter(|start| *start > LATE && start.is_finite());
        if let Some(start) = start {
            let message = format!(
                "Clip {number} \"{}\" has its first key at {} s of {} s, and stands still before.",
                short(&clip.name),
                text::number(start),
                text::number(clip.duration_secs)
            );
            findings.push(Code::LateStart, message, Target::clip(number));
        }
    }
}

pub(super) fn same(rig: &Rig, findings: &mut FindingList) {
    let mut known: HashMap<u64, usize> = HashMap::new();
    for (number, clip) in rig.clips.iter().enumerate().filter(|(_, clip)| !clip.channels.is_empty()) {
        let first = *known.entry(hash(clip)).or_insert(number);
        let other = &rig.clips[first];
        if first != number && is_same(clip, other) {
            let message = format!(
                "Clip {number} \"{}\" has the same keys as clip {first} \"{}\".",
                short(&clip.name),
                short(&other.name)
            );
            findings.push(Code::ClipsSame, message, Target::clip(number));
        }
    }
}

fn hash(clip: &Clip) -> u64 {
    let mut hasher = DefaultHasher::new();
    for channel in &clip.channels {
        (channel.node, channel.property).hash(&mut hasher);
        channel.times_secs.iter().chain(&channel.values).for_each(|number| number.to_bits().hash(&mut hasher));
    }
    hasher.finish()
}

fn is_same(a: &Clip, b: &Clip) -> bool {
    let is_same = |(a, b): (&Channel, &Channel)| {
        (a.node, a.property, a.interpolation) == (b.node, b.property, b.interpolation)
            && a.times_secs == b.times_secs
            && a.values == b.values
    };
    a.channels.len() == b.channels.len() && a.channels.iter().zip(&b.channels).all(is_same)
}

fn add_key_finding(
    rig: &Rig,
    findings: &mut FindingList,
    code: Code,
    count: fn(&Channel) -> usize,
    [one, many]: [&str; 2],
) {
    let of_clips = rig.clips.iter().map(|clip| nodes_where(clip, count));
    let found: Vec<(usize, usize, Vec<NodeIndex>)> = of_clips
        .enumerate()
        .filter(|(_, (keys, _))| *keys > 0)
        .map(|(clip, (keys, nodes))| (clip, keys, nodes))
        .collect();
    let Some((clip, _, nodes)) = found.first() else { return };
    let (keys, name) = (found.iter().map(|(_, keys, _)| keys).sum(), short(&rig.clips[*clip].name));
    let clips = if found.len() == 1 { "in" } else { &format!("in {} clips, the first", found.len()) };
    let names = name_list(&rig.hierarchy, nodes);
    let message = format!("{} {clips} clip {clip} \"{name}\" at {names}.", counted(keys, one, many));
    let nodes = NodeList::new(&rig.hierarchy, nodes.iter().copied());
    findings.push(code, message, Target::Clip { clip: *clip, nodes });
}

fn nodes_where(clip: &Clip, count: fn(&Channel) -> usize) -> (usize, Vec<NodeIndex>) {
    let rotations = clip.channels.iter().filter(|c| c.property == Property::Rotation);
    let counts: Vec<(NodeIndex, usize)> = rotations.map(|c| (c.node, count(c))).filter(|(_, n)| *n > 0).collect();
    (counts.iter().map(|(_, n)| n).sum(), counts.into_iter().map(|(node, _)| node).collect())
}

fn lengths_off(channel: &Channel) -> usize {
    channel.key_values().filter(|key| (Quat::from_slice(key).length() - 1.0).abs() > ROUNDED_LENGTH).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{RigData, Trs};

    fn moves(property: Property, interpolation: Interpolation, keys: &[&[f32]]) -> bool {
        let rig = Rig::new(RigData { hierarchy: chain(1, Trs::IDENTITY), ..RigData::default() });
        let channel = Channel::new(NodeIndex(0), property, interpolation, [0.0], keys.concat());
        !Stillness::new(&rig).is_still(&channel)
    }

    #[test]
    fn either_quaternion_of_the_rest_rotation_moves_nothing() {
        let moves = |key: &[f32]| moves(Property::Rotation, Interpolation::Linear, &[key]);
        assert!(!moves(&[0.0, 0.0, 0.0, 1.0]) && !moves(&[0.0, 0.0, 0.0, -1.0]));
        assert!(moves(&[0.0, 0.0, 0.1, 0.995]));
    }

    #[test]
    fn a_spline_moves_by_its_values_and_by_either_tangent() {
        let (still, moved): (&[f32], &[f32]) = (&[0.0, 0.0, 0.0], &[0.0, 0.5, 0.0]);
        let moves = |keys: [&[f32]; 3]| moves(Property::Translation, Interpolation::CubicSpline, &keys);
        assert!(!moves([still, still, still]));
        for keys in [[moved, still, still], [still, moved, still], [still, still, moved]] {
            assert!(moves(keys), "{keys:?}");
        }
    }
}
