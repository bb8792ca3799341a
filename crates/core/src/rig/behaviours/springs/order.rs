//! Evaluation order of spring joints: each joint after its ancestors and the joints of its colliders.

use super::{SpringBones, SpringJoint, Springs};
use crate::rig::{Hierarchy, NodeIndex};

#[derive(Clone, Copy, Debug)]
pub(super) enum SpringStep {
    /// Computes the world transform of a node below a spring joint from the node's parent.
    Follow(NodeIndex),
    /// Simulates the joint with this index.
    Swing(usize),
}

/// Sorts springs into evaluation order. In a cycle, one joint uses the other joints without their spring rotations.
pub(super) fn ordered(hierarchy: &Hierarchy, bones: &SpringBones) -> Springs {
    let mut springs = Springs {
        colliders: bones.colliders.clone(),
        chain_colliders: bones.chains.iter().map(|chain| chain.colliders.clone()).collect(),
        centers: bones.chains.iter().map(|chain| chain.center).collect(),
        ..Springs::default()
    };
    let mut joint_of: Vec<Option<usize>> = vec![None; hierarchy.len()];
    let mut listed: Vec<(SpringJoint, usize)> = Vec::new();
    for (number, chain) in bones.chains.iter().enumerate() {
        for joint in &chain.joints {
            let of_node = &mut joint_of[joint.node.index()];
            if of_node.is_some() {
                springs.shared.push(joint.node);
            } else {
                *of_node = Some(listed.len());
                listed.push((*joint, number));
            }
        }
    }
    springs.shared.sort_unstable();
    springs.shared.dedup();
    limit_pairs(&mut springs, &listed);
    let mut walk = SpringOrder::new(hierarchy, springs, listed, joint_of);
    for joint in 0..walk.listed.len() {
        walk.visit(joint);
    }
    walk.springs.read.sort_unstable();
    walk.springs.read.dedup();
    walk.springs
}

/// Truncates the collider lists of chains to a total of [`Springs::MAX_PAIRS`] joint-collider pairs.
fn limit_pairs(springs: &mut Springs, listed: &[(SpringJoint, usize)]) {
    let mut joints = vec![0_usize; springs.chain_colliders.len()];
    for (_, chain) in listed {
        joints[*chain] += 1;
    }
    let mut left = Springs::MAX_PAIRS;
    for (colliders, joints) in springs.chain_colliders.iter_mut().zip(joints) {
        colliders.truncate(left.checked_div(joints).unwrap_or(0));
        left -= colliders.len() * joints;
    }
}

struct SpringOrder<'a> {
    hierarchy: &'a Hierarchy,
    springs: Springs,
    listed: Vec<(SpringJoint, usize)>,
    joint_of: Vec<Option<usize>>,
    /// Nearest spring joint at or above each node.
    above: Vec<Option<usize>>,
    is_tried: Vec<bool>,
    is_placed: Vec<bool>,
}

impl<'a> SpringOrder<'a> {
    fn new(
        hierarchy: &'a Hierarchy,
        springs: Springs,
        listed: Vec<(SpringJoint, usize)>,
        joint_of: Vec<Option<usize>>,
    ) -> Self {
        let mut above = joint_of.clone();
        for node in hierarchy.nodes() {
            let parent = hierarchy.parent(node).and_then(|parent| above[parent.index()]);
            above[node.index()] = above[node.index()].or(parent);
        }
        let (is_tried, is_placed) = (vec![false; listed.len()], vec![false; hierarchy.len()]);
        Self { hierarchy, springs, listed, joint_of, above, is_tried, is_placed }
    }

    fn count(&self, joint: usize) -> usize {
        2 + self.springs.chain_colliders[self.listed[joint].1].len()
    }

    /// Returns the `number`-th node that a joint depends on: its parent, its centre, then its colliders' nodes.
    fn read(&self, joint: usize, number: usize) -> Option<NodeIndex> {
        let (spring, chain) = self.listed[joint];
        match number {
            0 => self.hierarchy.parent(spring.node),
            1 => self.springs.centers[chain],
            _ => {
                let collider = *self.springs.chain_colliders[chain].get(number - 2)?;
                self.springs.colliders.get(collider).map(|collider| collider.node)
            }
        }
    }

    fn visit(&mut self, start: usize) {
        let mut path = vec![(start, 0)];
        if std::mem::replace(&mut self.is_tried[start], true) {
            return;
        }
        while let Some((joint, next)) = path.last_mut() {
            let joint = *joint;
            let number = *next;
            *next += 1;
            if number == self.count(joint) {
                path.pop();
                self.complete(joint);
                continue;
            }
            let Some(other) = self.read(joint, number).and_then(|node| self.above[node.index()]) else { continue };
            if !std::mem::replace(&mut self.is_tried[other], true) {
                path.push((other, 0));
            }
        }
    }

    fn complete(&mut self, joint: usize) {
        let (spring, chain) = self.listed[joint];
        for number in 0..self.count(joint) {
            if let Some(node) = self.read(joint, number) {
                self.place(node);
            }
        }
        self.springs.places.push(SpringStep::Swing(self.springs.joints.len()));
        self.springs.joints.push(spring);
        self.springs.chains.push(chain);
        self.is_placed[spring.node.index()] = true;
    }

    fn place(&mut self, node: NodeIndex) {
        let mut path = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| {
            let at = node.index();
            self.above[at].is_some() && self.joint_of[at].is_none() && !self.is_placed[at]
        }) {
            path.push(node);
            next = self.hierarchy.parent(node);
        }
        self.springs.read.push(node);
        self.springs.read.extend(next);
        for node in path.into_iter().rev() {
            self.is_placed[node.index()] = true;
            self.springs.places.push(SpringStep::Follow(node));
        }
    }
}
