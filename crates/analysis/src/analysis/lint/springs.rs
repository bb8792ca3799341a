//! Findings about spring bones.

use super::finding::{FindingList, short};
use super::{Code, Target};
use rigscope_core::rig::{NodeIndex, Pose, Rig, SpringJoint, Springs, evaluate};
use rigscope_core::text::counted;

/// A tail closer to its joint than this has no direction, metres.
const NO_LENGTH: f32 = 1e-6;

/// Finds joints whose tail is inside a collider at rest, zero-length joints, joints shared by several chains, joints
/// whose hit radius exceeds the length of their chain, and clips in which springs are not simulated.
pub(super) fn springs(rig: &Rig, findings: &mut FindingList) {
    if rig.spring_bones.chains.is_empty() {
        return;
    }
    let mut tell = |code, mut nodes: Vec<NodeIndex>, [one, many]: [&str; 2], what: &str| {
        nodes.sort_unstable();
        nodes.dedup();
        let text = format!("{} {what}", counted(nodes.len(), one, many));
        findings.nodes(code, &rig.hierarchy, &nodes, text);
    };
    let joints = ["spring joint", "spring joints"];
    tell(Code::SpringInCollider, inside_colliders(rig), joints, "with the end inside a collider at rest");
    let has_no_length = |_, joint: &SpringJoint| joint.tail.length() < NO_LENGTH;
    tell(Code::SpringWithoutLength, joints_where(rig, has_no_length), joints, "without length");
    tell(Code::SpringShared, rig.behaviours().springs().shared().to_vec(), ["joint", "joints"], "in several springs");
    let is_thick = |length: f32, joint: &SpringJoint| length > NO_LENGTH && joint.hit_radius > length;
    tell(Code::SpringTooThick, joints_where(rig, is_thick), joints, "with a hit radius larger than the chain");
    in_long_clips(rig, findings);
}

fn in_long_clips(rig: &Rig, findings: &mut FindingList) {
    let max_secs = rig.behaviours().springs().max_steps(rig.hierarchy.len()) as f64 * Springs::STEP_SECS;
    for (number, clip) in rig.clips.iter().enumerate().filter(|(number, _)| rig.rests_springs(*number)) {
        let (name, secs) = (short(&clip.name), clip.duration_secs);
        let message = format!(
            "Clip {number} \"{name}\" is {secs} s long: springs are at rest in it. They are simulated in up to {max_secs:.0} s of clips, the shortest first."
        );
        findings.push(Code::NotEvaluated, message, Target::clip(number));
    }
}

/// Returns the joints for which `is_it` returns true. Its arguments are the length of the joint's chain in metres, and
/// the joint.
fn joints_where(rig: &Rig, is_it: impl Fn(f32, &SpringJoint) -> bool) -> Vec<NodeIndex> {
    let all = rig.spring_bones.chains.iter().flat_map(|chain| {
        let length = chain.joints.iter().map(|joint| joint.tail.length()).sum();
        chain.joints.iter().map(move |joint| (length, joint))
    });
    all.filter(|(length, joint)| is_it(*length, joint)).map(|(_, joint)| joint.node).collect()
}

fn inside_colliders(rig: &Rig) -> Vec<NodeIndex> {
    let world = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).world_from_node;
    let springs = rig.behaviours().springs();
    let is_inside = |(number, joint): &(usize, &SpringJoint)| {
        let tail = world[joint.node.index()].transform_point3(joint.tail).as_dvec3();
        let colliders =
            springs.joint_colliders(*number).iter().filter_map(|collider| springs.colliders().get(*collider));
        let mut distances = colliders.filter_map(|c| c.distance(&world[c.node.index()].as_daffine3(), tail, 0.0));
        // A tail on the surface of a collider is not inside it.
        distances.any(|(_, distance)| distance < -1e-6)
    };
    springs.joints().iter().enumerate().filter(is_inside).map(|(_, joint)| joint.node).collect()
}
