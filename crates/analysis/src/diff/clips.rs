use std::collections::HashMap;

use glam::{Affine3, Quat, Vec3};

use super::Tolerances;
use super::change::{Change, ChangeKind, ChangeMeasure, ChangedObject};
use super::clip_motion::{ClipComparison, Deviation, RigClip};
use super::drawn::DrawnComparison;
use super::moments::moments;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{IndexMatch, RigMatch, clip_match};
use rigscope_core::rig::{Channel, Clip, Morph, NodeIndex, Property, Rig, RigData};

const MAX_RENAMED: usize = 64;
/// Renamed clips are matched if their motions differ by no more than this, relative to the rig's size.
const SAME_MOTION: f32 = 2e-3;
/// Renamed clips are matched if their lengths differ by no more than this, seconds: a frame or two.
const SAME_LENGTH_SECS: f32 = 0.07;
const SAME_WEIGHT: f32 = 0.02;

pub(super) struct ClipVersions<'a> {
    pub both: &'a RigMatch<'a>,
    pub drawn: &'a DrawnComparison<'a>,
    pub morphs: &'a IndexMatch,
    /// True if both versions are drawn the same at rest.
    pub is_rest_alike: bool,
    /// True if nodes, rest poses and bind matrices are bitwise equal.
    pub is_skeleton_same: bool,
}

impl<'a> ClipVersions<'a> {
    fn as_drawn(&self, [was, now]: [usize; 2]) -> ClipComparison<'a> {
        let clips = [RigClip { rig: self.both.old.rig, clip: was }, RigClip { rig: self.both.new.rig, clip: now }];
        ClipComparison { drawn: self.drawn, clips, is_on_new: false }
    }

    fn new_with(&self, clip: Clip) -> Rig {
        let hierarchy = self.both.new.rig.hierarchy.clone();
        Rig::new(RigData { hierarchy, clips: vec![clip], ..RigData::default() })
    }

    fn on_new<'b>(&'b self, skeleton: &'b Rig, now: usize) -> ClipComparison<'b> {
        let clips = [RigClip { rig: skeleton, clip: 0 }, RigClip { rig: self.both.new.rig, clip: now }];
        ClipComparison { drawn: self.drawn, clips, is_on_new: true }
    }
}

/// Returns the changes in clips, which are matched by name and then by motion. Returns `None` if cancelled.
pub(super) fn clip_changes(
    versions: &ClipVersions<'_>,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Vec<Change>> {
    let both = versions.both;
    let (old, new) = (&both.old.rig.clips, &both.new.rig.clips);
    let mut same = clip_match(both.old.rig, both.new.rig);
    join_renamed(versions, &mut same, tolerances, progress)?;
    let mut changes = Vec::new();
    for (number, was) in old.iter().enumerate() {
        progress.check_cancelled()?;
        match same.new_for(number) {
            None => changes.push(removed(was).at_old(ChangedObject::Clip(number))),
            Some(other) => {
                let found = pair_changes(versions, [number, other], tolerances, progress)?;
                changes.extend(found.into_iter().map(|change| change.at_old(ChangedObject::Clip(number))));
            }
        }
        progress.add(1);
    }
    changes.extend(same.unmatched_new().map(|number| {
        let change = Change::new(ChangeKind::ClipAdded, name(&new[number])).at_new(ChangedObject::Clip(number));
        change.with(ChangeMeasure::Duration, new[number].duration_secs)
    }));
    Some(changes)
}

fn removed(clip: &Clip) -> Change {
    Change::new(ChangeKind::ClipRemoved, name(clip)).with(ChangeMeasure::Duration, clip.duration_secs)
}

fn name(clip: &Clip) -> &str {
    if clip.name.is_empty() { "clip without a name" } else { &clip.name }
}

