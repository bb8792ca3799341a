//! The joints of a skin: which do anything, how they hang together, what they are called.

use std::collections::{HashMap, HashSet};

use super::finding::{Findings, NodeList, counted, short};
use super::{Code, Target};
use crate::rig::{Hierarchy, Mesh, NodeIndex, Rig, Skin};

/// Largest palette of engines that number joints in 8 bits.
const COMMON_JOINTS: usize = 256;

/// Joints to which no vertex gives weight, of skins that something is bound to.
pub(super) fn unused(rig: &Rig, findings: &mut Findings) {
    let mut used: Vec<Option<Vec<bool>>> = vec![None; rig.skins.len()];
    let by_mesh: Vec<HashSet<usize>> = rig.meshes.iter().map(joints_of).collect();
    for (instance, skin) in rig.instances.iter().filter_map(|i| Some((i, i.skin?))) {
        let used = used[skin].get_or_insert_with(|| vec![false; rig.skins[skin].joints.len()]);
        for (joint, is_used) in used.iter_mut().enumerate() {
            *is_used |= by_mesh[instance.mesh].contains(&joint);
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
}

/// The joints that some vertex of a mesh gives weight to.
fn joints_of(mesh: &Mesh) -> HashSet<usize> {
    let mut is_used = Vec::new();
    for influences in mesh.primitives.iter().filter_map(|p| p.influences.as_ref()) {
        for (joint, weight) in (0..influences.len()).flat_map(|v| influences.of(v)) {
            if weight > 0.0 {
                is_used.resize(is_used.len().max(joint + 1), false);
                is_used[joint] = true;
            }
        }
    }
    is_used.iter().enumerate().filter(|(_, is)| **is).map(|(joint, _)| joint).collect()
}

/// Several joints at the top of one skin, under one node or under none.
pub(super) fn roots(rig: &Rig, findings: &mut Findings) {
    for skin in &rig.skins {
        let joints: HashSet<NodeIndex> = skin.joints.iter().copied().collect();
        let is_top = |joint: &NodeIndex| !rig.hierarchy.ancestors(*joint).any(|a| joints.contains(&a));
        let mut tops: Vec<NodeIndex> = joints.iter().copied().filter(is_top).collect();
        tops.sort_unstable();
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

fn has_common_ancestor(hierarchy: &Hierarchy, nodes: &[NodeIndex]) -> bool {
    let top = |node: NodeIndex| hierarchy.ancestors(node).last().unwrap_or(node);
    // Roots of the file have no ancestor: two of them share none.
    nodes.iter().all(|&n| top(n) == top(nodes[0]))
}

/// Skins that 8-bit joint numbers cannot name in full.
pub(super) fn too_many(rig: &Rig, findings: &mut Findings) {
    for skin in rig.skins.iter().filter(|s| s.joints.len() > COMMON_JOINTS) {
        let message = format!("{} has {} joints.", capital(&skin_name(skin)), skin.joints.len());
        findings.push(Code::ManyJoints, message, Target::Skin(skin.source));
    }
}

/// Names that repeat within a skin, and joints without any.
pub(super) fn names(rig: &Rig, findings: &mut Findings) {
    let hierarchy = &rig.hierarchy;
    let mut nameless: Vec<NodeIndex> = Vec::new();
    let mut told: HashSet<&str> = HashSet::new();
    for skin in &rig.skins {
        let mut by_name: HashMap<&str, Vec<NodeIndex>> = HashMap::new();
        let joints: HashSet<NodeIndex> = skin.joints.iter().copied().collect();
        // In the skin's order, each joint once though a skin may list it twice.
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

/// A skin in a message.
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
