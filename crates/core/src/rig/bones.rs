use glam::Vec3;

use super::{NodeIndex, Posed, Rig};

/// A line segment that is drawn and picked for a joint: from the joint to a child joint, or a stub at a leaf joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// Joint at the head.
    pub joint: NodeIndex,
    /// World position of the joint.
    pub head: Vec3,
    /// World position of the child joint, or the end of the stub.
    pub tail: Vec3,
    /// Whether the child joint, or the joint of a stub, is a control ([`Rig::is_control`]).
    pub is_control: bool,
}

impl Bone {
    /// Returns the length, metres.
    pub fn length(&self) -> f32 {
        self.head.distance(self.tail)
    }
}

/// Computes the bones of all posable nodes in a pose. A joint has one bone to each of its nearest posable descendants.
/// A leaf gets a stub half as long as the bone that leads to it, with a fixed direction in joint space.
pub fn bones(rig: &Rig, posed: &Posed) -> Vec<Bone> {
    all_bones(rig, posed).collect()
}

fn all_bones<'a>(rig: &'a Rig, posed: &'a Posed) -> impl Iterator<Item = Bone> + 'a {
    (0..rig.bone_joints.len()).flat_map(|index| bones_at(rig, posed, index))
}

/// Iterates over the [`bones`] that start at `node`.
pub fn bones_of<'a>(rig: &'a Rig, posed: &'a Posed, node: NodeIndex) -> impl Iterator<Item = Bone> + 'a {
    rig.bone_joints.binary_search(&node).into_iter().flat_map(|index| bones_at(rig, posed, index))
}

fn bones_at<'a>(rig: &'a Rig, posed: &'a Posed, index: usize) -> impl Iterator<Item = Bone> + 'a {
    let joint = rig.bone_joints[index];
    let world = &posed.world_from_node;
    let head = world[joint.index()].translation;
    let to_children = rig.bone_children[index].iter().map(move |&child| Bone {
        joint,
        head,
        tail: world[child.index()].translation,
        is_control: rig.is_control(child),
    });
    let stub = rig.bone_tips[index].map(|tip| Bone {
        joint,
        head,
        tail: world[joint.index()].transform_point3(tip),
        is_control: rig.is_control(joint),
    });
    to_children.chain(stub)
}

/// Computes bones for drawing and picking. Stubs are no longer than the median length of the other bones at rest.
pub fn drawn_bones(rig: &Rig, posed: &Posed) -> Vec<Bone> {
    let mut bones = Vec::new();
    drawn_bones_into(rig, posed, &mut bones);
    bones
}

/// Like [`drawn_bones`], reusing a buffer.
pub fn drawn_bones_into(rig: &Rig, posed: &Posed, bones: &mut Vec<Bone>) {
    let drawn = |bone: Bone| Bone { tail: bone.head.lerp(bone.tail, rig.stub_fraction[bone.joint.index()]), ..bone };
    bones.clear();
    bones.extend(all_bones(rig, posed).map(drawn));
}

/// Computes [`Rig::main_bone_length`], ignoring stubs and controls. Weighting by length reduces the influence of the
/// many short finger bones.
pub(super) fn main_bone_length(rig: &Rig, rest: &Posed) -> f32 {
    let between = all_bones(rig, rest).filter(|bone| !bone.is_control && !is_stub(rig, bone));
    let mut lengths: Vec<f32> = between.map(|bone| bone.length()).filter(|length| length.is_finite()).collect();
    lengths.sort_by(f32::total_cmp);
    let mut left = 0.5 * lengths.iter().sum::<f32>();
    let main = lengths.iter().rev().find(|&length| {
        left -= length;
        left <= 0.0
    });
    main.copied().unwrap_or(0.0)
}

fn is_stub(rig: &Rig, bone: &Bone) -> bool {
    rig.bone_joints.binary_search(&bone.joint).is_ok_and(|at| rig.bone_tips[at].is_some())
}

/// Returns, for each node, the fraction of its stub that is drawn, 0 to 1; 1 for nodes without a stub.
pub(super) fn stub_fractions(rig: &Rig, rest: &Posed) -> Vec<f32> {
    let mut shares = vec![1.0; rig.hierarchy.len()];
    let (stubs, between): (Vec<Bone>, Vec<Bone>) = all_bones(rig, rest).partition(|bone| is_stub(rig, bone));
    let mut lengths: Vec<f32> = between.iter().map(Bone::length).filter(|length| *length > 0.0).collect();
    lengths.sort_by(f32::total_cmp);
    if let Some(median) = lengths.get(lengths.len() / 2) {
        for stub in stubs.iter().filter(|stub| stub.length() > *median) {
            shares[stub.joint.index()] = median / stub.length();
        }
    }
    shares
}

