//! Joint selection; the last selected joint is the active one.

use super::Stage;
use crate::rig::{Hierarchy, NodeIndex};

impl Stage {
    /// Selects these joints instead of the current selection.
    pub fn select(&mut self, nodes: impl IntoIterator<Item = NodeIndex>) {
        self.view.select(nodes, &self.document.rig.hierarchy);
    }

    pub(crate) fn select_relative(&mut self, relative: impl FnOnce(&Hierarchy, NodeIndex) -> Option<NodeIndex>) {
        let relative = self.view.active_joint().and_then(|node| relative(&self.document.rig.hierarchy, node));
        if relative.is_some() {
            self.select(relative);
        }
    }

    /// Toggles between showing only the bones below the active joint and all bones.
    pub(crate) fn toggle_isolated(&mut self) {
        let subtree = self.view.active_joint().map(|node| self.document.rig.hierarchy.subtree(node));
        self.view.isolated = subtree.filter(|_| self.view.isolated.is_none());
        self.pose_changed();
    }
}
