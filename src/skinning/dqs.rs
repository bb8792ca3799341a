//! Dual quaternion skinning by dual quaternion linear blending (Kavan et al. 2008), in two phases where joints scale.
//!
//! `v' = q̂ (S v)` with `S` the blended stretch and `q̂` the blended rigid motion. A normalised sum of rigid motions is one again, so nothing
//! collapses; but it turns about another centre than the joint, which makes a bent limb bulge.

use glam::{Affine3, Vec3, Vec4};

use super::chunk::Chunk;
use super::lbs::weighted_sum;
use super::recipe::Phases;
use super::{DualQuat, Palette, normal_matrix};
use crate::rig::Influences;

/// The blended stretch, phase 1: skin to skin.
#[inline]
pub(super) fn blended_stretch(palette: &Palette, joints: &[u16], weights: &[f32]) -> Affine3 {
    weighted_sum(palette, joints, weights, |joint| &joint.stretch)
}

/// The rigid motions of a vertex's joints, as they are summed.
///
/// Antipodality: each quaternion takes the sign that agrees with the pivot, the vertex's heaviest joint, which import sorts first; or
/// stays as it comes, where signs are not checked.
#[inline]
pub(super) fn motions<'a>(
    palette: &'a Palette,
    joints: &'a [u16],
    weights: &'a [f32],
    checks_signs: bool,
) -> impl Iterator<Item = (DualQuat, f32)> + Clone + 'a {
    let pivot = pivot(palette, joints).real;
    joints.iter().zip(weights).map(move |(&joint, &weight)| {
        let rigid = palette.joints[usize::from(joint)].rigid;
        (if checks_signs && pivot.dot(rigid.real) < 0.0 { -rigid } else { rigid }, weight)
    })
}

#[inline]
fn pivot(palette: &Palette, joints: &[u16]) -> DualQuat {
    joints.first().map_or(DualQuat::IDENTITY, |&first| palette.joints[usize::from(first)].rigid)
}

/// The blended rigid motion, phase 2: world from skin.
///
/// Where nothing is left of the sum (all weights 0) the pivot's own motion comes back.
#[inline]
pub(super) fn blended_motion(palette: &Palette, joints: &[u16], weights: &[f32], checks_signs: bool) -> DualQuat {
    let mut sum = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
    for (rigid, weight) in motions(palette, joints, weights, checks_signs) {
        sum = sum.add_scaled(&rigid, weight);
    }
    sum.normalized().unwrap_or_else(|| pivot(palette, joints))
}

/// The vertices with a joint whose quaternion points away from that of their heaviest one: those that go the long way round where signs are
/// not checked. By rising number.
///
/// # Panics
/// As [`super::skin`].
/// ```
/// use glam::{Affine3, Vec3};
/// use rigscope::rig::Influences;
/// use rigscope::skinning::{JointTransform, Palette, antipodal_vertices};
///
/// let still = JointTransform::new(Affine3::IDENTITY, Vec3::ZERO);
/// let other_sign = JointTransform { rigid: -still.rigid, ..still };
/// let palette = Palette::from(vec![still, other_sign]);
/// let influences = Influences::new(2, vec![0, 1, 1, 0], vec![0.5, 0.5, 1.0, 0.0]);
/// assert_eq!(antipodal_vertices(&palette, &influences), [0]);
/// ```
pub fn antipodal_vertices(palette: &Palette, influences: &Influences) -> Vec<u32> {
    let real = |joint: usize| palette.joints[joint].rigid.real;
    let is_flipped = |vertex: usize| {
        let mut slots = influences.of(vertex).filter(|(_, weight)| *weight > 0.0);
        let pivot = slots.next().map_or(Vec4::W, |(joint, _)| real(joint));
        slots.any(|(joint, _)| pivot.dot(real(joint)) < 0.0)
    };
    (0..influences.len()).filter(|&v| is_flipped(v)).map(|v| v as u32).collect()
}

/// Skins a chunk by the fastest kernel that this processor can run.
pub(super) fn skin(palette: &Palette, phases: Phases, mut chunk: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    let done =
        if phases.checks_signs { super::avx2::dual_quaternion(palette, !phases.has_stretch, &mut chunk) } else { 0 };
    #[cfg(not(target_arch = "x86_64"))]
    let done = 0;
    skin_portably(palette, phases, chunk.rest(done));
}

/// The kernel for any processor, a loop for each common number of influences.
pub(super) fn skin_portably(palette: &Palette, phases: Phases, mut chunk: Chunk<'_>) {
    match chunk.per_vertex {
        1 => skin_each(palette, phases, &mut chunk, 1),
        2 => skin_each(palette, phases, &mut chunk, 2),
        4 => skin_each(palette, phases, &mut chunk, 4),
        8 => skin_each(palette, phases, &mut chunk, 8),
        per_vertex => skin_each(palette, phases, &mut chunk, per_vertex),
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
fn skin_each(palette: &Palette, phases: Phases, chunk: &mut Chunk<'_>, per_vertex: usize) {
    chunk.each(per_vertex, |_, joints, weights, position, normal| {
        let motion = blended_motion(palette, joints, weights, phases.checks_signs);
        moved(palette, (joints, weights), phases.has_stretch, motion, (position, normal))
    });
}

/// Position and normal of a vertex by the stretch of its joints and then a rigid motion.
#[inline]
pub(super) fn moved(
    palette: &Palette,
    (joints, weights): (&[u16], &[f32]),
    has_stretch: bool,
    motion: DualQuat,
    (mut position, mut normal): (Vec3, Vec3),
) -> (Vec3, Vec3) {
    if has_stretch {
        let stretch = blended_stretch(palette, joints, weights);
        position = stretch.transform_point3(position);
        normal = normal_matrix(stretch.matrix3) * normal;
    }
    (motion.transform_point(position), motion.rotation() * normal.normalize_or_zero())
}