/// Returns [`Rig::is_control`] of each node; false for all nodes if there is no geometry.
pub(super) fn controls(rig: &Rig) -> Vec<bool> {
    let mut is_followed: Vec<bool> = rig.hierarchy.nodes().map(|node| rig.moved_vertices(node) > 0).collect();
    for instance in rig.instances.iter().filter(|instance| instance.skin.is_none()) {
        is_followed[instance.node.index()] = true;
    }
    for node in rig.hierarchy.nodes().rev() {
        if let Some(parent) = rig.hierarchy.parent(node).filter(|_| is_followed[node.index()]) {
            is_followed[parent.index()] = true;
        }
    }
    let is_any_followed = is_followed.contains(&true);
    is_followed.into_iter().map(|is_followed| is_any_followed && !is_followed).collect()
}

#[derive(Clone, Debug, Default)]
pub(super) struct BoneTopology {
    pub joints: Vec<NodeIndex>,
    pub children: Vec<Vec<NodeIndex>>,
    /// End of each leaf's stub, joint space.
    pub tips: Vec<Option<Vec3>>,
}

impl BoneTopology {
    pub(super) fn new(rig: &Rig, rest: &Posed, is_joint: &[bool]) -> Self {
        let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|n| is_joint[n.index()]).collect();
        let mut slot = vec![None; is_joint.len()];
        for (i, &joint) in joints.iter().enumerate() {
            slot[joint.index()] = Some(i);
        }
        // Nearest joint among the ancestors of each node. Parents are visited before children.
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

/// Returns the end of a leaf's stub, joint space. At rest, the stub extends the bone from the parent by half of that
/// bone's length.
fn leaf_tip(rig: &Rig, rest: &Posed, joint: NodeIndex, parent: Option<NodeIndex>) -> Vec3 {
    let world = rest.world_from_node[joint.index()];
    let along = parent.map_or(Vec3::ZERO, |p| (world.translation - rest.world_from_node[p.index()].translation) * 0.5);
    let along = if along.length() > 1e-6 * rig.size() { along } else { Vec3::Y * 0.05 * rig.size() };
    let tip = world.inverse().transform_vector3(along);
    if tip.is_finite() { tip } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::skinned;
    use crate::rig::{Hierarchy, Influences, NodeDescription, Pose, Primitive, RigData, Trs, evaluate};

    fn rig() -> Rig {
        let node = |name: &str, at: Vec3, children: &[usize]| {
            NodeDescription::new(name, children.to_vec(), Trs::from_translation(at))
        };
        let nodes = [
            node("root", Vec3::ZERO, &[1, 3]),
            node("lower", Vec3::Y, &[2]),
            node("upper", Vec3::Y, &[]),
            node("control", Vec3::X * 8.0, &[]),
        ];
        let hierarchy = Hierarchy::new(&nodes).unwrap();
        let primitive = Primitive {
            positions: vec![Vec3::ZERO; 3],
            indices: vec![0, 1, 2],
            influences: Some(Influences::new(1, vec![1, 2, 2], vec![1.0; 3])),
            ..Primitive::default()
        };
        Rig::new(skinned(hierarchy, primitive))
    }

    fn drawn(rig: &Rig) -> Vec<(String, f32, bool)> {
        let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let told = |bone: &Bone| (rig.hierarchy.name(bone.joint).to_owned(), bone.length(), bone.is_control);
        drawn_bones(rig, &posed).iter().map(told).collect()
    }

    #[test]
    fn a_stub_is_no_longer_than_most_bones_and_what_leads_to_a_control_is_known() {
        let bone = |name: &str, length, is_control| (name.to_owned(), length, is_control);
        let all = drawn(&rig());
        assert_eq!(
            all,
            [
                bone("root", 1.0, false),
                bone("root", 8.0, true),
                bone("lower", 1.0, false),
                bone("upper", 0.5, false),
                bone("control", 1.0, true),
            ]
        );
    }

    #[test]
    fn without_a_mesh_no_bone_is_a_control() {
        let parts = RigData { instances: Vec::new(), ..RigData::clone(&rig()) };
        assert!(drawn(&Rig::new(parts)).iter().all(|(_, _, is_control)| !is_control));
    }
}
