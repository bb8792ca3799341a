//! Joint selection; the last selected joint is the active one.

use super::Stage;
use crate::rig::NodeIndex;

impl Stage {
    /// Selects one joint, or none.
    pub fn select(&mut self, node: Option<NodeIndex>) {
        self.select_all(node);
    }

    pub(crate) fn select_all(&mut self, nodes: impl IntoIterator<Item = NodeIndex>) {
        let count = self.document.rig.hierarchy.len();
        let mut place = vec![None; count];
        let mut selected: Vec<NodeIndex> = nodes.into_iter().filter(|n| n.index() < count).collect();
        for (i, node) in selected.iter().enumerate() {
            place[node.index()] = Some(i);
        }
        let mut i = 0;
        selected.retain(|node| {
            i += 1;
            place[node.index()] == Some(i - 1)
        });
        self.view.selected = selected;
        self.view.marked.clear();
        self.lint.selected = None;
        self.doubted.selected = None;
    }

    pub(crate) fn toggle_selected(&mut self, node: NodeIndex) {
        let mut selected = std::mem::take(&mut self.view.selected);
        let before = selected.len();
        selected.retain(|&n| n != node);
        if selected.len() == before {
            selected.push(node);
        }
        self.select_all(selected);
    }

    pub(crate) fn select_parent(&mut self) {
        let hierarchy = &self.document.rig.hierarchy;
        if let Some(parent) = self.selected().and_then(|n| hierarchy.parent(n)) {
            self.select(Some(parent));
        }
    }

    pub(crate) fn select_child(&mut self) {
        let hierarchy = &self.document.rig.hierarchy;
        if let Some(&child) = self.selected().and_then(|n| hierarchy.children(n).first()) {
            self.select(Some(child));
        }
    }

    pub(crate) fn toggle_isolated(&mut self) {
        let hierarchy = &self.document.rig.hierarchy;
        let subtree = self.selected().map(|node| hierarchy.subtree(node));
        self.view.isolated = subtree.filter(|_| self.view.isolated.is_none());
        self.pose_changed();
    }

    /// Extends the selection to all posable descendants; the active joint stays active.
    pub(crate) fn select_subtree(&mut self) {
        let (rig, active) = (self.document.rig.clone(), self.selected());
        let is_posable = |n: &NodeIndex| rig.skins.is_empty() || rig.is_joint(*n);
        let below = self.selected_subtrees().into_iter().filter(is_posable);
        let nodes: Vec<NodeIndex> = self.view.selected.iter().copied().chain(below).chain(active).collect();
        self.select_all(nodes);
    }

    /// The selected nodes and their descendants without duplicates.
    pub(crate) fn selected_subtrees(&self) -> Vec<NodeIndex> {
        let mut roots = self.view.selected.clone();
        roots.sort_unstable();
        let mut nodes = Vec::new();
        let mut end = 0;
        for root in roots {
            // Subtrees are disjoint or nested.
            let subtree = self.document.rig.hierarchy.subtree(root);
            nodes.extend((subtree.start.max(end)..subtree.end).map(|i| NodeIndex(i as u32)));
            end = end.max(subtree.end);
        }
        nodes
    }
}
