//! Measures one clip frame by frame: its start and end, and the velocity changes in between.

use glam::{Affine3, Quat, Vec3};

use super::keys::KeyCounts;
use super::travel::{Travel, rotation};
use crate::analysis::dominant_joint;
use crate::analysis::measure::{SurfaceDistance, VertexLocation};
use crate::analysis::motion::{ClipSkin, Frames};
use crate::analysis::spikes::{MIN_TURN, VelocityChange, VelocityChanges};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Clip, ClipMoment, NodeIndex, PrimitiveIndex, Rig};
use rigscope_core::skinning::Skinner;

/// Spikes with an offset below this, relative to the rig's size, are not visible.
const MIN_OFFSET: f32 = 1e-3;

/// Changes in velocity up to this many rig sizes per frame count as rounding errors.
const ROUNDING: f32 = 2e-6;

/// Loop seam and spikes of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Frames per second.
    pub rate: f32,
    /// Interval between measured frames, in frames; above 1 if there are too many frames to measure them all.
    pub step: usize,
    /// Number of measured frames.
    pub frames: usize,
    /// Travel of the root from start to end.
    pub travel: Travel,
    /// Joint with the largest distance between its start and end positions, and the distance, metres.
    pub gap: Option<(NodeIndex, f32)>,
    /// Joint with the largest angle between its start and end rotations, and the angle, radians.
    pub rotation_gap: Option<(NodeIndex, f32)>,
    /// Distances between the start and end positions of vertices.
    pub skin_gap: SurfaceDistance,
    /// Vertex with the largest jump in velocity between end and start.
    pub jump: Option<VertexJump>,
    /// Joint with the largest jump in angular velocity between end and start, and the jump, rad/s.
    pub rotation_jump: Option<(NodeIndex, f32)>,
    /// Change of velocity in `jump`, divided by the median of each frame's largest change; NaN if velocities never
    /// change.
    pub ratio: f32,
    /// Frames at which a vertex jumps away and returns immediately.
    pub spikes: Vec<Spike>,
    /// Frames at which a joint rotates away and returns immediately.
    pub rotation_spikes: Vec<RotationSpike>,
    /// Counts of the clip's keys.
    pub keys: KeyCounts,
}

/// Change of a vertex's velocity from one step to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexJump {
    /// Location of the vertex.
    pub place: VertexLocation,
    /// Joint with the largest weight on the vertex.
    pub joint: Option<NodeIndex>,
    /// Change of the velocity, m/s.
    pub change: f32,
}

/// A frame at which a vertex jumps away and returns immediately. Its change in velocity is far above the clip's median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spike {
    /// Time of the frame, seconds.
    pub time_secs: f32,
    /// Distance of the vertex from the midpoint of its positions in the frames before and after, metres.
    pub offset: f32,
    /// Change of velocity, divided by the median of each frame's largest change.
    pub times: f32,
    /// Location of the vertex.
    pub place: VertexLocation,
    /// Joint with the largest weight on the vertex.
    pub joint: Option<NodeIndex>,
}

/// A frame at which a joint rotates away, relative to its parent, and returns immediately. Its change of angular
/// velocity is far above the clip's median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationSpike {
    /// Time of the frame, seconds.
    pub time_secs: f32,
    /// Angle between the joint's rotation and the midpoint of its rotations in the frames before and after, radians.
    pub angle: f32,
    /// Change of angular velocity, divided by the median of each frame's largest change.
    pub times: f32,
    /// Joint that rotates.
    pub joint: NodeIndex,
}

#[derive(Clone, Copy)]
struct CarriedJoint {
    node: NodeIndex,
    above: Option<NodeIndex>,
}

#[derive(Clone, Default)]
struct StillFrame {
    time_secs: f32,
    positions: Vec<Vec3>,
    joints: Vec<Affine3>,
    /// Rotation of each joint relative to its parent node.
    turns: Vec<Quat>,
    root: Affine3,
}

impl StillFrame {
    fn take(&mut self, time_secs: f32, skin: &ClipSkin<'_>, joints: &[CarriedJoint], root: NodeIndex) {
        let world = &skin.pose.posed.world_from_node;
        let place = |node: &NodeIndex| world.get(node.index()).copied().unwrap_or_default();
        self.time_secs = time_secs;
        self.positions.clear();
        self.positions.extend(skin.surfaces.iter().flatten().flat_map(|part| part.positions.iter().copied()));
        self.joints.clear();
        self.joints.extend(joints.iter().map(|joint| place(&joint.node)));
        let carried = |(joint, world): (&CarriedJoint, &Affine3)| {
            let own = rotation(world);
            joint.above.map_or(own, |above| rotation(&place(&above)).inverse() * own)
        };
        self.turns.clear();
        self.turns.extend(joints.iter().zip(&self.joints).map(carried));
        self.root = place(&root);
    }
}

