//! Which nodes of two rigs are the same one: by name, by place where names repeat, by both where they changed.

use std::collections::HashMap;

use glam::Vec3;

use super::space::Space;
use super::version::Version;
use crate::rig::{Hierarchy, NodeIndex, bare_name};

/// The nodes of one rig in another; no node is the counterpart of two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointMatch {
    new_of: Vec<Option<NodeIndex>>,
    old_of: Vec<Option<NodeIndex>>,
}

/// Nodes of one name below one node are told apart by their places where there are no more of them.
const SEARCHED: usize = 512;
/// Of the rig's size: a joint of another name that is as near is the same one.
const SAME_PLACE: f32 = 1e-3;

impl JointMatch {
    /// Nodes by their names: a name that only one node has in both rigs decides, wherever it stands; of others those below the same node that are nearest
    /// at rest.
    pub(super) fn by_name(old: &Version<'_>, new: &Version<'_>) -> Self {
        let (from, to) = (&old.rig.hierarchy, &new.rig.hierarchy);
        let mut found = Self { new_of: vec![None; from.len()], old_of: vec![None; to.len()] };
        let unique = (unique_names(from, name_of), unique_names(to, name_of));
        found.join_unique(&unique.0, &unique.1);
        for reach in [SAME_PLACE * new.rig.size(), f32::INFINITY] {
            found.join_below(old, new, name_of, Space::SAME, reach);
        }
        found.join_again(from, to);
        found
    }

    /// Adds nodes whose names changed: by a namespace or capitals alone, or wholly where both stand at one place below the same node.
    pub(super) fn add_renamed(&mut self, old: &Version<'_>, new: &Version<'_>, space: Space) {
        let rest = |hierarchy: &Hierarchy, found: &[Option<NodeIndex>]| {
            let left = |node: &NodeIndex| found[node.index()].is_none();
            unique_names_of(hierarchy, hierarchy.nodes().filter(left), |h, n| bare_name(name_of(h, n)))
        };
        let (from, to) = (rest(&old.rig.hierarchy, &self.new_of), rest(&new.rig.hierarchy, &self.old_of));
        self.join_unique(&from, &to);
        self.join_below(old, new, |_, _| "", space, SAME_PLACE * new.rig.size());
    }

    /// The node of the new rig that a node of the old one is now.
    pub fn new_of(&self, old: NodeIndex) -> Option<NodeIndex> {
        self.new_of[old.index()]
    }

    /// The node of the old rig that a node of the new one was.
    pub fn old_of(&self, new: NodeIndex) -> Option<NodeIndex> {
        self.old_of[new.index()]
    }

    /// Both of every node that is in both, the old one first, in its order.
    pub fn pairs(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        (0..).map(NodeIndex).zip(&self.new_of).filter_map(|(old, new)| Some((old, (*new)?)))
    }

    fn join(&mut self, old: NodeIndex, new: NodeIndex) {
        self.new_of[old.index()] = Some(new);
        self.old_of[new.index()] = Some(old);
    }

    fn join_unique<N: Eq + std::hash::Hash + Ord>(
        &mut self,
        from: &HashMap<N, Option<NodeIndex>>,
        to: &HashMap<N, Option<NodeIndex>>,
    ) {
        let mut pairs: Vec<(NodeIndex, NodeIndex)> =
            from.iter().filter_map(|(name, old)| Some(((*old)?, to.get(name).copied()??))).collect();
        pairs.sort_unstable();
        for (old, new) in pairs {
            self.join(old, new);
        }
    }

