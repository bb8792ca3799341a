//! Pins: joints that stay where they are in the world while other joints move.
//!
//! A pin holds a joint's position, and optionally its rotation, whatever the clip, the user's pose and constraints do.
//! Its *chain*, from the pinned joint up to the limb's root, bends by inverse kinematics. If the chain is too short,
//! its *body* (the hips, or the topmost joint) moves by the smallest distance that brings all pins within reach. Like
//! other behaviours, pins replace `A_j` with `C_j`, so that `Ul_j` stays as the user set it.

mod reachable;
mod solve;

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};

use super::{Hierarchy, Limits, NodeIndex, Posed, Rig, polar, polar_f64, rest_bend};
pub(super) use solve::FileLocals;

/// A joint that is held in place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// The pinned joint.
    pub node: NodeIndex,
    /// Position of the joint's origin, file coordinates.
    pub position: DVec3,
    /// Rotation of the joint in the world, a unit quaternion; `None` if only the position is held.
    pub rotation: Option<Quat>,
}

impl Pin {
    /// Creates a pin that holds a joint where it is.
    pub fn new(node: NodeIndex, with_rotation: bool, hierarchy: &Hierarchy, posed: &Posed) -> Self {
        let world = &posed.world_from_node[node.index()];
        let rotation = with_rotation.then(|| polar(world.matrix3).0);
        Self { node, position: hierarchy.in_file(world.translation), rotation }
    }
}

/// Deviation of a joint from its pin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinError {
    /// The pinned joint.
    pub node: NodeIndex,
    /// Distance from the joint to its pin, metres.
    pub distance_m: f32,
    /// Angle between the joint's rotation and the held rotation, radians; 0 if only the position is held.
    pub angle: f32,
}

impl PinError {
    /// Returns whether the joint visibly misses its pin. `size` is the rig's size, metres.
    pub fn is_missed(&self, size: f32) -> bool {
        /// Distances above this are visible, relative to the rig's size.
        const VISIBLE: f32 = 1e-4;
        self.distance_m > VISIBLE * size || self.is_turned()
    }

    /// Returns whether the joint visibly deviates from the held rotation.
    pub fn is_turned(&self) -> bool {
        /// Angles above this are visible, radians.
        const VISIBLE: f32 = 2e-3;
        self.angle > VISIBLE
    }
}

/// Limbs of a humanoid. If there are none, limbs are determined by the branches of the hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limbs {
    /// The hips, which move if a pin is out of reach.
    pub hips: Option<NodeIndex>,
    /// Upper and last joint of each leg.
    pub legs: Vec<[NodeIndex; 2]>,
    /// Upper and last joint of each arm. Straight arms bend backwards.
    pub arms: Vec<[NodeIndex; 2]>,
}

/// The pins of a pose, with the chains that hold them.
#[derive(Clone, Debug, PartialEq)]
pub struct PinSet {
    /// Parents first.
    pins: Vec<Pin>,
    /// One chain for each pin.
    chains: Vec<PinChain>,
    limits: Limits,
    /// Joints that the pins may move, parents first.
    moved: Vec<NodeIndex>,
    /// Rotation of each pinned joint in the rest pose, world space.
    rests: Vec<Quat>,
    /// Size of the rig, metres.
    size: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct PinChain {
    /// Joints from the base of the chain to the pinned joint.
    joints: Vec<NodeIndex>,
    /// Joint that moves if the pin is out of reach.
    body: Option<NodeIndex>,
    /// Whether another pin moves the chain's base relative to the body. The body then ignores this pin.
    is_nested: bool,
    /// Direction in which a straight chain bends, in the axes of its first joint.
    bend: Vec3,
}

impl PinSet {
    /// Determines the chains that hold the pins. If a joint has several pins, the last one is used. `None` if there are
    /// no pins.
    pub fn new(rig: &Rig, limbs: &Limbs, pins: &[Pin], limits: &Limits) -> Option<Arc<Self>> {
        let mut sorted: Vec<Pin> = Vec::new();
        for pin in pins.iter().filter(|pin| pin.node.index() < rig.hierarchy.len() && pin.position.is_finite()) {
            sorted.retain(|other| other.node != pin.node);
            sorted.push(*pin);
        }
        sorted.sort_by_key(|pin| pin.node);
        let mut chains: Vec<PinChain> = sorted.iter().map(|pin| PinChain::new(rig, limbs, &sorted, pin.node)).collect();
        for at in 0..chains.len() {
            chains[at].is_nested = is_nested(&rig.hierarchy, &sorted, &chains, at);
        }
        let turned = chains.iter().flat_map(PinChain::turned);
        let held = sorted.iter().filter(|pin| pin.rotation.is_some()).map(|pin| &pin.node);
        let bodies = chains.iter().filter_map(|chain| chain.body.as_ref());
        let mut moved: Vec<NodeIndex> = turned.chain(held).chain(bodies).copied().collect();
        moved.sort_unstable();
        moved.dedup();
        let rests = sorted.iter().map(|pin| rest_rotation(&rig.hierarchy, pin.node)).collect();
        let size = f64::from(rig.size());
        (!sorted.is_empty())
            .then(|| Arc::new(Self { pins: sorted, chains, limits: limits.clone(), moved, rests, size }))
    }

