//! Which joints are selected; the last one is the active one.

use super::AppState;
use crate::rig::NodeIndex;

impl AppState {
    pub(super) fn select(&mut self, node: Option<NodeIndex>) {
        self.select_all(node);
    }

    /// Each once, the last as the active one.
    pub(super) fn select_all(&mut self, nodes: impl IntoIterator<Item = NodeIndex>) {
        let count = self.open.document.rig.hierarchy.len();
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
        self.open.view.selected = selected;
        self.open.view.marked.clear();
        self.open.lint.selected = None;
    }

    /// Adds a joint as the active one, or takes it out.
    pub(super) fn toggle_selected(&mut self, node: NodeIndex) {
        let mut selected = std::mem::take(&mut self.open.view.selected);
        let before = selected.len();
        selected.retain(|&n| n != node);
        if selected.len() == before {
            selected.push(node);
        }
        self.select_all(selected);
    }

    pub(super) fn select_parent(&mut self) {
        let hierarchy = &self.open.document.rig.hierarchy;
        if let Some(parent) = self.selected().and_then(|n| hierarchy.parent(n)) {
            self.select(Some(parent));
        }
    }

    pub(super) fn select_child(&mut self) {
        let hierarchy = &self.open.document.rig.hierarchy;
        if let Some(&child) = self.selected().and_then(|n| hierarchy.children(n).first()) {
            self.select(Some(child));
        }
    }

    /// The bones of the active joint and below alone, or all again.
    pub(super) fn toggle_isolated(&mut self) {
        let hierarchy = &self.open.document.rig.hierarchy;
        let subtree = self.selected().map(|node| hierarchy.subtree(node));
        self.open.view.isolated = subtree.filter(|_| self.open.view.isolated.is_none());
        self.pose_changed();
    }

    /// All that can be posed below the selected joints too; the active one stays active.
    pub(super) fn select_subtree(&mut self) {
        let (rig, active) = (self.open.document.rig.clone(), self.selected());
        let is_posable = |n: &NodeIndex| rig.skins.is_empty() || rig.is_joint(*n);
        let below = self.selected_subtrees().into_iter().filter(is_posable);
        let nodes: Vec<NodeIndex> = self.open.view.selected.iter().copied().chain(below).chain(active).collect();
        self.select_all(nodes);
    }

    /// The selected nodes and all below them, each once, however the selected ones lie below one another.
    pub(super) fn selected_subtrees(&self) -> Vec<NodeIndex> {
        let mut roots = self.open.view.selected.clone();
        roots.sort_unstable();
        let mut nodes = Vec::new();
        let mut end = 0;
        for root in roots {
            // Subtrees stand side by side or one in the other.
            let subtree = self.open.document.rig.hierarchy.subtree(root);
            nodes.extend((subtree.start.max(end)..subtree.end).map(|i| NodeIndex(i as u32)));
            end = end.max(subtree.end);
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::state::{Action, BuiltIn, Command, Document, Settings, Source};

    fn tube() -> AppState {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        AppState::new(document, Settings::default())
    }

    #[test]
    fn joints_are_added_and_taken_out_and_the_last_is_active() {
        let mut state = tube();
        let [a, b, c] = [1, 2, 3].map(NodeIndex);
        for node in [a, b, c] {
            state.apply(Command::ToggleSelected(node));
        }
        assert_eq!((state.open.view.selected.as_slice(), state.selected()), (&[a, b, c][..], Some(c)));
        state.apply(Command::ToggleSelected(c));
        assert_eq!(state.selected(), Some(b));
        state.apply(Command::SelectAll(vec![b, a, b, NodeIndex(900)]));
        assert_eq!(state.open.view.selected, [a, b], "each once, and none that does not exist");
    }

    #[test]
    fn the_subtrees_of_all_selected_joints_are_selected() {
        let mut state = tube();
        let middle = state.rig().hierarchy.nodes().find(|&n| state.rig().hierarchy.name(n) == "Middle").unwrap();
        state.apply(Command::Select(Some(middle)));
        state.apply(Command::Do(Action::SelectSubtree));
        assert_eq!(state.selected(), Some(middle), "the active joint stays");
        assert_eq!(state.open.view.selected.len(), state.rig().hierarchy.subtree(middle).len());
    }

    #[test]
    fn subtrees_of_joints_below_one_another_have_each_joint_once() {
        let mut state = tube();
        let hierarchy = state.open.document.rig.hierarchy.clone();
        let (root, below) = (NodeIndex(0), hierarchy.children(NodeIndex(0))[0]);
        state.apply(Command::SelectAll(vec![below, root]));
        let all: Vec<NodeIndex> = hierarchy.subtree(root).map(|i| NodeIndex(i as u32)).collect();
        assert_eq!(state.selected_subtrees(), all);
    }
}
