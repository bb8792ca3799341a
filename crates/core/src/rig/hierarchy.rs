use std::ops::Range;

use glam::{Affine3, DVec3};

use super::Trs;

/// Index of a node in the arrays of [`Hierarchy`]; differs from the node's index in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct NodeIndex(pub u32);

impl NodeIndex {
    /// Returns the index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<usize> for NodeIndex {
    fn from(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

impl From<NodeIndex> for usize {
    fn from(node: NodeIndex) -> Self {
        node.index()
    }
}

/// A node as stored in a file.
#[derive(Clone, Debug, Default)]
pub struct NodeDescription {
    /// Name; may be empty or repeated.
    pub name: String,
    /// Indices of the children in the file.
    pub children: Vec<usize>,
    /// Rest transform, parent from node.
    pub rest: Trs,
    /// Rest transform as a matrix, possibly with shear; overrides `rest`.
    pub matrix: Option<Affine3>,
    /// Whether import added the node to store one component of another node's transform.
    pub is_helper: bool,
}

impl NodeDescription {
    /// Creates a node with a rest transform without shear.
    pub fn new(name: impl Into<String>, children: Vec<usize>, rest: Trs) -> Self {
        Self { name: name.into(), children, rest, ..Self::default() }
    }
}

/// Why nodes don't form a tree.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HierarchyError {
    /// A child does not exist.
    #[error("node {node} refers to child {child}, but there are only {count} nodes")]
    MissingChild {
        /// Index of the parent in the file.
        node: usize,
        /// Index that the parent gives for the child.
        child: usize,
        /// Number of nodes.
        count: usize,
    },
    /// A node is its own child.
    #[error("node {node} lists itself as a child; the hierarchy must be a tree")]
    OwnParent {
        /// Index of the node in the file.
        node: usize,
    },
    /// A node has two parents.
    #[error("node {node} has two parents, {first} and {second}; only one is allowed")]
    TwoParents {
        /// Index of the child in the file.
        node: usize,
        /// Index of one parent in the file.
        first: usize,
        /// Index of the other parent in the file.
        second: usize,
    },
    /// A node is its own ancestor.
    #[error("node {node} is its own ancestor; the hierarchy must be a tree")]
    Cycle {
        /// Index in the file of a node in the cycle.
        node: usize,
    },
}

/// All nodes of a file in depth-first order: parents before children, subtrees contiguous.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    parents: Vec<Option<NodeIndex>>,
    subtree_ends: Vec<u32>,
    children: Vec<Vec<NodeIndex>>,
    names: Vec<String>,
    sources: Vec<usize>,
    by_source: Vec<NodeIndex>,
    rest: Vec<Trs>,
    rest_local: Vec<Affine3>,
    is_helper: Vec<bool>,
    anchor: DVec3,
}

impl Hierarchy {
    /// Sorts nodes in depth-first order. `nodes` lists all nodes of the file in file order. *Errors*: the nodes don't
    /// form a tree.
    pub fn new(nodes: &[NodeDescription]) -> Result<Self, HierarchyError> {
        let parent_sources = parent_sources(nodes)?;
        let mut sorted = Self { by_source: vec![NodeIndex(u32::MAX); nodes.len()], ..Self::default() };
        for root in (0..nodes.len()).filter(|&i| parent_sources[i].is_none()) {
            // Explicit stack, because files may nest nodes deeper than the call stack allows.
            let mut stack = vec![root];
            while let Some(source) = stack.pop() {
                let parent = parent_sources[source].map(|p| sorted.by_source[p]);
                sorted.push(source, parent, &nodes[source]);
                stack.extend(nodes[source].children.iter().rev());
            }
        }
        if let Some(node) = sorted.by_source.iter().position(|n| n.0 == u32::MAX) {
            return Err(HierarchyError::Cycle { node });
        }
        sorted.link();
        Ok(sorted)
    }

