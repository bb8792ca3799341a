//! Dual quaternion skinning by linear blending (Kavan et al. 2008), in two phases for scaled joints.
//!
//! `v' = q̂ (S v)` with the blended stretch `S` and the blended rigid motion `q̂`. A normalised sum of rigid motions
//! is a rigid motion, so nothing collapses. A joint shared by two bones stays in place under every blend of their
//! motions, so vertices move on arcs about it. This lifts the outside of a bend off the bone: the bulge of DQS.
//!
//! # Scale
//! Joint `j` with bind position `x_j` moves vertex `i` at `v` to `T_j v = R_j S_j v + t_j` (rotation, stretch,
//! translation). Phase 1 scales: `u = S_j (v - x_j) + S_i x_j`, in a skin space stretched by `S_i`. Phase 2 moves
//! rigidly: `R_j (u - S_i x_j) + T_j x_j`. For a single joint the result is `T_j v`, whatever `S_i` is. `S_i` is the
//! mean stretch `sum_j w_ij S_j`, so a stretch common to all joints has the same effect as stretching the mesh first,
//! and the unit of skin space doesn't matter. [`ScaleHandling::AboutJoints`] uses `S_i = I`.
//!
//! `S_i` is known only after summing, but both phases are linear in it. Phase 1 is `S_i (v + sum_j w_ij x_j)` minus
//! `sum_j w_ij S_j x_j`. With rotations `q_j` and axes `b`, the dual part of phase 2 is
//! ```text
//! sum_j w_ij (T_j x_j) q_j / 2 - sum_b (sum_j w_ij (x_j)_b q_j) (S_i e_b) / 2
//! ```
//! All terms have the magnitude of the positions, so precision doesn't depend on the unit. If all joint scales are
//! uniform, `S_i = k_i I`, and the three sums over `j` reduce to a single sum of `q_j x_j`.

use glam::{Affine3, Mat3, Vec3, Vec4};

use super::chunk::{ChunkVertex, SkinnedVertex, VertexChunk};
use super::lbs::weighted_sum;
#[cfg(target_arch = "x86_64")]
use super::simd;
use super::spec::{MethodRequirement, MethodSpec};
use super::stretch::SkinStretch;
use super::summing::BlendOptions;
use super::{DualQuat, JointTransform, Palette, ScaleHandling, Stretch, normal_matrix};
use crate::rig::Influences;

pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "dqs",
    gloss: "",
    label: "DQS",
    full_name: "Dual quaternion skinning",
    tradeoff: "Keeps volume under twist; bent limbs bulge",
    color: [0x3F, 0x7F, 0xD9],
    needs: MethodRequirement::Nothing,
    glsl: "dualQuaternionSkinned",
    kernel: |palette, summing, _, chunk| skin(palette, summing, chunk),
    directions,
};

/// Computes phase 1 of DQS: linearly blended stretch, from skin space to skin space.
#[inline]
pub(super) fn blended_stretch(palette: &Palette, joints: &[u16], weights: &[f32], stretch: Stretch) -> Affine3 {
    match stretch {
        Stretch::Uniform(scale) => return Affine3::from_scale(Vec3::splat(scale)),
        Stretch::Dropped => return Affine3::IDENTITY,
        Stretch::ByScale | Stretch::ByStretch | Stretch::AboutJoints => {}
    }
    let mut sum = weighted_sum(palette, joints, weights, JointTransform::stretch);
    let slots = joints.iter().zip(weights);
    let bind: Vec3 = slots.map(|(&joint, &weight)| palette.joints[usize::from(joint)].bind_position * weight).sum();
    sum.translation += if stretch == Stretch::AboutJoints { bind } else { sum.matrix3 * bind };
    sum
}

#[inline]
fn skin_stretch(palette: &Palette, joints: &[u16], weights: &[f32], stretch: Stretch) -> SkinStretch {
    let slots = joints.iter().map(|&joint| &palette.joints[usize::from(joint)]).zip(weights);
    match stretch {
        Stretch::Uniform(_) => SkinStretch::OfJoint,
        Stretch::ByScale => SkinStretch::Scale(slots.map(|(joint, weight)| joint.scale * weight).sum()),
        Stretch::ByStretch => SkinStretch::Axes(slots.map(|(joint, &weight)| joint.stretch_axes * weight).sum()),
        Stretch::AboutJoints | Stretch::Dropped => SkinStretch::Scale(1.0),
    }
}

/// Returns the rigid motions of a vertex's joints with their weights. With `checks_signs`, each motion's sign is chosen
/// to agree with the pivot: the heaviest joint, which import puts first.
#[inline]
pub(super) fn motions<'a>(
    palette: &'a Palette,
    joints: &'a [u16],
    weights: &'a [f32],
    summing: BlendOptions,
) -> impl Iterator<Item = (DualQuat, f32)> + Clone + 'a {
    let skin = skin_stretch(palette, joints, weights, summing.stretch);
    let pivot = joints.first().map_or(Vec4::W, |&first| palette.joints[usize::from(first)].rigid.real);
    joints.iter().zip(weights).map(move |(&joint, &weight)| {
        let rigid = palette.joints[usize::from(joint)].motion_in(skin);
        (if summing.checks_signs && pivot.dot(rigid.real) < 0.0 { -rigid } else { rigid }, weight)
    })
}

