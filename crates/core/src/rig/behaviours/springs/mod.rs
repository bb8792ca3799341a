//! Spring bones: chains of joints with secondary motion, such as hair and skirts.
//!
//! Each joint has a *tail*, a point integrated by Verlet steps of [`Springs::STEP_SECS`]. In each step, the tail keeps
//! a fraction of its velocity, moves towards the rest direction and along gravity, is moved back to the bone's length,
//! and is pushed out of colliders. The joint then rotates to point at its tail. *Source*: `VRMC_springBone` 1.0 and
//! `VRMC_springBone_extended_collider`.

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
use order::SpringStep;

/// Spring chains and colliders as stored in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringBones {
    /// Colliders, referenced by index.
    pub colliders: Vec<Collider>,
    /// Chains, in file order.
    pub chains: Vec<SpringChain>,
}

/// Joints that share a set of colliders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringChain {
    /// Name; may be empty.
    pub name: String,
    /// Simulated joints. Excludes the last joint of a VRM 1.0 chain, which only defines a tail.
    pub joints: Vec<SpringJoint>,
    /// Indices of the colliders that push the chain, in this order.
    pub colliders: Vec<usize>,
    /// Node relative to which velocities are measured; `None` for world space.
    pub center: Option<NodeIndex>,
}

/// A simulated joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    /// Joint node.
    pub node: NodeIndex,
    /// Rest position of the tail, joint space. A joint with its tail at the origin is not simulated.
    pub tail: Vec3,
    /// Whether there is no node at the tail, as at the end of a VRM 0 chain.
    pub is_leaf: bool,
    /// Speed at which the tail moves towards the rest direction, metres per second.
    pub stiffness: f32,
    /// Gravity, a velocity as in VRM: metres per second, world space.
    pub gravity: Vec3,
    /// Fraction of the velocity lost per step, 0 to 1.
    pub drag: f32,
    /// Collision radius around the tail, metres.
    pub hit_radius: f32,
}

impl SpringJoint {
    /// Copies this spring to another joint, with the tail at the joint's first child. Without children, the tail is
    /// `leaf_length` metres from the joint, in the direction from the parent to the joint.
    #[must_use]
    pub fn ending_below(self, hierarchy: &Hierarchy, node: NodeIndex, leaf_length: f32) -> Self {
        let rest = |node| hierarchy.rest(node).translation;
        let child = hierarchy.children(node).first();
        let tail = child.map_or_else(|| rest(node).normalize_or_zero() * leaf_length, |child| rest(*child));
        Self { node, tail: finite(tail), is_leaf: child.is_none(), ..self }
    }
}

/// Rest-pose world matrices of all nodes, in double precision.
#[derive(Clone, Debug)]
pub struct RestWorlds(Vec<DAffine3>);

impl RestWorlds {
    /// Computes the rest-pose world matrices of a hierarchy.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let mut worlds: Vec<DAffine3> = Vec::with_capacity(hierarchy.len());
        for node in hierarchy.nodes() {
            let parent = hierarchy.parent(node).map_or(DAffine3::IDENTITY, |parent| worlds[parent.index()]);
            worlds.push(parent * hierarchy.rest_local(node).as_daffine3());
        }
        Self(worlds)
    }

    /// Returns the rest position of `end` in the space of `joint`; the origin if an ancestor has scale 0.
    pub fn tail(&self, joint: NodeIndex, end: NodeIndex) -> Vec3 {
        finite(self.0[joint.index()].inverse().transform_point3(self.0[end.index()].translation).as_vec3())
    }
}

fn finite(tail: Vec3) -> Vec3 {
    if tail.is_finite() { tail } else { Vec3::ZERO }
}

/// Rotation of each joint in [`Springs::joints`] relative to rest, in parent axes; empty if all joints are at rest.
pub type SpringRotations = Arc<[Quat]>;

/// Global settings of the spring simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringSettings {
    /// Time that is simulated before a clip starts, or in total if there is no clip, seconds; at most
    /// [`Self::MAX_SETTLE_SECS`].
    pub settle_secs: f32,
    /// Constant wind, added to the gravity of every spring: metres per second, world space.
    pub wind: Vec3,
}

impl SpringSettings {
    /// Maximum settling time, seconds.
    pub const MAX_SETTLE_SECS: f32 = 600.0;

    /// Maximum wind strength, metres per second.
    pub const MAX_WIND: f32 = 100.0;

