//! A piece of a surface, as a kernel takes it.

use glam::Vec3;

/// Some vertices of a surface, and where the skinned ones go.
pub(super) struct Chunk<'a> {
    /// Slots of each vertex.
    pub per_vertex: usize,
    /// `per_vertex` a vertex; all of them in the palette.
    pub joints: &'a [u16],
    /// One per joint.
    pub weights: &'a [f32],
    /// Skin space.
    pub positions: &'a [Vec3],
    /// One per position, or none.
    pub normals: &'a [Vec3],
    /// Skin space, one per position, or none.
    pub centers: &'a [Vec3],
    /// World space, one per position.
    pub skinned_positions: &'a mut [Vec3],
    /// World space, one per normal.
    pub skinned_normals: &'a mut [Vec3],
}

impl Chunk<'_> {
    /// Everything from a vertex on.
    pub fn rest(&mut self, first: usize) -> Chunk<'_> {
        let slot = first * self.per_vertex;
        let first_normal = first.min(self.normals.len());
        Chunk {
            per_vertex: self.per_vertex,
            joints: &self.joints[slot..],
            weights: &self.weights[slot..],
            positions: &self.positions[first..],
            normals: &self.normals[first_normal..],
            centers: self.centers.get(first..).unwrap_or_default(),
            skinned_positions: &mut self.skinned_positions[first..],
            skinned_normals: &mut self.skinned_normals[first_normal..],
        }
    }

    /// Calls `skinned` with number, joints, weights, position and normal (zero where there is none) of each vertex.
    ///
    /// `per_vertex` is the chunk's own; a caller that passes a constant gets a loop unrolled for it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
    pub fn each(&mut self, per_vertex: usize, skinned: impl Fn(usize, &[u16], &[f32], Vec3, Vec3) -> (Vec3, Vec3)) {
        let slots = self.joints.chunks_exact(per_vertex).zip(self.weights.chunks_exact(per_vertex));
        for (vertex, ((joints, weights), position)) in slots.zip(self.positions).enumerate() {
            let normal = self.normals.get(vertex).copied().unwrap_or_default();
            let (skinned_position, skinned_normal) = skinned(vertex, joints, weights, *position, normal);
            self.skinned_positions[vertex] = skinned_position;
            if let Some(place) = self.skinned_normals.get_mut(vertex) {
                *place = skinned_normal;
            }
        }
    }
}
