use std::collections::HashSet;

use super::super::search::Filter;
use crate::rig::{Hierarchy, NodeIndex, Rig, prefix_length, shared_prefix};

/// A row of the tree: a node, preceded by a folded chain of non-joint ancestors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OutlinerRow {
    pub node: NodeIndex,
    /// The topmost node of the folded chain; `node` itself if there is no chain.
    pub top: NodeIndex,
    pub depth: usize,
    pub has_children: bool,
    /// Length of the prefix that the name shares with the row above or with all joints, bytes.
    pub shared: usize,
}

impl OutlinerRow {
    pub(super) fn holds(&self, hierarchy: &Hierarchy, node: NodeIndex) -> bool {
        self.top <= node && hierarchy.subtree(node).contains(&self.node.index())
    }

    /// Returns the row's label (names of the chain, then of the node), and the byte offset of the node's name in the
    /// label.
    pub(super) fn label(&self, hierarchy: &Hierarchy) -> (String, usize) {
        let mut label = hierarchy.name(self.node).to_owned();
        let mut start = 0;
        for above in hierarchy.ancestors(self.node).take_while(|above| *above >= self.top) {
            let name = hierarchy.name(above);
            start += name.len() + SLASH.len();
            label = format!("{name}{SLASH}{label}");
        }
        (label, start)
    }
}

const SLASH: &str = " / ";

/// Lists the visible rows: joints and humanoid bones with their ancestors, or all nodes if `has_all`.
pub(super) fn rows(rig: &Rig, has_all: bool, filter: &Filter, collapsed: &HashSet<NodeIndex>) -> Vec<OutlinerRow> {
    let hierarchy = &rig.hierarchy;
    let is_kind = |node| has_all || rig.counts_as_joint(node) || rig.human_bone(node).is_some();
    let is_shown = shown(rig, filter, is_kind);
    let shown_children = |node| hierarchy.children(node).iter().filter(|c| is_shown[c.index()]);
    let is_folded = |node| {
        let mut children = shown_children(node);
        !is_kind(node) && children.next().is_some_and(|only| !is_kind(*only)) && children.next().is_none()
    };
    let mut rows: Vec<OutlinerRow> = Vec::new();
    // For each node: the topmost node and the depth of its row.
    let mut begun: Vec<(NodeIndex, usize)> = hierarchy.nodes().map(|node| (node, 0)).collect();
    let mut hidden_until = 0;
    for node in hierarchy.nodes() {
        let above = hierarchy.parent(node);
        if let Some(above) = above {
            let (top, depth) = begun[above.index()];
            begun[node.index()] = if is_folded(above) { (top, depth) } else { (node, depth + 1) };
        }
        if !is_shown[node.index()] || node.index() < hidden_until || is_folded(node) {
            continue;
        }
        let (top, depth) = begun[node.index()];
        let name = hierarchy.name(node);
        let shared = above.map_or(0, |above| shared_prefix(name, hierarchy.name(above)));
        let shared = shared.max(prefix_length(name, rig.joint_prefix()));
        rows.push(OutlinerRow { node, top, depth, has_children: shown_children(node).next().is_some(), shared });
        // A filter shows matches even in collapsed rows.
        if collapsed.contains(&node) && filter.is_empty() {
            hidden_until = hierarchy.subtree(node).end;
        }
    }
    rows
}

fn shown(rig: &Rig, filter: &Filter, is_kind: impl Fn(NodeIndex) -> bool) -> Vec<bool> {
    let hierarchy = &rig.hierarchy;
    let mut is_shown = vec![false; hierarchy.len()];
    // Iterates backwards, because children come after their parents.
    for node in hierarchy.nodes().rev() {
        if (is_kind(node) && is_found(rig, node, filter)) || is_shown[node.index()] {
            is_shown[node.index()] = true;
            if let Some(parent) = hierarchy.parent(node) {
                is_shown[parent.index()] = true;
            }
        }
    }
    is_shown
}

