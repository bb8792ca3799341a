//! A clip from frame to frame: its ends beside each other, and what changes on the way.

use glam::{Affine3, Quat, Vec3};

use super::keys::KeyCounts;
use super::travel::{Travel, root, rotation};
use crate::actor::{Poser, SharedPose};
use crate::analysis::measure::{Distance, VertexPlace};
use crate::analysis::{deform_positions_into, dominant_joint};
use crate::jobs::Progress;
use crate::rig::{Clip, ClipMoment, NodeIndex, PartIndex, Pose, Rig};
use crate::skinning::{Deformed, Skinner};

/// Times the median beyond which a frame is a spike, and times the frames two before and two after it.
const MOST_TIMES: f32 = 6.0;
const MOST_BESIDE: f32 = 3.0;

/// Offsets of a spike that are smaller, as a share of the rig's size, are not seen.
const LEAST_OFFSET: f32 = 1e-3;

/// Changes of velocity that are smaller, as a share of the rig's size in a frame, are rounding.
const ROUNDING: f32 = 2e-6;

/// The seam of a clip, and its spikes.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Frames a second.
    pub rate: f32,
    /// Number of frames that were looked at.
    pub frames: usize,
    /// Way of the root from start to end.
    pub travel: Travel,
    /// Joint that is farthest from where it began, and how far, metres.
    pub gap: Option<(NodeIndex, f32)>,
    /// Joint that is turned most from how it began, and how far, radians.
    pub turn_gap: Option<(NodeIndex, f32)>,
    /// Distances of vertices from where they began.
    pub skin_gap: Distance,
    /// Vertex of which the velocity jumps most, and by how much, metres a second.
    pub jump: Option<VertexJump>,
    /// Joint of which the angular velocity jumps most, and by how much, radians a second.
    pub turn_jump: Option<(NodeIndex, f32)>,
    /// Largest jump of a vertex over the median change of velocity; NaN where nothing ever changes.
    pub ratio: f32,
    /// Frames that a vertex goes to and comes back from.
    pub spikes: Vec<Spike>,
    /// Keys of the clip.
    pub keys: KeyCounts,
}

/// A change of a vertex's velocity from one step to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexJump {
    /// The vertex.
    pub place: VertexPlace,
    /// The joint that moves it most.
    pub joint: Option<NodeIndex>,
    /// Metres a second.
    pub change: f32,
}

/// A frame that a vertex goes to and comes back from, much farther than is usual in its clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spike {
    /// Time of the frame, seconds.
    pub time_secs: f32,
    /// How far the vertex is from the middle between where it is a frame before and a frame after, metres.
    pub offset: f32,
    /// The offset over the median of the largest offsets of all frames.
    pub times: f32,
    /// The vertex.
    pub place: VertexPlace,
    /// The joint that moves it most.
    pub joint: Option<NodeIndex>,
}

/// Positions of all vertices and places of all joints in a frame.
#[derive(Clone, Default)]
struct Still {
    time_secs: f32,
    positions: Vec<Vec3>,
    joints: Vec<Affine3>,
    root: Affine3,
}

/// The largest change of a vertex's velocity at a frame.
#[derive(Clone, Copy)]
struct Change {
    time_secs: f32,
    /// Metres a second.
    size: f32,
    /// Half the change times the time of a step: metres.
    offset: f32,
    vertex: usize,
    /// Smaller one of the vertex's speeds before and after, metres a second.
    speed: f32,
    /// True where the vertex goes back, faster than it moves a frame before and a frame after: at the end of a swing it is slower.
    returns: bool,
}

/// What is kept of a clip from frame to frame.
pub(super) struct Strip<'a> {
    rig: &'a Rig,
    joints: Vec<NodeIndex>,
    /// The first two frames and the last two.
    ends: [Still; 4],
    /// By frame but for the first and the last.
    changes: Vec<Change>,
}

impl<'a> Strip<'a> {
    /// Skins a clip frame by frame; `None` where it was cancelled.
    ///
    /// *Shapes*: at least three times.
    pub(super) fn new(skinner: &'a Skinner, clip: usize, times: &[f32], progress: &Progress) -> Option<Self> {
        let rig = skinner.rig();
        let found = rig.clips.get(clip)?;
        let joints = joints(rig, found);
        let mut bench = Bench { skinner, joints: &joints, root: root(rig, found), ..Bench::new(skinner, &joints) };
        let mut last: [Still; 4] = Default::default();
        let (mut first, mut changes) = (Vec::new(), Vec::<Change>::with_capacity(times.len()));
        for (number, &time_secs) in times.iter().enumerate() {
            progress.go_on()?;
            last.rotate_left(1);
            let [far, before, now, after] = &mut last;
            bench.pose(ClipMoment { clip, time_secs }, after);
            if number < 2 {
                first.push(after.clone());
            } else {
                if let Some(change) = changes.last_mut() {
                    change.returns &= speed(now, after, change.vertex) < change.speed;
                }
                let found = change([before, now, after]);
                let returns = found.returns && number > 2 && speed(far, before, found.vertex) < found.speed;
                changes.push(Change { returns, ..found });
            }
            progress.add(1);
        }
        // What comes after it is not known.
        if let Some(change) = changes.last_mut() {
            change.returns = false;
        }
        let [_, _, before, end] = last;
        let [start, next] = <[Still; 2]>::try_from(first).ok()?;
        Some(Self { rig, joints, ends: [start, next, before, end], changes })
    }