    /// Transfers the pins to another rig. `counterparts` holds the counterpart of each node; pins of joints without a
    /// counterpart are dropped. A held rotation keeps its difference from the rest pose.
    pub fn carried(&self, other: &Rig, limbs: &Limbs, counterparts: &[Option<NodeIndex>]) -> Option<Arc<Self>> {
        let carried = |(pin, rest): (&Pin, &Quat)| {
            let node = (*counterparts.get(pin.node.index())?)?;
            let other_rest = rest_rotation(&other.hierarchy, node);
            let is_same = rest.dot(other_rest).abs() > 1.0 - 1e-6;
            let onto = |held: Quat| if is_same { held } else { (held * rest.inverse() * other_rest).normalize() };
            Some(Pin { node, rotation: pin.rotation.map(onto), ..*pin })
        };
        let pins: Vec<Pin> = self.pins.iter().zip(&self.rests).filter_map(carried).collect();
        Self::new(other, limbs, &pins, &self.limits.carried(counterparts))
    }

    /// Returns the pins, parents first.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Returns the rotation limits that chains respect.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the joints that may move to hold the pins, parents first.
    pub fn moved(&self) -> &[NodeIndex] {
        &self.moved
    }

    /// Returns whether `node` is a body, which moves if a pin is out of reach.
    pub fn is_body(&self, node: NodeIndex) -> bool {
        self.chains.iter().any(|chain| chain.body == Some(node))
    }
}

impl PinChain {
    fn new(rig: &Rig, limbs: &Limbs, pins: &[Pin], node: NodeIndex) -> Self {
        let hierarchy = &rig.hierarchy;
        let limb = limbs.limb_with(hierarchy, node);
        // Nodes outside the skins' skeletons, such as rigid parts of a robot, form chains of their own.
        let is_outside = !is_posable(rig, node);
        let ends_below = |above: NodeIndex, below: NodeIndex| {
            let moves = |node: NodeIndex| is_outside || rig.skins.is_empty() || rig.moved_vertices(node) > 0;
            !(is_outside || is_posable(rig, above)) || branches(&rig.hierarchy, pins, [above, below], moves)
        };
        let mut joints = vec![node];
        for above in hierarchy.ancestors(node) {
            let below = joints[joints.len() - 1];
            if limbs.hips == Some(node) || (limb.is_none() && ends_below(above, below)) {
                break;
            }
            let pin = pins.iter().find(|pin| pin.node == above);
            if pin.is_some_and(|pin| pin.rotation.is_some()) {
                break;
            }
            joints.push(above);
            if pin.is_some() || limb == Some(above) || limbs.is_root(above) {
                break;
            }
        }
        joints.reverse();
        let body = body(rig, limbs, node);
        let is_own = joints.len() == 1 && body == node;
        let is_above = !joints.contains(&body);
        let is_humanoid = joints.iter().any(|joint| limbs.is_root(*joint));
        let is_arm = limbs.arms.iter().any(|[root, _]| joints.contains(root));
        let front = if is_arm { -rig.front() } else { rig.front() };
        let straight = if is_humanoid { 0.02 } else { 1e-3 };
        let bend = rest_bend(hierarchy, &joints, straight, front);
        Self { joints, body: (is_own || is_above).then_some(body), is_nested: false, bend }
    }

