//! Bones: the segments drawn and clicked for joints.

use glam::Vec3;

use super::{NodeIndex, Posed, Rig};

/// The drawn segment from a joint towards one of its children, or a stub where it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint at the head.
    pub joint: NodeIndex,
    /// World position of the joint.
    pub head: Vec3,
    /// World position of the child joint, or the end of the stub.
    pub tail: Vec3,
}

impl Bone {
    /// Metres.
    pub fn length(&self) -> f32 {
        self.head.distance(self.tail)
    }
}

/// The bones of all posable nodes in a pose.
///
/// A joint has one bone to each nearest posable descendant. glTF gives a leaf no length: it gets half of its parent's bone, in the same
/// direction relative to the joint as at rest.
pub fn bones(rig: &Rig, posed: &Posed) -> Vec<Bone> {
    let position = |n: NodeIndex| posed.world_from_node[n.index()].translation;
    let mut bones = Vec::new();
    for (index, &joint) in rig.bone_joints.iter().enumerate() {
        let head = position(joint);
        for &child in &rig.bone_children[index] {
            bones.push(Bone { joint, head, tail: position(child) });
        }
        if let Some(tip) = rig.bone_tips[index] {
            let tail = posed.world_from_node[joint.index()].transform_point3(tip);
            bones.push(Bone { joint, head, tail });
        }
    }
    bones
}

/// What of the bones does not change with the pose.
#[derive(Clone, Debug, Default)]
pub(super) struct BoneTopology {
    pub joints: Vec<NodeIndex>,
    pub children: Vec<Vec<NodeIndex>>,
    /// End of a leaf's stub in joint space.
    pub tips: Vec<Option<Vec3>>,
}

impl BoneTopology {
    pub fn new(rig: &Rig, rest: &Posed, is_joint: &[bool]) -> Self {
        let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|n| is_joint[n.index()]).collect();
        let mut slot = vec![None; is_joint.len()];
        for (i, &joint) in joints.iter().enumerate() {
            slot[joint.index()] = Some(i);
        }
        // The nearest joint above each node, itself not counted; parents come first.
        let mut above: Vec<Option<NodeIndex>> = vec![None; is_joint.len()];
        let mut children = vec![Vec::new(); joints.len()];
        for node in rig.hierarchy.nodes() {
            above[node.index()] =
                rig.hierarchy.parent(node).and_then(|p| if is_joint[p.index()] { Some(p) } else { above[p.index()] });
            if let (Some(_), Some(parent)) = (slot[node.index()], above[node.index()])
                && let Some(parent) = slot[parent.index()]
            {
                children[parent].push(node);
            }
        }
        let tips = (0..joints.len())
            .map(|i| children[i].is_empty().then(|| leaf_tip(rig, rest, joints[i], above[joints[i].index()])))
            .collect();
        Self { joints, children, tips }
    }
}

/// Half of the parent's bone beyond the joint, in joint space at rest.
fn leaf_tip(rig: &Rig, rest: &Posed, joint: NodeIndex, parent: Option<NodeIndex>) -> Vec3 {
    let world = rest.world_from_node[joint.index()];
    let along = parent.map_or(Vec3::ZERO, |p| (world.translation - rest.world_from_node[p.index()].translation) * 0.5);
    let along = if along.length() > 1e-6 * rig.size() { along } else { Vec3::Y * 0.05 * rig.size() };
    let tip = world.inverse().transform_vector3(along);
    if tip.is_finite() { tip } else { Vec3::ZERO }
}