/// Computes phase 2 of DQS: blended rigid motion, world from skin. Returns the pivot's motion if the sum vanishes (all
/// weights 0, or opposite motions without sign checks).
#[inline]
pub(super) fn blended_motion(palette: &Palette, joints: &[u16], weights: &[f32], summing: BlendOptions) -> DualQuat {
    let mut motions = motions(palette, joints, weights, summing);
    let mut sum = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
    for (rigid, weight) in motions.clone() {
        sum = sum.add_scaled(&rigid, weight);
    }
    sum.normalized().unwrap_or_else(|| motions.next().map_or(DualQuat::IDENTITY, |(pivot, _)| pivot))
}

/// Returns the transform of tangent directions, world from skin.
pub(super) fn directions(palette: &Palette, summing: BlendOptions, joints: &[u16], weights: &[f32]) -> Mat3 {
    directions_by(blended_motion(palette, joints, weights, summing), palette, summing, joints, weights)
}

pub(super) fn directions_by(
    motion: DualQuat,
    palette: &Palette,
    summing: BlendOptions,
    joints: &[u16],
    weights: &[f32],
) -> Mat3 {
    Mat3::from_quat(motion.rotation()) * blended_stretch(palette, joints, weights, summing.stretch).matrix3
}

/// Computes both phases for one vertex as a matrix, world from skin, with sign checks. *Shapes*: one weight per joint,
/// heaviest first as sorted by import.
///
/// # Panics
/// Panics if `joints` contains a joint that is not in the palette.
pub fn dual_quaternion_blend(palette: &Palette, joints: &[u16], weights: &[f32]) -> Affine3 {
    let stretch = Stretch::new(ScaleHandling::TwoPhase, palette.scaling());
    let summing = BlendOptions { stretch, checks_signs: true };
    let stretch = blended_stretch(palette, joints, weights, summing.stretch);
    blended_motion(palette, joints, weights, summing).to_affine() * stretch
}

/// Returns, in ascending order, the vertices with a joint whose quaternion has a negative dot product with the heaviest
/// joint's quaternion. Without sign checks, these vertices rotate the long way round.
///
/// # Panics
/// Panics under the same conditions as [`super::skin`].
/// ```
/// use glam::{Affine3, Vec3};
/// use rigscope_core::rig::Influences;
/// use rigscope_core::skinning::{JointTransform, Palette, antipodal_vertices};
///
/// let still = JointTransform::new(Affine3::IDENTITY, Vec3::ZERO);
/// let other_sign = still.with_opposite_sign();
/// let palette = Palette::from(vec![still, other_sign]);
/// let influences = Influences::new(2, vec![0, 1, 1, 0], vec![0.5, 0.5, 1.0, 0.0]);
/// assert_eq!(antipodal_vertices(&palette, &influences), [0]);
/// ```
pub fn antipodal_vertices(palette: &Palette, influences: &Influences) -> Vec<u32> {
    let real = |joint: usize| palette.joints[joint].rigid.real;
    let is_flipped = |vertex: usize| {
        let mut slots = influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0);
        let pivot = slots.next().map_or(Vec4::W, |(joint, _)| real(joint));
        slots.any(|(joint, _)| pivot.dot(real(joint)) < 0.0)
    };
    (0..influences.len()).filter(|&v| is_flipped(v)).map(|v| v as u32).collect()
}

pub(super) fn skin(palette: &Palette, summing: BlendOptions, mut chunk: VertexChunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    let done = if summing.checks_signs { simd::dual_quaternion(summing.stretch, &mut chunk) } else { 0 };
    #[cfg(not(target_arch = "x86_64"))]
    let done = 0;
    skin_portably(palette, summing, chunk.rest(done));
}

pub(super) fn skin_portably(palette: &Palette, summing: BlendOptions, mut chunk: VertexChunk<'_>) {
    match chunk.per_vertex {
        1 => skin_each(palette, summing, &mut chunk, 1),
        2 => skin_each(palette, summing, &mut chunk, 2),
        4 => skin_each(palette, summing, &mut chunk, 4),
        8 => skin_each(palette, summing, &mut chunk, 8),
        per_vertex => skin_each(palette, summing, &mut chunk, per_vertex),
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "the loop is unrolled for a constant only where it is inlined")]
fn skin_each(palette: &Palette, summing: BlendOptions, chunk: &mut VertexChunk<'_>, per_vertex: usize) {
    chunk.each(per_vertex, |vertex| {
        let motion = blended_motion(palette, vertex.joints, vertex.weights, summing);
        moved(palette, vertex, summing.stretch, motion)
    });
}

#[inline]
pub(super) fn moved(palette: &Palette, vertex: ChunkVertex<'_>, stretch: Stretch, motion: DualQuat) -> SkinnedVertex {
    let ChunkVertex { joints, weights, mut position, mut normal, .. } = vertex;
    match stretch {
        Stretch::Uniform(scale) => (position, normal) = (position * scale, normal * scale),
        Stretch::Dropped => {}
        Stretch::ByScale | Stretch::ByStretch | Stretch::AboutJoints => {
            let stretch = blended_stretch(palette, joints, weights, stretch);
            position = stretch.transform_point3(position);
            normal = normal_matrix(stretch.matrix3) * normal;
        }
    }
    SkinnedVertex { position: motion.transform_point(position), normal: motion.rotation() * normal.normalize_or_zero() }
}
