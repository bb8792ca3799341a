//! Blend of linear and dual quaternion skinning, like Maya's blend weights: one weight for all, or per joint or vertex.
//!
//! Positions are `(1-t)` LBS plus `t` DQS; normals likewise, renormalized. The blend is exact for vertices of a single
//! joint and for rigid motions of the whole mesh, but elsewhere it is *not* rigid like DQS.

use glam::Vec3;

use super::chunk::VertexChunk;
use super::dq_blend_weight::DqBlendWeight;
use super::spec::{MethodRequirement, MethodSpec};
use super::summing::BlendOptions;
use super::{Palette, dqs, lbs};

pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "blend",
    gloss: "",
    label: "Blend",
    full_name: "Linear and dual quaternion blend",
    tradeoff: "A compromise: loses less volume than LBS and bulges less than DQS",
    color: [0xE2, 0x8A, 0xC1],
    needs: MethodRequirement::Nothing,
    glsl: "dualQuaternionSkinned",
    kernel: skin,
    directions: dqs::directions,
};

/// Blends by the file's weight per vertex (Maya's "weight blended"), or by [`super::default_blend_weight`] where a
/// vertex has no weight.
pub(super) const WEIGHTED_SPEC: MethodSpec = MethodSpec {
    text: "weighted-blend",
    gloss: "lbs and dqs blended by the file's per-vertex weights",
    label: "Weighted blend",
    full_name: "Linear and dual quaternion skinning, blended by the file's weight of each vertex",
    tradeoff: "Uses the author's weight per vertex; needs a file that has them",
    color: [0xD9, 0x5F, 0x5F],
    needs: MethodRequirement::DqWeights,
    glsl: "dualQuaternionSkinned",
    kernel: skin,
    directions: dqs::directions,
};

/// Skins a chunk with both methods. At `t` = 0 the result is bit-identical to LBS, and at `t` = 1 to DQS.
pub(super) fn skin(
    palette: &Palette,
    summing: BlendOptions,
    dq_blend_weight: DqBlendWeight<'_>,
    mut chunk: VertexChunk<'_>,
) {
    lbs::skin(palette, chunk.rest(0));
    let mut positions = vec![Vec3::ZERO; chunk.positions.len()];
    let mut normals = vec![Vec3::ZERO; chunk.normals.len()];
    let dual = VertexChunk { skinned_positions: &mut positions, skinned_normals: &mut normals, ..chunk };
    dqs::skin(palette, summing, dual);
    let slots = chunk.joints.numbers().chunks_exact(chunk.per_vertex).zip(chunk.weights.chunks_exact(chunk.per_vertex));
    for (vertex, (joints, weights)) in slots.enumerate() {
        let share = dq_blend_weight.vertex(chunk.dq_weights.get(vertex).copied(), joints, weights);
        if share == 0.0 {
            continue;
        }
        let mixed = |linear: Vec3, dual: Vec3| linear * (1.0 - share) + dual * share;
        let position = &mut chunk.skinned_positions[vertex];
        *position = if share == 1.0 { positions[vertex] } else { mixed(*position, positions[vertex]) };
        if let Some(normal) = chunk.skinned_normals.get_mut(vertex) {
            let dual = normals[vertex];
            *normal = if share == 1.0 { dual } else { mixed(*normal, dual).normalize_or_zero() };
        }
    }
}