pub(super) struct ClipStrip<'a> {
    rig: &'a Rig,
    joints: Vec<CarriedJoint>,
    /// The first two and the last two frames.
    ends: [StillFrame; 4],
    /// Largest change of velocity of any vertex, for each frame except the first and last. `turn_changes` holds the
    /// same for joints.
    changes: VelocityChanges,
    turn_changes: VelocityChanges,
}

impl<'a> ClipStrip<'a> {
    /// Skins a clip at each of `times`. There must be at least three times. Returns `None` if cancelled.
    pub(super) fn new(skinner: &'a Skinner, clip: usize, times: &[f32], progress: &Progress) -> Option<Self> {
        let rig = skinner.rig();
        let found = rig.clips.get(clip)?;
        let joints = joints(rig, found);
        let root = rig.clip_root(clip)?;
        let mut skin = ClipSkin::new(skinner);
        let mut last: [StillFrame; 4] = Default::default();
        let mut first = Vec::new();
        let [mut changes, mut turn_changes] = <[VelocityChanges; 2]>::default();
        for (number, &time_secs) in times.iter().enumerate() {
            progress.check_cancelled()?;
            last.rotate_left(1);
            let [far, before, now, after] = &mut last;
            skin.go_to(ClipMoment::new(clip, time_secs));
            after.take(time_secs, &skin, &joints, root);
            if number < 2 {
                first.push(after.clone());
            } else {
                let is_before_known = number > 2;
                let earlier = |index| is_before_known.then(|| speed(far, before, index));
                changes.push(change([before, now, after]), earlier, |index| speed(now, after, index));
                let earlier = |joint| is_before_known.then(|| turn_speed(far, before, joint));
                turn_changes.push(turn_change([before, now, after]), earlier, |joint| turn_speed(now, after, joint));
            }
            progress.add(1);
        }
        changes.end();
        turn_changes.end();
        let [_, _, before, end] = last;
        let [start, next] = <[StillFrame; 2]>::try_from(first).ok()?;
        Some(Self { rig, joints, ends: [start, next, before, end], changes, turn_changes })
    }

    pub(super) fn seam(&self, frames: Frames, keys: KeyCounts) -> Seam {
        let [start, next, before, end] = &self.ends;
        let travel = Travel::between(self.rig, &start.root, &end.root);
        let start_from_end = travel.end_from_start.inverse();
        let back = rotation(&start_from_end);
        let places = |still: &StillFrame| still.joints.iter().map(|world| start_from_end * *world).collect::<Vec<_>>();
        let end_joints = places(end);
        let joint_gaps = start.joints.iter().zip(&end_joints);
        let gaps = joint_gaps.clone().map(|(a, b)| a.translation.distance(b.translation));
        let turns = joint_gaps.map(|(a, b)| turn(a, b).length());
        let rotation_jumps = start.joints.iter().zip(&next.joints).zip(before.joints.iter().zip(&end.joints)).map(
            |((start_joint, next_joint), (before_joint, end_joint))| {
                let first = turning([start_joint, next_joint], next.time_secs - start.time_secs);
                let last = turning([before_joint, end_joint], end.time_secs - before.time_secs);
                first.distance(back * last)
            },
        );
        let skin_gaps = start.positions.iter().zip(&end.positions);
        let skin_gaps = skin_gaps.map(|(a, b)| a.distance(start_from_end.transform_point3(*b)));
        let velocity = |from: &StillFrame, to: &StillFrame, vertex: usize| {
            (to.positions[vertex] - from.positions[vertex]) / (to.time_secs - from.time_secs)
        };
        let jump = |vertex: usize| velocity(start, next, vertex).distance(back * velocity(before, end, vertex));
        let jumps = (0..start.positions.len()).map(|vertex| (vertex, jump(vertex)));
        let jump = jumps.filter(|(_, jump)| jump.is_finite()).reduce(|a, b| if b.1 > a.1 { b } else { a });
        let median = self.changes.median();
        let quiet = ROUNDING * self.rig.size() / (next.time_secs - start.time_secs);
        let jump = jump.map(|(vertex, change)| self.vertex_jump(vertex, if change > quiet { change } else { 0.0 }));
        let ratio = jump.map_or(f32::NAN, |jump| jump.change / if median > quiet { median } else { 0.0 });
        Seam {
            clip: frames.clip,
            rate: frames.rate.per_sec,
            step: frames.step,
            frames: self.changes.len() + 2,
            travel,
            gap: self.worst(gaps),
            rotation_gap: self.worst(turns),
            skin_gap: SurfaceDistance::from_field(self.rig, &self.by_part(skin_gaps.collect())),
            jump,
            rotation_jump: self.worst(rotation_jumps),
            ratio,
            spikes: self.spikes(),
            rotation_spikes: self.rotation_spikes(),
            keys,
        }
    }

