//! Solves the pins of a pose.

use glam::{Affine3, DAffine3, DQuat, DVec3, Quat};

use super::reachable::{Reachable, nearest_shift};
use super::{Pin, PinChain, PinError, PinSet};
use crate::rig::ik::PosedChain;
use crate::rig::{Hierarchy, NodeIndex, Pose, PosedJoint, Trs, polar_f64, rotate_in_world};

/// Local transforms, parent from node, in file coordinates.
pub(in crate::rig) struct FileLocals<'a> {
    pub(in crate::rig) matrices: &'a mut [Affine3],
    /// Translations in double precision; empty for a rig without an anchor.
    pub(in crate::rig) translations: &'a mut [DVec3],
}

impl FileLocals<'_> {
    fn get(&self, node: NodeIndex) -> DAffine3 {
        let local = self.matrices[node.index()].as_daffine3();
        let translation = self.translations.get(node.index()).copied().unwrap_or(local.translation);
        DAffine3 { translation, ..local }
    }

    fn set(&mut self, node: NodeIndex, local: DAffine3) {
        self.matrices[node.index()] = local.as_affine3();
        if let Some(translation) = self.translations.get_mut(node.index()) {
            *translation = local.translation;
        }
    }
}

/// Maximum number of attempts to move the body so that chains with rotation limits reach their pins.
const MAX_ROUNDS: usize = 8;

/// Precision of positions, relative to the rig's size.
const PRECISION: f64 = 1e-6;

struct Solver<'a, 'b> {
    pins: &'a PinSet,
    hierarchy: &'a Hierarchy,
    pose: &'a Pose,
    locals: FileLocals<'b>,
    /// State of each joint in [`PinSet::moved`].
    joints: Vec<MovedJoint>,
    /// Joints that shift, parents first.
    bodies: Vec<MovableBody>,
}

/// A joint that the pins may move: `C_j * Ul_j = translate(shift) * before * Ul'_j`, where `Ul'_j` has rotation
/// `turned`.
#[derive(Clone, Copy)]
struct MovedJoint {
    node: NodeIndex,
    /// Local transform without pins.
    before: DAffine3,
    user: Trs,
    /// Rotation of `Ul'_j`.
    turned: Quat,
    /// In parent space.
    shift: DVec3,
}

struct MovableBody {
    node: NodeIndex,
    /// Whether the body itself is pinned.
    is_pinned: bool,
    /// Shift from which the search for the smallest shift starts, world space.
    wanted: DVec3,
    /// Last shift, world space.
    shift: DVec3,
}

impl MovedJoint {
    fn local(&self) -> DAffine3 {
        let mut local = self.before;
        if self.turned != self.user.rotation {
            let turn = (self.turned.as_dquat() * self.user.rotation.as_dquat().conjugate()).normalize();
            let origin = self.user.translation.as_dvec3();
            local *= DAffine3::from_rotation_translation(turn, origin - turn * origin);
        }
        local.translation += self.shift;
        local
    }

    /// Returns the user transform that has the same effect as the pins.
    fn user_local(&self) -> Trs {
        let shift = self.before.matrix3.inverse() * self.shift;
        let shift = if shift.is_finite() { shift.as_vec3() } else { glam::Vec3::ZERO };
        Trs { rotation: self.turned, translation: self.user.translation + shift, ..self.user }
    }
}

impl PinSet {
    /// Replaces `C_j` of the joints that hold the pins. For each changed joint, appends the previous `C_j` to
    /// `replaced` and the `Ul_j` that has the same effect to `solved`.
    pub(in crate::rig) fn solve(
        &self,
        hierarchy: &Hierarchy,
        pose: &Pose,
        locals: FileLocals<'_>,
        (replaced, solved): (&mut Vec<(NodeIndex, Affine3)>, &mut Vec<PosedJoint>),
    ) {
        let mut solver = Solver::new(self, hierarchy, pose, locals);
        solver.run();
        for joint in &solver.joints {
            if joint.turned != joint.user.rotation || joint.shift != DVec3::ZERO {
                replaced.push((joint.node, joint.before.as_affine3()));
                solved.push(PosedJoint { node: joint.node, user_local: joint.user_local() });
            }
        }
    }

