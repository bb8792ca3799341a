use std::mem::offset_of;

use super::avx2::{Avx2, Eight};
use super::vectors::{DualQuats, Matrices, Vectors};
use super::{LANES, MAX_SLOTS, Slots, groups};
use crate::skinning::chunk::VertexChunk;
use crate::skinning::{JointTransform, Stretch};

/// Offset of a joint's second cache line, in floats. The constants below are offsets of fields in the third line.
const RIGID: usize = offset_of!(JointTransform, rigid) / 4;
const STRETCH: usize = offset_of!(JointTransform, stretch_axes) / 4;
const BIND: usize = offset_of!(JointTransform, bind_position) / 4;
const _: () =
    assert!(RIGID == 16 && STRETCH == 32 && size_of::<JointTransform>() == 192, "three lines of sixteen floats");
const _: () = assert!(BIND == 44, "the last four floats");
/// Offset of the second half of the third line, in floats.
const SCALE: usize = STRETCH + 8;

#[inline(always)]
pub(super) fn skin<const N: usize>(set: Avx2, chunk: &mut VertexChunk<'_>, stretch: Stretch) {
    match stretch {
        Stretch::Uniform(scale) => skin_uniformly::<N>(set, scale, chunk),
        Stretch::ByScale => skin_by_scale::<N>(set, chunk),
        Stretch::ByStretch => skin_stretched::<N>(set, chunk),
        Stretch::AboutJoints => skin_about_joints::<N>(set, true, chunk),
        Stretch::Dropped => skin_about_joints::<N>(set, false, chunk),
    }
}

#[inline(always)]
fn skin_uniformly<const N: usize>(set: Avx2, scale: f32, chunk: &mut VertexChunk<'_>) {
    let scale = Eight::splat(set, scale);
    for group in groups::<N>(chunk) {
        let weights = signed_weights::<N>(set, group.slots);
        let [a, b, c, d, e, f, g, h] = Eight::half_sums(set, group.slots, RIGID, |lane, slot| weights[slot][lane]);
        let motion = DualQuats::normalized([a, b, c, d], [e, f, g, h]);
        motion.transform_point(Vectors::load(set, group.positions).scaled(scale)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            motion.rotate(Vectors::load(set, normals).scaled(scale).normalized_or_zero()).store(skinned);
        }
    }
}

/// Skins groups whose joints are scaled uniformly, in a skin space scaled by each vertex's mean scale.
#[inline(always)]
fn skin_by_scale<const N: usize>(set: Avx2, chunk: &mut VertexChunk<'_>) {
    for group in groups::<N>(chunk) {
        let slots = group.slots;
        let weights = signed_weights::<N>(set, slots);
        let [_, ux, uy, uz, x, y, z, scale] =
            Eight::half_sums(set, slots, SCALE, |lane, slot| slots.weight(lane, slot));
        let motion = rigid_motions(set, slots, &weights, scale);
        let translation = Vectors { x, y, z }.scaled_onto(scale, Vectors { x: ux, y: uy, z: uz });
        let position = Vectors::load(set, group.positions).scaled_onto(scale, translation);
        motion.transform_point(position).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            motion.rotate(Vectors::load(set, normals).scaled(scale).normalized_or_zero()).store(skinned);
        }
    }
}

/// Skins groups in unscaled skin space. Each joint stretches about its own bind position, or not at all if
/// `has_stretch` is false.
#[inline(always)]
fn skin_about_joints<const N: usize>(set: Avx2, has_stretch: bool, chunk: &mut VertexChunk<'_>) {
    for group in groups::<N>(chunk) {
        let slots = group.slots;
        let weights = signed_weights::<N>(set, slots);
        let [axes @ .., ux, uy, uz, x, y, z, _] =
            Eight::sums(set, slots, STRETCH, |lane, slot| slots.weight(lane, slot));
        let motion = rigid_motions(set, slots, &weights, Eight::splat(set, 1.0));
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
fn rigid_motions<const N: usize>(
    set: Avx2,
    slots: Slots<'_, N>,
    weights: &[[f32; LANES]; MAX_SLOTS],
    scale: Eight,
) -> DualQuats {
    let [a, b, c, d, _, _, _, _, i, j, k, l, e, f, g, h] =
        Eight::sums(set, slots, RIGID, |lane, slot| weights[slot][lane]);
    let dual = [i.times_from(scale, e), j.times_from(scale, f), k.times_from(scale, g), l.times_from(scale, h)];
    DualQuats::normalized([a, b, c, d], dual)
}

/// Skins groups in a skin space stretched by each vertex's mean stretch.
#[inline(always)]
fn skin_stretched<const N: usize>(set: Avx2, chunk: &mut VertexChunk<'_>) {
    let half = Eight::splat(set, 0.5);
    for group in groups::<N>(chunk) {
        let slots = group.slots;
        let weights = signed_weights::<N>(set, slots);
        let [axes @ .., ox, oy, oz, x, y, z, _] =
            Eight::sums(set, slots, STRETCH, |lane, slot| slots.weight(lane, slot));
        let stretch = Matrices::new(&axes, Vectors { x: ox, y: oy, z: oz });
        let [a, b, c, d, .., e, f, g, h] = Eight::sums(set, slots, RIGID, |lane, slot| weights[slot][lane]);
        let moments = Eight::moments(set, slots, BIND, |lane, slot| weights[slot][lane]);
        let motion = DualQuats::normalized([a, b, c, d], stretch.products_from(half, &moments, [e, f, g, h]));
        let from_binds = Vectors::load(set, group.positions).plus(Vectors { x, y, z });
        motion.transform_point(stretch.transform_point(from_binds)).store(group.skinned_positions);
        if let Some((normals, skinned)) = group.normals {
            let normal = stretch.transform_normal(Vectors::load(set, normals));
            motion.rotate(normal.normalized_or_zero()).store(skinned);
        }
    }
}

/// Returns the weights by slot and vertex. A weight is negated if the dot product of its joint's quaternion and the
/// first joint's quaternion is negative.
#[inline(always)]
fn signed_weights<const N: usize>(set: Avx2, slots: Slots<'_, N>) -> [[f32; LANES]; MAX_SLOTS] {
    let mut weights = [[0.0; LANES]; MAX_SLOTS];
    for (lane, weight) in weights[0].iter_mut().enumerate() {
        // Selects the pivot's motion if all weights are 0; otherwise the pivot's weight is at least 1/n.
        *weight = slots.weight(lane, 0).max(1e-18);
    }
    for slot in 1..slots.count() {
        let weights = &mut weights[slot];
        for (lane, weight) in weights.iter_mut().enumerate() {
            *weight = slots.weight(lane, slot);
        }
        Eight::load(set, weights).negated_by(Eight::agreement(set, slots, slot)).store(weights);
    }
    weights
}