/// Matches the remaining clips that have the same length and motion, most similar first. Returns `None` if cancelled.
fn join_renamed(
    versions: &ClipVersions<'_>,
    same: &mut IndexMatch,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<()> {
    let both = versions.both;
    let (old, new) = (&both.old.rig.clips, &both.new.rig.clips);
    let gone: Vec<usize> = same.unmatched_old().take(MAX_RENAMED).collect();
    let came: Vec<usize> = same.unmatched_new().take(MAX_RENAMED).collect();
    let mut candidates = Vec::new();
    for (&was, &now) in gone.iter().flat_map(|was| came.iter().map(move |now| (was, now))) {
        progress.check_cancelled()?;
        if (old[was].duration_secs - new[now].duration_secs).abs() <= SAME_LENGTH_SECS.max(tolerances.time_secs) {
            candidates.extend(motion_distance(versions, [was, now]).map(|unlike| (unlike, was, now)));
        }
    }
    same.join_nearest(candidates);
    Some(())
}

/// Returns an upper bound on the distance, in metres, between two clips at nine sample times; `None` if the motions
/// differ.
fn motion_distance(versions: &ClipVersions<'_>, [was, now]: [usize; 2]) -> Option<f32> {
    let both = versions.both;
    let clips = [&both.old.rig.clips[was], &both.new.rig.clips[now]];
    let times = || (0..=8).map(|eighths| clips[0].duration_secs * eighths as f32 / 8.0);
    let as_drawn = versions.as_drawn([was, now]).limit(times());
    let skeleton = versions.new_with(in_new(both, clips[0]));
    let apart = as_drawn.min(versions.on_new(&skeleton, now).limit(times()));
    let (weight, _) = morphs_apart(versions, clips, times());
    (apart <= SAME_MOTION * both.old.rig.size() && weight <= SAME_WEIGHT).then_some(apart)
}

/// Counts the keys of non-constant channels. If two channels animate the same property, only the later channel counts.
fn key_count(clip: &Clip) -> usize {
    let last: HashMap<(NodeIndex, Property), &Channel> =
        clip.channels.iter().map(|channel| ((channel.node, channel.property), channel)).collect();
    last.into_values().filter(|channel| !is_constant(channel)).map(|channel| channel.times_secs.len()).sum()
}

fn is_constant(channel: &Channel) -> bool {
    let mut values = channel.key_values();
    let first = values.next().unwrap_or_default();
    let is_near =
        |a: &[f32], sign: f32| a.iter().zip(first).all(|(a, b)| (a - sign * b).abs() <= 1e-5 * b.abs().max(1.0));
    let is_rotation = channel.property == Property::Rotation;
    values.all(|value| is_near(value, 1.0) || is_rotation && is_near(value, -1.0)) && channel.has_flat_tangents(1e-5)
}

fn pair_changes(
    versions: &ClipVersions<'_>,
    [was_number, now_number]: [usize; 2],
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Vec<Change>> {
    let both = versions.both;
    let [was, now] = [&both.old.rig.clips[was_number], &both.new.rig.clips[now_number]];
    let mut changes = Vec::new();
    let change = |kind| Change::new(kind, name(was));
    if was.name != now.name {
        changes.push(change(ChangeKind::ClipRenamed).was(name(was)).now(name(now)));
    }
    let secs = |secs: f32| format!("{} s", super::change::rounded(f64::from(secs)));
    if (was.duration_secs - now.duration_secs).abs() > tolerances.time_secs {
        let length = change(ChangeKind::ClipLength).was(secs(was.duration_secs)).now(secs(now.duration_secs));
        changes.push(length.with(ChangeMeasure::Secs, (was.duration_secs - now.duration_secs).abs()));
    }
    let [before, after] = [was, now].map(key_count);
    if before != after {
        let keys = change(ChangeKind::ClipKeys).was(before.to_string()).now(after.to_string());
        changes.push(keys.with(ChangeMeasure::Keys, before.abs_diff(after) as f64));
    }
    let theirs = in_new(both, was);
    if !versions.is_skeleton_same || !is_same(&theirs.channels, &now.channels) {
        changes.extend(motion_change(versions, [was_number, now_number], theirs, tolerances, progress)?);
    }
    changes.extend(morph_changes(versions, [was, now], tolerances));
    Some(changes)
}

/// Converts an old clip to the nodes and coordinates of the new version. Drops morph weights.
fn in_new(both: &RigMatch<'_>, clip: &Clip) -> Clip {
    let channels = clip.channels.iter().filter_map(|channel| channel_in_new(both, channel));
    Clip { channels: channels.collect(), ..clip.clone() }
}

fn channel_in_new(both: &RigMatch<'_>, channel: &Channel) -> Option<Channel> {
    let node = both.joints.new_for(channel.node).filter(|_| channel.property != Property::MorphWeights)?;
    let before = before(both, channel.node, node);
    let mut values = channel.values.clone();
    let (factor, turn, _) = before.to_scale_rotation_translation();
    let is_spline = channel.values.len() > channel.times_secs.len() * channel.width;
    match channel.property {
        _ if before == Affine3::IDENTITY => {}
        Property::Translation => {
            for (number, value) in values.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let is_point = !is_spline || number % 3 == 1;
                let from = Vec3::from(*value);
                *value = if is_point { before.transform_point3(from) } else { before.transform_vector3(from) }.into();
            }
        }
        Property::Rotation => {
            for value in values.as_chunks_mut::<4>().0 {
                *value = (turn * Quat::from_array(*value)).to_array();
            }
        }
        // The scale of `before` also scales the joint, except for `joint_factor`, which only changes its units.
        Property::Scale => values.iter_mut().for_each(|value| *value *= factor.x / both.joint_factor),
        Property::MorphWeights => return None,
    }
    Some(Channel { node, values, ..channel.clone() })
}

/// Returns the matrix that converts an old local transform to the new version when multiplied from the left.
fn before(both: &RigMatch<'_>, old: NodeIndex, new: NodeIndex) -> Affine3 {
    let above = [both.old.rig.hierarchy.parent(old), both.new.rig.hierarchy.parent(new)];
    let [from, to] = above;
    if from.and_then(|from| both.joints.new_for(from)) == to && to.is_some() {
        return Affine3::from_scale(Vec3::splat(both.joint_factor));
    }
    if above == [None; 2] {
        return both.space.affine();
    }
    let from = from.map_or(Affine3::IDENTITY, |from| both.old.world[from.index()]);
    let to = to.map_or(Affine3::IDENTITY, |to| both.new.world[to.index()]);
    let before = to.inverse() * both.space.affine() * from;
    if before.is_finite() { before } else { Affine3::IDENTITY }
}

fn is_same(a: &[Channel], b: &[Channel]) -> bool {
    let by_place = |channels: &[Channel]| -> HashMap<(NodeIndex, Property), usize> {
        channels.iter().enumerate().map(|(at, channel)| ((channel.node, channel.property), at)).collect()
    };
    let moves = |channels: &[Channel]| channels.iter().filter(|c| c.property != Property::MorphWeights).count();
    let there = by_place(b);
    let equal = |channel: &Channel| {
        let other = there.get(&(channel.node, channel.property)).map(|&at| &b[at]);
        other.is_some_and(|other| {
            channel.values == other.values
                && channel.times_secs == other.times_secs
                && channel.interpolation == other.interpolation
        })
    };
    moves(a) == moves(b) && by_place(a).len() == a.len() && a.iter().all(equal)
}

/// Returns the change in the motion as it is drawn; the outer `None` means cancelled.
///
/// If both versions look the same at rest, only the drawn motions are compared. Otherwise, motions also count as equal
/// if the old clip's channels have the same effect on the new skeleton. In that case only the rest pose differs, which
/// is reported separately.
#[expect(clippy::option_option, reason = "None for a cancelled job, Some(None) for one that found nothing")]
fn motion_change(
    versions: &ClipVersions<'_>,
    [was, now]: [usize; 2],
    transferred: Clip,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Option<Change>> {
    let both = versions.both;
    let (old, new) = (both.old.rig, both.new.rig);
    let is_moving = |property| property != Property::MorphWeights;
    let times = moments([&old.clips[was], &new.clips[now]], is_moving);
    let as_drawn = versions.as_drawn([was, now]);
    let change = |comparison: &ClipComparison<'_>, found: Deviation| {
        let change = Change::new(ChangeKind::ClipMotion, name(&old.clips[was]));
        let amounts = [
            (ChangeMeasure::Distance, found.distance),
            (ChangeMeasure::Angle, found.angle),
            (ChangeMeasure::Stretch, found.stretch),
        ];
        let change = change.with_beyond(amounts, tolerances);
        let largest = format!("most at {}", both.new.name(versions.drawn.limbs[found.limb].nodes[1]));
        let causes = comparison.causes(both, &found, tolerances);
        change.now(causes.into_iter().chain([largest]).collect::<Vec<_>>().join(", "))
    };
    let Some(found) = as_drawn.deviation(&times, tolerances, progress)? else { return Some(None) };
    if versions.is_rest_alike {
        return Some(Some(change(&as_drawn, found)));
    }
    let skeleton = versions.new_with(transferred);
    let on_new = versions.on_new(&skeleton, now);
    Some(
        on_new.deviation(&times, tolerances, progress)?.map(|other| {
            if other.distance < found.distance { change(&on_new, other) } else { change(&as_drawn, found) }
        }),
    )
}

fn morph_changes(versions: &ClipVersions<'_>, clips: [&Clip; 2], tolerances: &Tolerances) -> Option<Change> {
    let times = moments(clips, |property| property == Property::MorphWeights);
    let (difference, largest) = morphs_apart(versions, clips, times.into_iter());
    let change = Change::new(ChangeKind::ClipMorphs, name(clips[0])).now(format!("most of {largest}"));
    (difference > tolerances.fraction).then(|| change.with(ChangeMeasure::Largest, difference))
}

fn morphs_apart<'a>(
    versions: &ClipVersions<'a>,
    clips: [&Clip; 2],
    times: impl Iterator<Item = f32>,
) -> (f32, &'a str) {
    let rigs = [versions.both.old.rig, versions.both.new.rig];
    let weighed = [AnimatedMorphs::new(rigs[0], clips[0]), AnimatedMorphs::new(rigs[1], clips[1])];
    let pairs = versions.morphs.pairs().map(|(old, new)| [&rigs[0].morphs()[old], &rigs[1].morphs()[new]]);
    let is_weighed = |pair: &[&Morph; 2]| (0..2).any(|side| weighed[side].targets.contains_key(&*pair[side].name));
    let pairs: Vec<[&Morph; 2]> = pairs.filter(is_weighed).collect();
    let mut worst = (0.0, "");
    for time in times {
        let values = weighed.each_ref().map(|weighed| weighed.at(time));
        for pair in &pairs {
            let [a, b] = [0, 1].map(|side| weighed[side].weight(rigs[side], &values[side], pair[side]));
            if (a - b).abs() > worst.0 {
                worst = ((a - b).abs(), pair[0].name.as_str());
            }
        }
    }
    worst
}

