use std::sync::Arc;

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::order::SpringStep;
use super::{SpringRotations, Springs, rest_turned};
use crate::rig::behaviours::constraint::{rest_rotation, shortest_arc};
use crate::rig::{Hierarchy, NodeIndex, Pose, Posed};

/// Current and previous tail positions of all spring joints of a rig, in double precision.
#[derive(Clone, Debug, Default)]
pub struct SpringState {
    tails: Vec<Tail>,
    turns: Vec<glam::Quat>,
    /// World transforms by node index; valid only for the nodes that springs read.
    worlds: Vec<DAffine3>,
    is_pushing: Vec<bool>,
    farthest: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    now: DVec3,
    before: DVec3,
    /// End of the bone after the last step, world space.
    end: DVec3,
}

struct RestTransform {
    parent: DAffine3,
    /// Transform from joint to parent, with the rest rotation in place of the clip's rotation.
    local: DAffine3,
    user: DMat3,
    /// Rest rotation times user rotation, in parent axes.
    rotation: DQuat,
    /// Transform from joint to world, with the rest rotation and the user transform.
    world: DAffine3,
}

impl SpringState {
    /// Creates a state with all tails at rest; `posed` must be evaluated without springs.
    pub fn at_rest(springs: &Springs, hierarchy: &Hierarchy, pose: &Pose, posed: &Posed) -> Self {
        let mut state = Self {
            tails: vec![Tail::default(); springs.joints.len()],
            turns: vec![glam::Quat::IDENTITY; springs.joints.len()],
            worlds: vec![DAffine3::IDENTITY; hierarchy.len()],
            is_pushing: vec![false; springs.colliders.len()],
            farthest: 0.0,
        };
        state.each(springs, hierarchy, pose, posed, |state, joint, base| state.hold(springs, joint, base));
        state
    }

    /// Returns whether the state's sizes match these springs and this hierarchy.
    pub fn is_for(&self, springs: &Springs, hierarchy: &Hierarchy) -> bool {
        (self.tails.len(), self.worlds.len(), self.is_pushing.len())
            == (springs.joints.len(), hierarchy.len(), springs.colliders.len())
    }

    /// Returns the rotations of the joints after the last step.
    pub fn turns(&self) -> SpringRotations {
        Arc::from(self.turns.as_slice())
    }

    /// Returns the largest distance that a tail moved in the last step, relative to its bone length.
    pub fn farthest(&self) -> f64 {
        self.farthest
    }

    /// Returns whether the collider with this index pushed a tail in the last step.
    pub fn is_pushing(&self, collider: usize) -> bool {
        self.is_pushing.get(collider).copied().unwrap_or(false)
    }

    /// Advances by [`Springs::STEP_SECS`]; `posed` must be evaluated without springs. Allocates nothing.
    pub fn step(&mut self, springs: &Springs, hierarchy: &Hierarchy, pose: &Pose, posed: &Posed) {
        self.is_pushing.fill(false);
        self.farthest = 0.0;
        let wind = pose.spring_settings().wind.as_dvec3();
        self.each(springs, hierarchy, pose, posed, |state, joint, base| state.swing(springs, joint, base, wind));
    }

    /// Updates the world transforms of the nodes that springs need, in evaluation order. Calls `moved` with each joint
    /// and its rest transform; `moved` must update the joint's own world transform.
    fn each(
        &mut self,
        springs: &Springs,
        hierarchy: &Hierarchy,
        pose: &Pose,
        posed: &Posed,
        moved: impl Fn(&mut Self, usize, &RestTransform),
    ) {
        self.read(springs, posed);
        for place in &springs.places {
            match *place {
                SpringStep::Follow(node) => self.follow(hierarchy, pose, posed, node),
                SpringStep::Swing(joint) => {
                    let base = self.base(hierarchy, pose, posed, springs.joints[joint].node);
                    moved(self, joint, &base);
                }
            }
        }
    }

    fn read(&mut self, springs: &Springs, posed: &Posed) {
        for node in &springs.read {
            self.worlds[node.index()] = posed.world_from_node[node.index()].as_daffine3();
        }
    }

    fn follow(&mut self, hierarchy: &Hierarchy, pose: &Pose, posed: &Posed, node: NodeIndex) {
        let parent = self.parent(hierarchy, node);
        self.worlds[node.index()] = parent * posed.local(pose, node).as_daffine3();
    }

    fn parent(&self, hierarchy: &Hierarchy, node: NodeIndex) -> DAffine3 {
        let above = hierarchy.parent(node).map(|parent| self.worlds[parent.index()]);
        above.unwrap_or_else(|| DAffine3::from_translation(-hierarchy.anchor()))
    }

