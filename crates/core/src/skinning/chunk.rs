//! Chunks of a surface: the input of skinning kernels.

use glam::Vec3;

use super::joint_slots::JointSlots;

pub(super) struct VertexChunk<'a> {
    pub per_vertex: usize,
    pub joints: JointSlots<'a>,
    pub weights: &'a [f32],
    pub positions: &'a [Vec3],
    /// Skin space; one per position, or empty.
    pub normals: &'a [Vec3],
    /// Centres of rotation, skin space; one per position, or empty.
    pub centers: &'a [Vec3],
    /// DQ blend weights, 0 to 1; one per position, or empty if uniform.
    pub dq_weights: &'a [f32],
    /// World space; one per position.
    pub skinned_positions: &'a mut [Vec3],
    /// World space; one per normal.
    pub skinned_normals: &'a mut [Vec3],
}

#[derive(Clone, Copy)]
pub(super) struct ChunkVertex<'a> {
    /// Index within the chunk.
    pub number: usize,
    pub joints: &'a [u16],
    pub weights: &'a [f32],
    pub position: Vec3,
    /// Skin space; zero if the surface has none.
    pub normal: Vec3,
}

#[derive(Clone, Copy)]
pub(super) struct SkinnedVertex {
    pub position: Vec3,
    /// Unit length or zero.
    pub normal: Vec3,
}

impl VertexChunk<'_> {
    pub(super) fn rest(&mut self, first: usize) -> VertexChunk<'_> {
        let (_, rest) = self.split_at(first);
        rest
    }

    pub(super) fn split_at(&mut self, first: usize) -> (VertexChunk<'_>, VertexChunk<'_>) {
        let per_vertex = self.per_vertex;
        let (joints, joints_after) = self.joints.split_at(first * per_vertex);
        let (weights, weights_after) = self.weights.split_at(first * per_vertex);
        let (positions, positions_after) = self.positions.split_at(first);
        let (normals, normals_after) = self.normals.split_at(first.min(self.normals.len()));
        let (centers, centers_after) = self.centers.split_at(first.min(self.centers.len()));
        let (dq_weights, dq_weights_after) = self.dq_weights.split_at(first.min(self.dq_weights.len()));
        let (skinned_positions, skinned_positions_after) = self.skinned_positions.split_at_mut(first);
        let (skinned_normals, skinned_normals_after) = self.skinned_normals.split_at_mut(normals.len());
        (
            VertexChunk {
                per_vertex,
                joints,
                weights,
                positions,
                normals,
                centers,
                dq_weights,
                skinned_positions,
                skinned_normals,
            },
            VertexChunk {
                per_vertex,
                joints: joints_after,
                weights: weights_after,
                positions: positions_after,
                normals: normals_after,
                centers: centers_after,
                dq_weights: dq_weights_after,
                skinned_positions: skinned_positions_after,
                skinned_normals: skinned_normals_after,
            },
        )
    }

    /// Calls `skinned` for each vertex and stores the result. `per_vertex` must equal the chunk's own `per_vertex`;
    /// passing a constant lets the compiler unroll the loop.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
    pub(super) fn each(&mut self, per_vertex: usize, skinned: impl Fn(ChunkVertex<'_>) -> SkinnedVertex) {
        let slots = self.joints.numbers().chunks_exact(per_vertex).zip(self.weights.chunks_exact(per_vertex));
        for (number, ((joints, weights), &position)) in slots.zip(self.positions).enumerate() {
            let normal = self.normals.get(number).copied().unwrap_or_default();
            let vertex = skinned(ChunkVertex { number, joints, weights, position, normal });
            self.skinned_positions[number] = vertex.position;
            if let Some(place) = self.skinned_normals.get_mut(number) {
                *place = vertex.normal;
            }
        }
    }
}
