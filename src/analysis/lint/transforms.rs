//! Rules about rest transforms of nodes, and about constraints that turn them.

use glam::{Affine3, Vec3};

use super::Code;
use super::finding::FindingList;
use crate::rig::{NodeIndex, Pose, Rig, evaluate};
use crate::text::counted;

/// Relative difference in the lengths of axes that counts as rounding.
const ROUNDING: f32 = 0.01;

/// Finds joints that mirror, and joints that scale unevenly.
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

/// Finds nodes that carry a skinned mesh and are not at the origin of the world.
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

/// Finds constraints that depend on themselves.
pub(super) fn constraint_circles(rig: &Rig, findings: &mut FindingList) {
    let circular = rig.behaviours().circular();
    let text = counted(circular.len(), "node follows", "nodes follow") + " something that the node turns itself";
    findings.nodes(Code::ConstraintCircle, &rig.hierarchy, circular, text);
}
