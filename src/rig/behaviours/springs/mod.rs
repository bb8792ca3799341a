//! Spring bones: chains of joints that swing after what moves them, such as hair and skirts.
//!
//! Each joint has a *tail*, a point that moves by Verlet integration at a fixed step of [`Springs::STEP_SECS`]: it keeps a share of its speed, is drawn back to the rest
//! direction of its joint and along its gravity, stays at its distance from the joint, and is pushed out of colliders. The joint turns so that it points at its tail.
//!
//! *Source*: `VRMC_springBone` 1.0 and `VRMC_springBone_extended_collider` of the VRM specification.
//!
//! | module | holds |
//! | --- | --- |
//! | `collider` | shapes that push tails |
//! | `order` | the order in which joints swing |
//! | `simulation` | tails from step to step |
//! | `run` | where springs are at a moment of a clip |

mod collider;
mod order;
mod run;
mod simulation;

use std::sync::Arc;

use glam::{Affine3, DAffine3, Quat, Vec3};

pub use collider::{Collider, ColliderShape};
pub(in crate::rig) use run::SpringRun;
pub use simulation::SpringState;

use super::constraint::turn_from_rest;
use crate::rig::{Hierarchy, NodeIndex, Pose};
use order::Place;

/// Spring chains and colliders as a file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringBones {
    /// Colliders, to which chains refer by index.
    pub colliders: Vec<Collider>,
    /// Chains of joints, in the file's order.
    pub chains: Vec<SpringChain>,
}

/// Joints that swing and collide with the same colliders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringChain {
    /// Name of the chain; may be empty.
    pub name: String,
    /// Joints that swing. The last joint of a chain of VRM 1.0 is the tail of the one before it, and not among them.
    pub joints: Vec<SpringJoint>,
    /// Indices of colliders that push the chain, in the order in which they do.
    pub colliders: Vec<usize>,
    /// Node in whose space tails keep their speed; `None` for world space.
    pub center: Option<NodeIndex>,
}

/// A joint that swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    /// The joint.
    pub node: NodeIndex,
    /// Rest position of its tail, in the joint's space. A joint whose tail is at its origin does not swing.
    pub tail: Vec3,
    /// True where no node is at its tail, as below the last joint of a chain of VRM 0.
    pub is_leaf: bool,
    /// Strength with which the tail is drawn back to the rest direction, metres per second.
    pub stiffness: f32,
    /// Gravity, metres per second, world space.
    pub gravity: Vec3,
    /// Share of the speed that is lost in each step, 0 to 1.
    pub drag: f32,
    /// Radius around the tail that stays outside colliders, metres.
    pub hit_radius: f32,
}

impl SpringJoint {
    /// This spring for another joint, with the tail at its first child, or for a joint without children so many metres further along the way from its parent.
    #[must_use]
    pub fn ending_below(self, hierarchy: &Hierarchy, node: NodeIndex, leaf_length: f32) -> Self {
        let rest = |node| hierarchy.rest(node).translation;
        let child = hierarchy.children(node).first();
        let tail = child.map_or_else(|| rest(node).normalize_or_zero() * leaf_length, |child| rest(*child));
        Self { node, tail: finite(tail), is_leaf: child.is_none(), ..self }
    }
}

/// Places of all nodes at rest, in double precision.
#[derive(Clone, Debug)]
pub struct RestPlaces(Vec<DAffine3>);

impl RestPlaces {
    /// Places of the nodes of a hierarchy.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let mut worlds: Vec<DAffine3> = Vec::with_capacity(hierarchy.len());
        for node in hierarchy.nodes() {
            let parent = hierarchy.parent(node).map_or(DAffine3::IDENTITY, |parent| worlds[parent.index()]);
            worlds.push(parent * hierarchy.rest_local(node).as_daffine3());
        }
        Self(worlds)
    }

    /// Rest position of a node in the space of another one; the origin where something scales by 0.
    pub fn tail(&self, joint: NodeIndex, end: NodeIndex) -> Vec3 {
        finite(self.0[joint.index()].inverse().transform_point3(self.0[end.index()].translation).as_vec3())
    }
}

fn finite(tail: Vec3) -> Vec3 {
    if tail.is_finite() { tail } else { Vec3::ZERO }
}

/// Turn of each spring joint of a rig from its rest rotation, in the axes of its parent, in the order of [`Springs::joints`]; empty where all are at rest.
pub type SpringTurns = Arc<[Quat]>;

/// What drives springs besides joints and colliders.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringDrive {
    /// Time for which springs have settled when a clip starts, or without a clip, seconds; at most [`Self::LONGEST_SETTLE_SECS`].
    pub settle_secs: f32,
    /// Constant wind, added to the gravity of every spring, metres per second, world space.
    pub wind: Vec3,
}

impl SpringDrive {
    /// Seconds for which springs settle at most.
    pub const LONGEST_SETTLE_SECS: f32 = 600.0;

    /// Strength of the wind at most, metres per second.
    pub const STRONGEST_WIND: f32 = 100.0;

    /// This drive within its limits; what is not a number counts as 0.
    #[must_use]
    pub fn limited(self) -> Self {
        let settle_secs = if self.settle_secs.is_nan() { 0.0 } else { self.settle_secs };
        let wind = if self.wind.is_finite() { self.wind } else { Vec3::ZERO };
        Self {
            settle_secs: settle_secs.clamp(0.0, Self::LONGEST_SETTLE_SECS),
            // First along each axis: the square of a huge length is infinite.
            wind: wind
                .clamp(Vec3::splat(-Self::STRONGEST_WIND), Vec3::splat(Self::STRONGEST_WIND))
                .clamp_length_max(Self::STRONGEST_WIND),
        }
    }
}

