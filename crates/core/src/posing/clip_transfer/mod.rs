mod errors;
mod facing;
mod pairs;
mod retarget_pose;
mod shared_joints;
mod skeletons;

use std::sync::Arc;

use glam::{Affine3, Quat, Vec3};

use crate::rig::{Channel, Clip, Interpolation, NodeIndex, Pose, Property, Rig, evaluate};
pub use errors::{BoneError, MeanAndMax, TransferErrors, transfer_errors};
use pairs::SkeletonPairs;
use retarget_pose::rotation;
use shared_joints::SharedJoints;
use skeletons::SkeletonDifference;

/// Clips transferred to another rig.
#[derive(Clone, Debug, Default)]
pub struct TransferredClips {
    /// Transferred clips in source order, without those that move nothing in the target.
    pub clips: Vec<Clip>,
    /// Index of each clip in the source rig.
    pub source_clips: Vec<usize>,
    /// Number of animated source nodes with a counterpart.
    pub matched: usize,
    /// Names of animated source nodes without a counterpart, in tree order.
    pub unmatched: Vec<String>,
    /// Whether at least half of the animated nodes, or of the smaller skeleton's humanoid bones, have a counterpart.
    pub is_half_matched: bool,
}

const AT_REST: f32 = 1e-4;
/// Rest rotations that differ by at most this angle count as equal, radians.
const SAME_ROTATION: f32 = 5e-3;
const SEARCHED: usize = 256;

/// Transfers clips to another rig. Joints are paired by [`NodeMatch`](crate::matching::NodeMatch) or by their humanoid
/// bones.
///
/// Arm and leg bones adopt the source's directions; trunk and feet keep the target's shape; bones that a clip doesn't
/// move adopt the source's rest pose. If both rigs use the same axis convention and only their rest poses differ,
/// rotations are copied; otherwise they are offset in world space. The motion is rotated to the target's front. If the
/// spines have different joint counts, the source's bend is distributed over the target's spine.
///
/// Translations are scaled to the target's units and skeleton size; a translation that stays at rest keeps the target's
/// value. Root joints keep their scaled world position, and soles keep their scaled height above the ground.
/// Skeleton size is the leg length if both rigs have legs, otherwise the height of the first animated joint above its
/// lowest descendant or, failing that, the total length of all bones.
pub fn transferred_clips(from: &Rig, onto: &Rig) -> TransferredClips {
    let pairs = SkeletonPairs::new(from, onto);
    let partners = &pairs.partners;
    let transfer = Transfer::new(from, onto, &pairs);
    let mut is_moved = vec![false; from.hierarchy.len()];
    let channels = from.clips.iter().flat_map(|clip| &clip.channels);
    channels.for_each(|channel| is_moved[channel.node.index()] = true);
    let moved = || from.hierarchy.nodes().filter(|node| is_moved[node.index()]);
    let is_matched = |node: &NodeIndex| partners[node.index()].is_some();
    let made = (0..).zip(&from.clips).map(|(number, clip)| {
        let channels = transfer.channels(number, clip);
        (Clip { channels, ..clip.clone() }, number)
    });
    let (clips, source_clips) = made.filter(|(clip, _)| !clip.channels.is_empty()).unzip();
    let matched = moved().filter(is_matched).count();
    TransferredClips {
        clips,
        source_clips,
        matched,
        is_half_matched: 2 * matched >= moved().count() || pairs.are_half_of_humans(),
        unmatched: moved().filter(|node| !is_matched(node)).map(|node| from.hierarchy.name(node).to_owned()).collect(),
    }
}

/// Returns the number of joints that [`transferred_clips`] pairs.
pub fn shared_joints(from: &Rig, onto: &Rig) -> usize {
    SkeletonPairs::new(from, onto).partners.iter().flatten().filter(|&&partner| onto.is_joint(partner)).count()
}

