//! Message about what a reload changed.

use crate::matching::NodeMatch;
use crate::rig::{NodeIndex, Rig};
use crate::text::{counted, listed};

const MAX_NAMES: usize = 3;

/// Returns a sentence about the changes in a file.
pub(crate) fn reload_message(name: &str, old: &Rig, new: &Rig, has_lost_work: bool) -> String {
    let mut changes = joint_changes(old, new, &NodeMatch::between(old, new));
    let (before, after) = (old.vertex_count(), new.vertex_count());
    if before != after {
        changes.push(format!("{before} -> {after} vertices"));
    }
    if changes.is_empty() {
        changes.push("same joints, same number of vertices".to_owned());
    }
    if has_lost_work {
        changes.push("edits of missing joints and morph targets return with them".to_owned());
    }
    format!("{name} was reloaded: {}.", changes.join("; "))
}

fn joint_changes(old: &Rig, new: &Rig, same: &NodeMatch) -> Vec<String> {
    let mut is_known = vec![false; new.hierarchy.len()];
    let (mut removed, mut renamed) = (Vec::new(), Vec::new());
    for joint in old.hierarchy.nodes().filter(|n| old.counts_as_joint(*n)) {
        match same.new_for(joint).filter(|n| new.counts_as_joint(*n)) {
            Some(counterpart) => {
                is_known[counterpart.index()] = true;
                let (was, now) = (old.hierarchy.name(joint), new.hierarchy.name(counterpart));
                let is_named = !old.hierarchy.is_unnamed(joint) || !new.hierarchy.is_unnamed(counterpart);
                renamed.extend((was != now && is_named).then(|| format!("{was} to {now}")));
            }
            None => removed.push(old.hierarchy.name(joint).to_owned()),
        }
    }
    let is_added = |n: &NodeIndex| new.counts_as_joint(*n) && !is_known[n.index()];
    let added = new.hierarchy.nodes().filter(is_added).map(|n| new.hierarchy.name(n).to_owned()).collect();
    [("added", added), ("removed", removed), ("renamed", renamed)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| {
            format!("{} {what} ({})", counted(names.len(), "joint", "joints"), listed(&names, MAX_NAMES))
        })
        .collect()
}