    /// The seam, of which the caller knows clip, rate and keys.
    pub(super) fn seam(&self) -> Seam {
        let [start, next, before, end] = &self.ends;
        let travel = Travel::between(self.rig, &start.root, &end.root);
        let start_from_end = travel.end_from_start.inverse();
        let back = rotation(&start_from_end);
        let places = |still: &Still| still.joints.iter().map(|world| start_from_end * *world).collect::<Vec<_>>();
        let end_joints = places(end);
        let joint_gaps = start.joints.iter().zip(&end_joints);
        let gaps = joint_gaps.clone().map(|(a, b)| a.translation.distance(b.translation));
        let turns = joint_gaps.map(|(a, b)| turn(a, b).length());
        let turn_jumps = start.joints.iter().zip(&next.joints).zip(before.joints.iter().zip(&end.joints)).map(
            |((start_joint, next_joint), (before_joint, end_joint))| {
                let first = turning([start_joint, next_joint], next.time_secs - start.time_secs);
                let last = turning([before_joint, end_joint], end.time_secs - before.time_secs);
                first.distance(back * last)
            },
        );
        let skin_gaps = start.positions.iter().zip(&end.positions);
        let skin_gaps = skin_gaps.map(|(a, b)| a.distance(start_from_end.transform_point3(*b)));
        let velocity = |from: &Still, to: &Still, vertex: usize| {
            (to.positions[vertex] - from.positions[vertex]) / (to.time_secs - from.time_secs)
        };
        let jump = |vertex: usize| velocity(start, next, vertex).distance(back * velocity(before, end, vertex));
        let jumps = (0..start.positions.len()).map(|vertex| (vertex, jump(vertex)));
        let jump = jumps.filter(|(_, jump)| jump.is_finite()).reduce(|a, b| if b.1 > a.1 { b } else { a });
        let median = self.median();
        let quiet = ROUNDING * self.rig.size() / (next.time_secs - start.time_secs);
        let jump = jump.map(|(vertex, change)| self.vertex_jump(vertex, if change > quiet { change } else { 0.0 }));
        let ratio = jump.map_or(f32::NAN, |jump| jump.change / if median > quiet { median } else { 0.0 });
        Seam {
            clip: 0,
            rate: 0.0,
            frames: self.changes.len() + 2,
            travel,
            gap: self.worst(gaps),
            turn_gap: self.worst(turns),
            skin_gap: Distance::of(self.rig, &self.by_part(skin_gaps.collect())),
            jump,
            turn_jump: self.worst(turn_jumps),
            ratio,
            spikes: self.spikes(median),
            keys: KeyCounts::default(),
        }
    }

    /// The joint of the largest number.
    fn worst(&self, numbers: impl Iterator<Item = f32>) -> Option<(NodeIndex, f32)> {
        let known = self.joints.iter().copied().zip(numbers).filter(|(_, number)| number.is_finite());
        known.reduce(|a, b| if b.1 > a.1 { b } else { a })
    }

    /// Median over the frames of the largest change of a vertex's velocity, metres a second.
    fn median(&self) -> f32 {
        let mut changes: Vec<f32> = self.changes.iter().map(|change| change.size).collect();
        changes.sort_by(f32::total_cmp);
        changes.get(changes.len() / 2).copied().unwrap_or(0.0)
    }

    fn spikes(&self, median: f32) -> Vec<Spike> {
        let least = LEAST_OFFSET * self.rig.size();
        let beside = |at: Option<usize>| at.and_then(|at| self.changes.get(at)).map_or(0.0, |beside| beside.size);
        let is_spike = |(number, change): &(usize, &Change)| {
            let usual = beside(number.checked_sub(2)).max(beside(Some(number + 2)));
            // Of a frame that is off, the steps to and from the frames beside it change too, by half as much.
            let next = beside(number.checked_sub(1)).max(beside(Some(number + 1)));
            change.returns
                && change.offset > least
                && change.size > MOST_TIMES * median
                && change.size > MOST_BESIDE * usual
                && change.size >= next
        };
        let spikes = self.changes.iter().enumerate().filter(is_spike);
        let spike = |(_, change): (usize, &Change)| {
            let VertexJump { place, joint, .. } = self.vertex_jump(change.vertex, change.size);
            let Change { time_secs, offset, .. } = *change;
            Spike { time_secs, offset, times: change.size / median, place, joint }
        };
        spikes.map(spike).collect()
    }

