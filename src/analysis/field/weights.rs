//! Weights and shares of each vertex in the file, independent of the pose.

use super::each_vertex;
use crate::rig::{MeshInstance, NodeIndex, Primitive, Rig};

/// Weight of a node at each vertex, 0 to 1; NaN on primitives without a skin.
pub fn weight(rig: &Rig, node: NodeIndex) -> Vec<Vec<f32>> {
    let of_part = |(instance, primitive): (&MeshInstance, &Primitive)| {
        let count = primitive.positions.len();
        let Some((influences, skin)) = primitive.influences.as_ref().zip(instance.skin) else {
            return vec![f32::NAN; count];
        };
        // A skin may list a node twice.
        let is_node: Vec<bool> = rig.skins[skin].joints.iter().map(|&joint| joint == node).collect();
        let share = |v| influences.of(v).filter(|(joint, _)| is_node[*joint]).map(|(_, weight)| weight).sum();
        each_vertex(count, share)
    };
    rig.primitives().map(of_part).collect()
}

/// Number of influences above 0 of each vertex; 0 on primitives without a skin.
pub fn influence_count(rig: &Rig) -> Vec<Vec<f32>> {
    let of_part = |(_, primitive): (&MeshInstance, &Primitive)| {
        let influences = primitive.influences.as_ref();
        let count = |v| influences.map_or(0, |i| i.of(v).filter(|(_, weight)| *weight > 0.0).count()) as f32;
        each_vertex(primitive.positions.len(), count)
    };
    rig.primitives().map(of_part).collect()
}

/// DQS share of each vertex in the file, 0 to 1; NaN on primitives without shares.
pub fn dqs_share(rig: &Rig) -> Vec<Vec<f32>> {
    let of_part = |(_, primitive): (&MeshInstance, &Primitive)| match primitive.dq_weights.as_slice() {
        [] => vec![f32::NAN; primitive.positions.len()],
        weights => weights.to_vec(),
    };
    rig.primitives().map(of_part).collect()
}
