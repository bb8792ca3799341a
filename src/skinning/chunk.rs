//! A piece of a surface, as a kernel takes it.

use glam::Vec3;

use super::joint_slots::JointSlots;

/// Some vertices of a surface, and where the skinned ones go.
pub(super) struct Chunk<'a> {
    /// Slots of each vertex.
    pub per_vertex: usize,
    /// `per_vertex` a vertex.
    pub joints: JointSlots<'a>,
    /// One per joint.
    pub weights: &'a [f32],
    /// Skin space.
    pub positions: &'a [Vec3],
    /// One per position, or none.
    pub normals: &'a [Vec3],
    /// Skin space, one per position, or none.
    pub centers: &'a [Vec3],
    /// Shares of DQS, one per position, or none where all have the same.
    pub dq_weights: &'a [f32],
    /// World space, one per position.
    pub skinned_positions: &'a mut [Vec3],
    /// World space, one per normal.
    pub skinned_normals: &'a mut [Vec3],
}

/// One vertex of a chunk.
#[derive(Clone, Copy)]
pub(super) struct ChunkVertex<'a> {
    /// In the chunk.
    pub number: usize,
    pub joints: &'a [u16],
    /// One per joint.
    pub weights: &'a [f32],
    /// Skin space.
    pub position: Vec3,
    /// Skin space; zero where the surface has none.
    pub normal: Vec3,
}

/// Where a vertex goes, world space.
#[derive(Clone, Copy)]
pub(super) struct SkinnedVertex {
    pub position: Vec3,
    /// Unit length or zero.
    pub normal: Vec3,
}

impl Chunk<'_> {
    /// Everything from a vertex on.
    pub fn rest(&mut self, first: usize) -> Chunk<'_> {
        let slot = first * self.per_vertex;
        let first_normal = first.min(self.normals.len());
        Chunk {
            per_vertex: self.per_vertex,
            joints: self.joints.from(slot),
            weights: &self.weights[slot..],
            positions: &self.positions[first..],
            normals: &self.normals[first_normal..],
            centers: self.centers.get(first..).unwrap_or_default(),
            dq_weights: self.dq_weights.get(first..).unwrap_or_default(),
            skinned_positions: &mut self.skinned_positions[first..],
            skinned_normals: &mut self.skinned_normals[first_normal..],
        }
    }

    /// Calls `skinned` with each vertex.
    ///
    /// `per_vertex` is the chunk's own; a caller that passes a constant gets a loop unrolled for it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
    pub fn each(&mut self, per_vertex: usize, skinned: impl Fn(ChunkVertex<'_>) -> SkinnedVertex) {
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