    fn vertex_jump(&self, vertex: usize, change: f32) -> VertexJump {
        let mut rest = vertex;
        for (PartIndex { instance, primitive }, (_, drawn)) in self.rig.parts().zip(self.rig.primitives()) {
            if rest < drawn.positions.len() {
                let place = VertexPlace { instance, primitive, vertex: rest };
                return VertexJump { place, joint: dominant_joint(self.rig, instance, primitive, rest), change };
            }
            rest -= drawn.positions.len();
        }
        VertexJump { place: VertexPlace { instance: 0, primitive: 0, vertex }, joint: None, change }
    }

    /// Values of all vertices by the parts that are drawn.
    fn by_part(&self, values: Vec<f32>) -> Vec<Vec<f32>> {
        let mut values = values.into_iter();
        self.rig.primitives().map(|(_, drawn)| values.by_ref().take(drawn.positions.len()).collect()).collect()
    }
}

/// The largest change of a vertex's velocity in the middle one of three frames.
fn change([before, now, after]: [&Still; 3]) -> Change {
    let [into, out_of] = [now.time_secs - before.time_secs, after.time_secs - now.time_secs];
    let mut worst = Change { time_secs: now.time_secs, size: 0.0, offset: 0.0, vertex: 0, speed: 0.0, returns: false };
    for (vertex, ((a, b), c)) in before.positions.iter().zip(&now.positions).zip(&after.positions).enumerate() {
        let [first, second] = [(*b - *a) / into, (*c - *b) / out_of];
        let size = first.distance(second);
        if size > worst.size && size.is_finite() {
            let [into_speed, out_speed] = [first, second].map(Vec3::length);
            let (speed, returns) = (into_speed.min(out_speed), first.dot(second) < -0.5 * into_speed * out_speed);
            worst = Change { size, offset: size * into.min(out_of) / 2.0, vertex, speed, returns, ..worst };
        }
    }
    worst
}

/// Speed of a vertex from one frame to the next, metres a second.
fn speed(from: &Still, to: &Still, vertex: usize) -> f32 {
    to.positions[vertex].distance(from.positions[vertex]) / (to.time_secs - from.time_secs)
}

/// Turn from one frame of axes to another, the shorter way: its axis times its angle, radians.
fn turn(from: &Affine3, to: &Affine3) -> Vec3 {
    let turn: Quat = rotation(to) * rotation(from).inverse();
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

/// Angular velocity of a joint between two frames, radians a second.
fn turning([from, to]: [&Affine3; 2], elapsed_secs: f32) -> Vec3 {
    turn(from, to) / elapsed_secs
}

/// Joints of a rig; without a skin the nodes that the clip moves.
fn joints(rig: &Rig, clip: &Clip) -> Vec<NodeIndex> {
    if !rig.skins.is_empty() {
        return rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
    }
    let mut nodes: Vec<NodeIndex> = clip.channels.iter().map(|channel| channel.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// A rig that is posed frame after frame, in memory that is kept.
struct Bench<'a> {
    skinner: &'a Skinner,
    joints: &'a [NodeIndex],
    root: NodeIndex,
    rest: Pose,
    poser: Poser,
    pose: SharedPose,
    surfaces: Vec<Vec<Deformed>>,
}

impl<'a> Bench<'a> {
    fn new(skinner: &'a Skinner, joints: &'a [NodeIndex]) -> Self {
        Self {
            skinner,
            joints,
            root: NodeIndex(0),
            rest: Pose::rest(&skinner.rig().hierarchy),
            poser: Poser::default(),
            pose: SharedPose::default(),
            surfaces: Vec::new(),
        }
    }

    fn pose(&mut self, moment: ClipMoment, still: &mut Still) {
        let Self { skinner, joints, root, rest, poser, pose, surfaces } = self;
        poser.pose_into(skinner.rig(), Some(moment), rest, pose);
        deform_positions_into(skinner, pose.skin_pose(), surfaces);
        let world = &pose.posed.world_from_node;
        let place = |node: &NodeIndex| world.get(node.index()).copied().unwrap_or_default();
        still.time_secs = moment.time_secs;
        still.positions.clear();
        still.positions.extend(surfaces.iter().flatten().flat_map(|part| part.positions.iter().copied()));
        still.joints.clear();
        still.joints.extend(joints.iter().map(place));
        still.root = place(root);
    }
}
