//! Per-vertex fields of weights, independent of the pose.

use std::collections::BTreeMap;

use super::each_vertex;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{MeshInstance, NodeIndex, Primitive, PrimitiveIndex, Rig};
use rigscope_core::weights::{Body, leak};

/// Returns a node's weight at each vertex, 0 to 1; NaN on unskinned primitives.
pub fn weight(rig: &Rig, node: NodeIndex) -> Vec<Vec<f32>> {
    let of_part = |(instance, primitive): (&MeshInstance, &Primitive)| {
        let count = primitive.positions.len();
        let Some((influences, skin)) = primitive.influences.as_ref().zip(instance.skin) else {
            return vec![f32::NAN; count];
        };
        // A skin may list a node twice.
        let is_node: Vec<bool> = rig.skins[skin].joints.iter().map(|&joint| joint == node).collect();
        let share = |v| influences.vertex(v).filter(|(joint, _)| is_node[*joint]).map(|(_, weight)| weight).sum();
        each_vertex(count, share)
    };
    rig.primitives().map(of_part).collect()
}

/// Returns the number of nonzero influences of each vertex; 0 on unskinned primitives.
pub fn influence_count(rig: &Rig) -> Vec<Vec<f32>> {
    let of_part = |(_, primitive): (&MeshInstance, &Primitive)| {
        let influences = primitive.influences.as_ref();
        let count = |v| influences.map_or(0, |i| i.vertex(v).filter(|(_, weight)| *weight > 0.0).count()) as f32;
        each_vertex(primitive.positions.len(), count)
    };
    rig.primitives().map(of_part).collect()
}

/// Returns each vertex's DQ blend weight, 0 to 1; NaN for primitives without DQ blend weights.
pub fn dq_blend_weights(rig: &Rig) -> Vec<Vec<f32>> {
    let of_part = |(_, primitive): (&MeshInstance, &Primitive)| match primitive.dq_weights.as_slice() {
        [] => vec![f32::NAN; primitive.positions.len()],
        weights => weights.to_vec(),
    };
    rig.primitives().map(of_part).collect()
}

/// Returns the [leaking](fn@leak) fraction of each vertex's weights, 0 to 1. NaN for unskinned primitives. Returns
/// `None` if cancelled.
pub fn weight_leak(rig: &Rig, progress: &Progress) -> Option<Vec<Vec<f32>>> {
    let mut of_primitives: BTreeMap<(usize, usize), Vec<f32>> = BTreeMap::new();
    for body in Body::from_rig(rig, |_| false) {
        let leak = leak(&body, &body.shares(rig), None, progress)?;
        for part in &body.parts {
            let of_vertices = part.points.iter().map(|&point| leak[point as usize]).collect();
            of_primitives.insert((part.mesh, part.primitive), of_vertices);
        }
    }
    let of_part = |(part, (instance, primitive)): (PrimitiveIndex, (&MeshInstance, &Primitive))| {
        let known = of_primitives.get(&(instance.mesh, part.primitive)).filter(|_| instance.skin.is_some());
        known.cloned().unwrap_or_else(|| vec![f32::NAN; primitive.positions.len()])
    };
    Some(rig.parts().zip(rig.primitives()).map(of_part).collect())
}
