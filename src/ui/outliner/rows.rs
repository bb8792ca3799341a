//! Which nodes have a row, and how deep it stands.

use std::collections::HashSet;

use crate::rig::{NodeIndex, Rig};

/// One line of the tree.
#[derive(Clone, Copy)]
pub struct OutlinerRow {
    pub node: NodeIndex,
    pub depth: usize,
    pub has_children: bool,
}

/// The visible rows: joints of every skin and bones of a human with the nodes above and between them; without skins, or where all
/// are asked for, every node.
pub fn rows(rig: &Rig, has_all: bool, filter: &str, collapsed: &HashSet<NodeIndex>) -> Vec<OutlinerRow> {
    let hierarchy = &rig.hierarchy;
    let filter = filter.to_lowercase();
    let mut is_shown = vec![false; hierarchy.len()];
    // Backwards: children before parents, so that a node knows of everything below it.
    for node in hierarchy.nodes().rev() {
        let is_kind = has_all || rig.skins.is_empty() || rig.is_joint(node) || rig.human_bone(node).is_some();
        let is_named = |name: &str| name.to_lowercase().contains(&filter);
        let is_match =
            filter.is_empty() || is_named(hierarchy.name(node)) || rig.human_bone(node).is_some_and(is_named);
        if (is_kind && is_match) || is_shown[node.index()] {
            is_shown[node.index()] = true;
            if let Some(parent) = hierarchy.parent(node) {
                is_shown[parent.index()] = true;
            }
        }
    }
    let mut rows = Vec::new();
    let mut depths = vec![0; hierarchy.len()];
    let mut hidden_until = 0;
    for node in hierarchy.nodes() {
        depths[node.index()] = hierarchy.parent(node).map_or(0, |p| depths[p.index()] + 1);
        if !is_shown[node.index()] || node.index() < hidden_until {
            continue;
        }
        let has_children = hierarchy.children(node).iter().any(|c| is_shown[c.index()]);
        rows.push(OutlinerRow { node, depth: depths[node.index()], has_children });
        // A filter shows what it finds, collapsed or not.
        if collapsed.contains(&node) && filter.is_empty() {
            hidden_until = hierarchy.subtree(node).end;
        }
    }
    rows
}
