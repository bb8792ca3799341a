//! Transfers the world rotations of joints whose moving ancestors differ between the rigs.

use std::ops::Range;
use std::sync::Arc;

use glam::{Affine3, Quat, Vec3};

use super::pairs::SpreadJoint;
use super::retarget_pose::rotation;
use super::{AT_REST, SEARCHED, Transfer, mean_scale};
use crate::rig::{Channel, Clip, ClipMoment, NodeIndex, Pose, Posed, Property, SamplingBuffers, evaluate_into};

const MAX_KEYS: usize = 1 << 21;

pub(super) struct SharedJoints<'a> {
    transfer: &'a Transfer<'a>,
    joints: Vec<SharedJoint>,
    rotated_by: Vec<Option<usize>>,
    /// Unpaired target spine joints, which take up part of the bend between their paired neighbours.
    spread: Vec<BetweenJoints<'a>>,
}

struct BetweenJoints<'a> {
    spread: &'a SpreadJoint,
    ends: [usize; 2],
    from_ends: [Quat; 2],
}

struct SharedJoint {
    node: NodeIndex,
    partner: NodeIndex,
    /// Index of the nearest shared joint that is an ancestor in both rigs.
    above: Option<usize>,
    is_carried: bool,
    /// Whether all other shared joints below `above` are also below this joint, so that moving this joint doesn't pull
    /// any of them apart.
    is_alone: bool,
}

