//! Clips that were added or removed, or differ in length, keys or motion.

use std::collections::{BTreeMap, HashMap};

use glam::{Affine3, Quat, Vec3};

use super::Tolerances;
use super::change::{Change, ChangeKind, Measure, Part};
use super::motion::Motion;
use crate::jobs::Progress;
use crate::matching::RigMatch;
use crate::matching::{clip_match, morph_match};
use crate::rig::{
    Channel, Clip, ClipMoment, Morph, NodeIndex, Pose, Posed, Property, Rig, RigParts, SamplingBuffers, evaluate_into,
};

/// Most moments of a clip that are compared.
const MOMENTS: usize = 240;

/// Changes of clips, matched by name. `None` if cancelled.
pub(super) fn clip_changes(both: &RigMatch<'_>, tolerances: &Tolerances, progress: &Progress) -> Option<Vec<Change>> {
    let (old, new) = (&both.old.rig.clips, &both.new.rig.clips);
    let same = clip_match(both.old.rig, both.new.rig);
    let mut changes = Vec::new();
    for (number, was) in old.iter().enumerate() {
        progress.go_on()?;
        match same.new_of(number) {
            None => changes.push(removed(was).at_old(Part::Clip(number))),
            Some(other) => {
                let found = pair_changes(both, was, &new[other], tolerances, progress)?;
                changes.extend(found.into_iter().map(|change| change.at_old(Part::Clip(number))));
            }
        }
        progress.add(1);
    }
    let added = new.iter().enumerate().filter(|(number, _)| same.old_of(*number).is_none());
    changes.extend(added.map(|(number, clip)| {
        let change = Change::new(ChangeKind::ClipAdded, name(clip)).at_new(Part::Clip(number));
        change.with(Measure::Duration, clip.duration_secs)
    }));
    Some(changes)
}

fn removed(clip: &Clip) -> Change {
    Change::new(ChangeKind::ClipRemoved, name(clip)).with(Measure::Duration, clip.duration_secs)
}

fn name(clip: &Clip) -> &str {
    if clip.name.is_empty() { "clip without a name" } else { &clip.name }
}

fn pair_changes(
    both: &RigMatch<'_>,
    was: &Clip,
    now: &Clip,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Vec<Change>> {
    let mut changes = Vec::new();
    let change = |kind| Change::new(kind, name(was));
    if was.name != now.name {
        changes.push(change(ChangeKind::ClipRenamed).was(name(was)).now(name(now)));
    }
    let secs = |secs: f32| format!("{} s", super::change::rounded(f64::from(secs)));
    if (was.duration_secs - now.duration_secs).abs() > tolerances.time_secs {
        let length = change(ChangeKind::ClipLength).was(secs(was.duration_secs)).now(secs(now.duration_secs));
        changes.push(length.with(Measure::Secs, (was.duration_secs - now.duration_secs).abs()));
    }
    let [before, after] = [was, now].map(|clip| clip.channels.iter().map(|c| c.times_secs.len()).sum::<usize>());
    if before != after {
        let keys = change(ChangeKind::ClipKeys).was(before.to_string()).now(after.to_string());
        changes.push(keys.with(Measure::Keys, before.abs_diff(after) as f64));
    }
    let theirs = in_new(both, was);
    if !is_same(&theirs.channels, &now.channels) {
        changes.extend(motion_change(both, theirs.clone(), now.clone(), tolerances, progress)?);
    }
    changes.extend(morph_changes(both, was, now, tolerances));
    Some(changes)
}

/// The old version's clip, converted to the nodes and coordinates of the new version, without morph weights.
fn in_new(both: &RigMatch<'_>, clip: &Clip) -> Clip {
    let channels = clip.channels.iter().filter_map(|channel| channel_in_new(both, channel));
    Clip { channels: channels.collect(), ..clip.clone() }
}

fn channel_in_new(both: &RigMatch<'_>, channel: &Channel) -> Option<Channel> {
    let node = both.joints.new_of(channel.node).filter(|_| channel.property != Property::MorphWeights)?;
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
        // Scale before the joint stretches it too, other than along its own scaled axes.
        Property::Scale => values.iter_mut().for_each(|value| *value *= factor.x / both.joint_factor),
        Property::MorphWeights => return None,
    }
    Some(Channel { node, values, ..channel.clone() })
}

