//! Key frames: whether they move anything, how their rotations are stored, and which of them repeat others or jerk.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use glam::Quat;

use super::finding::{FindingList, NameList, NodeList, short};
use super::{Code, Target};
use crate::analysis::rotation_keys::{flipped_keys, jumping_keys};
use crate::rig::{Channel, Clip, Interpolation, NodeIndex, Property, Rig};
use crate::text::counted;

/// Difference from the rest pose below which a value moves nothing.
const STILL: f32 = 1e-5;
/// Deviation from unit length that 8-bit rounding of a quaternion may cause; glTF allows such keys.
const ROUNDED_LENGTH: f32 = 0.008;

/// Time before 0 that is rounding, seconds.
const ROUNDED_TIME: f32 = 1e-4;

/// Finds clips whose keys all equal the rest pose.
pub(super) fn unmoving(rig: &Rig, findings: &mut FindingList) {
    let mut carriers: HashMap<NodeIndex, &[f32]> = HashMap::new();
    for instance in &rig.instances {
        carriers.entry(instance.node).or_insert(&instance.morph_weights);
    }
    for (index, clip) in rig.clips.iter().enumerate() {
        if clip.channels.iter().all(|c| is_still(rig, &carriers, c)) {
            let message = format!("Clip {index} \"{}\" moves nothing.", short(&clip.name));
            findings.push(Code::ClipMovesNothing, message, Target::Clip { clip: index, nodes: NodeList::default() });
        }
    }
}

fn is_still(rig: &Rig, carriers: &HashMap<NodeIndex, &[f32]>, channel: &Channel) -> bool {
    let rest = rig.hierarchy.rest(channel.node);
    let rest: Vec<f32> = match channel.property {
        Property::Translation => rest.translation.to_array().to_vec(),
        Property::Rotation => rest.rotation.to_array().to_vec(),
        Property::Scale => rest.scale.to_array().to_vec(),
        Property::MorphWeights => carriers.get(&channel.node).map(|w| w.to_vec()).unwrap_or_default(),
    };
    let is_same = |value: &[f32]| value.iter().zip(&rest).all(|(v, r)| (v - r).abs() <= STILL * r.abs().max(1.0));
    let is_opposite = |value: &[f32]| value.iter().zip(&rest).all(|(v, r)| (v + r).abs() <= STILL);
    let is_rotation = channel.property == Property::Rotation;
    channel.key_values().all(|key| is_same(key) || (is_rotation && is_opposite(key))) && tangents_are_zero(channel)
}

fn tangents_are_zero(channel: &Channel) -> bool {
    let values = channel.values.chunks_exact(channel.width.max(1)).enumerate();
    let mut tangents = values.filter(|(i, _)| channel.interpolation == Interpolation::CubicSpline && i % 3 != 1);
    tangents.all(|(_, tangent)| tangent.iter().all(|x| x.abs() <= STILL))
}

/// Finds rotations that change sign between keys, and rotations that are not unit quaternions; each once per clip.
pub(super) fn rotation_keys(rig: &Rig, findings: &mut FindingList) {
    tell(
        rig,
        findings,
        Code::QuaternionFlip,
        |channel| flipped_keys(channel).len(),
        ["rotation changes sign between keys", "rotations change sign between keys"],
    );
    tell(
        rig,
        findings,
        Code::KeysNotUnit,
        lengths_off,
        ["rotation key is not of unit length", "rotation keys are not of unit length"],
    );
    tell(
        rig,
        findings,
        Code::KeySpike,
        |channel| jumping_keys(channel).len(),
        ["rotation key jumps there and back", "rotation keys jump there and back"],
    );
}

/// Finds clips with keys before 0 s; what lies after the end there is not, as a clip ends with its last key.
pub(super) fn before_start(rig: &Rig, findings: &mut FindingList) {
    for (number, clip) in rig.clips.iter().enumerate() {
        let early = clip.channels.iter().filter(|channel| channel.times_secs.iter().any(|&time| time < -ROUNDED_TIME));
        let mut nodes: Vec<NodeIndex> = early.clone().map(|channel| channel.node).collect();
        let first = early.flat_map(|channel| channel.times_secs.iter().copied()).fold(0.0, f32::min);
        nodes.sort_unstable();
        nodes.dedup();
        if !nodes.is_empty() {
            let (name, names) = (short(&clip.name), NameList(&rig.hierarchy, &nodes));
            let message = format!(
                "Clip {number} \"{name}\" has keys from {first} s on, at {names}; what lies before 0 s is not played."
            );
            let nodes = NodeList::new(&rig.hierarchy, nodes);
            findings.push(Code::KeysBeforeStart, message, Target::Clip { clip: number, nodes });
        }
    }
}

/// Finds clips that have the same channels with the same keys.
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
            findings.push(Code::ClipsSame, message, Target::Clip { clip: number, nodes: NodeList::default() });
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

fn tell(rig: &Rig, findings: &mut FindingList, code: Code, count: fn(&Channel) -> usize, [one, many]: [&str; 2]) {
    let of_clips = rig.clips.iter().map(|clip| nodes_where(clip, count));
    let found: Vec<(usize, usize, Vec<NodeIndex>)> = of_clips
        .enumerate()
        .filter(|(_, (keys, _))| *keys > 0)
        .map(|(clip, (keys, nodes))| (clip, keys, nodes))
        .collect();
    let Some((clip, _, nodes)) = found.first() else { return };
    let (keys, name) = (found.iter().map(|(_, keys, _)| keys).sum(), short(&rig.clips[*clip].name));
    let clips = if found.len() == 1 { "in" } else { &format!("in {} clips, the first", found.len()) };
    let names = NameList(&rig.hierarchy, nodes);
    let message = format!("{} {clips} clip {clip} \"{name}\" at {names}.", counted(keys, one, many));
    let nodes = NodeList::new(&rig.hierarchy, nodes.iter().copied());
    findings.push(code, message, Target::Clip { clip: *clip, nodes });
}

/// Sum of `count` over all rotation channels of a clip, and the nodes where it is not 0.
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
    use crate::rig::testing::chain;
    use crate::rig::{RigParts, Trs};

    fn moves(property: Property, interpolation: Interpolation, keys: &[&[f32]]) -> bool {
        let rig = Rig::new(RigParts { hierarchy: chain(1, Trs::IDENTITY), ..RigParts::default() });
        let (values, width) = (keys.concat(), keys[0].len());
        let channel = Channel { node: NodeIndex(0), property, interpolation, times_secs: [0.0].into(), values, width };
        !is_still(&rig, &HashMap::new(), &channel)
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
