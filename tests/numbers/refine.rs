//! Refinement of weights from any source.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use common::limbs::{dense, legs};
use common::rigs::{node, skinned, tube_primitive};
use glam::{Affine3, Vec3};
use proptest::prelude::*;
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, Rig, WeightSet};
use rigscope::weights::{StoredWeights, WeightRefinement, WeightResult, WeightSymmetry, refine, weight_statistics};

pub(crate) const RINGS: usize = 12;
pub(crate) const SIDES: usize = 8;
const JOINTS: usize = 5;

/// A refinement that changes nothing.
const NOTHING: WeightRefinement = WeightRefinement { smoothing: 0, is_symmetric: false, prune: 0.0, max: None };

fn refined(rig: &Rig, refinement: WeightRefinement) -> WeightResult {
    refine(rig, &WeightSet::from_rig(rig), &refinement, &Progress::default()).unwrap()
}

fn rows(rig: &Rig, refinement: WeightRefinement) -> Vec<Vec<f32>> {
    dense(refined(rig, refinement).weights.get(0, 0).unwrap(), rig.skins[0].joints.len())
}

/// Creates a tube along x with hips in its middle and arms to both sides. The first vertex of each ring is duplicated,
/// as at a seam. Two joints move each vertex.
pub(crate) fn tube(weights: &[(u16, u16, f32)]) -> Arc<Rig> {
    let mut primitive = tube_primitive(RINGS, SIDES, |_| vec![(0, 1.0)]);
    let first = primitive.positions.len() as u32;
    for ring in 0..=RINGS {
        primitive.positions.push(primitive.positions[ring * SIDES]);
    }
    let (seam, last) = ((SIDES - 1) as u32, SIDES as u32);
    for corners in primitive.indices.chunks_exact_mut(3).filter(|corners| corners.iter().any(|v| v % last == seam)) {
        corners.iter_mut().filter(|vertex| **vertex % last == 0).for_each(|vertex| *vertex = first + *vertex / last);
    }
    primitive.normals = None;
    let (mut joints, mut shares) = (Vec::new(), Vec::new());
    for vertex in 0..primitive.positions.len() {
        let on_ring = if vertex < first as usize { vertex } else { (vertex - first as usize) * SIDES };
        let (a, b, share) = weights[on_ring % weights.len()];
        let second = if a == b { (b + 1) % JOINTS as u16 } else { b };
        let share = share.max(1.0 - share);
        joints.extend([a, second]);
        shares.extend([share, 1.0 - share]);
    }
    primitive.influences = Some(Influences::new(2, joints, shares));
    let nodes = [
        node("hips", None, Vec3::ZERO),
        node("arm.L", Some(0), Vec3::X * 0.4),
        node("hand.L", Some(1), Vec3::X * 0.4),
        node("arm.R", Some(0), Vec3::NEG_X * 0.4),
        node("hand.R", Some(3), Vec3::NEG_X * 0.4),
    ];
    skinned(&nodes, None, primitive, Vec::new())
}

pub(crate) fn any_weights() -> impl Strategy<Value = Vec<(u16, u16, f32)>> {
    let joint = || 0..JOINTS as u16;
    prop::collection::vec((joint(), joint(), 0.0_f32..=1.0), (RINGS + 1) * SIDES)
}

fn any_refinement() -> impl Strategy<Value = WeightRefinement> {
    (0_u8..4, any::<bool>(), 0.0_f32..0.6, prop::option::of(0_u8..4))
        .prop_map(|(smoothing, is_symmetric, prune, max)| WeightRefinement { smoothing, is_symmetric, prune, max })
}

