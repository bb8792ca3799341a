//! Removes and adds nodes, and renumbers everything that refers to nodes.

use std::sync::Arc;

use serde_json::Value;

use super::error::RefitError;
use super::frames::hierarchy;
use rigscope_core::rig::{
    Hierarchy, LookAtOutput, NodeDescription, NodeIndex, Rig, RigData, SuppressionTarget, VrmBlocks,
};

/// New node of each old node; `None` for removed nodes.
pub(super) type NodeMap = Vec<Option<NodeIndex>>;

/// Replaces the nodes. `new_source` has the new index in the file of each node, by the old index in the file; nothing
/// may refer to a removed node, except channels and skins, whose influences keep their joints.
pub(super) fn with_nodes(
    rig: &Rig,
    nodes: &[NodeDescription],
    new_source: &[Option<usize>],
    operation: &'static str,
) -> Result<(RigData, NodeMap), RefitError> {
    let mut data = (**rig).clone();
    let mut nodes = nodes.to_vec();
    for node in rig.hierarchy.nodes().filter(|node| rig.hierarchy.is_unnamed(*node)) {
        // Nodes without a name are called by their number.
        if let Some(number) = new_source[rig.hierarchy.source(node)] {
            nodes[number].name = format!("node {number}");
        }
    }
    let old = std::mem::replace(&mut data.hierarchy, hierarchy(&nodes, operation)?);
    let moved = |node: NodeIndex| data.hierarchy.by_source(new_source[old.source(node)]?);
    let map: NodeMap = old.nodes().map(moved).collect();
    let mut renumbering = Renumbering { map: &map, is_lost: false };
    renumbering.apply(&mut data);
    if renumbering.is_lost {
        return Err(RefitError::new(operation, "something refers to a node that would be removed"));
    }
    data.suppressions.retain_mut(|suppression| {
        let SuppressionTarget::Node(node) = &mut suppression.place else { return true };
        let moved = new_source.get(*node).copied().flatten();
        moved.inspect(|moved| *node = *moved).is_some()
    });
    data.extras.renumber_nodes(new_source);
    if new_source.iter().enumerate().any(|(old, new)| *new != Some(old)) {
        data.vrm_blocks = data.vrm_blocks.map(|blocks| Arc::new(renumbered_blocks(&blocks, new_source)));
    }
    Ok((data, map))
}

struct Renumbering<'a> {
    map: &'a NodeMap,
    is_lost: bool,
}

impl Renumbering<'_> {
    fn node(&mut self, node: &mut NodeIndex) {
        match self.map[node.index()] {
            Some(moved) => *node = moved,
            None => self.is_lost = true,
        }
    }

    fn apply(&mut self, data: &mut RigData) {
        let map = self.map;
        for clip in &mut data.clips {
            clip.channels.retain(|channel| map[channel.node.index()].is_some());
            clip.channels.iter_mut().for_each(|channel| self.node(&mut channel.node));
        }
        data.skins.iter_mut().flat_map(|skin| &mut skin.joints).for_each(|joint| self.node(joint));
        data.instances.iter_mut().for_each(|instance| self.node(&mut instance.node));
        data.cameras.iter_mut().for_each(|camera| self.node(&mut camera.node));
        for constraint in &mut data.constraints {
            self.node(&mut constraint.node);
            self.node(&mut constraint.source);
        }
        for constraint in &mut data.unrun_constraints {
            self.node(&mut constraint.node);
            constraint.sources.iter_mut().for_each(|(source, _)| self.node(source));
        }
        if let Some(look_at) = &mut data.look_at {
            self.node(&mut look_at.head);
            if let LookAtOutput::Eyes(eyes) = &mut look_at.by {
                eyes.iter_mut().flatten().for_each(|eye| self.node(eye));
            }
        }
        data.spring_bones.colliders.iter_mut().for_each(|collider| self.node(&mut collider.node));
        for chain in &mut data.spring_bones.chains {
            chain.joints.iter_mut().for_each(|joint| self.node(&mut joint.node));
            chain.center.iter_mut().for_each(|center| self.node(center));
        }
        data.human_bones.iter_mut().for_each(|(node, _)| self.node(node));
    }
}