    /// Joins nodes of one key below nodes that are joined, parents first: those that are nearest, and no farther than `reach`; of several at one place
    /// that whose name is most alike.
    fn join_below<'a, 'b>(
        &mut self,
        old: &'a Version<'b>,
        new: &'a Version<'b>,
        key: fn(&'a Hierarchy, NodeIndex) -> &'a str,
        space: Space,
        reach: f32,
    ) {
        let (from, to) = (&old.rig.hierarchy, &new.rig.hierarchy);
        let mut free: HashMap<(Option<NodeIndex>, &str), Vec<NodeIndex>> = HashMap::new();
        // The last is taken first where they are too many to search.
        for node in to.nodes().rev().filter(|node| self.old_of(*node).is_none()) {
            free.entry((to.parent(node), key(to, node))).or_default().push(node);
        }
        for node in from.nodes() {
            let parent = from.parent(node).map(|parent| self.new_of(parent));
            if self.new_of(node).is_some() || parent == Some(None) {
                continue;
            }
            let Some(free) = free.get_mut(&(parent.flatten(), key(from, node))) else { continue };
            let place = space.point(old.place(node));
            let away = |at: NodeIndex| new.place(at).distance(place);
            let begin = free.len().saturating_sub(SEARCHED);
            let is_same_kind = |at: NodeIndex| old.rig.is_joint(node) == new.rig.is_joint(at);
            // The last is the first of the file: so those of one place and name keep their order.
            let near = (begin..free.len()).rev().filter(|&i| is_same_kind(free[i]) && away(free[i]) <= reach);
            let rank = |&i: &usize| (away(free[i]).to_bits(), usize::MAX - alike(from.name(node), to.name(free[i])));
            if let Some(nearest) = near.min_by_key(rank) {
                self.join(node, free.remove(nearest));
            }
        }
    }

    /// Joins what is left of one name, wherever it stands, in the order of the trees.
    fn join_again(&mut self, from: &Hierarchy, to: &Hierarchy) {
        let mut free: HashMap<&str, Vec<NodeIndex>> = HashMap::new();
        for node in to.nodes().rev().filter(|&node| self.old_of(node).is_none() && !to.is_unnamed(node)) {
            free.entry(to.name(node)).or_default().push(node);
        }
        for node in from.nodes().filter(|&node| !from.is_unnamed(node)) {
            if self.new_of(node).is_none()
                && let Some(other) = free.get_mut(from.name(node)).and_then(Vec::pop)
            {
                self.join(node, other);
            }
        }
    }
}

/// The file's name, and none where it gives none.
fn name_of(hierarchy: &Hierarchy, node: NodeIndex) -> &str {
    if hierarchy.is_unnamed(node) { "" } else { hierarchy.name(node) }
}

fn unique_names<'a>(
    hierarchy: &'a Hierarchy,
    name: fn(&'a Hierarchy, NodeIndex) -> &'a str,
) -> HashMap<&'a str, Option<NodeIndex>> {
    unique_names_of(hierarchy, hierarchy.nodes(), name)
}

/// The node of each name, `None` where several have it; nodes without a name are left out.
fn unique_names_of<'a, N: AsRef<str> + Eq + std::hash::Hash>(
    hierarchy: &'a Hierarchy,
    nodes: impl Iterator<Item = NodeIndex>,
    name: impl Fn(&'a Hierarchy, NodeIndex) -> N,
) -> HashMap<N, Option<NodeIndex>> {
    let mut found = HashMap::new();
    for (node, name) in nodes.map(|node| (node, name(hierarchy, node))).filter(|(_, name)| !name.as_ref().is_empty()) {
        found.entry(name).and_modify(|n| *n = None).or_insert(Some(node));
    }
    found
}

/// Bytes that two names have in common at their beginnings and ends.
fn alike(a: &str, b: &str) -> usize {
    let begin = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let end = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    (begin + end).min(a.len()).min(b.len())
}

/// Pairs of places that two versions have for the same nodes.
pub(super) fn places(old: &Version<'_>, new: &Version<'_>, joints: &JointMatch) -> Vec<(Vec3, Vec3)> {
    let told = joints.pairs().filter(|(from, to)| old.is_told(*from) && new.is_told(*to));
    told.map(|(from, to)| (old.place(from), new.place(to))).collect()
}
