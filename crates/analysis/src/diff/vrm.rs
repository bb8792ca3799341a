//! Compares constraints and VRM data: object counts and terms of use.

use std::collections::HashMap;

use serde_json::Value;

use super::change::{Change, ChangeKind, ChangedObject};
use super::rounded;
use rigscope_core::matching::RigMatch;
use rigscope_core::rig::{Constraint, Hierarchy, NodeIndex, Rig, VrmBlocks};

pub(super) fn constraint_changes(both: &RigMatch<'_>) -> Vec<Change> {
    let (old, new) = (both.old.rig, both.new.rig);
    let by_node: HashMap<NodeIndex, &Constraint> = new.constraints.iter().map(|c| (c.node, c)).collect();
    let mut changes = Vec::new();
    for was in &old.constraints {
        let now = both.joints.new_for(was.node).and_then(|node| by_node.get(&node));
        let name = old.hierarchy.name(was.node);
        let change =
            |kind| Change::new(kind, name).was(description(was, &old.hierarchy)).at_old(ChangedObject::Node(was.node));
        match now {
            None => changes.push(change(ChangeKind::ConstraintRemoved)),
            Some(now) if is_same(was, now, both) => {}
            Some(now) => changes.push(change(ChangeKind::Constraint).now(description(now, &new.hierarchy))),
        }
    }
    let had = |node| old.constraints.iter().any(|was| was.node == node);
    for now in new.constraints.iter().filter(|now| !both.joints.old_for(now.node).is_some_and(had)) {
        let change = Change::new(ChangeKind::ConstraintAdded, new.hierarchy.name(now.node));
        changes.push(change.now(description(now, &new.hierarchy)).at_new(ChangedObject::Node(now.node)));
    }
    changes
}

fn is_same(was: &Constraint, now: &Constraint, both: &RigMatch<'_>) -> bool {
    both.joints.new_for(was.source) == Some(now.source) && (was.kind, was.weight) == (now.kind, now.weight)
}

/// Describes a constraint: `roll X 0.5 of LeftHand`.
fn description(constraint: &Constraint, hierarchy: &Hierarchy) -> String {
    let (kind, weight) = (constraint.kind, rounded(f64::from(constraint.weight)));
    format!("{kind} {weight} of {}", hierarchy.name(constraint.source))
}

pub(super) fn vrm_changes(old: &Rig, new: &Rig) -> Vec<Change> {
    let [was, now] = [old, new].map(facts);
    let names = was.iter().chain(now.iter().filter(|(name, _)| !was.iter().any(|(known, _)| known == name)));
    let value = |facts: &[(&str, String)], name: &str| {
        facts.iter().find(|(known, _)| *known == name).map_or_else(|| "none".to_owned(), |(_, value)| value.clone())
    };
    let changes = names.filter_map(|(name, _)| {
        let (was, now) = (value(&was, name), value(&now, name));
        (was != now).then(|| Change::new(ChangeKind::Vrm, *name).was(was).now(now))
    });
    changes.collect()
}

fn facts(rig: &Rig) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    facts.extend(rig.vrm_version.map(|version| ("version of VRM", version.to_string())));
    if let Some(meta) = &rig.vrm_meta {
        facts.push(("title", meta.title.clone()));
        facts.push(("authors", meta.authors.join(", ")));
        facts.extend(meta.terms.iter().filter(|(_, value)| !value.is_empty()).cloned());
    }
    facts
        .extend(rig.vrm_blocks.iter().flat_map(|blocks| counts(blocks)).map(|(name, count)| (name, count.to_string())));
    // The same term, such as references, may occur several times.
    facts.sort_by_key(|(name, _)| *name);
    facts.dedup_by(|again, first| {
        let is_same = again.0 == first.0;
        if is_same {
            first.1 = format!("{}, {}", first.1, again.1);
        }
        is_same
    });
    facts
}

fn counts(blocks: &VrmBlocks) -> Vec<(&'static str, usize)> {
    let parsed = |name: &str| -> Value {
        blocks.document.get(name).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    };
    let [zero, one, springs] = ["VRM", "VRMC_vrm", "VRMC_springBone"].map(parsed);
    let length = |value: &Value, place: &str| match value.pointer(place) {
        Some(Value::Array(items)) => items.len(),
        Some(Value::Object(members)) => members.len(),
        _ => 0,
    };
    let sums = [
        ("expressions", length(&one, "/expressions/preset") + length(&one, "/expressions/custom")),
        ("groups of blend shapes", length(&zero, "/blendShapeMaster/blendShapeGroups")),
        ("spring chains", length(&springs, "/springs") + length(&zero, "/secondaryAnimation/boneGroups")),
        ("spring colliders", length(&springs, "/colliders")),
        (
            "groups of colliders",
            length(&springs, "/colliderGroups") + length(&zero, "/secondaryAnimation/colliderGroups"),
        ),
        ("materials shaded by VRM", blocks.materials.len() + length(&zero, "/materialProperties")),
    ];
    sums.into_iter().filter(|(_, count)| *count > 0).collect()
}
