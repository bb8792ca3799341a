//! Dual quaternion skinning by dual quaternion linear blending (Kavan et al. 2008), in two phases where joints scale.
//!
//! `v' = q̂ (S v)` with `S` the blended stretch and `q̂` the blended rigid motion. A normalised sum of rigid motions is one again, so nothing
//! collapses; but it turns about another centre than the joint, which makes a bent limb bulge.

use glam::{Affine3, Vec4};

use super::chunk::Chunk;
use super::lbs::weighted_sum;
use super::{DualQuat, Palette, normal_matrix};

/// The blended stretch, phase 1: skin to skin.
#[inline]
pub(super) fn blended_stretch(palette: &Palette, joints: &[u16], weights: &[f32]) -> Affine3 {
    weighted_sum(palette, joints, weights, |joint| &joint.stretch)
}

/// The blended rigid motion, phase 2: world from skin.
///
/// Antipodality: each quaternion takes the sign that agrees with the pivot, the vertex's heaviest joint, which import sorts first.
/// Where nothing is left of the sum (all weights 0) the pivot's own motion comes back.
#[inline]
pub(super) fn blended_motion(palette: &Palette, joints: &[u16], weights: &[f32]) -> DualQuat {
    let pivot = joints.first().map_or(DualQuat::IDENTITY, |&first| palette.joints[usize::from(first)].rigid);
    let mut sum = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
    for (&joint, &weight) in joints.iter().zip(weights) {
        let rigid = &palette.joints[usize::from(joint)].rigid;
        let sign = if pivot.real.dot(rigid.real) < 0.0 { -1.0 } else { 1.0 };
        sum = sum.add_scaled(rigid, sign * weight);
    }
    sum.normalized().unwrap_or(pivot)
}

/// Skins a chunk by the fastest kernel that this processor can run; `is_rigid` is the palette's.
pub(super) fn skin(palette: &Palette, is_rigid: bool, mut chunk: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    let done = super::avx2::dual_quaternion(palette, is_rigid, &mut chunk);
    #[cfg(not(target_arch = "x86_64"))]
    let done = 0;
    skin_portably(palette, is_rigid, chunk.rest(done));
}

/// The kernel for any processor, a loop for each common number of influences.
pub(super) fn skin_portably(palette: &Palette, is_rigid: bool, mut chunk: Chunk<'_>) {
    match chunk.per_vertex {
        1 => skin_each(palette, is_rigid, &mut chunk, 1),
        2 => skin_each(palette, is_rigid, &mut chunk, 2),
        4 => skin_each(palette, is_rigid, &mut chunk, 4),
        8 => skin_each(palette, is_rigid, &mut chunk, 8),
        per_vertex => skin_each(palette, is_rigid, &mut chunk, per_vertex),
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
fn skin_each(palette: &Palette, is_rigid: bool, chunk: &mut Chunk<'_>, per_vertex: usize) {
    chunk.each(per_vertex, |joints, weights, mut position, mut normal| {
        let motion = blended_motion(palette, joints, weights);
        if !is_rigid {
            let stretch = blended_stretch(palette, joints, weights);
            position = stretch.transform_point3(position);
            normal = normal_matrix(stretch.matrix3) * normal;
        }
        (motion.transform_point(position), motion.rotation() * normal.normalize_or_zero())
    });
}