    /// Measures how far the joints are from their pins.
    pub(in crate::rig) fn measure(&self, hierarchy: &Hierarchy, world: &[Affine3], errors: &mut Vec<PinError>) {
        errors.extend(self.pins.iter().map(|pin| {
            let world = &world[pin.node.index()];
            let distance_m = world.translation.distance(hierarchy.from_file(pin.position));
            let angle = pin.rotation.map_or(0.0, |held| {
                let off = polar_f64(world.matrix3.as_dmat3()).0.conjugate() * held.as_dquat();
                (2.0 * off.xyz().length().min(1.0).asin()) as f32
            });
            PinError { node: pin.node, distance_m, angle }
        }));
    }
}

impl<'a, 'b> Solver<'a, 'b> {
    fn new(pins: &'a PinSet, hierarchy: &'a Hierarchy, pose: &'a Pose, locals: FileLocals<'b>) -> Self {
        let joint = |&node: &NodeIndex| {
            let user = *pose.user_local(node);
            MovedJoint { node, before: locals.get(node), user, turned: user.rotation, shift: DVec3::ZERO }
        };
        let joints = pins.moved.iter().map(joint).collect();
        let body = |&node: &NodeIndex| {
            let is_pinned = pins.pins.iter().any(|pin| pin.node == node);
            pins.is_body(node).then_some(MovableBody { node, is_pinned, wanted: DVec3::ZERO, shift: DVec3::ZERO })
        };
        let bodies = pins.moved.iter().filter_map(body).collect();
        Self { pins, hierarchy, pose, locals, joints, bodies }
    }

    fn run(&mut self) {
        let precision = PRECISION * self.pins.size;
        let (mut min_miss, mut best) = (f64::INFINITY, Vec::new());
        for _ in 0..MAX_ROUNDS {
            let left = self.place();
            let miss = left.iter().map(|left| left.length()).fold(0.0, f64::max);
            let is_better = miss < 0.99 * min_miss;
            if miss < min_miss {
                (min_miss, best) = (miss, self.joints.clone());
            }
            if miss <= precision || !is_better || !self.approach(&left, precision) {
                break;
            }
        }
        self.joints = best;
        for at in 0..self.joints.len() {
            self.apply(at);
        }
    }

    /// Changes each body's wanted shift by the mean offset by which its chains miss their pins. Returns false if no
    /// body can move.
    fn approach(&mut self, left: &[DVec3], precision: f64) -> bool {
        let mut can_move = false;
        for body in self.bodies.iter_mut().filter(|body| !body.is_pinned) {
            let chains = self.pins.chains.iter().zip(left);
            let own = chains
                .filter(|(chain, left)| chain.body == Some(body.node) && !chain.is_nested && left.length() > precision);
            let (count, sum) = own.fold((0, DVec3::ZERO), |(count, sum), (_, left)| (count + 1, sum + *left));
            if count > 0 {
                body.wanted = body.shift + sum / f64::from(count);
                can_move = true;
            }
        }
        can_move
    }

    /// Computes all joints anew from their unpinned transforms. Returns the vectors from the pinned joints to their
    /// pins.
    fn place(&mut self) -> Vec<DVec3> {
        for at in 0..self.joints.len() {
            let joint = &mut self.joints[at];
            (joint.turned, joint.shift) = (joint.user.rotation, DVec3::ZERO);
            self.apply(at);
        }
        for at in 0..self.bodies.len() {
            self.shift(at);
        }
        (0..self.pins.pins.len()).map(|at| self.hold(at)).collect()
    }

    fn apply(&mut self, at: usize) {
        let joint = &self.joints[at];
        self.locals.set(joint.node, joint.local());
    }