/// Returns whether a filter matches a node's name or the name of its humanoid bone.
pub(super) fn is_found(rig: &Rig, node: NodeIndex, filter: &Filter) -> bool {
    let is_bone = || rig.human_bone(node).is_some_and(|bone| filter.is_in_joined(bone));
    filter.is_empty() || filter.is_in(rig.hierarchy.name(node)) || is_bone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{NodeDescription, RigData, Skin, Trs};
    use glam::Affine3;

    /// Builds a rig from (depth, name) pairs. A star in the name marks a joint.
    fn rig(lines: &[(usize, &str)]) -> Rig {
        let children = |at: usize| {
            let below = lines[at + 1..].iter().take_while(|line| line.0 > lines[at].0);
            below.enumerate().filter(|(_, line)| line.0 == lines[at].0 + 1).map(|(i, _)| at + 1 + i).collect()
        };
        let nodes: Vec<NodeDescription> = (0..lines.len())
            .map(|at| NodeDescription::new(lines[at].1.trim_start_matches('*'), children(at), Trs::IDENTITY))
            .collect();
        let hierarchy = Hierarchy::new(&nodes).unwrap();
        let joints: Vec<NodeIndex> =
            (0..lines.len()).filter(|i| lines[*i].1.starts_with('*')).filter_map(|i| hierarchy.by_source(i)).collect();
        let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() };
        Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() })
    }

    fn listed(rig: &Rig, has_all: bool) -> Vec<(usize, String, usize)> {
        let rows = rows(rig, has_all, &Filter::default(), &HashSet::new());
        rows.iter().map(|row| (row.depth, row.label(&rig.hierarchy).0, row.shared)).collect()
    }

    #[test]
    fn a_chain_of_nodes_that_are_no_joints_is_one_row() {
        let rig = rig(&[(0, "Scene"), (1, "Root"), (2, "Rig"), (3, "*Hips"), (4, "*Spine"), (2, "Camera")]);
        let rows =
            |has_all| listed(&rig, has_all).into_iter().map(|(depth, name, _)| (depth, name)).collect::<Vec<_>>();
        let row = |depth, name: &str| (depth, name.to_owned());
        assert_eq!(rows(false), [row(0, "Scene / Root / Rig"), row(1, "Hips"), row(2, "Spine")]);
        assert_eq!(rows(true)[..3], [row(0, "Scene"), row(1, "Root"), row(2, "Rig")], "all were asked for");
    }

    #[test]
    fn a_node_that_holds_two_branches_ends_its_chain() {
        let rig = rig(&[(0, "Scene"), (1, "Root"), (2, "Left"), (3, "*Arm"), (2, "Right"), (3, "*Arm")]);
        let names: Vec<String> = listed(&rig, false).into_iter().map(|(_, name, _)| name).collect();
        assert_eq!(names, ["Scene / Root", "Left", "Arm", "Right", "Arm"]);
    }

    #[test]
    fn a_row_holds_its_chain_and_no_other_node() {
        let rig = rig(&[(0, "Scene"), (1, "Light"), (1, "Root"), (2, "*Hips")]);
        let row = rows(&rig, false, &Filter::default(), &HashSet::new())[0];
        let held = rig.hierarchy.nodes().filter(|node| row.holds(&rig.hierarchy, *node));
        assert_eq!(held.map(|node| rig.hierarchy.name(node)).collect::<Vec<_>>(), ["Scene", "Root"]);
    }

    #[test]
    fn shared_name_prefixes_are_found() {
        let lines = [(0, "rig:"), (1, "*m:Hips"), (2, "*m:L_Leg"), (3, "*m:L_Foot"), (2, "*m:L_Tail")];
        let shared: Vec<usize> = listed(&rig(&lines), false).into_iter().map(|(_, _, shared)| shared).collect();
        assert_eq!(shared, [0, "m:".len(), "m:".len(), "m:L_".len(), "m:".len()]);
    }
}
