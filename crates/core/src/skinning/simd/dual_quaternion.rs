use std::mem::offset_of;

use super::lanes::SimdLanes;
use super::vectors::{DualQuats, Matrices, Vectors};
use super::{MAX_SLOTS, Slots, groups};
use crate::skinning::chunk::VertexChunk;
use crate::skinning::{JointTransform, Stretch};

/// Offset of the second cache line of a joint, in floats. The constants below are offsets in the third line.
const RIGID: usize = offset_of!(JointTransform, rigid) / 4;
const STRETCH: usize = offset_of!(JointTransform, stretch_axes) / 4;
const BIND: usize = offset_of!(JointTransform, bind_position) / 4;
const _: () =
    assert!(RIGID == 16 && STRETCH == 32 && size_of::<JointTransform>() == 192, "three lines of sixteen floats");
const _: () = assert!(BIND == 44, "the last four floats");
/// Offset of the second half of the third line, in floats.
const SCALE: usize = STRETCH + 8;

#[inline(always)]
pub(super) fn skin<F: SimdLanes<L>, const L: usize, const N: usize>(
    set: F::Set,
    chunk: &mut VertexChunk<'_>,
    stretch: Stretch,
) {
    match stretch {
        Stretch::Uniform(scale) => skin_uniformly::<F, L, N>(set, scale, chunk),
        Stretch::ByScale => skin_by_scale::<F, L, N>(set, chunk),
        Stretch::ByStretch => skin_stretched::<F, L, N>(set, chunk),
        Stretch::AboutJoints => skin_about_joints::<F, L, N>(set, true, chunk),
        Stretch::Dropped => skin_about_joints::<F, L, N>(set, false, chunk),
    }
}

#[inline(always)]
fn skin_uniformly<F: SimdLanes<L>, const L: usize, const N: usize>(
    set: F::Set,
    scale: f32,
    chunk: &mut VertexChunk<'_>,
) {
    let scale = F::splat(set, scale);
    for group in groups::<L, N>(chunk) {
        let weights = signed_weights::<F, L, N>(set, group.slots);
        let [a, b, c, d, e, f, g, h] = F::half_sums(set, group.slots, RIGID, |lane, slot| weights[slot][lane]);
        let motion = DualQuats::normalized([a, b, c, d], [e, f, g, h]);
        motion.transform_point(Vectors::load(set, group.positions).scaled(scale)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            motion.rotate(Vectors::load(set, normals).scaled(scale).normalized_or_zero()).store(skinned);
        }
    }
}

/// Skins groups with uniformly scaled joints, in a skin space with each vertex's mean scale.
#[inline(always)]
fn skin_by_scale<F: SimdLanes<L>, const L: usize, const N: usize>(set: F::Set, chunk: &mut VertexChunk<'_>) {
    for group in groups::<L, N>(chunk) {
        let slots = group.slots;
        let weights = signed_weights::<F, L, N>(set, slots);
        let [_, ux, uy, uz, x, y, z, scale] = F::half_sums(set, slots, SCALE, |lane, slot| slots.weight(lane, slot));
        let motion = rigid_motions(set, slots, &weights, scale);
        let translation = Vectors { x, y, z }.scaled_onto(scale, Vectors { x: ux, y: uy, z: uz });
        let position = Vectors::load(set, group.positions).scaled_onto(scale, translation);
        motion.transform_point(position).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            motion.rotate(Vectors::load(set, normals).scaled(scale).normalized_or_zero()).store(skinned);
        }
    }
}

/// Skins groups in unscaled skin space; joints stretch about their bind positions, or not at all if `has_stretch` is false.
#[inline(always)]
fn skin_about_joints<F: SimdLanes<L>, const L: usize, const N: usize>(
    set: F::Set,
    has_stretch: bool,
    chunk: &mut VertexChunk<'_>,
) {
    for group in groups::<L, N>(chunk) {
        let slots = group.slots;
        let weights = signed_weights::<F, L, N>(set, slots);
        let [axes @ .., ux, uy, uz, x, y, z, _] = F::sums(set, slots, STRETCH, |lane, slot| slots.weight(lane, slot));
        let motion = rigid_motions(set, slots, &weights, F::splat(set, 1.0));
        let stretch = Matrices::new(&axes, Vectors { x, y, z }.plus(Vectors { x: ux, y: uy, z: uz }));
        let mut position = Vectors::load(set, group.positions);
        if has_stretch {
            position = stretch.transform_point(position);
        }
        motion.transform_point(position).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            let mut normal = Vectors::load(set, normals);
            if has_stretch {
                normal = stretch.transform_normal(normal);
            }
            motion.rotate(normal.normalized_or_zero()).store(skinned);
        }
    }
}

/// Computes blended rigid motions in a skin space with one scale per vertex.
#[inline(always)]
fn rigid_motions<F: SimdLanes<L>, const L: usize, const N: usize>(
    set: F::Set,
    slots: Slots<'_, N>,
    weights: &[[f32; L]; MAX_SLOTS],
    scale: F,
) -> DualQuats<F> {
    let [a, b, c, d, _, _, _, _, i, j, k, l, e, f, g, h] = F::sums(set, slots, RIGID, |lane, slot| weights[slot][lane]);
    let dual = [i.times_from(scale, e), j.times_from(scale, f), k.times_from(scale, g), l.times_from(scale, h)];
    DualQuats::normalized([a, b, c, d], dual)
}

/// Skins groups in a skin space with each vertex's mean stretch.
#[inline(always)]
fn skin_stretched<F: SimdLanes<L>, const L: usize, const N: usize>(set: F::Set, chunk: &mut VertexChunk<'_>) {
    let half = F::splat(set, 0.5);
    for group in groups::<L, N>(chunk) {
        let slots = group.slots;
        let weights = signed_weights::<F, L, N>(set, slots);
        let [axes @ .., ox, oy, oz, x, y, z, _] = F::sums(set, slots, STRETCH, |lane, slot| slots.weight(lane, slot));
        let stretch = Matrices::new(&axes, Vectors { x: ox, y: oy, z: oz });
        let [a, b, c, d, .., e, f, g, h] = F::sums(set, slots, RIGID, |lane, slot| weights[slot][lane]);
        let moments = F::moments(set, slots, BIND, |lane, slot| weights[slot][lane]);
        let motion = DualQuats::normalized([a, b, c, d], stretch.products_from(half, moments, [e, f, g, h]));
        let from_binds = Vectors::load(set, group.positions).plus(Vectors { x, y, z });
        motion.transform_point(stretch.transform_point(from_binds)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            let normal = stretch.transform_normal(Vectors::load(set, normals));
            motion.rotate(normal.normalized_or_zero()).store(skinned);
        }
    }
}

/// Returns weights by slot and vertex, negated if a joint's quaternion is opposite to that of the first joint.
#[inline(always)]
fn signed_weights<F: SimdLanes<L>, const L: usize, const N: usize>(
    set: F::Set,
    slots: Slots<'_, N>,
) -> [[f32; L]; MAX_SLOTS] {
    let mut weights = [[0.0; L]; MAX_SLOTS];
    for (lane, weight) in weights[0].iter_mut().enumerate() {
        // Selects the pivot's motion if all weights are 0; otherwise the pivot's weight is at least 1/n.
        *weight = slots.weight(lane, 0).max(1e-18);
    }
    for slot in 1..slots.count() {
        let weights = &mut weights[slot];
        for (lane, weight) in weights.iter_mut().enumerate() {
            *weight = slots.weight(lane, slot);
        }
        F::load(set, weights).negated_by(F::agreement(set, slots, slot)).store(weights);
    }
    weights
}