    fn push(&mut self, source: usize, parent: Option<NodeIndex>, node: &NodeDescription) {
        self.by_source[source] = NodeIndex::from(self.parents.len());
        self.parents.push(parent);
        self.names.push(node.name.clone());
        self.sources.push(source);
        self.rest.push(node.rest);
        self.is_helper.push(node.is_helper);
        self.rest_local.push(node.matrix.unwrap_or_else(|| node.rest.to_affine()));
    }

    fn link(&mut self) {
        let count = self.parents.len();
        self.children = vec![Vec::new(); count];
        self.subtree_ends = (1..=count).map(|end| end as u32).collect();
        for i in (0..count).rev() {
            if let Some(p) = self.parents[i] {
                self.subtree_ends[p.index()] = self.subtree_ends[p.index()].max(self.subtree_ends[i]);
            }
        }
        for i in 0..count {
            if let Some(p) = self.parents[i] {
                self.children[p.index()].push(NodeIndex::from(i));
            }
        }
    }

    /// Returns the nodes in file order. [`Self::new`] makes the same hierarchy of them, without the anchor.
    pub fn descriptions(&self) -> Vec<NodeDescription> {
        let described = |&node: &NodeIndex| NodeDescription {
            name: self.name(node).to_owned(),
            children: self.children(node).iter().map(|&child| self.source(child)).collect(),
            rest: *self.rest(node),
            matrix: (self.rest(node).to_affine() != *self.rest_local(node)).then(|| *self.rest_local(node)),
            is_helper: self.is_helper(node),
        };
        self.by_source.iter().map(described).collect()
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Iterates over all nodes, parents first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeIndex> + ExactSizeIterator + use<> {
        (0..self.parents.len() as u32).map(NodeIndex)
    }

    /// Returns the first node with this name.
    pub fn node_named(&self, name: &str) -> Option<NodeIndex> {
        self.nodes().find(|&node| self.name(node) == name)
    }

    /// Returns the parent of a node; `None` for roots.
    pub fn parent(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.parents[node.index()]
    }

    /// Returns the children, in file order.
    pub fn children(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.children[node.index()]
    }

    /// Returns the index range of a node and all its descendants.
    pub fn subtree(&self, node: NodeIndex) -> Range<usize> {
        node.index()..self.subtree_ends[node.index()] as usize
    }

    /// Iterates from the parent up to the root.
    pub fn ancestors(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        std::iter::successors(self.parent(node), |&n| self.parent(n))
    }

    /// Returns the name in the file, or `node N` if unnamed.
    pub fn name(&self, node: NodeIndex) -> &str {
        &self.names[node.index()]
    }

    /// Returns whether the node has no name in the file.
    pub fn is_unnamed(&self, node: NodeIndex) -> bool {
        let name = self.name(node);
        name.is_empty() || name.strip_prefix("node ").is_some_and(|n| n.parse() == Ok(self.source(node)))
    }

    /// Returns whether import added the node; see [`NodeDescription::is_helper`].
    pub fn is_helper(&self, node: NodeIndex) -> bool {
        self.is_helper[node.index()]
    }

    /// Returns the names from root to node, joined by `/`.
    pub fn path(&self, node: NodeIndex) -> String {
        let mut names: Vec<&str> = self.ancestors(node).map(|n| self.name(n)).collect();
        names.reverse();
        names.push(self.name(node));
        names.join("/")
    }

    /// Returns the node's index in the file.
    pub fn source(&self, node: NodeIndex) -> usize {
        self.sources[node.index()]
    }

    /// Finds a node by its index in the file.
    pub fn by_source(&self, source: usize) -> Option<NodeIndex> {
        self.by_source.get(source).copied()
    }

    /// Returns `L_j`, parent from node, as stored in the file.
    pub fn rest_local(&self, node: NodeIndex) -> &Affine3 {
        &self.rest_local[node.index()]
    }

    /// Returns `L_j` as translation, rotation and scale; an animation may replace each of them.
    pub fn rest(&self, node: NodeIndex) -> &Trs {
        &self.rest[node.index()]
    }

    /// Returns the origin of world space in file coordinates, metres: 0 unless the rig is far from the file's origin.
    /// All world-space data is relative to this anchor; [`Self::in_file`] converts to file coordinates. The anchor
    /// depends only on the rest pose and is exact in single precision.
    pub fn anchor(&self) -> DVec3 {
        self.anchor
    }

    pub(super) fn set_anchor(&mut self, anchor: DVec3) {
        self.anchor = anchor;
    }

    pub(super) fn rests(&self) -> &[Trs] {
        &self.rest
    }

    /// Returns the rest transform of each node, parent from node.
    pub fn rest_locals(&self) -> &[Affine3] {
        &self.rest_local
    }
}

fn parent_sources(nodes: &[NodeDescription]) -> Result<Vec<Option<usize>>, HierarchyError> {
    let mut parents = vec![None; nodes.len()];
    for (node, description) in nodes.iter().enumerate() {
        for &child in &description.children {
            if child == node {
                return Err(HierarchyError::OwnParent { node });
            }
            let slot =
                parents.get_mut(child).ok_or(HierarchyError::MissingChild { node, child, count: nodes.len() })?;
            if let Some(first) = slot.replace(node) {
                return Err(HierarchyError::TwoParents { node: child, first, second: node });
            }
        }
    }
    Ok(parents)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(children: &[&[usize]]) -> Vec<NodeDescription> {
        children
            .iter()
            .enumerate()
            .map(|(i, c)| NodeDescription { name: format!("n{i}"), children: c.to_vec(), ..NodeDescription::default() })
            .collect()
    }

    #[test]
    fn parents_come_first_and_subtrees_are_contiguous() {
        let h = Hierarchy::new(&nodes(&[&[], &[3, 0], &[], &[2]])).unwrap();
        let names: Vec<_> = h.nodes().map(|n| h.name(n).to_owned()).collect();
        assert_eq!(names, ["n1", "n3", "n2", "n0"]);
        assert_eq!(h.subtree(NodeIndex(0)), 0..4);
        assert_eq!(h.subtree(NodeIndex(1)), 1..3);
        assert_eq!(h.path(NodeIndex(2)), "n1/n3/n2");
        assert_eq!(h.by_source(0), Some(NodeIndex(3)));
        assert_eq!(h.children(NodeIndex(0)), [NodeIndex(1), NodeIndex(3)]);
    }

    #[test]
    fn node_cycles_are_rejected() {
        let refused = |c: &[&[usize]]| Hierarchy::new(&nodes(c)).unwrap_err();
        assert_eq!(refused(&[&[0]]), HierarchyError::OwnParent { node: 0 });
        assert_eq!(refused(&[&[], &[2], &[1]]), HierarchyError::Cycle { node: 1 });
        assert!(matches!(refused(&[&[7]]), HierarchyError::MissingChild { child: 7, .. }));
        assert!(matches!(refused(&[&[2], &[2], &[]]), HierarchyError::TwoParents { node: 2, .. }));
        assert_eq!(refused(&[&[1], &[1]]), HierarchyError::OwnParent { node: 1 });
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_nodes_is_sorted() {
        let count = 100_000;
        let h = crate::rig::testing::chain(count, Trs::IDENTITY);
        assert_eq!(h.subtree(NodeIndex(0)), 0..count);
    }

    #[test]
    fn a_node_without_a_name_of_its_own_has_none_or_that_which_its_number_makes() {
        let names = ["node 0", "", "node 0", "node", "node 4x"];
        let described = names.map(|name| NodeDescription { name: name.to_owned(), ..NodeDescription::default() });
        let hierarchy = Hierarchy::new(&described).unwrap();
        let is_unnamed = |source| hierarchy.is_unnamed(hierarchy.by_source(source).unwrap());
        assert_eq!([0, 1, 2, 3, 4].map(is_unnamed), [true, true, false, false, false]);
    }
}
