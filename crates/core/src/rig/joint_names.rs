use std::cell::OnceCell;
use std::collections::HashMap;
use std::iter::once;

use super::{Hierarchy, NodeIndex};

/// Returns the pose-file name of each of `nodes`: its name if that is unique, otherwise its path if that is unique and
/// short, otherwise `#` and its index in the file.
pub fn joint_names(hierarchy: &Hierarchy, nodes: &[NodeIndex]) -> Vec<String> {
    let names = JointNames::new(hierarchy);
    nodes.iter().map(|&node| names.name(node)).collect()
}

/// Returns the pose-file name of every node; see [`joint_names`].
pub fn node_names(hierarchy: &Hierarchy) -> Vec<String> {
    let names = JointNames::new(hierarchy);
    hierarchy.nodes().map(|node| names.name(node)).collect()
}

/// Finds nodes by pose-file names; skips unknown names.
pub fn find_known_joints(hierarchy: &Hierarchy, names: &[String]) -> Vec<NodeIndex> {
    find_joints(hierarchy, names).into_iter().flatten().collect()
}

/// Finds the node of each pose-file name; `None` for unknown names.
pub fn find_joints<'a>(hierarchy: &Hierarchy, names: impl IntoIterator<Item = &'a String>) -> Vec<Option<NodeIndex>> {
    let known = JointNames::new(hierarchy);
    names.into_iter().map(|name| known.find(name).first().copied()).collect()
}

/// Lookup table of node names, for pose and session files. *Cost* of a lookup: linear in the length of the name.
pub struct JointNames<'a> {
    hierarchy: &'a Hierarchy,
    by_name: HashMap<&'a str, Vec<NodeIndex>>,
    /// Built when a name is ambiguous for the first time; most rigs have no ambiguous names.
    paths: OnceCell<NodePaths>,
}

struct NodePaths {
    by_hash: HashMap<u64, Vec<NodeIndex>>,
    /// Hash and byte length of each node's path.
    of_nodes: Vec<(u64, usize)>,
}

/// Maximum length of a path used as a name, bytes. Nodes with longer paths are named by their index, so that files stay
/// small.
const MAX_PATH_BYTES: usize = 1000;

impl<'a> JointNames<'a> {
    /// Collects the names of a hierarchy.
    pub fn new(hierarchy: &'a Hierarchy) -> Self {
        let mut by_name: HashMap<&str, Vec<NodeIndex>> = HashMap::new();
        for node in hierarchy.nodes() {
            by_name.entry(hierarchy.name(node)).or_default().push(node);
        }
        Self { hierarchy, by_name, paths: OnceCell::new() }
    }

    /// Returns a node's pose-file name, such as "Hand", "Hips/Left/Hand" or "#12"; see [`joint_names`].
    fn name(&self, node: NodeIndex) -> String {
        let name = self.hierarchy.name(node);
        if self.by_name.get(name).is_some_and(|nodes| nodes.len() == 1) && !name.starts_with('#') && !name.contains('/')
        {
            return name.to_owned();
        }
        let has_slash = self.hierarchy.parent(node).is_some() || name.contains('/');
        if has_slash && self.paths().is_unique_and_short(node) {
            self.hierarchy.path(node)
        } else {
            format!("#{}", self.hierarchy.source(node))
        }
    }

    /// Finds all nodes with a pose-file name: by file index, else by path, else by name. Inverse of `name`.
    pub fn find(&self, key: &str) -> Vec<NodeIndex> {
        let number = || key.strip_prefix('#')?.parse().ok();
        if let Some(node) = number().and_then(|n| self.hierarchy.by_source(n)) {
            return vec![node];
        }
        let by_path = if key.contains('/') { self.at_path(key) } else { Vec::new() };
        if by_path.is_empty() { self.by_name.get(key).cloned().unwrap_or_default() } else { by_path }
    }

    fn at_path(&self, path: &str) -> Vec<NodeIndex> {
        let alike = self.paths().by_hash.get(&hash(EMPTY, path)).into_iter().flatten();
        alike.copied().filter(|&node| is_path(self.hierarchy, node, path)).collect()
    }

    fn paths(&self) -> &NodePaths {
        self.paths.get_or_init(|| NodePaths::new(self.hierarchy))
    }
}

impl NodePaths {
    fn new(hierarchy: &Hierarchy) -> Self {
        let mut by_hash: HashMap<u64, Vec<NodeIndex>> = HashMap::new();
        let mut of_nodes: Vec<(u64, usize)> = Vec::with_capacity(hierarchy.len());
        for node in hierarchy.nodes() {
            let (above, length) = hierarchy.parent(node).map_or((EMPTY, 0), |parent| {
                let (above, length) = of_nodes[parent.index()];
                (hash(above, "/"), length + 1)
            });
            let name = hierarchy.name(node);
            let own = (hash(above, name), length + name.len());
            by_hash.entry(own.0).or_default().push(node);
            of_nodes.push(own);
        }
        Self { by_hash, of_nodes }
    }

    /// Returns whether a node's path can serve as its pose-file name. Paths with equal hashes don't count as unique.
    fn is_unique_and_short(&self, node: NodeIndex) -> bool {
        let (hash, length) = self.of_nodes[node.index()];
        length <= MAX_PATH_BYTES && self.by_hash.get(&hash).is_some_and(|nodes| nodes.len() == 1)
    }
}

/// FNV-1a offset basis: hash of the empty string.
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

fn hash(before: u64, text: &str) -> u64 {
    text.bytes().fold(before, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns whether a node has this path, without building the node's path.
fn is_path(hierarchy: &Hierarchy, node: NodeIndex, path: &str) -> bool {
    let mut rest = path;
    for at in once(node).chain(hierarchy.ancestors(node)) {
        let above = rest.strip_suffix(hierarchy.name(at));
        let is_root = hierarchy.parent(at).is_none();
        match above.and_then(|above| if is_root { Some(above) } else { above.strip_suffix('/') }) {
            Some(above) => rest = above,
            None => return false,
        }
    }
    rest.is_empty()
}