    fn shift(&mut self, at: usize) {
        let MovableBody { node, is_pinned, wanted, .. } = self.bodies[at];
        let pins = self.pins.pins.iter().zip(&self.pins.chains);
        let reachable = |(pin, chain): (&Pin, &PinChain)| {
            let chain = self.posed_chain(pin, chain);
            let [min, max] = chain.range();
            Reachable { center: -chain.base(), range: [min, max] }
        };
        let own = pins
            .filter(|(pin, chain)| chain.body == Some(node) && !chain.is_nested && (!is_pinned || pin.node == node));
        let targets: Vec<Reachable> = own.map(reachable).collect();
        let shift = nearest_shift(&targets, wanted, PRECISION * self.pins.size);
        self.bodies[at].shift = shift;
        let parent = self.hierarchy.parent(node).map(|parent| self.world(parent));
        let in_parent = parent.map_or(shift, |parent| parent.matrix3.inverse() * shift);
        if let Some(joint) = self.joint(node).filter(|_| in_parent.is_finite()) {
            self.joints[joint].shift = in_parent;
            self.apply(joint);
        }
    }

    fn joint(&self, node: NodeIndex) -> Option<usize> {
        self.pins.moved.binary_search(&node).ok()
    }

    /// Bends the chain of a pin and restores the held rotation. Returns the vector from the joint to its pin.
    fn hold(&mut self, at: usize) -> DVec3 {
        let (pin, chain) = (&self.pins.pins[at], &self.pins.chains[at]);
        let limits = &self.pins.limits;
        let solved = self.posed_chain(pin, chain).solve(DVec3::ZERO, |node, user_local| limits.keep(node, user_local));
        for (node, user_local) in chain.turned().iter().zip(&solved.user_local) {
            if let Some(joint) = self.joint(*node) {
                self.joints[joint].turned = user_local.rotation;
                self.apply(joint);
            }
        }
        if let Some((held, joint)) = pin.rotation.zip(self.joint(pin.node)) {
            let MovedJoint { user, .. } = self.joints[joint];
            let parent = self.hierarchy.parent(pin.node).map_or(DAffine3::IDENTITY, |parent| self.world(parent));
            let before_user = parent * self.locals.get(pin.node);
            let now = polar_f64(before_user.matrix3 * user.to_daffine().matrix3).0;
            let turn = held.as_dquat() * now.conjugate();
            if !is_identity(turn) {
                let turned = rotate_in_world(&user, &before_user.as_affine3(), turn.as_quat());
                self.joints[joint].turned = limits.keep(pin.node, turned).rotation;
                self.apply(joint);
            }
        }
        solved.left
    }

    /// Returns the chain of a pin before it is bent, in world axes with the pin as the origin.
    fn posed_chain(&self, pin: &Pin, chain: &'a PinChain) -> PosedChain<'a> {
        let parent = self.hierarchy.parent(chain.joints[0]);
        let mut above = parent.map_or(DAffine3::IDENTITY, |parent| self.world(parent));
        above.translation -= pin.position;
        let mut locals: Vec<DAffine3> = chain.joints.iter().map(|node| self.locals.get(*node)).collect();
        if parent.is_none() {
            locals[0].translation -= pin.position;
            above = DAffine3::IDENTITY;
        }
        let user = chain.joints.iter().map(|node| *self.pose.user_local(*node)).collect();
        PosedChain::new(&chain.joints, (above, locals), user, chain.bend)
    }

    /// Returns `W_j` in file coordinates.
    fn world(&self, node: NodeIndex) -> DAffine3 {
        let posed = |node: NodeIndex| {
            let local = self.locals.get(node);
            if self.pose.user_matrix(node).is_some() { local * self.pose.user_local(node).to_daffine() } else { local }
        };
        self.hierarchy.ancestors(node).fold(posed(node), |below, above| posed(above) * below)
    }
}

fn is_identity(turn: DQuat) -> bool {
    /// Rotations by less than this angle, radians, are rounding errors.
    const ROUNDING: f64 = 1e-6;
    turn.xyz().length() < 0.5 * ROUNDING
}