    /// Clamps the values to their limits. A settling time of NaN and a non-finite wind become 0.
    #[must_use]
    pub fn limited(self) -> Self {
        let settle_secs = if self.settle_secs.is_nan() { 0.0 } else { self.settle_secs };
        let wind = if self.wind.is_finite() { self.wind } else { Vec3::ZERO };
        Self {
            settle_secs: settle_secs.clamp(0.0, Self::MAX_SETTLE_SECS),
            // Each axis is clamped first, because the squared length of a huge vector is infinite.
            wind: wind
                .clamp(Vec3::splat(-Self::MAX_WIND), Vec3::splat(Self::MAX_WIND))
                .clamp_length_max(Self::MAX_WIND),
        }
    }
}

/// Springs of a rig, in evaluation order.
#[derive(Clone, Debug, Default)]
pub struct Springs {
    colliders: Vec<Collider>,
    joints: Vec<SpringJoint>,
    chains: Vec<usize>,
    chain_colliders: Vec<Vec<usize>>,
    centers: Vec<Option<NodeIndex>>,
    places: Vec<SpringStep>,
    /// Nodes whose world transforms the springs need.
    read: Vec<NodeIndex>,
    shared: Vec<NodeIndex>,
}

impl Springs {
    /// glTF extension that defines springs.
    pub const EXTENSION: &str = "VRMC_springBone";

    /// glTF extension that defines additional collider shapes.
    pub const EXTENDED_COLLIDER: &str = "VRMC_springBone_extended_collider";

    /// Time step, seconds.
    pub const STEP_SECS: f64 = 1.0 / 60.0;

    /// Maximum number of joint-collider pairs per step; colliders beyond this limit are ignored.
    pub const MAX_PAIRS: usize = 1_000_000;

    /// Limit of the work for all clips together: steps times (nodes + joint-collider pairs / 4 + [`Self::STEP_WORK`]).
    const MAX_WORK: usize = 1 << 27;

    const STEP_WORK: usize = 64;

    /// Sorts springs into evaluation order. A node that is in several chains uses only the first; see [`Self::shared`].
    pub fn new(hierarchy: &Hierarchy, bones: &SpringBones) -> Self {
        order::ordered(hierarchy, bones)
    }

    /// Returns the spring joints, each after the joints that it depends on.
    pub fn joints(&self) -> &[SpringJoint] {
        &self.joints
    }

    /// Returns the colliders, in file order.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// Returns the indices of the colliders that push a joint; `joint` is an index into [`Self::joints`].
    pub fn joint_colliders(&self, joint: usize) -> &[usize] {
        &self.chain_colliders[self.chains[joint]]
    }

    /// Returns the maximum number of simulation steps for a rig with `nodes` nodes. The limit applies to the sum over
    /// all clips, and separately to settling.
    pub fn max_steps(&self, nodes: usize) -> u64 {
        let pairs: usize = (0..self.joints.len()).map(|joint| self.joint_colliders(joint).len()).sum();
        (Self::MAX_WORK / (Self::STEP_WORK + nodes + pairs / 4)) as u64
    }

    /// Returns, for each clip, whether springs stay at rest because this clip and all shorter clips together exceed
    /// [`Self::max_steps`].
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

    /// Returns the nodes that are in several chains; only the first chain of each node is used.
    pub fn shared(&self) -> &[NodeIndex] {
        &self.shared
    }

    /// Returns whether there are no springs.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Replaces `A_j` of spring joints with `C_j` and appends `A_j` to `replaced`. Ignores the clip's rotations of
    /// spring joints. Each joint rotates about its origin after the user's translation.
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

fn rest_turned(hierarchy: &Hierarchy, local: &Affine3, node: NodeIndex) -> Affine3 {
    if local.matrix3 == hierarchy.rest_local(node).matrix3 {
        return *local;
    }
    let turn = turn_from_rest(hierarchy, local, node).as_quat().conjugate();
    Affine3 { matrix3: glam::Mat3::from_quat(turn) * local.matrix3, translation: local.translation }
}

/// Rotates a local transform in parent axes, about the node's origin after the user's translation.
fn swung(local: &Affine3, pose: &Pose, node: NodeIndex, turn: Quat) -> Affine3 {
    let matrix3 = glam::Mat3::from_quat(turn) * local.matrix3;
    let moved = pose.user_local(node).translation;
    Affine3 { matrix3, translation: local.translation + local.matrix3 * moved - matrix3 * moved }
}

#[cfg(test)]
mod tests;