impl<'a> SharedJoints<'a> {
    pub(super) fn new(transfer: &'a Transfer<'a>, clip: &Clip) -> Self {
        let (theirs, ours) = (&transfer.from.hierarchy, &transfer.onto.hierarchy);
        let mut moves = vec![false; theirs.len()];
        for channel in clip.channels.iter().filter(|channel| !transfer.stays(channel)) {
            moves[channel.node.index()] = true;
        }
        let joints = transfer.shared_joints();
        let mut number_of = vec![None; theirs.len()];
        let mut shared_before = vec![0; ours.len() + 1];
        for (number, (node, partner)) in joints.iter().enumerate() {
            number_of[node.index()] = Some(number);
            shared_before[partner.index() + 1] = 1;
        }
        (0..ours.len()).for_each(|node| shared_before[node + 1] += shared_before[node]);
        let above = |(node, partner): (NodeIndex, NodeIndex)| {
            let is_above = |&number: &usize| {
                let other = joints[number].1;
                other != partner && ours.subtree(other).contains(&partner.index())
            };
            theirs.ancestors(node).take(SEARCHED).filter_map(|node| number_of[node.index()]).find(is_above)
        };
        let above: Vec<Option<usize>> = joints.iter().map(|pair| above(*pair)).collect();
        let limits = |number: usize| above[number].map(|above| joints[above]);
        let is_lifted = |number: usize| {
            let lacking =
                theirs.ancestors(joints[number].0).take_while(|a| transfer.pairs.partners[a.index()].is_none());
            lacking.take(SEARCHED).any(|a| moves[a.index()])
        };
        // A moving non-joint node above the skeleton has its own channels, which move its counterpart.
        let is_on_holder = |node: NodeIndex| {
            let holds = |a: NodeIndex| moves[a.index()] && number_of[a.index()].is_none();
            theirs.ancestors(node).take(SEARCHED).any(|a| holds(a) && transfer.pairs.partners[a.index()].is_some())
        };
        let mut is_moved = vec![false; ours.len()];
        for (number, (node, partner)) in joints.iter().enumerate() {
            is_moved[partner.index()] = moves[node.index()] || is_lifted(number);
        }
        let number_of_partner = |partner: NodeIndex| joints.iter().position(|(_, other)| *other == partner);
        let between = |spread: &'a SpreadJoint| {
            let [Some(upper), Some(lower)] = spread.ends.map(number_of_partner) else { return None };
            // The rotation of the lower joint must be relative to the upper joint.
            let is_bent = above[lower] == Some(upper) && (moves[joints[lower].0.index()] || is_lifted(lower));
            let turn = |node: NodeIndex| rotation(&transfer.rest[1][node.index()]).as_quat();
            let from_ends = spread.ends.map(|end| turn(end).inverse() * turn(spread.joint));
            (is_bent && !is_on_holder(joints[lower].0)).then_some(BetweenJoints {
                spread,
                ends: [upper, lower],
                from_ends,
            })
        };
        let spread: Vec<BetweenJoints<'a>> = transfer.pairs.spread.iter().filter_map(between).collect();
        for between in &spread {
            is_moved[between.spread.joint.index()] = true;
        }
        let joint = |(number, &(node, partner)): (usize, &(NodeIndex, NodeIndex))| {
            let top = limits(number).map(|(_, other)| other);
            let is_held =
                ours.ancestors(partner).take(SEARCHED).take_while(|a| Some(*a) != top).any(|a| is_moved[a.index()]);
            let shared = |nodes: Range<usize>| shared_before[nodes.end] - shared_before[nodes.start];
            let beside = top.map_or(0..ours.len(), |top| top.index() + 1..ours.subtree(top).end);
            let is_alone = !is_held && shared(ours.subtree(partner)) == shared(beside);
            let is_carried = (is_held || is_lifted(number)) && !is_on_holder(node);
            SharedJoint { node, partner, above: above[number], is_carried, is_alone }
        };
        let joints: Vec<SharedJoint> = joints.iter().enumerate().map(joint).collect();
        let mut is_turned = vec![false; theirs.len()];
        for channel in clip.channels.iter().filter(|channel| channel.property == Property::Rotation) {
            is_turned[channel.node.index()] = true;
        }
        let mut rotated_by = vec![None; ours.len()];
        for (number, joint) in joints.iter().enumerate() {
            rotated_by[joint.partner.index()] = (joint.is_carried || is_turned[joint.node.index()]).then_some(number);
        }
        Self { transfer, joints, rotated_by, spread }
    }

    fn carried(&self) -> impl Iterator<Item = &SharedJoint> {
        self.joints.iter().filter(|joint| joint.is_carried)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeIndex> {
        self.carried().map(|joint| joint.node)
    }

    pub(super) fn channels(&self, number: usize, clip: &Clip) -> Vec<Channel> {
        let count = self.carried().count() + self.spread.len();
        if count == 0 {
            return Vec::new();
        }
        let times = key_times(clip, MAX_KEYS / count);
        let mut values = vec![(Vec::new(), Vec::new()); self.joints.len()];
        let mut spread = vec![Vec::new(); self.spread.len()];
        let (mut posed, mut buffers) = (Posed::default(), SamplingBuffers::default());
        let rest = Pose::rest(&self.transfer.from.hierarchy);
        for &time_secs in &times {
            let moment = ClipMoment::new(number, time_secs);
            evaluate_into(self.transfer.from, Some(moment), &rest, &mut buffers, &mut posed);
            let turns = self.turns(&posed);
            let local = |node: NodeIndex| {
                let parent = self.transfer.onto.hierarchy.parent(node);
                let parent = parent.map_or(Quat::IDENTITY, |parent| turns[parent.index()]);
                (parent.inverse() * turns[node.index()]).normalize().to_array()
            };
            for (between, rotations) in self.spread.iter().zip(&mut spread) {
                rotations.extend(local(between.spread.joint));
            }
            for (joint, (rotations, places)) in self.joints.iter().zip(&mut values).filter(|(j, _)| j.is_carried) {
                rotations.extend(local(joint.partner));
                if joint.is_alone {
                    places.push(self.place(joint, &posed));
                }
            }
        }
        let times: Arc<[f32]> = times.into();
        let channel = |partner, property, values| Channel::linear(partner, property, Arc::clone(&times), values);
        let carried = self.joints.iter().zip(values).filter(|(joint, _)| joint.is_carried);
        let both = carried.flat_map(|(joint, (rotations, places))| {
            let is_still = places.windows(2).all(|pair| pair[0].abs_diff_eq(pair[1], AT_REST * pair[0].length()));
            let places = (!is_still).then(|| places.iter().flat_map(Vec3::to_array).collect());
            let moved = places.map(|places| channel(joint.partner, Property::Translation, places));
            [Some(channel(joint.partner, Property::Rotation, rotations)), moved]
        });
        let spread = self.spread.iter().zip(spread);
        let bends = spread.map(|(between, values)| channel(between.spread.joint, Property::Rotation, values));
        both.flatten().chain(bends).collect()
    }

    fn turns(&self, posed: &Posed) -> Vec<Quat> {
        let Transfer { onto, difference, .. } = self.transfer;
        let turn = |node: NodeIndex| {
            let axes = difference.axes[node.index()].unwrap_or(Quat::IDENTITY);
            difference.facing * rotation(&posed.world_from_node[node.index()]).as_quat() * axes
        };
        let shared = |joint: &SharedJoint, turns: &[Quat]| {
            let above = joint.above.map(|above| &self.joints[above]);
            let above = above.map(|above| turns[above.partner.index()] * turn(above.node).inverse());
            above.unwrap_or(Quat::IDENTITY) * turn(joint.node)
        };
        let bent = |between: &BetweenJoints<'_>, turns: &[Quat]| {
            let [upper, lower] = between.ends.map(|end| &self.joints[end]);
            let [above, below] = [turns[upper.partner.index()], shared(lower, turns)];
            (above * between.from_ends[0]).slerp(below * between.from_ends[1], between.spread.fraction)
        };
        let mut turns: Vec<Quat> = Vec::with_capacity(onto.hierarchy.len());
        for node in onto.hierarchy.nodes() {
            let parent = onto.hierarchy.parent(node).map_or(Quat::IDENTITY, |parent| turns[parent.index()]);
            let between = self.spread.iter().find(|between| between.spread.joint == node);
            turns.push(match (self.rotated_by[node.index()].map(|number| &self.joints[number]), between) {
                (Some(joint), _) => shared(joint, &turns),
                (None, Some(between)) => bent(between, &turns),
                (None, None) => parent * onto.hierarchy.rest(node).rotation,
            });
        }
        turns
    }

    /// Returns the local translation of a target joint whose parent does not move.
    fn place(&self, joint: &SharedJoint, posed: &Posed) -> Vec3 {
        let Transfer { from, onto, rest, difference, .. } = self.transfer;
        let above = joint.above.map(|above| &self.joints[above]);
        let mapped = |world: &dyn Fn(NodeIndex) -> Affine3| {
            let Some(above) = above else {
                return difference.facing * (difference.size * world(joint.node).translation);
            };
            let (theirs, ours) = (&rest[0][above.node.index()], &rest[1][above.partner.index()]);
            let units = mean_scale(theirs) / mean_scale(ours) * difference.size;
            let axes = difference.axes[above.node.index()].unwrap_or(Quat::IDENTITY);
            let place = world(above.node).inverse().transform_point3(world(joint.node).translation);
            ours.transform_point3(units * (axes.inverse() * place))
        };
        let at_rest = mapped(&|node| rest[0][node.index()]);
        let place = mapped(&|node| from.hierarchy.matrix_in_file(posed.world_from_node[node.index()]));
        let parent = onto.hierarchy.parent(joint.partner);
        let parent = parent.map_or(Affine3::IDENTITY, |parent| rest[1][parent.index()]);
        parent.inverse().transform_point3(place + self.transfer.rise(joint.node, at_rest))
    }
}

fn key_times(clip: &Clip, max_times: usize) -> Vec<f32> {
    let mut lists: Vec<&Arc<[f32]>> = clip.channels.iter().map(|channel| &channel.times_secs).collect();
    lists.sort_unstable_by_key(|times| times.as_ptr());
    lists.dedup_by_key(|times| times.as_ptr());
    let mut times: Vec<f32> = lists.into_iter().flat_map(|times| times.iter().copied()).collect();
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    let step = times.len().div_ceil(max_times.max(1)).max(1);
    times.into_iter().step_by(step).collect()
}
