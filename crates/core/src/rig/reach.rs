use rayon::prelude::*;

use super::{Influences, RigData};

/// Vertex and influence counts of a skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkinReach {
    /// Number of drawn vertices bound to the skin.
    pub vertices: usize,
    /// Number of vertex-joint pairs with non-zero weight.
    pub influences: usize,
}

/// Counts the vertices and influences of each skin, and the vertices that each node moves with non-zero weight.
pub(super) fn reach(parts: &RigData) -> (Vec<SkinReach>, Vec<u32>) {
    let mut skins = vec![SkinReach::default(); parts.skins.len()];
    let mut moved = vec![0; parts.hierarchy.len()];
    for instance in &parts.instances {
        let Some((at, skin)) = instance.skin.and_then(|s| Some((s, parts.skins.get(s)?))) else { continue };
        for influences in parts.meshes[instance.mesh].primitives.iter().filter_map(|p| p.influences.as_ref()) {
            let by_joint = vertices_by_joint(influences, skin.joints.len().max(influences.joint_count()));
            skins[at].vertices += influences.len();
            for (joint, count) in skin.joints.iter().zip(by_joint) {
                skins[at].influences += count as usize;
                moved[joint.index()] += count;
            }
        }
    }
    (skins, moved)
}

const PIECE: usize = 1 << 17;

fn vertices_by_joint(influences: &Influences, joint_count: usize) -> Vec<u32> {
    let count = |(joints, weights): (&[u16], &[f32])| {
        let mut counts = vec![0_u32; joint_count];
        for (&joint, &weight) in joints.iter().zip(weights) {
            counts[usize::from(joint)] += u32::from(weight > 0.0);
        }
        counts
    };
    let sum = |mut sum: Vec<u32>, counts: Vec<u32>| {
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        sum
    };
    let (joints, weights) = (influences.joints(), influences.weights());
    // Counting a short list is cheaper than waking threads.
    if joints.len() <= PIECE {
        return count((joints, weights));
    }
    joints.par_chunks(PIECE).zip(weights.par_chunks(PIECE)).map(count).reduce(|| vec![0; joint_count], sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{Mesh, MeshInstance, NodeIndex, Primitive, Rig, Skin, Trs};
    use glam::{Affine3, Vec3};

    #[test]
    fn a_weight_of_nothing_moves_nothing_and_a_mesh_placed_twice_counts_twice() {
        let primitive = Primitive {
            positions: vec![Vec3::ZERO; 3],
            influences: Some(Influences::new(2, vec![1, 0, 1, 0, 0, 1], vec![1.0, 0.0, 0.75, 0.25, 0.5, 0.5])),
            ..Primitive::default()
        };
        let instance = MeshInstance { node: NodeIndex(0), mesh: 0, skin: Some(0), morph_weights: Vec::new() };
        let joints = vec![NodeIndex(2), NodeIndex(1)];
        let rig = Rig::new(RigData {
            hierarchy: chain(3, Trs::IDENTITY),
            skins: vec![Skin { joints, inverse_bind: vec![Affine3::IDENTITY; 2], ..Skin::default() }],
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![instance.clone(), instance],
            ..RigData::default()
        });
        assert_eq!([0, 1, 2].map(|n| rig.moved_vertices(NodeIndex(n))), [0, 6, 4]);
        assert_eq!(rig.skin_reach(0), SkinReach { vertices: 6, influences: 10 });
    }
}