/// Matrix that, applied before a node's old transform, gives its new one relative to its parent.
fn before(both: &RigMatch<'_>, old: NodeIndex, new: NodeIndex) -> Affine3 {
    let above = [both.old.rig.hierarchy.parent(old), both.new.rig.hierarchy.parent(new)];
    let [from, to] = above;
    if from.and_then(|from| both.joints.new_of(from)) == to && to.is_some() {
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

/// True where two lists have the same channels, equal to the bit.
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

/// The joint whose motion differs most in rotation, scale or place, measured on the skeleton of the new version.
fn motion_change(
    both: &RigMatch<'_>,
    was: Clip,
    now: Clip,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Vec<Change>> {
    let times = moments(&[&was, &now]);
    let name = name(&now).to_owned();
    let hierarchy = both.new.rig.hierarchy.clone();
    let skeleton = Rig::new(RigParts { hierarchy, clips: vec![was, now], ..RigParts::default() });
    let rest = Pose::rest(&skeleton.hierarchy);
    let (mut buffers, mut posed) = (SamplingBuffers::default(), [Posed::default(), Posed::default()]);
    let mut worst = Worst::NONE;
    let mut causes: BTreeMap<NodeIndex, Worst> = BTreeMap::new();
    for time_secs in times {
        progress.go_on()?;
        for (clip, posed) in posed.iter_mut().enumerate() {
            evaluate_into(&skeleton, Some(ClipMoment { clip, time_secs }), &rest, &mut buffers, posed);
        }
        let between = |from: &Affine3, to: &Affine3| Motion::between(from, to, both.space.factor);
        for node in skeleton.hierarchy.nodes().filter(|&node| both.new.is_told(node)) {
            let seen = Affine3::from_translation(both.new.mark(node));
            let [was, now] = posed.each_ref().map(|posed| posed.world_from_node[node.index()] * seen);
            worst.meet(&between(&was, &now), node);
            let [was, now] = posed.each_ref().map(|posed| posed.clip_local[node.index()]);
            if was != now {
                let above = skeleton.hierarchy.parent(node);
                let above = above.map_or(Affine3::IDENTITY, |above| posed[0].world_from_node[above.index()]);
                causes.entry(node).or_insert(Worst::NONE).meet(&between(&(above * was), &(above * now)), node);
            }
        }
    }
    let amounts = worst.beyond(tolerances);
    let Some(&(_, _, shown)) = amounts.first() else { return Some(Vec::new()) };
    let mut change = Change::new(ChangeKind::ClipMotion, name);
    for &(measure, size, _) in &amounts {
        change = change.with(measure, size);
    }
    let shown = format!("most at {}", both.new.name(shown));
    let mut causes: Vec<(f32, Measure, NodeIndex)> =
        causes.values().map(|cause| cause.largest(tolerances)).filter(|(times, _, _)| *times > 1.0).collect();
    causes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let cause = causes.first().map(|&(_, measure, node)| {
        let done = match measure {
            Measure::Distance => "moved",
            Measure::Angle => "turned",
            _ => "scaled",
        };
        let more = if causes.len() > 1 { format!(" and {} more", causes.len() - 1) } else { String::new() };
        format!("{} {done}{more}", both.new.name(node))
    });
    Some(vec![change.now(cause.into_iter().chain([shown]).collect::<Vec<_>>().join(", "))])
}

/// The largest distance (metres), angle (degrees) and stretch (share) so far, each with its node.
#[derive(Clone, Copy)]
struct Worst([(f32, NodeIndex); 3]);

impl Worst {
    const NONE: Self = Self([(0.0, NodeIndex(0)); 3]);

    fn meet(&mut self, motion: &Motion, node: NodeIndex) {
        for (worst, size) in self.0.iter_mut().zip([motion.distance, motion.angle.to_degrees(), motion.stretch]) {
            if size > worst.0 {
                *worst = (size, node);
            }
        }
    }

    fn measured(self) -> impl Iterator<Item = (Measure, f32, NodeIndex)> {
        [Measure::Distance, Measure::Angle, Measure::Stretch]
            .into_iter()
            .zip(self.0)
            .map(|(measure, (size, node))| (measure, size, node))
    }

    fn beyond(self, tolerances: &Tolerances) -> Vec<(Measure, f32, NodeIndex)> {
        self.measured().filter(|(measure, size, _)| *size > tolerance(*measure, tolerances)).collect()
    }

    /// The difference that exceeds its tolerance most, with its measure and node.
    fn largest(&self, tolerances: &Tolerances) -> (f32, Measure, NodeIndex) {
        let times = self.measured().map(|(measure, size, node)| (size / tolerance(measure, tolerances), measure, node));
        times.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Measure::Angle, NodeIndex(0)))
    }
}

fn tolerance(measure: Measure, tolerances: &Tolerances) -> f32 {
    match measure {
        Measure::Distance => tolerances.distance_m,
        Measure::Angle => tolerances.angle_deg,
        _ => tolerances.share,
    }
}

/// Times of the clips' keys, thinned out where there are many.
fn moments(clips: &[&Clip]) -> Vec<f32> {
    let mut times: Vec<f32> =
        clips.iter().flat_map(|c| &c.channels).flat_map(|c| c.times_secs.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let last = times.last().copied();
    let step = times.len().div_ceil(MOMENTS).max(1);
    times.into_iter().step_by(step).chain(last).collect()
}

/// Changes of morph targets that the two clips weight differently, matched by name.
fn morph_changes(both: &RigMatch<'_>, was: &Clip, now: &Clip, tolerances: &Tolerances) -> Option<Change> {
    let rigs = [both.old.rig, both.new.rig];
    let weighed = [Weighed::new(rigs[0], was), Weighed::new(rigs[1], now)];
    let same = morph_match(rigs[0], rigs[1]);
    let pairs = same.pairs().map(|(old, new)| [&rigs[0].morphs()[old], &rigs[1].morphs()[new]]);
    let is_weighed = |pair: &[&Morph; 2]| (0..2).any(|side| weighed[side].targets.contains_key(&*pair[side].name));
    let pairs: Vec<[&Morph; 2]> = pairs.filter(is_weighed).collect();
    let mut worst = (0.0, "");
    for time in moments(&[was, now]) {
        let values = weighed.each_ref().map(|weighed| weighed.at(time));
        for pair in &pairs {
            let [a, b] = [0, 1].map(|side| weighed[side].weight(rigs[side], &values[side], pair[side]));
            if (a - b).abs() > worst.0 {
                worst = ((a - b).abs(), &pair[0].name);
            }
        }
    }
    let change = Change::new(ChangeKind::ClipMorphs, name(was)).now(format!("most of {}", worst.1));
    (worst.0 > tolerances.share).then(|| change.with(Measure::Largest, worst.0))
}

/// The channels of a clip that move weights of morph targets.
struct Weighed<'a> {
    channels: Vec<&'a Channel>,
    /// Channel and index of the target for each morph, by name.
    targets: HashMap<&'a str, (usize, usize)>,
}

impl<'a> Weighed<'a> {
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

    /// Values of each channel at a time.
    fn at(&self, time_secs: f32) -> Vec<Vec<f32>> {
        let sampled = self.channels.iter().map(|channel| {
            let mut values = vec![0.0; channel.width];
            channel.sample(time_secs, &mut values);
            values
        });
        sampled.collect()
    }

    /// Weight of a morph in the clip; the file's where no channel moves it.
    fn weight(&self, rig: &Rig, values: &[Vec<f32>], morph: &Morph) -> f32 {
        if let Some(&(channel, target)) = self.targets.get(&*morph.name) {
            return values[channel][target];
        }
        let place = morph.targets.first();
        place.and_then(|p| rig.instances[p.instance].morph_weights.get(p.target)).copied().unwrap_or(0.0)
    }
}