/// Maps local transforms from the source rig to the target rig: `L' = before * L * after`.
struct Transfer<'a> {
    from: &'a Rig,
    onto: &'a Rig,
    pairs: &'a SkeletonPairs,
    rest: [Vec<Affine3>; 2],
    difference: SkeletonDifference,
    /// Source rest rotations of the humanoid bones whose rest rotation differs in the target; added to clips that don't
    /// rotate these bones.
    bones_at_rest: Vec<Channel>,
}

struct LocalMap {
    before: Affine3,
    after: Quat,
}

impl<'a> Transfer<'a> {
    fn new(from: &'a Rig, onto: &'a Rig, pairs: &'a SkeletonPairs) -> Self {
        let rest = [from, onto].map(|rig| evaluate(rig, None, &Pose::rest(&rig.hierarchy)));
        let difference = SkeletonDifference::between([from, onto], rest.each_ref(), pairs);
        let rest = [(from, &rest[0]), (onto, &rest[1])].map(|(rig, rest)| rest.file_from_node(&rig.hierarchy));
        let mut transfer = Self { from, onto, pairs, rest, difference, bones_at_rest: Vec::new() };
        transfer.bones_at_rest = transfer.bones_elsewhere().collect();
        transfer
    }

    fn bones_elsewhere(&self) -> impl Iterator<Item = Channel> {
        let bones = self.shared_joints().into_iter().filter(|(node, _)| self.difference.is_human[node.index()]);
        bones.filter_map(|(node, partner)| {
            let LocalMap { before, after } = self.local_map(node, partner);
            let rest = self.from.hierarchy.rest(node).rotation;
            let mapped = rotation(&before).as_quat() * rest * after;
            let is_elsewhere = mapped.angle_between(self.onto.hierarchy.rest(partner).rotation) > SAME_ROTATION;
            is_elsewhere.then(|| Channel::linear(node, Property::Rotation, [0.0], rest.to_array().to_vec()))
        })
    }

    fn with_bones_at_rest(&self, clip: &Clip) -> Clip {
        let is_rotated =
            |node: NodeIndex| clip.channels.iter().any(|c| c.node == node && c.property == Property::Rotation);
        let missing = self.bones_at_rest.iter().filter(|channel| !is_rotated(channel.node));
        Clip { channels: clip.channels.iter().chain(missing).cloned().collect(), ..clip.clone() }
    }

    fn channels(&self, number: usize, clip: &Clip) -> Vec<Channel> {
        let is_any_moved = clip.channels.iter().any(|channel| self.channel(channel).is_some());
        let clip = &self.with_bones_at_rest(clip);
        let carried = SharedJoints::new(self, clip);
        if !is_any_moved && carried.nodes().next().is_none() {
            return Vec::new();
        }
        let mut is_carried = vec![false; self.from.hierarchy.len()];
        carried.nodes().for_each(|node| is_carried[node.index()] = true);
        let has_own = |channel: &&Channel| match channel.property {
            Property::Translation | Property::Rotation => !is_carried[channel.node.index()],
            Property::Scale | Property::MorphWeights => true,
        };
        let own = clip.channels.iter().filter(has_own).filter_map(|channel| self.channel(channel));
        let mut channels: Vec<Channel> = own.chain(carried.channels(number, clip)).collect();
        let is_placed =
            |node: NodeIndex| channels.iter().any(|c| c.node == node && c.property == Property::Translation);
        let lead = self.lead_elsewhere().filter(|&(lead, partner)| !is_carried[lead.index()] && !is_placed(partner));
        if !channels.is_empty()
            && let Some((lead, partner)) = lead
        {
            let place =
                self.local_map(lead, partner).before.transform_point3(self.from.hierarchy.rest(lead).translation);
            channels.push(Channel::linear(partner, Property::Translation, [0.0], place.to_array().to_vec()));
        }
        channels
    }

    /// Returns the lead joint, such as the hips, and its counterpart; `None` if the rest poses, and thus the heights,
    /// agree.
    fn lead_elsewhere(&self) -> Option<(NodeIndex, NodeIndex)> {
        let (lead, _) = self.difference.lead.filter(|_| !self.difference.agrees_at_rest)?;
        Some((lead, self.pairs.partners[lead.index()]?))
    }