/// Returns the sum of squared changes of weights along the tube.
fn roughness(rows: &[Vec<f32>]) -> f32 {
    let along = (0..RINGS * SIDES).map(|vertex| (&rows[vertex], &rows[vertex + SIDES]));
    along.flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| (a - b).powi(2)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn weights_sum_to_1_and_seams_stay_closed(weights in any_weights(), refinement in any_refinement()) {
        let rig = tube(&weights);
        let rows = rows(&rig, refinement);
        for row in &rows {
            prop_assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6 && row.iter().all(|weight| *weight >= 0.0));
            let used = row.iter().filter(|weight| **weight > 0.0);
            prop_assert!(used.clone().count() <= refinement.max.map_or(JOINTS, |most| usize::from(most).max(1)));
            prop_assert!(used.clone().count() == 1 || used.into_iter().all(|weight| *weight >= refinement.prune));
        }
        for ring in 0..=RINGS {
            prop_assert_eq!(&rows[ring * SIDES], &rows[(RINGS + 1) * SIDES + ring]);
        }
    }

    #[test]
    fn refinement_without_effect_keeps_every_bit(weights in any_weights()) {
        let rig = tube(&weights);
        prop_assert_eq!(refined(&rig, NOTHING), WeightResult { weights: WeightSet::from_rig(&rig), notes: Vec::new() });
        let enough = WeightRefinement { max: Some(2), ..NOTHING };
        prop_assert_eq!(refined(&rig, enough).weights, WeightSet::from_rig(&rig));
    }

    #[test]
    fn smoothing_makes_smoother(weights in any_weights()) {
        let rig = tube(&weights);
        let steps = [0, 1, 5].map(|smoothing| roughness(&rows(&rig, WeightRefinement { smoothing, ..NOTHING })));
        prop_assert!(steps[2] < steps[1] && steps[1] < steps[0], "{:?}", steps);
    }

    #[test]
    fn both_halves_get_the_same_weights(weights in any_weights(), refinement in any_refinement()) {
        let rig = tube(&weights);
        let found = refined(&rig, WeightRefinement { is_symmetric: true, ..refinement });
        prop_assert!(found.notes.is_empty());
        let rows = dense(found.weights.get(0, 0).unwrap(), JOINTS);
        for (vertex, row) in rows.iter().enumerate().take((RINGS + 1) * SIDES) {
            let other = &rows[(RINGS - vertex / SIDES) * SIDES + vertex % SIDES];
            // On the mirror plane, a single influence can't be split between left and right.
            let is_single = vertex / SIDES == RINGS / 2 && row.contains(&1.0);
            for (joint, partner) in [(0, 0), (1, 3), (2, 4), (3, 1), (4, 2)] {
                prop_assert!(is_single || (row[joint] - other[partner]).abs() < 1e-6, "{vertex}, {joint}: {row:?} {other:?}");
            }
        }
    }
}

#[test]
fn smoothing_keeps_equal_weights_and_does_not_cross_air() {
    let rig = tube(&[(2, 3, 1.0)]);
    assert!(rows(&rig, WeightRefinement { smoothing: 9, ..NOTHING }).iter().all(|row| row[2] == 1.0));
    let legs = legs();
    let mut primitive = legs.meshes[0].primitives[0].clone();
    let half = primitive.positions.len() / 2;
    primitive.influences = Some(Influences::new(1, [vec![1; half], vec![4; half]].concat(), vec![1.0; 2 * half]));
    let mut weights = WeightSet::unchanged(&legs);
    weights.set(0, 0, primitive.influences.unwrap());
    let smoothed =
        refine(&legs, &weights, &WeightRefinement { smoothing: 50, ..NOTHING }, &Progress::default()).unwrap();
    let rows = dense(smoothed.weights.get(0, 0).unwrap(), 7);
    assert!(rows[..half].iter().all(|row| row[1] == 1.0) && rows[half..].iter().all(|row| row[4] == 1.0));
}

fn balance(rig: &Rig) -> WeightSymmetry {
    weight_statistics(rig, StoredWeights::default(), &Progress::default()).unwrap().balance.unwrap()
}

/// Creates a tube bound in a symmetric pose, with a joint in its middle that has no side. `resting` are its rest
/// positions.
fn bound_symmetric(resting: [Vec3; 4]) -> Arc<Rig> {
    let bound = [Vec3::ZERO, Vec3::X * 0.6, Vec3::NEG_X * 0.6, Vec3::Y * 0.2];
    let inverse_bind = bound.map(|at| Affine3::from_translation(-at));
    let weights = |x: f32| vec![(0, 0.3), (3, 0.2), (1, 0.25 * (1.0 + x)), (2, 0.25 * (1.0 - x))];
    let [hips, left, right, chest] = resting;
    let nodes = [
        node("hips", None, hips),
        node("arm.L", Some(0), left),
        node("arm.R", Some(0), right),
        node("chest", Some(0), chest),
    ];
    skinned(&nodes, Some(inverse_bind.into()), tube_primitive(RINGS, SIDES, weights), Vec::new())
}

#[test]
fn the_bind_pose_decides_what_is_symmetric_and_not_the_rest_pose() {
    let at_bind = [Vec3::ZERO, Vec3::X * 0.6, Vec3::NEG_X * 0.6, Vec3::Y * 0.2];
    let striding =
        [Vec3::new(0.1, 0.3, 0.0), Vec3::new(0.2, 0.1, 0.6), Vec3::new(0.1, -0.5, -0.4), Vec3::new(0.2, 0.2, 0.1)];
    for resting in [at_bind, striding] {
        let rig = bound_symmetric(resting);
        let found = balance(&rig);
        assert!(found.mean_error < 1e-6 && found.largest_error < 1e-5 && found.matched_fraction == 1.0, "{found:?}");
        let symmetric = WeightRefinement { is_symmetric: true, ..NOTHING };
        let (before, after) = (rows(&rig, NOTHING), rows(&rig, symmetric));
        let off = before.iter().flatten().zip(after.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 1e-6 && refined(&rig, symmetric).notes.is_empty(), "{off}");
    }
}