struct AnimatedMorphs<'a> {
    channels: Vec<&'a Channel>,
    targets: HashMap<&'a str, (usize, usize)>,
}

impl<'a> AnimatedMorphs<'a> {
    fn new(rig: &'a Rig, clip: &'a Clip) -> Self {
        let channels: Vec<&Channel> = clip.channels.iter().filter(|c| c.property == Property::MorphWeights).collect();
        let by_node: HashMap<NodeIndex, usize> = channels.iter().enumerate().map(|(at, c)| (c.node, at)).collect();
        let mut targets = HashMap::new();
        for morph in rig.morphs() {
            let target = morph.targets.iter().find_map(|place| {
                let at = *by_node.get(&rig.instances[place.instance].node)?;
                (place.target < channels[at].width).then_some((at, place.target))
            });
            targets.extend(target.map(|target| (morph.name.as_str(), target)));
        }
        Self { channels, targets }
    }

    fn at(&self, time_secs: f32) -> Vec<Vec<f32>> {
        let sampled = self.channels.iter().map(|channel| {
            let mut values = vec![0.0; channel.width];
            channel.sample(time_secs, &mut values);
            values
        });
        sampled.collect()
    }

    fn weight(&self, rig: &Rig, values: &[Vec<f32>], morph: &Morph) -> f32 {
        if let Some(&(channel, target)) = self.targets.get(&*morph.name) {
            return values[channel][target];
        }
        let place = morph.targets.first();
        place.and_then(|p| rig.instances[p.instance].morph_weights.get(p.target)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::Interpolation;

    fn rotation(node: u32, interpolation: Interpolation, values: &[[f32; 4]]) -> Channel {
        let keys = if interpolation == Interpolation::CubicSpline { values.len() / 3 } else { values.len() };
        let times: Vec<f32> = (0..keys).map(|key| key as f32).collect();
        Channel::new(NodeIndex(node), Property::Rotation, interpolation, times, values.concat())
    }

    #[test]
    fn keys_of_constant_channels_do_not_count() {
        let (a, b, zero) = ([0.0, 0.6, 0.0, 0.8], [0.0, 0.0, 0.0, 1.0], [0.0; 4]);
        let negated = a.map(|x: f32| -x);
        let counted = |channels: Vec<Channel>| key_count(&Clip { channels, ..Clip::default() });
        assert_eq!(counted(vec![rotation(0, Interpolation::Linear, &[a, negated, a])]), 0);
        assert_eq!(
            counted(vec![rotation(0, Interpolation::Linear, &[a, b]), rotation(1, Interpolation::Step, &[a, a])]),
            2
        );
        assert_eq!(
            counted(vec![rotation(0, Interpolation::Linear, &[a, b]), rotation(0, Interpolation::Linear, &[a, b, a])]),
            3
        );
        assert_eq!(counted(vec![rotation(0, Interpolation::CubicSpline, &[zero, a, zero, zero, a, zero])]), 0);
        assert_eq!(counted(vec![rotation(0, Interpolation::CubicSpline, &[zero, a, b, zero, a, zero])]), 2);
    }
}