    fn shared_joints(&self) -> Vec<(NodeIndex, NodeIndex)> {
        let is_joint = |node: &NodeIndex| self.from.counts_as_joint(*node);
        let mut is_taken = vec![false; self.onto.hierarchy.len()];
        let joints = self.from.hierarchy.nodes().filter(is_joint);
        let joints = joints.filter(|node| self.difference.axes[node.index()].is_some());
        let pairs = joints.filter_map(|node| Some((node, self.pairs.partners[node.index()]?)));
        pairs.filter(|(_, partner)| !std::mem::replace(&mut is_taken[partner.index()], true)).collect()
    }

    fn stays(&self, channel: &Channel) -> bool {
        let rest = self.from.hierarchy.rest(channel.node);
        match channel.property {
            Property::Translation => stays(channel, &rest.translation.to_array()),
            Property::Rotation => stays(channel, &rest.rotation.to_array()),
            Property::Scale => stays(channel, &rest.scale.to_array()),
            Property::MorphWeights => true,
        }
    }

    /// Returns the upward offset of the lead joint that puts the soles on the ground; zero for other joints. `at_rest`
    /// is the mapped rest position of the joint.
    fn rise(&self, node: NodeIndex, at_rest: Vec3) -> Vec3 {
        let SkeletonDifference { size, lead, .. } = self.difference;
        let rise = lead.filter(|(lead, _)| *lead == node).and_then(|(_, rise)| rise);
        rise.map_or(Vec3::ZERO, |rise| Vec3::Y * (size * self.rest[0][node.index()].translation.y + rise - at_rest.y))
    }

    fn local_map(&self, node: NodeIndex, partner: NodeIndex) -> LocalMap {
        let world =
            |side: usize, node: Option<NodeIndex>| node.map_or(Affine3::IDENTITY, |node| self.rest[side][node.index()]);
        let [their_parent, our_parent] = [self.from.hierarchy.parent(node), self.onto.hierarchy.parent(partner)];
        let (from_parent, onto_parent) = (world(0, their_parent), world(1, our_parent));
        let SkeletonDifference { axes, size, facing, lead, .. } = &self.difference;
        let after = axes[node.index()].unwrap_or(Quat::IDENTITY);
        let mut before = if let Some((nodes, axes)) = self.above(node, partner) {
            let [theirs, ours] = [0, 1].map(|side| self.rest[side][nodes[side].index()]);
            let units = Vec3::splat(mean_scale(&theirs) / mean_scale(&ours) * size);
            let units = Affine3::from_scale_rotation_translation(units, axes.inverse(), Vec3::ZERO);
            let lower = |world: Affine3, parent: Affine3, is_parent: bool| {
                if is_parent { Affine3::IDENTITY } else { world.inverse() * parent }
            };
            let their_lower = lower(theirs, from_parent, their_parent == Some(nodes[0]));
            lower(ours, onto_parent, our_parent == Some(nodes[1])).inverse() * units * their_lower
        } else {
            // Without a shared ancestor, the joint's world position is transferred.
            let turned = Affine3::from_scale_rotation_translation(Vec3::splat(*size), *facing, Vec3::ZERO);
            onto_parent.inverse() * turned * from_parent
        };
        let (their_rest, our_rest) = (self.from.hierarchy.rest(node), self.onto.hierarchy.rest(partner));
        if self.above(node, partner).is_some() && lead.is_none_or(|(lead, _)| lead != node) {
            // Joints below a shared ancestor keep the target's offset from the parent.
            before.translation += our_rest.translation - before.transform_point3(their_rest.translation);
        }
        let at_rest = (onto_parent * before).transform_point3(their_rest.translation);
        let rise = onto_parent.inverse().transform_vector3(self.rise(node, at_rest));
        let before = Affine3::from_translation(rise) * before;
        LocalMap { before: if before.is_finite() { before } else { Affine3::IDENTITY }, after }
    }

