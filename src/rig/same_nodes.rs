//! Counterparts of nodes in two hierarchies as a person sees them, after a file was changed.

use std::collections::{BTreeMap, HashMap};

use super::{Hierarchy, NodeIndex};

/// For each node of `from` its counterpart in `to`, if there is one; no node of `to` is the counterpart of two.
///
/// A name that is unique in both hierarchies decides, wherever it now stands. Where names repeat, the place does: the same turn among the
/// children of that name of the same parent. Of the nodes that are left, a name that is unique but for its namespaces, capitals and the number that Blender
/// adds to a copy's, as in `Hips.001`, decides too.
pub fn same_nodes(from: &Hierarchy, to: &Hierarchy) -> Vec<Option<NodeIndex>> {
    let (unique_from, unique_to) = (unique_names(from), unique_names(to));
    let by_place = by_place(to);
    let mut turns: HashMap<(Option<NodeIndex>, &str), usize> = HashMap::new();
    let mut same: Vec<Option<NodeIndex>> = Vec::with_capacity(from.len());
    for node in from.nodes() {
        let (name, parent) = (from.name(node), from.parent(node));
        let turn = turns.entry((parent, name)).or_default();
        let at_place = || {
            // The counterpart of a root is a root, that of any other node has the counterpart of its parent.
            let parent = parent.map(|p| same[p.index()].ok_or(())).transpose().ok()?;
            by_place.get(&(parent, name))?.get(*turn).copied()
        };
        let by_name = || unique_from.get(name).and(unique_to.get(name)).copied().flatten();
        let found = if unique_from.get(name) == Some(&Some(node)) { by_name().or_else(at_place) } else { at_place() };
        *turn += 1;
        same.push(found);
    }
    add_renamed(from, to, &mut same);
    same
}

/// Adds the nodes whose names differ in what programs add to them or change of them alone.
fn add_renamed(from: &Hierarchy, to: &Hierarchy, same: &mut [Option<NodeIndex>]) {
    let mut is_taken = vec![false; to.len()];
    same.iter().flatten().for_each(|node| is_taken[node.index()] = true);
    let left = |hierarchy: &Hierarchy, is_left: &dyn Fn(NodeIndex) -> bool| {
        let mut nodes = BTreeMap::new();
        for node in hierarchy.nodes().filter(|node| is_left(*node) && !hierarchy.is_unnamed(*node)) {
            let name = without_number(&bare_name(hierarchy.name(node))).to_owned();
            nodes.entry(name).and_modify(|n| *n = None).or_insert(Some(node));
        }
        nodes
    };
    let new = left(to, &|node| !is_taken[node.index()]);
    for (name, node) in left(from, &|node| same[node.index()].is_none()) {
        if let (Some(node), Some(Some(counterpart))) = (node, new.get(&name)) {
            same[node.index()] = Some(*counterpart);
        }
    }
}

/// The name without its namespaces, in lower case.
pub fn bare_name(name: &str) -> String {
    name.rsplit([':', '|']).next().unwrap_or(name).to_lowercase()
}

/// The name without the three digits that Blender adds to that of a copy.
fn without_number(name: &str) -> &str {
    let is_number = |end: &str| end.len() == 3 && end.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once('.').filter(|(_, end)| is_number(end)).map_or(name, |(begin, _)| begin)
}

/// The node of each name, `None` where several have it.
fn unique_names(hierarchy: &Hierarchy) -> HashMap<&str, Option<NodeIndex>> {
    let mut nodes = HashMap::new();
    for node in hierarchy.nodes() {
        nodes.entry(hierarchy.name(node)).and_modify(|n| *n = None).or_insert(Some(node));
    }
    nodes
}

/// The nodes of each parent and name, in their order.
fn by_place(hierarchy: &Hierarchy) -> HashMap<(Option<NodeIndex>, &str), Vec<NodeIndex>> {
    let mut nodes: HashMap<_, Vec<NodeIndex>> = HashMap::new();
    for node in hierarchy.nodes() {
        nodes.entry((hierarchy.parent(node), hierarchy.name(node))).or_default().push(node);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::NodeDescription;

    /// A hierarchy from `(name, children)` of each node.
    fn hierarchy(nodes: &[(&str, &[usize])]) -> Hierarchy {
        let nodes: Vec<NodeDescription> = nodes
            .iter()
            .map(|(name, children)| NodeDescription {
                name: (*name).to_owned(),
                children: children.to_vec(),
                ..NodeDescription::default()
            })
            .collect();
        Hierarchy::new(&nodes).unwrap()
    }

    /// The file's numbers in `to` of the nodes of `from` in the order of theirs.
    fn sources(from: &Hierarchy, to: &Hierarchy) -> Vec<Option<usize>> {
        let same = same_nodes(from, to);
        (0..from.len()).map(|s| same[from.by_source(s).unwrap().index()].map(|n| to.source(n))).collect()
    }

    #[test]
    fn a_unique_name_is_found_wherever_it_went() {
        let old = hierarchy(&[("hips", &[1]), ("spine", &[2]), ("head", &[])]);
        let new = hierarchy(&[("head", &[]), ("root", &[2, 0]), ("hips", &[])]);
        assert_eq!(sources(&old, &new), [Some(2), None, Some(0)]);
    }

    #[test]
    fn names_that_repeat_are_told_apart_by_their_place() {
        let old = hierarchy(&[
            ("root", &[1, 2]),
            ("left", &[3]),
            ("right", &[4, 5]),
            ("hand", &[]),
            ("hand", &[]),
            ("hand", &[]),
        ]);
        let new = hierarchy(&[("root", &[2, 1]), ("right", &[3]), ("left", &[4]), ("hand", &[]), ("hand", &[])]);
        assert_eq!(sources(&old, &new), [Some(0), Some(2), Some(1), Some(4), Some(3), None]);
    }

    #[test]
    fn namespaces_capitals_and_numbers_of_copies_are_no_other_names_where_they_leave_one_node() {
        let old = hierarchy(&[("Hips", &[1, 2]), ("finger.001", &[]), ("finger.002", &[])]);
        let new = hierarchy(&[("ns:hips.003", &[2, 1]), ("Finger.001", &[]), ("FINGER.002", &[])]);
        assert_eq!(sources(&old, &new), [Some(0), None, None], "which finger is which is not known");
        let exact = hierarchy(&[("Hips", &[1, 2]), ("hips", &[]), ("ns:hips", &[])]);
        assert_eq!(sources(&old, &exact), [Some(0), None, None], "no node is the counterpart of two");
    }

    #[test]
    fn a_name_that_became_one_of_several_is_found_at_its_place() {
        let old = hierarchy(&[("root", &[1]), ("twin", &[])]);
        let new = hierarchy(&[("root", &[1, 2]), ("twin", &[]), ("twin", &[])]);
        assert_eq!(sources(&old, &new), [Some(0), Some(1)]);
        assert_eq!(sources(&new, &old), [Some(0), Some(1), None]);
    }
}
