//! What files of poses and sessions call joints.

use std::collections::HashMap;

use crate::rig::{Hierarchy, NodeIndex};

/// What pose files call some nodes: each the shortest name that is unique.
pub fn joint_names(hierarchy: &Hierarchy, nodes: &[NodeIndex]) -> Vec<String> {
    let names = name_counts(hierarchy);
    nodes.iter().map(|&n| unique_name(hierarchy, &names, n)).collect()
}

/// The nodes that pose files call so; a name that the rig lacks is left out.
pub fn joints_named(hierarchy: &Hierarchy, names: &[String]) -> Vec<NodeIndex> {
    joints_found(hierarchy, names).into_iter().flatten().collect()
}

/// For each name the node that pose files call so; `None` where the rig lacks it.
pub fn joints_found<'a>(hierarchy: &Hierarchy, names: impl IntoIterator<Item = &'a String>) -> Vec<Option<NodeIndex>> {
    let by_name = names_to_nodes(hierarchy);
    names.into_iter().map(|name| find(hierarchy, &by_name, name).first().copied()).collect()
}

fn name_counts(hierarchy: &Hierarchy) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for node in hierarchy.nodes() {
        *counts.entry(hierarchy.name(node)).or_insert(0) += 1;
    }
    counts
}

/// The nodes of each name.
pub(super) fn names_to_nodes(hierarchy: &Hierarchy) -> HashMap<&str, Vec<NodeIndex>> {
    let mut nodes: HashMap<&str, Vec<NodeIndex>> = HashMap::new();
    for node in hierarchy.nodes() {
        nodes.entry(hierarchy.name(node)).or_default().push(node);
    }
    nodes
}

fn unique_name(hierarchy: &Hierarchy, counts: &HashMap<&str, usize>, node: NodeIndex) -> String {
    let name = hierarchy.name(node);
    if counts.get(name) == Some(&1) && !name.starts_with('#') && !name.contains('/') {
        return name.to_owned();
    }
    let path = hierarchy.path(node);
    let is_unique = path.contains('/') && find_by_path(hierarchy, &path) == vec![node];
    if is_unique { path } else { format!("#{}", hierarchy.source(node)) }
}

/// All nodes that a key may mean, by the first reading that gives any: what [`unique_name`] writes must be read as what it was written for.
pub(super) fn find(hierarchy: &Hierarchy, by_name: &HashMap<&str, Vec<NodeIndex>>, key: &str) -> Vec<NodeIndex> {
    let number = || key.strip_prefix('#')?.parse().ok();
    if let Some(node) = number().and_then(|n| hierarchy.by_source(n)) {
        return vec![node];
    }
    let by_path = if key.contains('/') { find_by_path(hierarchy, key) } else { Vec::new() };
    if by_path.is_empty() { by_name.get(key).cloned().unwrap_or_default() } else { by_path }
}

fn find_by_path(hierarchy: &Hierarchy, path: &str) -> Vec<NodeIndex> {
    hierarchy.nodes().filter(|&n| path.ends_with(hierarchy.name(n))).filter(|&n| hierarchy.path(n) == path).collect()
}