/// Places of node numbers in the extensions of VRM: JSON keys from the extension's root, where `*` is any key or item.
/// *Sources*: VRM 0 and 1.0 specifications.
const NODES_OF_VRM: [(&str, &[&[&str]]); 4] = [
    (
        "VRM",
        &[
            &["humanoid", "humanBones", "*", "node"],
            &["firstPerson", "firstPersonBone"],
            &["secondaryAnimation", "boneGroups", "*", "bones", "*"],
            &["secondaryAnimation", "boneGroups", "*", "center"],
            &["secondaryAnimation", "colliderGroups", "*", "node"],
        ],
    ),
    (
        "VRMC_vrm",
        &[
            &["humanoid", "humanBones", "*", "node"],
            &["firstPerson", "meshAnnotations", "*", "node"],
            &["expressions", "preset", "*", "morphTargetBinds", "*", "node"],
            &["expressions", "custom", "*", "morphTargetBinds", "*", "node"],
        ],
    ),
    (
        "VRMC_springBone",
        &[&["colliders", "*", "node"], &["springs", "*", "joints", "*", "node"], &["springs", "*", "center"]],
    ),
    (
        "VRMC_vrm_animation",
        &[
            &["humanoid", "humanBones", "*", "node"],
            &["expressions", "preset", "*", "node"],
            &["expressions", "custom", "*", "node"],
            &["lookAt", "node"],
        ],
    ),
];

/// Calls `visit` with each node number of VRM data.
fn visit_numbers(value: &mut Value, keys: &[&str], visit: &mut dyn FnMut(&mut Value)) {
    let Some((key, rest)) = keys.split_first() else { return visit(value) };
    match (value, *key) {
        (Value::Array(items), "*") => items.iter_mut().for_each(|item| visit_numbers(item, rest, visit)),
        (Value::Object(object), "*") => object.values_mut().for_each(|item| visit_numbers(item, rest, visit)),
        (Value::Object(object), key) => {
            if let Some(item) = object.get_mut(key) {
                visit_numbers(item, rest, visit);
            }
        }
        _ => {}
    }
}

fn visit_nodes(name: &str, block: &mut Value, mut visit: impl FnMut(&mut Value)) {
    let places = NODES_OF_VRM.iter().filter(|(extension, _)| *extension == name).flat_map(|(_, places)| *places);
    places.for_each(|keys| visit_numbers(block, keys, &mut visit));
}

fn renumbered_blocks(blocks: &VrmBlocks, new_source: &[Option<usize>]) -> VrmBlocks {
    let renumbered = |(name, text): (&String, &String)| {
        let Ok(mut block) = serde_json::from_str::<Value>(text) else { return (name.clone(), text.clone()) };
        let mut is_changed = false;
        visit_nodes(name, &mut block, |number| {
            let moved = number.as_u64().and_then(|old| *new_source.get(usize::try_from(old).ok()?)?);
            if let Some(moved) = moved.map(Value::from).filter(|moved| moved != number) {
                *number = moved;
                is_changed = true;
            }
        });
        (name.clone(), if is_changed { block.to_string() } else { text.clone() })
    };
    VrmBlocks { document: blocks.document.iter().map(renumbered).collect(), ..blocks.clone() }
}

/// Returns the nodes to which VRM data refers.
pub(super) fn nodes_of_vrm(blocks: &VrmBlocks, hierarchy: &Hierarchy) -> Vec<NodeIndex> {
    let mut found = Vec::new();
    for (name, text) in &blocks.document {
        let Ok(mut block) = serde_json::from_str::<Value>(text) else { continue };
        visit_nodes(name, &mut block, |number| {
            let node = number.as_u64().and_then(|number| usize::try_from(number).ok());
            found.extend(node.and_then(|node| hierarchy.by_source(node)));
        });
    }
    found
}
