//! Skinning with optimized centres of rotation.
//!
//! ```text
//! v' = R S (v - p) + M p
//! ```
//! `R` is the rotation of DQS, `S` the blended stretch, `M` the matrix of LBS, `p` the vertex's centre
//! ([`super::Centers`]). The centre is inside the limb, where the joints' transforms differ least, so LBS moves it
//! accurately. A rotation about the centre neither collapses the skin nor lifts it off the bone.
//!
//! The paper uses `S = I`. For a single joint the result is exact even with scale: `R_j S_j (v - p) + T_j p = T_j v`.
//! For a vertex without a centre, `p = v` and `v' = M v`. *Source*: Le and Hodgins 2016, *Real-time skeletal skinning
//! with optimized centers of rotation*, equations 1 and 2.

use super::chunk::{ChunkVertex, SkinnedVertex, VertexChunk};
use super::dq_blend_weight::DqBlendWeight;
use super::dqs::{blended_motion, blended_stretch, directions};
use super::lbs::blended_matrix;
use super::spec::{MethodRequirement, MethodSpec};
use super::summing::BlendOptions;
use super::{Palette, Stretch, normal_matrix};

pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "cor",
    gloss: "centres of rotation",
    label: "CoR",
    full_name: "Optimised centres of rotation",
    tradeoff: "Keeps volume without a bulge; needs precomputation; skin may slide under twist",
    color: [0x9D, 0x86, 0xF0],
    needs: MethodRequirement::Centers,
    glsl: "centrallySkinned",
    kernel: skin,
    directions,
};

fn skin(palette: &Palette, summing: BlendOptions, _: DqBlendWeight<'_>, mut chunk: VertexChunk<'_>) {
    let centers = chunk.centers;
    // The rotation doesn't depend on the stretch of skin space.
    let rigid = BlendOptions { stretch: Stretch::Uniform(1.0), ..summing };
    chunk.each(chunk.per_vertex, |ChunkVertex { number, joints, weights, position, normal }| {
        let center = centers.get(number).copied().unwrap_or(position);
        let rotation = blended_motion(palette, joints, weights, rigid).rotation();
        let stretch = blended_stretch(palette, joints, weights, summing.stretch).matrix3;
        let from_center = stretch * (position - center);
        let normal = normal_matrix(stretch) * normal;
        let moved_center = blended_matrix(palette, joints, weights).transform_point3(center);
        SkinnedVertex { position: rotation * from_center + moved_center, normal: rotation * normal.normalize_or_zero() }
    });
}
