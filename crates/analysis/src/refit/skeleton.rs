use glam::DAffine3;

use rigscope_core::rig::{Hierarchy, NodeIndex, Rig};

/// Joints, and nodes above joints, parents first. Without skins, all nodes.
pub(super) struct SkeletonNodes(Vec<NodeIndex>);

impl SkeletonNodes {
    pub(super) fn new(rig: &Rig) -> Self {
        let mut is_needed: Vec<bool> = rig.hierarchy.nodes().map(|node| rig.counts_as_joint(node)).collect();
        for node in rig.hierarchy.nodes().rev() {
            if let Some(parent) = rig.hierarchy.parent(node) {
                is_needed[parent.index()] |= is_needed[node.index()];
            }
        }
        Self(rig.hierarchy.nodes().filter(|node| is_needed[node.index()]).collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = NodeIndex> {
        self.0.iter().copied()
    }
}

/// Returns `W_n` of the rest pose, in file coordinates and double precision.
pub(super) fn rest_worlds(rig: &Rig) -> Vec<DAffine3> {
    hierarchy_worlds(&rig.hierarchy)
}

/// Like [`rest_worlds`], before there is a rig.
pub(super) fn hierarchy_worlds(hierarchy: &Hierarchy) -> Vec<DAffine3> {
    let mut worlds: Vec<DAffine3> = Vec::with_capacity(hierarchy.len());
    for node in hierarchy.nodes() {
        let above = hierarchy.parent(node).map_or(DAffine3::IDENTITY, |parent| worlds[parent.index()]);
        worlds.push(above * hierarchy.rest_local(node).as_daffine3());
    }
    worlds
}