/// Only the left hand has a thumb joint. Neither half can take over the weights of the other.
#[test]
fn a_joint_without_a_partner_keeps_its_weights_and_gives_none_to_the_other_side() {
    let nodes = [
        node("hips", None, Vec3::ZERO),
        node("hand.L", Some(0), Vec3::X * 0.5),
        node("hand.R", Some(0), Vec3::NEG_X * 0.5),
        node("thumb.L", Some(1), Vec3::new(0.4, 0.0, 0.2)),
    ];
    let weights = |x: f32| match x {
        x if x > 0.8 => vec![(3, 0.9), (1, 0.1)],
        x if x > 0.0 => vec![(1, 0.8), (0, 0.2)],
        _ => vec![(2, 0.6), (0, 0.4)],
    };
    let rig = skinned(&nodes, None, tube_primitive(RINGS, SIDES, weights), Vec::new());
    let [before, after] = [false, true].map(|is_symmetric| rows(&rig, WeightRefinement { is_symmetric, ..NOTHING }));
    let positions = &rig.meshes[0].primitives[0].positions;
    for ((position, before), after) in positions.iter().zip(&before).zip(&after) {
        if position.x.abs() > 0.8 {
            assert_eq!(before, after, "{position}");
        } else {
            assert!((after[1] + after[2] - 0.7).abs() < 1e-6 || position.x.abs() < 0.01, "{position}: {after:?}");
        }
    }
    let found =
        balance(&Rig::with_weights(&rig, &refined(&rig, WeightRefinement { is_symmetric: true, ..NOTHING }).weights));
    assert!(found.largest_error < 1e-5 && found.matched_fraction < 1.0, "{found:?}");
    let note = "32 of 104 points have no mirror image and keep their weights.";
    assert_eq!(refined(&rig, WeightRefinement { is_symmetric: true, ..NOTHING }).notes, [note]);
}

/// A long sword in the right hand crosses the mirror image of a round shield in the left hand.
#[test]
fn things_of_one_side_keep_their_weights_where_they_cross_the_image_of_another() {
    let mut primitive = tube_primitive(RINGS, SIDES, |_| vec![(0, 1.0)]);
    let body = primitive.positions.len();
    for (center, half, joint) in [
        (Vec3::new(0.8, 0.0, 0.6), Vec3::new(0.02, 0.3, 0.3), 1),
        (Vec3::new(-0.8, 0.0, 0.6), Vec3::new(0.02, 1.2, 0.02), 2),
    ] {
        let first = primitive.positions.len() as u32;
        let thing = tube_primitive(30, SIDES, |_| vec![(joint, 1.0)]);
        primitive
            .positions
            .extend(thing.positions.iter().map(|p| center + Vec3::new(4.0 * p.y, p.x, 4.0 * p.z) * half));
        primitive.indices.extend(thing.indices.iter().map(|index| index + first));
    }
    let count = primitive.positions.len();
    let joint = |vertex: usize| if vertex < body { 0 } else { 1 + ((vertex - body) * 2 / (count - body)) as u16 };
    primitive.influences = Some(Influences::new(1, (0..count).map(joint).collect(), vec![1.0; count]));
    primitive.normals = None;
    let nodes = [
        node("hips", None, Vec3::ZERO),
        node("hand.L", Some(0), Vec3::X * 0.7),
        node("hand.R", Some(0), Vec3::NEG_X * 0.7),
    ];
    let rig = skinned(&nodes, None, primitive, Vec::new());
    let [before, after] = [false, true].map(|is_symmetric| rows(&rig, WeightRefinement { is_symmetric, ..NOTHING }));
    assert_eq!(before, after);
}

#[test]
fn points_without_a_mirror_image_are_counted() {
    let rig = tube(&[(1, 0, 0.7)]);
    let mut parts = rigscope::rig::RigData::clone(&rig);
    parts.meshes[0].primitives[0].positions.iter_mut().filter(|p| p.x > 0.9).for_each(|p| p.x = 3.0);
    let lopsided = refined(&Rig::new(parts), WeightRefinement { is_symmetric: true, ..NOTHING });
    // The moved ring has no surface opposite to it. The ring opposite to its old position does: the surface that
    // stretches to the moved ring.
    let told = "8 of 104 points have no mirror image and keep their weights.";
    assert_eq!(lopsided.notes, [told]);
    let legless = skinned(
        &[node("base", None, Vec3::NEG_X), node("tip", Some(0), Vec3::X)],
        None,
        tube_primitive(4, 4, |_| vec![(0, 0.6), (1, 0.4)]),
        Vec::new(),
    );
    let found = refined(&legless, WeightRefinement { is_symmetric: true, ..NOTHING });
    assert_eq!(found.notes, ["No joints are mirror images of each other: weights are not made symmetric."]);
    assert_eq!(refine(&rig, &WeightSet::from_rig(&rig), &NOTHING, &Progress::cancelled()), None);
}