    fn above(&self, node: NodeIndex, partner: NodeIndex) -> Option<([NodeIndex; 2], Quat)> {
        self.from.hierarchy.ancestors(node).take(SEARCHED).find_map(|above| {
            let other = self.pairs.partners[above.index()]?;
            let axes = self.difference.axes[above.index()]?;
            let is_above = other != partner && self.onto.hierarchy.subtree(other).contains(&partner.index());
            is_above.then_some(([above, other], axes))
        })
    }

    fn channel(&self, channel: &Channel) -> Option<Channel> {
        let partner = self.pairs.partners[channel.node.index()]?;
        let is_left = match channel.property {
            Property::Translation | Property::Scale => self.stays(channel),
            Property::Rotation => !self.onto.is_joint(partner) && self.stays(channel),
            Property::MorphWeights => target_count(self.onto, partner) != channel.width,
        };
        if is_left {
            return None;
        }
        let LocalMap { before, after } = self.local_map(channel.node, partner);
        let turn = rotation(&before).as_quat();
        let values = match channel.property {
            Property::MorphWeights => channel.values.clone(),
            Property::Translation => mapped(channel, |value, is_tangent| {
                let value = Vec3::from_slice(value);
                let moved = if is_tangent { before.transform_vector3(value) } else { before.transform_point3(value) };
                moved.to_array().to_vec()
            }),
            Property::Scale => mapped(channel, |value, is_tangent| {
                let turned = after.inverse() * Vec3::from_slice(value);
                if is_tangent { turned.to_array().to_vec() } else { turned.abs().to_array().to_vec() }
            }),
            Property::Rotation => {
                mapped(channel, |value, _| (turn * Quat::from_slice(value) * after).to_array().to_vec())
            }
        };
        Some(Channel { node: partner, values, times_secs: Arc::clone(&channel.times_secs), ..channel.clone() })
    }
}

fn mean_scale(matrix: &Affine3) -> f32 {
    matrix.matrix3.determinant().abs().cbrt()
}

fn target_count(rig: &Rig, node: NodeIndex) -> usize {
    let carried = rig.instances.iter().find(|instance| instance.node == node);
    let primitives = carried.map_or(&[][..], |instance| &rig.meshes[instance.mesh].primitives);
    primitives.iter().map(|primitive| primitive.morph_targets.len()).max().unwrap_or(0)
}

fn stays(channel: &Channel, rest: &[f32]) -> bool {
    let size = rest.iter().fold(1e-3_f32, |max, x| max.max(x.abs()));
    let is_near =
        |value: &[f32], sign: f32| value.iter().zip(rest).all(|(v, r)| (sign * v - r).abs() <= AT_REST * size);
    keys(channel).all(|(value, is_tangent)| {
        let opposite = channel.property == Property::Rotation && is_near(value, -1.0);
        is_tangent || opposite || is_near(value, 1.0)
    })
}

fn keys(channel: &Channel) -> impl Iterator<Item = (&[f32], bool)> {
    let is_cubic = channel.interpolation == Interpolation::CubicSpline;
    channel.values.chunks_exact(channel.width.max(1)).enumerate().map(move |(i, v)| (v, is_cubic && i % 3 != 1))
}

