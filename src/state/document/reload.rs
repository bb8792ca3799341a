//! The open file read again: its pose by joint name, and what changed in words.

use crate::matching::NodeMatch;
use crate::rig::{NodeIndex, Rig};

/// Names told of joints that came or went.
const MAX_NAMES: usize = 3;

/// What changed in a file of this name, in a sentence.
pub(in crate::state) fn told(name: &str, old: &Rig, new: &Rig, is_any_set_aside: bool) -> String {
    let mut changes = joint_changes(old, new, &NodeMatch::between(old, new));
    let (before, after) = (old.vertex_count(), new.vertex_count());
    if before != after {
        changes.push(format!("{before} -> {after} vertices"));
    }
    if changes.is_empty() {
        changes.push("same joints, same number of vertices".to_owned());
    }
    if is_any_set_aside {
        changes.push("what was done to joints or morph targets that are gone comes back with them".to_owned());
    }
    format!("{name} was reloaded: {}.", changes.join("; "))
}

fn joint_changes(old: &Rig, new: &Rig, same: &NodeMatch) -> Vec<String> {
    let mut is_known = vec![false; new.hierarchy.len()];
    let mut removed = Vec::new();
    for joint in old.hierarchy.nodes().filter(|n| counts(old, *n)) {
        match same.new_of(joint).filter(|n| counts(new, *n)) {
            Some(counterpart) => is_known[counterpart.index()] = true,
            None => removed.push(old.hierarchy.name(joint)),
        }
    }
    let is_added = |n: &NodeIndex| counts(new, *n) && !is_known[n.index()];
    let added: Vec<&str> = new.hierarchy.nodes().filter(is_added).map(|n| new.hierarchy.name(n)).collect();
    [("added", added), ("removed", removed)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{} {what} ({})", counted(names.len()), listed(&names)))
        .collect()
}

/// A rig without skins is posed by its nodes.
fn counts(rig: &Rig, node: NodeIndex) -> bool {
    rig.skins.is_empty() || rig.is_joint(node)
}

fn counted(joints: usize) -> String {
    if joints == 1 { "1 joint".to_owned() } else { format!("{joints} joints") }
}

fn listed(names: &[&str]) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown = names[..names.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
