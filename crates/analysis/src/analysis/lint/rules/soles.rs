//! Measures the height of the soles: the lowest vertex of the feet.

use std::collections::BTreeSet;

use super::super::{NodeList, Target};
use super::inventory::{Inventory, InventoryPrimitive};
use super::measurement::Measurements;
use super::{Measurement, Rule};
use rigscope_core::matching::HumanBone;
use rigscope_core::rig::NodeIndex;

/// Measures the distance of the soles from Y = 0. If the rig has no feet, for example a prop, measures the distance of
/// the lowest vertex.
pub(super) fn soles(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let hierarchy = &inventory.rig.hierarchy;
    let bones = ["leftFoot", "rightFoot"].into_iter().filter_map(HumanBone::named);
    let feet: Vec<NodeIndex> = bones.filter_map(|bone| inventory.humanoid.node(bone)).collect();
    let moved: BTreeSet<usize> = feet.iter().flat_map(|&foot| hierarchy.subtree(foot)).collect();
    let counts = |node: NodeIndex| feet.is_empty() || moved.contains(&node.index());
    let lowest = inventory.parts(rule).filter_map(|part| lowest(inventory, part, counts)).reduce(f32::min);
    let lowest = lowest.ok_or(if feet.is_empty() { "the file draws nothing" } else { "the file draws no feet" })?;
    let height = hierarchy.in_file(glam::Vec3::Y * lowest).y;
    let what = if feet.is_empty() { "The lowest point is" } else { "The soles are" };
    let clause = format!("{what} at Y = {height:.3} m");
    let target = if feet.is_empty() { Target::File } else { Target::Nodes(NodeList::new(hierarchy, feet)) };
    Ok(vec![Measurement { value: height.abs(), clause, detail: String::new(), target }])
}

/// Returns the lowest Y at rest of the vertices whose heaviest joint satisfies `counts`. For a rigid primitive,
/// `counts` receives the node instead of a joint.
fn lowest(inventory: &Inventory<'_>, part: &InventoryPrimitive<'_>, counts: impl Fn(NodeIndex) -> bool) -> Option<f32> {
    let world = |node: NodeIndex| inventory.rest.world_from_node[node.index()];
    let positions = part.primitive.positions.iter().copied();
    let Some((influences, skin)) = part.primitive.influences.as_ref().zip(part.linted.skin) else {
        let node = part.instance.node;
        let heights = positions.map(|position| world(node).transform_point3(position).y);
        return counts(node).then(|| heights.reduce(f32::min)).flatten();
    };
    let binds = skin.joints.iter().zip(&skin.inverse_bind);
    let joints: Vec<_> = binds.map(|(&joint, bind)| counts(joint).then(|| world(joint) * *bind)).collect();
    let height = |(vertex, position): (usize, glam::Vec3)| {
        let (joint, _) = influences.vertex(vertex).next()?;
        Some(joints.get(joint)?.as_ref()?.transform_point3(position).y)
    };
    positions.enumerate().filter_map(height).reduce(f32::min)
}