    /// Returns the joints that rotate.
    fn turned(&self) -> &[NodeIndex] {
        &self.joints[..self.joints.len() - 1]
    }
}

impl Limbs {
    fn all(&self) -> impl Iterator<Item = &[NodeIndex; 2]> {
        self.legs.iter().chain(&self.arms)
    }

    fn is_root(&self, node: NodeIndex) -> bool {
        self.all().any(|[root, _]| *root == node)
    }

    /// Returns the root of the limb that contains a joint; `None` for the root itself.
    fn limb_with(&self, hierarchy: &Hierarchy, node: NodeIndex) -> Option<NodeIndex> {
        let contains = |above: NodeIndex, below: NodeIndex| hierarchy.subtree(above).contains(&below.index());
        let mut limbs = self.all().filter(|[root, end]| *root != node && contains(*root, node) && contains(node, *end));
        limbs.next().map(|[root, _]| *root)
    }
}

/// Returns whether a node is a joint or a descendant of a joint; always true if the rig has no skins.
fn is_posable(rig: &Rig, node: NodeIndex) -> bool {
    rig.skins.is_empty() || rig.is_joint(node) || rig.hierarchy.ancestors(node).any(|above| rig.is_joint(above))
}

/// Returns whether a child of `joint` other than `below` leads to a limb or a pin. Single joints, such as twist joints,
/// don't count as limbs. `moves` returns whether a node moves the character.
fn branches(
    hierarchy: &Hierarchy,
    pins: &[Pin],
    [joint, below]: [NodeIndex; 2],
    moves: impl Fn(NodeIndex) -> bool,
) -> bool {
    let is_limb = |child: &NodeIndex| {
        let subtree = hierarchy.subtree(*child);
        subtree.clone().skip(1).any(|node| moves(NodeIndex::from(node)))
            || pins.iter().any(|pin| subtree.contains(&pin.node.index()))
    };
    let mut others = hierarchy.children(joint).iter().filter(|child| **child != below);
    others.any(is_limb)
}

fn rest_rotation(hierarchy: &Hierarchy, node: NodeIndex) -> Quat {
    let local = |node: NodeIndex| hierarchy.rest_local(node).matrix3.as_dmat3();
    let world = hierarchy.ancestors(node).fold(local(node), |below, above| local(above) * below);
    polar_f64(world).0.as_quat()
}

fn body(rig: &Rig, limbs: &Limbs, node: NodeIndex) -> NodeIndex {
    let in_hips = limbs.hips.filter(|hips| rig.hierarchy.subtree(*hips).contains(&node.index()));
    let topmost = || rig.hierarchy.ancestors(node).filter(|above| rig.counts_as_joint(*above)).last().unwrap_or(node);
    in_hips.unwrap_or_else(topmost)
}

fn is_nested(hierarchy: &Hierarchy, pins: &[Pin], chains: &[PinChain], at: usize) -> bool {
    let chain = &chains[at];
    let base = chain.joints[0];
    let moves = |node: NodeIndex| {
        let is_turned = |other: &PinChain| other.turned().contains(&node);
        let others = chains.iter().enumerate().filter(|(other, _)| *other != at);
        pins.iter().any(|pin| pin.node == node && pins[at].node != node)
            || others.into_iter().any(|(_, other)| is_turned(other))
    };
    let below_body = hierarchy.ancestors(base).take_while(|above| Some(*above) != chain.body);
    std::iter::once(base).chain(below_body).any(moves)
}

#[cfg(test)]
mod tests;
