//! Removes joints that nothing needs.

use std::collections::BTreeSet;

use super::binds::without_joints;
use super::error::RefitError;
use super::nodes::{nodes_of_vrm, with_nodes};
use super::refitted::Refitted;
use super::skeleton::{SkeletonNodes, rest_worlds};
use crate::analysis::lint::rules::Pattern;
use rigscope_core::rig::{NodeDescription, NodeIndex, Rig};
use rigscope_core::text::{counted, listed};

const NAMED: usize = 4;

/// Returns the joints that [`drop_unused`] removes: they and all their descendants move no vertex, are in no clip,
/// carry nothing, and no behaviour or humanoid bone refers to them.
fn unused_joints(rig: &Rig, keep: &[Pattern]) -> Vec<NodeIndex> {
    let mut is_used: Vec<bool> = vec![false; rig.hierarchy.len()];
    for node in needed_nodes(rig) {
        is_used[node.index()] = true;
    }
    for skin in &rig.skins {
        // A skin needs a joint.
        if let Some(first) = skin.joints.first().filter(|_| skin.joints.iter().all(|j| rig.moved_vertices(*j) == 0)) {
            is_used[first.index()] = true;
        }
    }
    for node in rig.hierarchy.nodes().rev() {
        let name = rig.hierarchy.name(node);
        is_used[node.index()] |= !rig.is_joint(node) || keep.iter().any(|pattern| pattern.fits(name));
        if let Some(parent) = rig.hierarchy.parent(node).filter(|_| is_used[node.index()]) {
            is_used[parent.index()] = true;
        }
    }
    rig.hierarchy.nodes().filter(|node| !is_used[node.index()]).collect()
}

fn needed_nodes(rig: &Rig) -> BTreeSet<NodeIndex> {
    let mut needed: BTreeSet<NodeIndex> = rig.hierarchy.nodes().filter(|n| rig.moved_vertices(*n) > 0).collect();
    needed.extend(rig.instances.iter().map(|instance| instance.node));
    needed.extend(rig.cameras.iter().map(|camera| camera.node));
    needed.extend(rig.clips.iter().flat_map(|clip| &clip.channels).map(|channel| channel.node));
    needed.extend(rig.human_bones.iter().map(|(node, _)| *node));
    needed.extend(rig.constraints.iter().flat_map(|constraint| [constraint.node, constraint.source]));
    for constraint in &rig.unrun_constraints {
        needed.insert(constraint.node);
        needed.extend(constraint.sources.iter().map(|(source, _)| *source));
    }
    needed.extend(rig.look_at.iter().flat_map(|look_at| std::iter::once(look_at.head).chain(look_at.eyes())));
    needed.extend(rig.spring_bones.colliders.iter().map(|collider| collider.node));
    for chain in &rig.spring_bones.chains {
        needed.extend(chain.center);
        for joint in &chain.joints {
            // The tail of a spring is at its first child.
            needed.insert(joint.node);
            needed.extend(rig.hierarchy.children(joint.node));
        }
    }
    if let Some(blocks) = &rig.vrm_blocks {
        needed.extend(nodes_of_vrm(blocks, &rig.hierarchy));
    }
    needed
}

pub(super) fn drop_unused(rig: &Rig, keep: &[Pattern]) -> Result<Refitted, RefitError> {
    const NAME: &str = "drop-unused";
    let unused: BTreeSet<NodeIndex> = unused_joints(rig, keep).into_iter().collect();
    let mut new_source: Vec<Option<usize>> = vec![None; rig.hierarchy.len()];
    let mut next = 0..;
    for (source, slot) in new_source.iter_mut().enumerate() {
        if rig.hierarchy.by_source(source).is_some_and(|node| !unused.contains(&node)) {
            *slot = next.next();
        }
    }
    let mut nodes: Vec<NodeDescription> = Vec::new();
    for (mut node, new) in rig.hierarchy.descriptions().into_iter().zip(&new_source) {
        if new.is_some() {
            node.children = node.children.iter().filter_map(|child| new_source[*child]).collect();
            nodes.push(node);
        }
    }
    let mut data = (**rig).clone();
    without_joints(&mut data, |joint| unused.contains(&joint));
    let without = Rig::new(data);
    let (data, map) = with_nodes(&without, &nodes, &new_source, NAME)?;
    let names: Vec<&str> = unused.iter().map(|node| rig.hierarchy.name(*node)).collect();
    let note = match names.len() {
        0 => "every joint is used".to_owned(),
        count => format!("removed {}: {}", counted(count, "joint", "joints"), listed(&names, NAMED)),
    };
    Ok(Refitted::with_map(data, map, NAME, &note))
}

/// Adds a node above all roots of the skeleton, as a joint without weights of every skin.
pub(super) fn add_root(rig: &Rig, name: &str) -> Result<Refitted, RefitError> {
    const NAME: &str = "add-root";
    if rig.hierarchy.node_named(name).is_some() {
        return Err(RefitError::new(NAME, format!("there is already a node \"{name}\"")));
    }
    let skeleton = SkeletonNodes::new(rig);
    let roots = skeleton.iter().filter(|node| rig.hierarchy.parent(*node).is_none());
    let children: Vec<usize> = roots.map(|node| rig.hierarchy.source(node)).collect();
    let note = format!("\"{name}\" is above {}", counted(children.len(), "root", "roots"));
    let mut nodes = rig.hierarchy.descriptions();
    let new_source: Vec<Option<usize>> = (0..nodes.len()).map(Some).collect();
    nodes.push(NodeDescription { name: name.to_owned(), children, ..NodeDescription::default() });
    let root = nodes.len() - 1;
    let (mut data, map) = with_nodes(rig, &nodes, &new_source, NAME)?;
    let worlds = rest_worlds(rig);
    for (skin, old) in data.skins.iter_mut().zip(&rig.skins) {
        if skin.joints.len() > usize::from(u16::MAX) {
            return Err(RefitError::new(NAME, "a skin can't have more than 65536 joints"));
        }
        // At rest, the new joint moves the skin like the first joint does.
        let bind = old.joints.iter().zip(&old.inverse_bind).next();
        let bind = bind.map(|(joint, bind)| (worlds[joint.index()] * bind.as_daffine3()).as_affine3());
        if let (Some(node), Some(bind)) = (data.hierarchy.by_source(root), bind) {
            skin.joints.push(node);
            skin.inverse_bind.push(bind);
        }
    }
    Ok(Refitted::with_map(data, map, NAME, &note))
}