    fn base(&self, hierarchy: &Hierarchy, pose: &Pose, posed: &Posed, node: NodeIndex) -> RestTransform {
        let parent = self.parent(hierarchy, node);
        let local = rest_turned(hierarchy, &posed.clip_local[node.index()], node).as_daffine3();
        let user = pose.user_matrix(node).map_or(DAffine3::IDENTITY, glam::Affine3::as_daffine3);
        let rotation = rest_rotation(hierarchy, node) * pose.user_local(node).rotation.as_dquat();
        RestTransform { parent, local, user: user.matrix3, rotation, world: parent * local * user }
    }

    fn center(&self, springs: &Springs, joint: usize) -> DAffine3 {
        let center = springs.centers[springs.chains[joint]];
        center.map_or(DAffine3::IDENTITY, |center| self.worlds[center.index()])
    }

    fn swing(&mut self, springs: &Springs, joint: usize, base: &RestTransform, wind: DVec3) {
        let spring = &springs.joints[joint];
        let center = self.center(springs, joint);
        let arm = spring.tail.as_dvec3();
        let (origin, along) = (base.world.translation, base.world.matrix3 * arm);
        let (Some(axis), Some(rest)) = (arm.try_normalize(), along.try_normalize()) else {
            return self.hold(springs, joint, base);
        };
        let Tail { now, before, end } = self.tails[joint];
        // As in three-vrm, the length is the distance to the bone's end in the previous step, although ancestors have
        // already moved.
        let length = if spring.is_leaf { along.length() } else { origin.distance(end) };
        let kept = center.transform_point3(now + (now - before) * (1.0 - f64::from(spring.drag)));
        let drawn = rest * f64::from(spring.stiffness) + spring.gravity.as_dvec3() + wind;
        let next = kept + drawn * Springs::STEP_SECS;
        let next = origin + (next - origin).try_normalize().unwrap_or(rest) * length;
        let next = self.pushed(springs, joint, next, (origin, length));
        let to = base.world.inverse().transform_point3(next).try_normalize();
        let tail = center.inverse().transform_point3(next);
        let Some(to) = to.filter(|_| tail.is_finite()) else { return self.hold(springs, joint, base) };
        self.farthest = self.farthest.max(tail.distance(now) / along.length());
        let turn = base.rotation * shortest_arc(axis, to) * base.rotation.conjugate();
        let end = self.set_turn(springs, joint, base, turn);
        self.tails[joint] = Tail { now: tail, before: now, end };
    }

    fn hold(&mut self, springs: &Springs, joint: usize, base: &RestTransform) {
        let finite = |point: DVec3| if point.is_finite() { point } else { DVec3::ZERO };
        let end = finite(self.set_turn(springs, joint, base, DQuat::IDENTITY));
        let tail = finite(self.center(springs, joint).inverse().transform_point3(end));
        self.tails[joint] = Tail { now: tail, before: tail, end };
    }

    /// Sets a joint's rotation; returns the end of its bone, world space.
    fn set_turn(&mut self, springs: &Springs, joint: usize, base: &RestTransform, turn: DQuat) -> DVec3 {
        let turn = if turn.is_finite() { turn } else { DQuat::IDENTITY };
        self.turns[joint] = turn.as_quat();
        let local = DMat3::from_quat(turn) * base.local.matrix3 * base.user;
        let matrix3 = base.parent.matrix3 * local;
        let (spring, world) = (&springs.joints[joint], DAffine3 { matrix3, ..base.world });
        self.worlds[spring.node.index()] = world;
        world.transform_point3(spring.tail.as_dvec3())
    }

    /// Pushes a tail out of one collider after another. The tail's distance from the joint stays the same.
    fn pushed(&mut self, springs: &Springs, joint: usize, mut tail: DVec3, (origin, length): (DVec3, f64)) -> DVec3 {
        let hit_radius = f64::from(springs.joints[joint].hit_radius);
        for &number in springs.joint_colliders(joint) {
            let Some(collider) = springs.colliders.get(number) else { continue };
            let found = collider.distance(&self.worlds[collider.node.index()], tail, hit_radius);
            let Some((direction, distance)) = found.filter(|(_, distance)| *distance < 0.0) else { continue };
            self.is_pushing[number] = true;
            let out = tail - direction * distance;
            tail = (out - origin).try_normalize().map_or(tail, |to| origin + to * length);
        }
        tail
    }
}
