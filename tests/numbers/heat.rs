//! Heat weights compared with closed forms, and computed on difficult shapes.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use common::limbs::{dense, legs};
use common::rigs::{Node, box_primitive, node, skinned, tube_primitive};
use glam::Vec3;
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, Primitive, Rig};
use rigscope::weights::{Recipe, WeightRefinement, WeightResult, Weighting, compute};

const RADIUS: f32 = 0.25;

/// Returns a recipe that keeps even the smallest weights.
fn recipe(weighting: Weighting, left_out: &[&str]) -> Recipe {
    let left_out = Some(left_out.iter().map(|&name| name.to_owned()).collect());
    let refinement = WeightRefinement { prune: 0.0, max: None, ..WeightRefinement::default() };
    Recipe { weighting, left_out, refinement, ..Recipe::default() }
}

fn computed(rig: &Rig, weighting: Weighting, left_out: &[&str]) -> WeightResult {
    compute(rig, &recipe(weighting, left_out), &Progress::default()).unwrap()
}

fn weights(rig: &Rig, weighting: Weighting, left_out: &[&str]) -> Vec<Vec<f32>> {
    let computed = computed(rig, weighting, left_out);
    dense(computed.weights.get(0, 0).unwrap(), rig.skins[0].joints.len())
}

fn assert_weighted(rows: &[Vec<f32>], what: &str) {
    for (vertex, row) in rows.iter().enumerate() {
        let sum: f32 = row.iter().sum();
        assert!(
            (sum - 1.0).abs() < 1e-6 && row.iter().all(|weight| *weight >= 0.0),
            "{what}, vertex {vertex}: {row:?}"
        );
    }
}

/// Returns joints along x at -1, 0 and 1.
fn bent_nodes() -> [Node; 3] {
    [node("base", None, Vec3::NEG_X), node("twist", Some(0), Vec3::X), node("end", Some(1), Vec3::X)]
}

fn tube(change: impl FnOnce(&mut Primitive)) -> Arc<Rig> {
    let mut primitive = tube_primitive(80, 24, |_| vec![(0, 1.0)]);
    change(&mut primitive);
    skinned(&bent_nodes(), None, primitive, Vec::new())
}

#[test]
fn a_tube_has_the_weights_of_the_equation_along_it() {
    let rig = tube(|_| {});
    let rows = weights(&rig, Weighting::Heat, &["end"]);
    assert_weighted(&rows, "tube");
    // Closed form of -w'' + w / r² = p / r², with no heat flow through the ends.
    let beyond = |x: f32| ((1.0 - x) / RADIUS).cosh() / (2.0 * (1.0 / RADIUS).cosh());
    for (row, position) in rows.iter().zip(&rig.meshes[0].primitives[0].positions) {
        let expected = if position.x < 0.0 { 1.0 - beyond(-position.x) } else { beyond(position.x) };
        assert!((row[0] - expected).abs() < 0.01, "{position}: {} and not {expected}", row[0]);
        assert_eq!(row[2], 0.0, "left out");
    }
}

/// Returns the largest weight that a vertex has on joints of the other leg.
fn leak(rig: &Rig, weighting: Weighting) -> f32 {
    let rows = weights(rig, weighting, &[]);
    assert_weighted(&rows, "legs");
    let others = |(vertex, row): (usize, &Vec<f32>)| -> f32 {
        let is_left = vertex < rows.len() / 2;
        if is_left { row[4..].iter().sum() } else { row[1..4].iter().sum() }
    };
    rows.iter().enumerate().map(others).fold(0.0, f32::max)
}

#[test]
fn legs_that_touch_keep_their_own_joints() {
    let rig = legs();
    let (heat, closest) = (leak(&rig, Weighting::Heat), leak(&rig, Weighting::Closest));
    assert!(heat <= 0.01, "{heat}");
    assert!(closest > 0.2, "{closest}: the nearest bones leak where legs touch");
}

