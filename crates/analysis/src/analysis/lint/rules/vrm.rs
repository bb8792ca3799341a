//! Measurements of VRM data.

#![expect(clippy::unnecessary_wraps, reason = "all measures are taken in one way, and some may fail")]

use std::collections::BTreeMap;

use super::super::Target;
use super::counts::of_nodes;
use super::inventory::Inventory;
use super::skeleton::listed;
use super::{Measurement, Rule, measurement::Measurements};
use rigscope_core::rig::{NodeIndex, VrmComponent};

pub(super) fn version(inventory: &Inventory<'_>, _: &Rule) -> Measurements {
    let version = of_vrm(inventory)?;
    let (value, clause) = (f64::from(version), format!("The file is VRM {version}"));
    Ok(vec![Measurement { value, clause, detail: String::new(), target: Target::File }])
}

fn of_vrm(inventory: &Inventory<'_>) -> Result<u8, String> {
    inventory.rig.vrm_version.ok_or_else(|| "the file is no VRM".to_owned())
}

pub(super) fn meta(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    faults(inventory, rule, VrmComponent::Meta)
}

pub(super) fn expressions(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    faults(inventory, rule, VrmComponent::Expressions)
}

pub(super) fn look_at(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    faults(inventory, rule, VrmComponent::LookAt)
}

pub(super) fn first_person(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    faults(inventory, rule, VrmComponent::FirstPerson)
}

pub(super) fn springs(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    faults(inventory, rule, VrmComponent::Springs)
}

pub(super) fn constraints(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    faults(inventory, rule, VrmComponent::Constraints)
}

fn faults(inventory: &Inventory<'_>, rule: &Rule, part: VrmComponent) -> Measurements {
    of_vrm(inventory)?;
    let found = inventory.rig.vrm_faults.iter().find(|faults| faults.part == part);
    let (count, first) = found.map_or((0, &[][..]), |faults| (faults.count, &faults.first));
    Ok(vec![listed(inventory, rule, count, first, std::iter::empty())])
}

pub(super) fn declared_bones(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let count = if inventory.humanoid.is_declared() { inventory.humanoid.bones().count() } else { 0 };
    Ok(vec![listed(inventory, rule, count, &[], std::iter::empty())])
}

pub(super) fn shared_bones(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let mut bones_of: BTreeMap<NodeIndex, usize> = BTreeMap::new();
    for (_, node) in inventory.humanoid.bones() {
        *bones_of.entry(node).or_default() += 1;
    }
    let nodes: Vec<NodeIndex> = bones_of.into_iter().filter(|(_, bones)| *bones > 1).map(|(node, _)| node).collect();
    Ok(vec![of_nodes(inventory, rule.measure, &nodes)])
}

pub(super) fn parentless_bones(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let humanoid = &inventory.humanoid;
    let lacks = |above| humanoid.node(above).is_none();
    let bones = humanoid.bones().filter(|(bone, _)| bone.needs_parent() && bone.parent().is_some_and(lacks));
    let nodes: Vec<NodeIndex> = bones.map(|(_, node)| node).collect();
    Ok(vec![of_nodes(inventory, rule.measure, &nodes)])
}