pub(super) fn mapped(channel: &Channel, map: impl Fn(&[f32], bool) -> Vec<f32>) -> Vec<f32> {
    keys(channel).flat_map(|(value, is_tangent)| map(value, is_tangent)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{ClipMoment, Hierarchy, NodeDescription, RigData, Skin, Trs};

    const NAMES: [&str; 3] = ["Hips", "Spine", "Head"];

    fn chain(names: [&str; 3], holder: Trs, axes: Quat, height: f32) -> Rig {
        let rest = |joint: usize| {
            let (parent, own) = if joint == 0 { (Quat::IDENTITY, axes) } else { (axes, axes) };
            Trs {
                translation: parent.inverse() * (Vec3::Y * height),
                rotation: parent.inverse() * own,
                ..Trs::IDENTITY
            }
        };
        let node = |name: &str, children, rest| NodeDescription::new(name, children, rest);
        let nodes = [
            node("holder", vec![1], holder),
            node(names[0], vec![2], rest(0)),
            node(names[1], vec![3], rest(1)),
            node(names[2], vec![], rest(2)),
        ];
        let turn = |joint: usize, angle: f32| {
            let world = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle);
            let Trs { rotation, .. } = rest(joint);
            (rotation * axes.inverse() * world * axes).to_array()
        };
        let channel =
            |joint: usize, property, values| Channel::linear(NodeIndex(joint as u32 + 1), property, [0.0, 1.0], values);
        let turns =
            (0..3).map(|joint| channel(joint, Property::Rotation, [turn(joint, 0.0), turn(joint, 0.7)].concat()));
        let start = rest(0).translation;
        let moves = [start.to_array(), (start + Vec3::X * height).to_array()].concat();
        let still = [rest(1).translation.to_array(); 2].concat();
        let further = [channel(0, Property::Translation, moves), channel(1, Property::Translation, still)];
        let joints: Vec<NodeIndex> = (1..4).map(NodeIndex).collect();
        Rig::new(RigData {
            hierarchy: Hierarchy::new(&nodes).unwrap(),
            skins: vec![Skin { inverse_bind: vec![Affine3::IDENTITY; 3], joints, ..Skin::default() }],
            clips: vec![Clip {
                name: "walk".to_owned(),
                duration_secs: 1.0,
                channels: turns.chain(further).collect(),
                ..Clip::default()
            }],
            ..RigData::default()
        })
    }

    fn places(rig: &Rig, clip: usize) -> Vec<Vec3> {
        let moment = ClipMoment::new(clip, 1.0);
        let posed = evaluate(rig, Some(moment), &Pose::rest(&rig.hierarchy));
        posed.world_from_node[1..].iter().map(|world| world.translation).collect()
    }

    fn assert_transfers(from: &Rig, onto: &Rig, expected: &[Vec3]) {
        let TransferredClips { clips, matched, unmatched, .. } = transferred_clips(from, onto);
        assert_eq!((clips.len(), matched, unmatched.len()), (1, 3, 0));
        let with = Rig::new(RigData { clips, ..(**onto).clone() });
        for (place, expected) in places(&with, 0).iter().zip(expected) {
            assert!(place.distance(*expected) < 1e-5, "{place} instead of {expected}");
        }
    }

    #[test]
    fn a_clip_goes_onto_the_same_skeleton_whatever_its_units_axes_and_namespace_are() {
        let plain = chain(NAMES, Trs::IDENTITY, Quat::IDENTITY, 0.5);
        let expected = places(&plain, 0);
        let lying = Quat::from_rotation_x(-1.5);
        let centimetres = Trs { scale: Vec3::splat(0.01), ..Trs::IDENTITY };
        let others = [
            chain(["mixamorig:Hips", "a|b:Spine", "head"], Trs::IDENTITY, Quat::IDENTITY, 0.5),
            chain(NAMES, centimetres, Quat::IDENTITY, 50.0),
            chain(NAMES, Trs::IDENTITY, Quat::from_rotation_z(1.2), 0.5),
            chain(NAMES, Trs::IDENTITY, lying, 0.5),
        ];
        for other in &others {
            assert_transfers(&plain, other, &expected);
            assert_transfers(other, &plain, &places(other, 0));
        }
    }

    #[test]
    fn a_larger_skeleton_keeps_its_bones_and_takes_larger_steps() {
        let (small, large) =
            (chain(NAMES, Trs::IDENTITY, Quat::IDENTITY, 0.5), chain(NAMES, Trs::IDENTITY, Quat::IDENTITY, 1.5));
        assert_transfers(&small, &large, &places(&large, 0));
    }

    /// Creates a rig with hips, a two-bone leg and a three-bone spine below a root. Its clip moves the hips and bends
    /// the knee.
    fn figure(thigh: f32, shin: f32, sole: f32, back: f32) -> Rig {
        let node =
            |name: &str, children, y: f32| NodeDescription::new(name, children, Trs::from_translation(Vec3::Y * y));
        let hips = sole + shin + thigh;
        let nodes = [
            node("Root", vec![1], 0.0),
            node("Hips", vec![2, 5], hips),
            node("Thigh", vec![3], 0.0),
            node("Shin", vec![4], -thigh),
            node("Foot", vec![], -shin),
            node("Spine", vec![6], back),
            node("Chest", vec![7], back),
            node("Head", vec![], back),
        ];
        let channel = |node, property, values| Channel::linear(NodeIndex(node), property, [0.0, 1.0], values);
        // Rotating the hip and knee shortens the leg, which lifts the foot.
        let turn = |angle: f32| [Quat::IDENTITY, Quat::from_rotation_x(angle)].map(|q| q.to_array()).concat();
        let channels = vec![
            channel(1, Property::Translation, vec![0.0, hips, 0.0, 0.2, hips * 0.9, 0.5]),
            channel(2, Property::Rotation, turn(-0.6)),
            channel(3, Property::Rotation, turn(1.2)),
        ];
        let joints: Vec<NodeIndex> = (0..8).map(NodeIndex).collect();
        let clips = vec![Clip { name: "walk".to_owned(), duration_secs: 1.0, channels, ..Clip::default() }];
        Rig::new(RigData {
            hierarchy: Hierarchy::new(&nodes).unwrap(),
            skins: vec![Skin { inverse_bind: vec![Affine3::IDENTITY; 8], joints, ..Skin::default() }],
            clips,
            ..RigData::default()
        })
    }

    #[test]
    fn soles_stay_on_the_ground_whatever_else_of_the_figure_is_longer() {
        let from = figure(0.45, 0.4, 0.05, 0.2);
        for onto in [figure(0.45, 0.4, 0.05, 0.5), figure(0.54, 0.48, 0.12, 0.2), figure(0.225, 0.2, 0.05, 0.2)] {
            let rest = |rig: &Rig| evaluate(rig, None, &Pose::rest(&rig.hierarchy)).world_from_node[4].translation.y;
            let leg = |rig: &Rig| {
                evaluate(rig, None, &Pose::rest(&rig.hierarchy)).world_from_node[1].translation.y - rest(rig)
            };
            let clips = transferred_clips(&from, &onto).clips;
            let with = Rig::new(RigData { clips, ..(*onto).clone() });
            for time_secs in [0.0, 0.5, 1.0] {
                let lift = |rig: &Rig| {
                    let moment = Some(ClipMoment::new(0, time_secs));
                    (evaluate(rig, moment, &Pose::rest(&rig.hierarchy)).world_from_node[4].translation.y - rest(rig))
                        / leg(rig)
                };
                let (theirs, ours) = (lift(&from), lift(&with));
                assert!((theirs - ours).abs() < 0.01, "{ours} of a leg over the ground for {theirs} at {time_secs} s");
            }
        }
    }

    #[test]
    fn joints_without_a_counterpart_are_named_and_a_clip_of_nothing_else_is_left_out() {
        let from = chain(NAMES, Trs::IDENTITY, Quat::IDENTITY, 0.5);
        let tailed = chain(["Hips", "spine", "Tail"], Trs::IDENTITY, Quat::IDENTITY, 0.5);
        let found = transferred_clips(&from, &tailed);
        assert_eq!(
            (found.matched, found.unmatched.len(), found.clips.len()),
            (3, 0, 1),
            "the tail is where the head was"
        );
        let node = |name: &str, children, height: f32| {
            NodeDescription::new(name, children, Trs::from_translation(Vec3::Y * height))
        };
        let rig = |nodes: &[NodeDescription]| {
            Rig::new(RigData { hierarchy: Hierarchy::new(nodes).unwrap(), ..RigData::default() })
        };
        let headless = rig(&[node("hips", vec![1], 0.5), node("spine", vec![], 0.5)]);
        let found = transferred_clips(&from, &headless);
        assert_eq!((found.matched, found.unmatched, found.clips.len()), (2, vec!["Head".to_owned()], 1));
        let strange = transferred_clips(&from, &rig(&[node("a", vec![1], 7.0), node("b", vec![], 3.0)]));
        assert_eq!((strange.matched, strange.unmatched.len(), strange.clips.len()), (0, 3, 0));
    }
}