#[test]
fn touching_primitives_are_reported_by_heat_weights() {
    let mut primitive = box_primitive(Vec3::splat(0.25));
    let count = primitive.positions.len();
    // The boxes have an edge in the same place.
    primitive.positions.extend(primitive.positions.clone().iter().map(|position| *position + Vec3::new(0.5, 0.5, 0.0)));
    primitive.indices.extend(primitive.indices.clone().iter().map(|vertex| vertex + count as u32));
    primitive.influences = Some(Influences::new(1, vec![0; 2 * count], vec![1.0; 2 * count]));
    let rig = skinned(&bent_nodes(), None, Primitive { normals: None, ..primitive }, Vec::new());
    let notes = computed(&rig, Weighting::Heat, &[]).notes;
    assert!(notes.iter().any(|note| note.starts_with("2 of 14 points connect components")), "{notes:?}");
    assert_eq!(computed(&tube(|_| {}), Weighting::Heat, &[]).notes, [""; 0]);
}

#[test]
fn whatever_the_triangles_are_every_vertex_has_weights() {
    let soup = |primitive: &mut Primitive| {
        let Primitive { positions, indices, .. } = primitive;
        *positions = indices.iter().map(|&vertex| positions[vertex as usize] * 1.0001).collect();
        for (triangle, corners) in positions.chunks_exact_mut(3).enumerate() {
            for corner in corners {
                corner.z += triangle as f32 * 1e-6;
            }
        }
        *indices = (0..positions.len() as u32).collect();
        reweighted(primitive);
    };
    let single = |primitive: &mut Primitive| {
        primitive.positions.truncate(3);
        primitive.indices = vec![0, 1, 2];
        reweighted(primitive);
    };
    let loose = |primitive: &mut Primitive| {
        primitive.indices.truncate(300);
    };
    let blind = |primitive: &mut Primitive| {
        // No vertex of the shell around the tube can see the bones inside the tube.
        let (positions, count) = (primitive.positions.clone(), primitive.positions.len() as u32);
        primitive.positions.extend(positions.iter().map(|p| Vec3::new(p.x * 0.5, p.y * 1.3, p.z * 1.3)));
        primitive.indices.extend(primitive.indices.clone().iter().map(|vertex| vertex + count));
        reweighted(primitive);
    };
    let plain = weights(&tube(|_| {}), Weighting::Heat, &["end"]);
    let inside_out = tube(|primitive| primitive.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(0, 1)));
    for (row, expected) in weights(&inside_out, Weighting::Heat, &["end"]).iter().zip(&plain) {
        assert!((row[0] - expected[0]).abs() < 1e-5, "inside out");
    }
    for (what, rig) in [
        ("soup", tube(soup)),
        ("a single triangle", tube(single)),
        ("loose vertices", tube(loose)),
        ("no triangles", tube(|primitive| primitive.indices.clear())),
        ("nowhere", tube(|primitive| primitive.positions[700] = Vec3::NAN)),
        ("flat", tube(|primitive| primitive.positions.iter_mut().for_each(|p| p.y = 0.0))),
        ("one place", tube(|primitive| primitive.positions.iter_mut().for_each(|p| *p = Vec3::ONE))),
        ("far away", tube(|primitive| primitive.positions.iter_mut().for_each(|p| *p += Vec3::splat(1e9)))),
    ] {
        assert_weighted(&weights(&rig, Weighting::Heat, &[]), what);
    }
    let shell = computed(&tube(blind), Weighting::Heat, &["end"]);
    assert_eq!(
        shell.notes,
        ["1 of 2 mesh parts has no visible bone; its weights are copied from the nearest part and may detach."]
    );
    let rows = dense(shell.weights.get(0, 0).unwrap(), 3);
    let (inner, outer) = rows.split_at(plain.len());
    assert!((outer[0][0] - inner[20 * 24][0]).abs() < 1e-3, "the shell's end lies around the tube's ring 20");
}

fn reweighted(primitive: &mut Primitive) {
    let count = primitive.positions.len();
    primitive.normals = None;
    primitive.influences = Some(Influences::new(1, vec![0; count], vec![1.0; count]));
}

#[test]
fn threads_change_nothing_and_a_cancelled_job_ends() {
    let rig = legs();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| computed(&rig, Weighting::Heat, &[]))
    };
    assert_eq!(on(1), on(3));
    assert_eq!(compute(&rig, &recipe(Weighting::Heat, &[]), &Progress::cancelled()), None);
}