    fn worst(&self, numbers: impl Iterator<Item = f32>) -> Option<(NodeIndex, f32)> {
        let known = self.joints.iter().map(|joint| joint.node).zip(numbers).filter(|(_, number)| number.is_finite());
        known.reduce(|a, b| if b.1 > a.1 { b } else { a })
    }

    pub(super) fn spikes(&self) -> Vec<Spike> {
        let median = self.changes.median();
        let spike = |change: VelocityChange| {
            let VertexJump { place, joint, .. } = self.vertex_jump(change.index, change.size);
            Spike { time_secs: change.time_secs, offset: change.offset, times: change.size / median, place, joint }
        };
        self.changes.spikes(MIN_OFFSET * self.rig.size()).into_iter().map(spike).collect()
    }

    pub(super) fn rotation_spikes(&self) -> Vec<RotationSpike> {
        let median = self.turn_changes.median();
        let spike = |change: VelocityChange| RotationSpike {
            time_secs: change.time_secs,
            angle: change.offset,
            times: change.size / median,
            joint: self.joints[change.index].node,
        };
        self.turn_changes.spikes(MIN_TURN).into_iter().map(spike).collect()
    }

    fn vertex_jump(&self, vertex: usize, change: f32) -> VertexJump {
        let mut rest = vertex;
        for (PrimitiveIndex { instance, primitive }, (_, drawn)) in self.rig.parts().zip(self.rig.primitives()) {
            if rest < drawn.positions.len() {
                let place = VertexLocation { instance, primitive, vertex: rest };
                return VertexJump { place, joint: dominant_joint(self.rig, instance, primitive, rest), change };
            }
            rest -= drawn.positions.len();
        }
        VertexJump { place: VertexLocation { instance: 0, primitive: 0, vertex }, joint: None, change }
    }

    fn by_part(&self, values: Vec<f32>) -> Vec<Vec<f32>> {
        let mut values = values.into_iter();
        self.rig.primitives().map(|(_, drawn)| values.by_ref().take(drawn.positions.len()).collect()).collect()
    }
}

fn change([before, now, after]: [&StillFrame; 3]) -> VelocityChange {
    let steps @ [into, out_of] = [now.time_secs - before.time_secs, after.time_secs - now.time_secs];
    let places = before.positions.iter().zip(&now.positions).zip(&after.positions);
    let velocities = places.map(|((a, b), c)| [(*b - *a) / into, (*c - *b) / out_of]);
    VelocityChange::largest(now.time_secs, steps, velocities)
}

fn turn_change([before, now, after]: [&StillFrame; 3]) -> VelocityChange {
    let steps @ [into, out_of] = [now.time_secs - before.time_secs, after.time_secs - now.time_secs];
    let turns = before.turns.iter().zip(&now.turns).zip(&after.turns);
    let velocities = turns.map(|((a, b), c)| [between(*a, *b) / into, between(*b, *c) / out_of]);
    VelocityChange::largest(now.time_secs, steps, velocities)
}

fn turn_speed(from: &StillFrame, to: &StillFrame, joint: usize) -> f32 {
    let turns = from.turns.get(joint).zip(to.turns.get(joint));
    turns.map_or(0.0, |(a, b)| between(*a, *b).length()) / (to.time_secs - from.time_secs)
}

fn speed(from: &StillFrame, to: &StillFrame, vertex: usize) -> f32 {
    let positions = from.positions.get(vertex).zip(to.positions.get(vertex));
    positions.map_or(0.0, |(a, b)| b.distance(*a)) / (to.time_secs - from.time_secs)
}

fn turn(from: &Affine3, to: &Affine3) -> Vec3 {
    between(rotation(from), rotation(to))
}

/// Returns the rotation vector of the shortest rotation from `from` to `to`, in radians.
fn between(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.inverse();
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

fn turning([from, to]: [&Affine3; 2], elapsed_secs: f32) -> Vec3 {
    turn(from, to) / elapsed_secs
}

fn joints(rig: &Rig, clip: &Clip) -> Vec<CarriedJoint> {
    let nodes = if rig.skins.is_empty() {
        let mut nodes: Vec<NodeIndex> = clip.channels.iter().map(|channel| channel.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    } else {
        rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect()
    };
    nodes.into_iter().map(|node| CarriedJoint { node, above: rig.hierarchy.parent(node) }).collect()
}
