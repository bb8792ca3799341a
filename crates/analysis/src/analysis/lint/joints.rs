//! Rules about the joints of a skin: their use, hierarchy and names.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::finding::{FindingList, short};
use super::{Code, NodeList, Target};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Bounds, Hierarchy, Mesh, NodeIndex, Rig, Skin};
use rigscope_core::text::counted;

/// Maximum number of joints per skin in engines with 8-bit joint indices.
const COMMON_JOINTS: usize = 256;

pub(super) fn unused(rig: &Rig, progress: &Progress, findings: &mut FindingList) -> Option<()> {
    let mut used: Vec<Option<Vec<bool>>> = vec![None; rig.skins.len()];
    // Instances of the same mesh and skin count once.
    let mut bound: Vec<(usize, usize)> = rig.instances.iter().filter_map(|i| Some((i.mesh, i.skin?))).collect();
    bound.sort_unstable();
    bound.dedup();
    for pairs in bound.chunk_by(|a, b| a.0 == b.0) {
        progress.check_cancelled()?;
        let joints = influencing_joints(&rig.meshes[pairs[0].0]);
        for &(_, skin) in pairs {
            let used = used[skin].get_or_insert_with(|| vec![false; rig.skins[skin].joints.len()]);
            for &joint in &joints {
                used[joint] = true;
            }
        }
    }
    for (skin, used) in rig.skins.iter().zip(used) {
        let joints = skin.joints.iter().zip(used.unwrap_or_default());
        let unused: Vec<NodeIndex> = joints.filter(|(_, is_used)| !is_used).map(|(j, _)| *j).collect();
        let joints = counted(unused.len(), "joint", "joints");
        let move_ = if unused.len() == 1 { "moves" } else { "move" };
        let text = format!("{joints} of {} {move_} no vertex", skin_name(skin));
        findings.nodes(Code::JointUnused, &rig.hierarchy, &unused, text);
    }
    Some(())
}

fn influencing_joints(mesh: &Mesh) -> Vec<usize> {
    let mut is_used = Vec::new();
    for influences in mesh.primitives.iter().filter_map(|p| p.influences.as_ref()) {
        for (joint, weight) in (0..influences.len()).flat_map(|v| influences.vertex(v)) {
            if weight > 0.0 {
                is_used.resize(is_used.len().max(joint + 1), false);
                is_used[joint] = true;
            }
        }
    }
    is_used.iter().enumerate().filter(|(_, is)| **is).map(|(joint, _)| joint).collect()
}

pub(super) fn roots(rig: &Rig, findings: &mut FindingList) {
    for skin in &rig.skins {
        let above = nearest_above(&rig.hierarchy, &skin.joints).into_iter().zip(&skin.joints);
        let mut tops: Vec<NodeIndex> = above.filter(|(above, _)| above.is_none()).map(|(_, joint)| *joint).collect();
        tops.sort_unstable();
        tops.dedup();
        if tops.len() < 2 {
            continue;
        }
        let (code, what) = if has_common_ancestor(&rig.hierarchy, &tops) {
            (Code::SeveralRoots, "root joints")
        } else {
            (Code::NoCommonRoot, "root joints without a node above them all")
        };
        let text = format!("{} has {} {what}", capital(&skin_name(skin)), tops.len());
        findings.nodes(code, &rig.hierarchy, &tops, text);
    }
}

fn has_common_ancestor(hierarchy: &Hierarchy, tops: &[NodeIndex]) -> bool {
    let root = hierarchy.ancestors(tops[0]).last().unwrap_or(tops[0]);
    tops.iter().all(|top| hierarchy.subtree(root).contains(&top.index()))
}

/// Returns each joint's nearest ancestor in `joints`, as an index into `joints`. Takes one pass, even for deep
/// hierarchies.
pub(super) fn nearest_above(hierarchy: &Hierarchy, joints: &[NodeIndex]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..joints.len()).collect();
    order.sort_by_key(|&i| joints[i]);
    let mut above = vec![None; joints.len()];
    let mut open: Vec<usize> = Vec::new();
    for i in order {
        let contains = |&a: &usize| joints[a] != joints[i] && hierarchy.subtree(joints[a]).contains(&joints[i].index());
        while open.last().is_some_and(|a| !contains(a)) {
            open.pop();
        }
        above[i] = open.last().copied();
        open.push(i);
    }
    above
}

/// Maximum distance of a joint from the bounds of its vertices, relative to the size of the mesh or of the skeleton
/// (ignoring far joints), whichever is larger.
const FAR: f32 = 1.0;

