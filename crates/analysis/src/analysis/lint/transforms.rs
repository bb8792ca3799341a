//! Rules about rest transforms of nodes, and about constraints that rotate nodes.

use std::collections::HashSet;

use glam::{Affine3, Vec3};

use super::Code;
use super::finding::FindingList;
use rigscope_core::matching::Humanoid;
use rigscope_core::rig::{MeshInstance, NodeIndex, Pose, Property, Rig, evaluate};
use rigscope_core::text::counted;
use rigscope_core::weights::is_twist_helper;

const ROUNDING: f32 = 0.01;

pub(super) fn joint_scales(rig: &Rig, findings: &mut FindingList) {
    let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&n| rig.is_joint(n)).collect();
    let select = |is: fn(&Affine3) -> bool| -> Vec<NodeIndex> {
        joints.iter().copied().filter(|&j| is(rig.hierarchy.rest_local(j))).collect()
    };
    let mirrored = select(mirrors);
    let text = counted(mirrored.len(), "joint has", "joints have") + " a negative scale";
    findings.nodes(Code::NegativeScale, &rig.hierarchy, &mirrored, text);
    let uneven = select(is_uneven);
    let text = counted(uneven.len(), "joint is", "joints are") + " scaled differently along the axes";
    findings.nodes(Code::NonUniformScale, &rig.hierarchy, &uneven, text);
}

fn mirrors(local: &Affine3) -> bool {
    local.matrix3.determinant() < 0.0
}

fn is_uneven(local: &Affine3) -> bool {
    let m = local.matrix3;
    let lengths = Vec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
    lengths.max_element() - lengths.min_element() > ROUNDING * lengths.max_element()
}

pub(super) fn scale_zero(rig: &Rig, findings: &mut FindingList) {
    let is_flat = |&joint: &NodeIndex| {
        let m = rig.hierarchy.rest_local(joint).matrix3;
        [m.x_axis, m.y_axis, m.z_axis].into_iter().any(|axis| axis.length() <= f32::EPSILON)
    };
    let flat: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&n| rig.is_joint(n)).filter(is_flat).collect();
    let text = counted(flat.len(), "joint has", "joints have") + " a scale of 0 at rest";
    findings.nodes(Code::ScaleZero, &rig.hierarchy, &flat, text);
}

/// Scales that a conversion between metres and centimetres leaves behind.
const UNIT_SCALES: [f32; 2] = [0.01, 100.0];

pub(super) fn armature_scale(rig: &Rig, findings: &mut FindingList) {
    let tops: HashSet<NodeIndex> = rig.skins.iter().filter_map(|skin| skin.joints.iter().min().copied()).collect();
    let above: HashSet<NodeIndex> = tops.iter().flat_map(|&top| rig.hierarchy.ancestors(top).chain([top])).collect();
    for scale in UNIT_SCALES {
        let is_scaled = |node: &NodeIndex| {
            let m = rig.hierarchy.rest_local(*node).matrix3;
            [m.x_axis, m.y_axis, m.z_axis].into_iter().all(|axis| (axis.length() / scale - 1.0).abs() <= ROUNDING)
        };
        let nodes: Vec<NodeIndex> =
            rig.hierarchy.nodes().filter(|node| above.contains(node)).filter(is_scaled).collect();
        let text = format!("{} a skeleton by {scale}", counted(nodes.len(), "node scales", "nodes scale"));
        findings.nodes(Code::ArmatureScale, &rig.hierarchy, &nodes, text);
    }
}

/// A file with more helper meshes than this is a scene, not a character.
const MAX_HELPERS: usize = 3;

/// Names that Blender gives to new meshes.
const NEW_MESHES: [&str; 9] = ["Circle", "Cone", "Cube", "Cylinder", "Grid", "Icosphere", "Plane", "Sphere", "Torus"];

