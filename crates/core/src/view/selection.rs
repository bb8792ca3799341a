use super::{Side, View};
use crate::rig::{Hierarchy, MorphIndex, NodeIndex, Rig};

/// A listed problem whose joints or vertices are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectedProblem {
    /// Index of a lint finding.
    Finding(usize),
    /// Index in a side's list of weight problems.
    Weights(Side, usize),
    /// Index of a pose of the bend test.
    BendPose(usize),
}

impl View {
    /// Returns the active joint, if any joint is selected.
    pub fn active_joint(&self) -> Option<NodeIndex> {
        self.selected.last().copied()
    }

    /// Returns the index of the selected finding.
    pub fn selected_finding(&self) -> Option<usize> {
        if let Some(SelectedProblem::Finding(index)) = self.problem { Some(index) } else { None }
    }

    /// Returns the index of the selected problem in a side's list of weight problems.
    pub fn selected_weight_problem(&self, side: Side) -> Option<usize> {
        match self.problem {
            Some(SelectedProblem::Weights(shown, index)) if shown == side => Some(index),
            _ => None,
        }
    }

    /// Returns the index of the selected pose of the bend test.
    pub fn selected_bend_pose(&self) -> Option<usize> {
        if let Some(SelectedProblem::BendPose(index)) = self.problem { Some(index) } else { None }
    }

    /// Selects nodes, the last one as active, and clears highlights. If a node is repeated, only its last occurrence
    /// counts.
    pub fn select(&mut self, nodes: impl IntoIterator<Item = NodeIndex>, hierarchy: &Hierarchy) {
        let mut is_known = vec![false; hierarchy.len()];
        let mut selected: Vec<NodeIndex> = nodes.into_iter().filter(|node| node.index() < hierarchy.len()).collect();
        selected.reverse();
        selected.retain(|node| !std::mem::replace(&mut is_known[node.index()], true));
        selected.reverse();
        self.selected = selected;
        self.marked.clear();
        self.problem = None;
    }

    /// Selects the joint that `relative` returns for the active joint. If it returns none, keeps the selection.
    pub fn select_relative(
        &mut self,
        hierarchy: &Hierarchy,
        relative: impl FnOnce(&Hierarchy, NodeIndex) -> Option<NodeIndex>,
    ) {
        let relative = self.active_joint().and_then(|node| relative(hierarchy, node));
        if relative.is_some() {
            self.select(relative, hierarchy);
        }
    }

    /// Toggles between showing all bones and only the bones below the active joint.
    pub fn toggle_isolated(&mut self, hierarchy: &Hierarchy) {
        let subtree = self.active_joint().map(|node| hierarchy.subtree(node));
        self.isolated = subtree.filter(|_| self.isolated.is_none());
    }

    /// Returns the morph target last edited or chosen, by default the first.
    pub fn active_morph(&self, rig: &Rig) -> Option<MorphIndex> {
        self.morph.or_else(|| rig.indexed_morphs().next().map(|(first, _)| first))
    }

    /// Sets the active morph target.
    pub fn choose_morph(&mut self, morph: MorphIndex, rig: &Rig) {
        self.morph = Some(morph).filter(|m| m.index() < rig.morphs().len());
    }

    /// Returns the selection with a node added, or removed if it was selected.
    pub fn toggled(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let mut selected = self.selected.clone();
        selected.retain(|&other| other != node);
        if selected.len() == self.selected.len() {
            selected.push(node);
        }
        selected
    }

    /// Returns the selected nodes and all their posable descendants. The active joint stays active.
    pub fn selected_with_descendants(&self, rig: &Rig) -> Vec<NodeIndex> {
        let is_posable = |node: &NodeIndex| rig.counts_as_joint(*node);
        let below = self.selected_subtrees(&rig.hierarchy).into_iter().filter(is_posable);
        self.selected.iter().copied().chain(below).chain(self.active_joint()).collect()
    }

    /// Returns the selected nodes and their descendants without duplicates.
    pub fn selected_subtrees(&self, hierarchy: &Hierarchy) -> Vec<NodeIndex> {
        let mut roots = self.selected.clone();
        roots.sort_unstable();
        let mut nodes = Vec::new();
        let mut end = 0;
        for root in roots {
            // Subtrees are disjoint or nested.
            let subtree = hierarchy.subtree(root);
            nodes.extend((subtree.start.max(end)..subtree.end).map(|i| NodeIndex(i as u32)));
            end = end.max(subtree.end);
        }
        nodes
    }
}
