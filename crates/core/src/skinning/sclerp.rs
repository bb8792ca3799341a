//! Skinning by the intrinsic mean of rigid motions, to measure the error of dual quaternion blending (DLB).
//!
//! `v' = q̂ (S v)` as in DQS, where the mean `q̂` satisfies `sum_j w_j log(q̂* q̂_j) = 0`. For two joints it is
//! [`DualQuat::sclerp`]; for more joints it is computed iteratively, a hundred times slower than DLB. *Source*: Kavan
//! et al. 2008, section 4 (dual quaternion iterative blending, DIB); Buss and Fillmore 2001 for quaternions.

use super::chunk::VertexChunk;
use super::dq_blend_weight::DqBlendWeight;
use super::dqs::{blended_motion, directions_by, motions, moved};
use super::spec::{MethodRequirement, MethodSpec};
use super::summing::BlendOptions;
use super::{DualQuat, Palette};

pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "sclerp",
    gloss: "screw interpolation",
    label: "ScLERP",
    full_name: "Screw interpolation, the exact mean of motions",
    tradeoff: "The exact mean of the rigid motions, at constant angular speed; a hundred times the cost of DQS, and bulges like it",
    color: [0x5A, 0xB4, 0xF5],
    needs: MethodRequirement::Skin,
    glsl: "screwSkinned",
    kernel: skin,
    directions: |palette, summing, joints, weights| {
        directions_by(mean_motion(palette, joints, weights, summing), palette, summing, joints, weights)
    },
};

pub(super) fn mean_motion(palette: &Palette, joints: &[u16], weights: &[f32], summing: BlendOptions) -> DualQuat {
    let start = blended_motion(palette, joints, weights, summing);
    let counting = motions(palette, joints, weights, summing).filter(|(_, weight)| *weight > 0.0);
    DualQuat::mean_from(start, &counting)
}

fn skin(palette: &Palette, summing: BlendOptions, _: DqBlendWeight<'_>, mut chunk: VertexChunk<'_>) {
    chunk.each(chunk.per_vertex, |vertex| {
        let motion = mean_motion(palette, vertex.joints, vertex.weights, summing);
        moved(palette, vertex, summing.stretch, motion)
    });
}