/// Finds static meshes that have no material or the default name of a new mesh, in files that also contain skinned
/// meshes.
pub(super) fn stray_meshes(rig: &Rig, findings: &mut FindingList) {
    if rig.instances.iter().all(|instance| instance.skin.is_none()) {
        return;
    }
    let keyed = rig.clips.iter().flat_map(|clip| &clip.channels).map(|channel| channel.node);
    let constrained = rig.constraints.iter().map(|constraint| constraint.node);
    let moved: HashSet<NodeIndex> = keyed.chain(constrained).collect();
    let is_moved = |node: NodeIndex| rig.is_joint(node) || moved.contains(&node);
    let carries_skin: HashSet<NodeIndex> = rig.instances.iter().filter(|i| i.skin.is_some()).map(|i| i.node).collect();
    let is_stray = |&node: &NodeIndex| {
        !carries_skin.contains(&node) && !is_moved(node) && !rig.hierarchy.ancestors(node).any(is_moved)
    };
    let is_helper = |instance: &&MeshInstance| {
        let mesh = &rig.meshes[instance.mesh];
        let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.').to_owned();
        let is_new = [rig.hierarchy.name(instance.node), &mesh.name]
            .map(stem)
            .iter()
            .any(|name| NEW_MESHES.contains(&name.as_str()));
        is_new || mesh.primitives.iter().all(|primitive| primitive.material.is_none())
    };
    let helpers = rig.instances.iter().filter(is_helper).map(|instance| instance.node);
    let mut stray: Vec<NodeIndex> = helpers.filter(is_stray).collect();
    stray.dedup();
    if stray.len() <= MAX_HELPERS {
        let text = counted(stray.len(), "mesh", "meshes") + " beside the skinned ones, which nothing moves";
        findings.nodes(Code::StrayMesh, &rig.hierarchy, &stray, text);
    }
}

pub(super) fn skinned_nodes(rig: &Rig, findings: &mut FindingList) {
    let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).file_from_node(&rig.hierarchy);
    let near = 1e-3 * rig.size();
    let is_moved = |node: NodeIndex| {
        let world = rest[node.index()];
        let turn = world.matrix3 - glam::Mat3::IDENTITY;
        world.translation.length() > near || turn.to_cols_array().iter().any(|x| x.abs() > ROUNDING)
    };
    let mut nodes: Vec<NodeIndex> = rig.instances.iter().filter(|i| i.skin.is_some()).map(|i| i.node).collect();
    nodes.dedup();
    nodes.retain(|&n| is_moved(n));
    let text = format!("{} of a skinned mesh not at the origin", counted(nodes.len(), "node", "nodes"));
    findings.nodes(Code::SkinnedNodeMoved, &rig.hierarchy, &nodes, text);
}

/// Finds twist helpers that move vertices but are not rotated by any constraint or clip, in VRM 1.0 files and in files
/// with constraints.
pub(super) fn idle_twist_helpers(rig: &Rig, findings: &mut FindingList) {
    if rig.constraints.is_empty() && rig.vrm_version != Some(1) {
        return;
    }
    let keyed = rig.clips.iter().flat_map(|clip| &clip.channels).filter(|c| c.property == Property::Rotation);
    let constrained = rig.constraints.iter().map(|constraint| constraint.node);
    let turned: HashSet<NodeIndex> = keyed.map(|channel| channel.node).chain(constrained).collect();
    let limbs = limbs(rig);
    let is_idle = |&node: &NodeIndex| {
        is_twist_helper(rig.hierarchy.name(node))
            && rig.moved_vertices(node) > 0
            && rig.human_bone(node).is_none()
            && !turned.contains(&node)
            && rig.hierarchy.ancestors(node).take(MAX_LIMB_DEPTH).any(|above| limbs.contains(&above))
    };
    let idle: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|node| rig.is_joint(*node)).filter(is_idle).collect();
    let text = counted(idle.len(), "twist helper", "twist helpers") + " without a constraint";
    findings.nodes(Code::TwistWithoutConstraint, &rig.hierarchy, &idle, text);
}

/// Maximum number of levels from a twist helper up to its limb; helpers may form a chain.
const MAX_LIMB_DEPTH: usize = 4;

/// Returns the nodes of arms, hands and legs, as declared by the file or guessed by name.
fn limbs(rig: &Rig) -> HashSet<NodeIndex> {
    let is_limb = |name: String| ["Arm", "Hand", "Leg"].into_iter().any(|part| name.ends_with(part));
    let humanoid = Humanoid::from_rig(rig);
    humanoid.bones().filter(|(bone, _)| is_limb(bone.to_string())).map(|(_, node)| node).collect()
}

pub(super) fn constraint_circles(rig: &Rig, findings: &mut FindingList) {
    let circular = rig.behaviours().circular();
    let text = counted(circular.len(), "node follows", "nodes follow") + " something that the node turns itself";
    findings.nodes(Code::ConstraintCircle, &rig.hierarchy, circular, text);
}