/// Springs of a rig, in the order in which they swing.
#[derive(Clone, Debug, Default)]
pub struct Springs {
    colliders: Vec<Collider>,
    joints: Vec<SpringJoint>,
    /// Chain of each joint.
    chains: Vec<usize>,
    chain_colliders: Vec<Vec<usize>>,
    centers: Vec<Option<NodeIndex>>,
    places: Vec<Place>,
    /// Nodes whose places springs read.
    read: Vec<NodeIndex>,
    shared: Vec<NodeIndex>,
}

impl Springs {
    /// Name of the glTF extension that has springs.
    pub const EXTENSION: &str = "VRMC_springBone";

    /// Name of the glTF extension that has further shapes of colliders.
    pub const EXTENDED_COLLIDER: &str = "VRMC_springBone_extended_collider";

    /// Time between two steps, seconds.
    pub const STEP_SECS: f64 = 1.0 / 60.0;

    /// Pairs of joint and collider that are looked at in a step at most; further colliders of a chain are left out.
    pub const MAX_PAIRS: usize = 1_000_000;

    /// Most work for the springs of a rig over all its clips: steps, each counted once for each node and every fourth pair of joint and collider, and as [`Self::STEP_WORK`].
    const MAX_WORK: usize = 1 << 27;

    /// Work of a step besides nodes and pairs.
    const STEP_WORK: usize = 64;

    /// Springs of a rig. A node is one spring joint: of several the first counts ([`Self::shared`]).
    pub fn new(hierarchy: &Hierarchy, bones: &SpringBones) -> Self {
        order::ordered(hierarchy, bones)
    }

    /// Joints that swing, each after those that it depends on.
    pub fn joints(&self) -> &[SpringJoint] {
        &self.joints
    }

    /// The index of a node among [`Self::joints`].
    pub fn index_of(&self, node: NodeIndex) -> Option<usize> {
        self.joints.iter().position(|joint| joint.node == node)
    }

    /// Colliders, in the file's order.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// Colliders that push a joint, by its index.
    pub fn colliders_of(&self, joint: usize) -> &[usize] {
        &self.chain_colliders[self.chains[joint]]
    }

    /// Number of the chain of a joint, by the joint's index.
    pub fn chain_of(&self, joint: usize) -> usize {
        self.chains[joint]
    }

    /// Steps that the clips of a rig with so many nodes may have together for springs to be simulated in them; no settling takes more.
    pub fn max_steps(&self, nodes: usize) -> u64 {
        let pairs: usize = (0..self.joints.len()).map(|joint| self.colliders_of(joint).len()).sum();
        (Self::MAX_WORK / (Self::STEP_WORK + nodes + pairs / 4)) as u64
    }

    /// By clip, true where springs are at rest because the clip, or it with all shorter ones, takes more than [`Self::max_steps`].
    pub(in crate::rig) fn rest_in_clips(&self, nodes: usize, durations_secs: &[f32]) -> Vec<bool> {
        let mut at_rest = vec![false; durations_secs.len()];
        if self.is_empty() {
            return at_rest;
        }
        let mut by_length: Vec<usize> = (0..durations_secs.len()).collect();
        by_length.sort_by(|&a, &b| durations_secs[a].total_cmp(&durations_secs[b]));
        let mut left = self.max_steps(nodes);
        for clip in by_length {
            let steps = run::steps(durations_secs[clip]);
            at_rest[clip] = steps > left;
            left = left.saturating_sub(steps);
        }
        at_rest
    }

    /// Nodes that are joints of several chains, of which the first counts.
    pub fn shared(&self) -> &[NodeIndex] {
        &self.shared
    }

    /// True where nothing swings.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Turns spring joints: `C_j` in the place of the `A_j` that the clip or a constraint made. Those are listed in `replaced`.
    ///
    /// Rotations of the clip do not reach a spring joint. It turns about its place, also where the user moved that.
    pub(super) fn swing(
        &self,
        hierarchy: &Hierarchy,
        pose: &Pose,
        turns: &[Quat],
        local: &mut [Affine3],
        replaced: &mut Vec<(NodeIndex, Affine3)>,
    ) {
        for (at, joint) in self.joints.iter().enumerate() {
            let turn = turns.get(at).copied().unwrap_or(Quat::IDENTITY);
            let place = &mut local[joint.node.index()];
            let swung = swung(&rest_turned(hierarchy, place, joint.node), pose, joint.node, turn);
            if swung.is_finite() {
                replaced.push((joint.node, std::mem::replace(place, swung)));
            }
        }
    }
}

/// A local transform with the rest rotation of its node.
fn rest_turned(hierarchy: &Hierarchy, local: &Affine3, node: NodeIndex) -> Affine3 {
    if local.matrix3 == hierarchy.rest_local(node).matrix3 {
        return *local;
    }
    let turn = turn_from_rest(hierarchy, local, node).as_quat().conjugate();
    Affine3 { matrix3: glam::Mat3::from_quat(turn) * local.matrix3, translation: local.translation }
}

/// A local transform turned in the axes of its parent, about where the user's transform puts the node.
fn swung(local: &Affine3, pose: &Pose, node: NodeIndex, turn: Quat) -> Affine3 {
    let matrix3 = glam::Mat3::from_quat(turn) * local.matrix3;
    let moved = pose.user_local(node).translation;
    Affine3 { matrix3, translation: local.translation + local.matrix3 * moved - matrix3 * moved }
}

#[cfg(test)]
mod tests;