/// Finds joints far from their vertices in the bind pose. The size of the skeleton matters too, because an accessory
/// may be small compared with its skeleton.
pub(super) fn far_from_skin(rig: &Rig, findings: &mut FindingList) {
    for (number, skin) in rig.skins.iter().enumerate() {
        let mut bound: Vec<usize> = rig.instances.iter().filter(|i| i.skin == Some(number)).map(|i| i.mesh).collect();
        bound.sort_unstable();
        bound.dedup();
        let boxes = moved_boxes(bound.into_iter().map(|mesh| &rig.meshes[mesh]), skin.joints.len());
        let whole = boxes.iter().fold(Bounds::default(), |whole, moved| whole.joined(*moved)).diagonal();
        let places = skin.inverse_bind.iter().map(|bind| bind.inverse().translation);
        let distance = |place: Vec3, moved: &Bounds| place.distance(place.clamp(moved.min, moved.max));
        let distances =
            places.clone().zip(&boxes).map(|(place, moved)| (!moved.is_empty()).then(|| distance(place, moved)));
        let is_far =
            |size: f32| move |distance: &Option<f32>| distance.is_some_and(|d| d > FAR * size && d.is_finite());
        let distances: Vec<Option<f32>> = distances.collect();
        let others = places.zip(&distances).filter(|(_, distance)| !is_far(whole)(distance)).map(|(place, _)| place);
        let size = whole.max(others.collect::<Bounds>().diagonal());
        let far: Vec<(&NodeIndex, &Option<f32>)> =
            skin.joints.iter().zip(&distances).filter(|(_, distance)| is_far(size)(distance)).collect();
        let max_distance = far.iter().filter_map(|(_, distance)| **distance).fold(0.0, f32::max);
        let joints: Vec<NodeIndex> = far.into_iter().map(|(joint, _)| *joint).collect();
        let (count, name) = (counted(joints.len(), "joint", "joints"), skin_name(skin));
        let text = format!(
            "{count} of {name} up to {:.1} times its size away from the skin that they move",
            max_distance / size
        );
        findings.nodes(Code::JointFarFromSkin, &rig.hierarchy, &joints, text);
    }
}

fn moved_boxes<'a>(meshes: impl Iterator<Item = &'a Mesh>, joints: usize) -> Vec<Bounds> {
    let mut boxes = vec![Bounds::default(); joints];
    for primitive in meshes.flat_map(|mesh| &mesh.primitives) {
        let Some(influences) = &primitive.influences else { continue };
        for (vertex, position) in primitive.positions.iter().enumerate() {
            for (joint, _) in influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0) {
                boxes[joint].add(*position);
            }
        }
    }
    boxes
}

pub(super) fn too_many(rig: &Rig, findings: &mut FindingList) {
    for skin in rig.skins.iter().filter(|s| s.joints.len() > COMMON_JOINTS) {
        let message = format!("{} has {} joints.", capital(&skin_name(skin)), skin.joints.len());
        findings.push(Code::ManyJoints, message, Target::Skin(skin.source));
    }
}

pub(super) fn names(rig: &Rig, findings: &mut FindingList) {
    let hierarchy = &rig.hierarchy;
    let mut nameless: Vec<NodeIndex> = Vec::new();
    let mut told: HashSet<&str> = HashSet::new();
    for skin in &rig.skins {
        let mut by_name: HashMap<&str, Vec<NodeIndex>> = HashMap::new();
        let joints: HashSet<NodeIndex> = skin.joints.iter().copied().collect();
        // In the skin's order. A joint counts once even if the skin lists it twice.
        let mut left = joints;
        for &joint in skin.joints.iter().filter(|j| left.remove(*j)) {
            if hierarchy.is_unnamed(joint) {
                nameless.push(joint);
            } else {
                by_name.entry(hierarchy.name(joint)).or_default().push(joint);
            }
        }
        let mut repeated: Vec<(&str, Vec<NodeIndex>)> = by_name.into_iter().filter(|(_, n)| n.len() > 1).collect();
        repeated.sort_by_key(|(_, nodes)| nodes[0]);
        for (name, nodes) in repeated.into_iter().filter(|(name, _)| told.insert(name)) {
            let message = format!("{} are called \"{}\".", counted(nodes.len(), "joint", "joints"), short(name));
            findings.push(Code::NameRepeated, message, Target::Nodes(NodeList::new(hierarchy, nodes)));
        }
    }
    nameless.sort_unstable();
    nameless.dedup();
    let text = counted(nameless.len(), "joint has no name", "joints have no name");
    findings.nodes(Code::NameEmpty, hierarchy, &nameless, text);
}

pub(super) fn skin_name(skin: &Skin) -> String {
    if skin.name.is_empty() {
        format!("skin {}", skin.source)
    } else {
        format!("skin {} \"{}\"", skin.source, short(&skin.name))
    }
}

fn capital(text: &str) -> String {
    text.replacen('s', "S", 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::NodeDescription;

    #[test]
    fn the_nearest_joint_above_is_found_across_other_nodes() {
        // 0 is above 1, and 1 is above 2 and 3; 4 is separate. 1 is not a joint, 3 is listed twice.
        let children: [&[usize]; 5] = [&[1], &[2, 3], &[], &[], &[]];
        let nodes = children.map(|c| NodeDescription { children: c.to_vec(), ..NodeDescription::default() });
        let hierarchy = Hierarchy::new(&nodes).unwrap();
        let joints = [3, 4, 0, 2, 3].map(|source| hierarchy.by_source(source).unwrap());
        assert_eq!(nearest_above(&hierarchy, &joints), [Some(2), None, None, Some(2), Some(2)]);
    }
}
