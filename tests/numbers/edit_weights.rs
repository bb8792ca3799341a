//! Weights of selected vertices, edited by hand.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::refine::{RINGS, SIDES, any_weights, tube};

use std::sync::Arc;

use common::limbs::dense;
use common::rigs::{node, skinned};
use glam::Vec3;
use proptest::prelude::*;
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, NodeIndex, Primitive, Rig, RigData};
use rigscope::weights::{
    EditMesh, PointSet, VertexRows, WeightChoice, WeightEdit, WeightEditResult, edit, mean_weights,
};

/// Number of columns of [`grid`], a flat grid across the mirror plane. It has a joint in the middle and one at either
/// side, with weights that change linearly between them.
const COLUMNS: usize = 5;

fn grid() -> Arc<Rig> {
    let mut primitive = Primitive::default();
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for row in 0..3 {
        for column in 0..COLUMNS {
            let x = column as f32 - 2.0;
            primitive.positions.push(Vec3::new(x, row as f32, 0.0));
            // Weight of the hand: 1 at either side, 0 in the middle.
            let side = (x / 2.0).abs();
            joints.extend([0, if x > 0.0 { 1 } else { 2 }]);
            weights.extend([1.0 - side, side]);
        }
    }
    for row in 0..2 {
        for column in 0..COLUMNS - 1 {
            let at = |r: usize, c: usize| (r * COLUMNS + c) as u32;
            let [a, b, c, d] = [at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)];
            primitive.indices.extend([a, b, c, a, c, d]);
        }
    }
    primitive.influences = Some(Influences::new(2, joints, weights));
    let nodes = [
        node("Hips", None, Vec3::ZERO),
        node("Hand.L", Some(0), Vec3::X * 2.0),
        node("Hand.R", Some(0), Vec3::NEG_X * 2.0),
    ];
    skinned(&nodes, None, primitive, Vec::new())
}

const HIPS: usize = 0;
const LEFT: usize = 1;
const RIGHT: usize = 2;

fn joint(rig: &Rig, slot: usize) -> NodeIndex {
    rig.skins[0].joints[slot]
}

fn selected(rig: &Rig, vertices: impl IntoIterator<Item = usize>) -> (EditMesh, PointSet) {
    let mesh = EditMesh::new(rig, &Progress::default()).unwrap();
    let points: Vec<u32> = mesh.primitive_points(0, 0).collect();
    let set = PointSet::new(&mesh, vertices.into_iter().map(|vertex| points[vertex]));
    (mesh, set)
}

fn edited_by(rig: &Rig, vertices: &[usize], operation: WeightEdit, locked: &[NodeIndex]) -> WeightEditResult {
    let (mesh, set) = selected(rig, vertices.iter().copied());
    edit(rig, &mesh, &set, operation, locked, &Progress::default()).unwrap()
}

fn with_rows(rig: &Rig, rows: &VertexRows) -> Rig {
    rig.with_weights(&rows.applied(rig, &Progress::default()).unwrap().weights)
}

fn weights(rig: &Rig) -> Vec<Vec<f32>> {
    dense(rig.meshes[0].primitives[0].influences.as_ref().unwrap(), rig.skins[0].joints.len())
}

fn after(rig: &Rig, vertices: &[usize], operation: WeightEdit) -> Vec<Vec<f32>> {
    weights(&with_rows(rig, &edited_by(rig, vertices, operation, &[]).rows))
}

fn vertex(row: usize, column: usize) -> usize {
    row * COLUMNS + column
}

#[test]
fn each_operation_changes_only_the_selection() {
    let rig = grid();
    let before = weights(&rig);
    let (middle, beside) = (vertex(1, 2), vertex(1, 3));
    let cases = [
        (WeightEdit::Rigid(joint(&rig, LEFT)), vec![0.0, 1.0, 0.0]),
        (WeightEdit::Assign(joint(&rig, RIGHT), 0.5), vec![0.25, 0.25, 0.5]),
        (WeightEdit::Add(joint(&rig, LEFT), 0.25), vec![0.25, 0.75, 0.0]),
        (WeightEdit::Add(joint(&rig, LEFT), -0.5), vec![1.0, 0.0, 0.0]),
    ];
    for (operation, expected) in cases {
        let now = after(&rig, &[beside], operation);
        assert_eq!(now[beside], expected, "{operation:?}");
        let others = (0..before.len()).filter(|other| *other != beside);
        others.for_each(|other| assert_eq!(now[other], before[other], "{operation:?}"));
    }
    // The nearest unselected vertices are above and below it, and have the weights that it had.
    let spoilt = with_rows(&rig, &edited_by(&rig, &[middle], WeightEdit::Rigid(joint(&rig, LEFT)), &[]).rows);
    assert_eq!(after(&spoilt, &[middle], WeightEdit::CopyFromNearest)[middle], before[middle]);
}

#[test]
fn smoothing_takes_a_vertex_half_way_to_the_mean_of_its_neighbours() {
    let rig = grid();
    let (middle, hand) = (vertex(1, 2), joint(&rig, LEFT));
    let spoilt = with_rows(&rig, &edited_by(&rig, &[middle], WeightEdit::Rigid(hand), &[]).rows);
    let smooth = after(&spoilt, &[middle], WeightEdit::Smooth);
    // With cotangent weights, diagonals of a square grid don't count. Two of the other four neighbours only follow the
    // hips, and two follow a hand by half.
    let expected = [0.375, 0.5 + 0.0625, 0.0625];
    for (slot, wanted) in expected.into_iter().enumerate() {
        assert!((smooth[middle][slot] - wanted).abs() < 1e-4, "{:?}", smooth[middle]);
    }
    assert_eq!(smooth[vertex(1, 3)], weights(&spoilt)[vertex(1, 3)]);
}

#[test]
fn mirroring_copies_to_the_other_half_and_a_locked_joint_keeps_its_weight_there() {
    let rig = grid();
    let left = [vertex(0, 4), vertex(1, 3)];
    let spoilt = with_rows(&rig, &edited_by(&rig, &left, WeightEdit::Assign(joint(&rig, RIGHT), 0.25), &[]).rows);
    let now = after(&spoilt, &left, WeightEdit::Mirror);
    assert_eq!(now[vertex(0, 4)], [0.0, 0.75, 0.25]);
    assert_eq!(now[vertex(0, 0)], [0.0, 0.25, 0.75], "for the joints of the other side");
    assert_eq!(now[vertex(1, 1)], [0.375, 0.25, 0.375]);
    let locked = edited_by(&spoilt, &left, WeightEdit::Mirror, &[joint(&rig, HIPS)]);
    let now = weights(&with_rows(&spoilt, &locked.rows));
    assert_eq!(now[vertex(1, 1)][HIPS], 0.5, "locked");
    assert!((now[vertex(1, 1)].iter().sum::<f32>() - 1.0).abs() < 1e-6);
}

#[test]
fn impossible_edit_is_reported_and_changes_nothing() {
    let rig = grid();
    let all: Vec<usize> = (0..3 * COLUMNS).collect();
    let edited = edited_by(&rig, &all, WeightEdit::CopyFromNearest, &[]);
    assert!(edited.rows.is_empty() && edited.notes[0].contains("none to copy from"), "{:?}", edited.notes);
    let alone = tube(&[(0, 0, 1.0)]);
    let parts = RigData {
        hierarchy: alone.hierarchy.clone(),
        skins: alone.skins.clone(),
        meshes: alone.meshes.clone(),
        instances: alone.instances.clone(),
        ..RigData::default()
    };
    let mut lopsided = parts;
    lopsided.meshes[0].primitives[0].positions[7].x += 0.05;
    let lopsided = Rig::new(lopsided);
    let told = edited_by(&lopsided, &[7], WeightEdit::Mirror, &[]).notes;
    assert_eq!(told, ["1 vertex without a mirror image: nothing was copied from them."]);
}

#[test]
fn a_selection_grows_shrinks_and_takes_connected_vertices() {
    let rig = grid();
    let (mesh, one) = selected(&rig, [vertex(1, 2)]);
    let grown = one.grown(&mesh);
    // It has four neighbours along the grid and two along the diagonals.
    assert_eq!((grown.len(), grown.shrunk(&mesh)), (7, one.clone()));
    assert_eq!((one.pieces(&mesh).len(), one.inverted(&mesh).len()), (15, 14));
    assert_eq!(one.inverted(&mesh).inverted(&mesh), one);
    assert_eq!(one.carried(&mesh, &EditMesh::new(&rig, &Progress::default()).unwrap()), one);
    let means = mean_weights(&rig, &mesh, &grown, &Progress::default()).unwrap();
    assert_eq!((means[0].joint, means[0].points), (joint(&rig, HIPS), 7));
    assert!((means.iter().map(|mean| mean.mean).sum::<f32>() - 1.0).abs() < 1e-6);
}

proptest! {
    #[test]
    fn any_selection_grows_by_its_neighbours_and_shrinks_by_the_vertices_beside_others(is_in in prop::collection::vec(any::<bool>(), 3 * COLUMNS)) {
        let rig = grid();
        let (mesh, set) = selected(&rig, (0..is_in.len()).filter(|&vertex| is_in[vertex]));
        let triangles = rig.meshes[0].primitives[0].indices.as_chunks::<3>().0;
        let around = |vertex: usize| {
            let at = triangles.iter().filter(move |triangle| triangle.contains(&(vertex as u32)));
            at.flatten().map(|&other| other as usize)
        };
        let points: Vec<u32> = mesh.primitive_points(0, 0).collect();
        let (grown, shrunk) = (set.grown(&mesh), set.shrunk(&mesh));
        for (vertex, &point) in points.iter().enumerate() {
            prop_assert_eq!(grown.contains(point), around(vertex).any(|other| is_in[other]), "{}", vertex);
            prop_assert_eq!(shrunk.contains(point), around(vertex).all(|other| is_in[other]), "{}", vertex);
        }
    }
}

#[test]
fn edited_vertices_are_found_again_where_a_file_has_them_still_and_lost_ones_are_counted() {
    let rig = grid();
    let (here, there) = (vertex(0, 1), vertex(2, 3));
    let rows = edited_by(&rig, &[here, there], WeightEdit::Rigid(joint(&rig, LEFT)), &[]).rows;
    let changed = |change: &dyn Fn(&mut Primitive)| {
        let mut primitive = rig.meshes[0].primitives[0].clone();
        change(&mut primitive);
        let nodes = [
            node("Hips", None, Vec3::ZERO),
            node("Hand.R", Some(0), Vec3::NEG_X * 2.0),
            node("Hand.L", Some(0), Vec3::X * 2.0),
        ];
        let changed = skinned(&nodes, None, primitive, Vec::new());
        let made = rows.applied(&changed, &Progress::default()).unwrap();
        (weights(&changed.with_weights(&made.weights)), made.lost)
    };
    let rigid = vec![0.0, 0.0, 1.0];
    let (now, lost) = changed(&|_| {});
    assert_eq!((&now[here], &now[there], lost), (&rigid, &rigid, 0), "joints by name, in another order");
    let (now, lost) = changed(&|primitive| primitive.positions.iter_mut().for_each(|p| *p += Vec3::Z));
    assert_eq!((&now[here], lost), (&rigid, 0), "a moved mesh of the same triangles");
    let (now, lost) = changed(&|primitive| {
        primitive.positions.reverse();
        primitive.indices.reverse();
    });
    assert_eq!((&now[14 - here], &now[14 - there], lost), (&rigid, &rigid, 0), "vertices in another order");
    let (now, lost) = changed(&|primitive| {
        primitive.positions[here] += Vec3::Z;
        primitive.indices.truncate(12);
    });
    assert!(now[here] != rigid && now[there] == rigid && lost == 1);
}

#[test]
fn later_edits_stand_in_for_earlier_ones_and_all_come_through_a_file() {
    let rig = grid();
    let rows = |vertex: usize, slot: usize| edited_by(&rig, &[vertex], WeightEdit::Rigid(joint(&rig, slot)), &[]).rows;
    let choice =
        WeightChoice::File.edited(&rows(3, LEFT), &rig).edited(&rows(8, RIGHT), &rig).edited(&rows(3, RIGHT), &rig);
    let edits = choice.edits().unwrap();
    assert_eq!((edits.len(), choice.title(), choice.base().is_file()), (2, "2 vertices edited".to_owned(), true));
    let now = weights(&with_rows(&rig, edits));
    assert_eq!((&now[3], &now[8]), (&vec![0.0, 0.0, 1.0], &vec![0.0, 0.0, 1.0]));
    let json = serde_json::to_string(&choice).unwrap();
    assert_eq!(serde_json::from_str::<WeightChoice>(&json).unwrap(), choice, "{json}");
    assert_ne!(choice, WeightChoice::File.edited(&rows(3, LEFT), &rig));
    assert!(serde_json::from_str::<WeightChoice>(&json.replace(":1\"", ":-1\"")).is_err(), "{json}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rows_sum_to_1_seams_stay_closed_and_locked_joints_keep_theirs(
        rows in any_weights(), vertices in prop::collection::btree_set(0..(RINGS + 1) * SIDES, 1..40), slot in 0..5_usize, locked in 0..5_usize,
        amount in 0.0_f32..=1.0, number in 0..7_usize,
    ) {
        let rig = tube(&rows);
        let before = weights(&rig);
        let vertices: Vec<usize> = vertices.into_iter().collect();
        let target = joint(&rig, slot);
        let operation = [
            WeightEdit::Rigid(target), WeightEdit::Assign(target, amount), WeightEdit::Add(target, amount), WeightEdit::Add(target, -amount),
            WeightEdit::Smooth, WeightEdit::CopyFromNearest, WeightEdit::Mirror,
        ][number];
        let edited = edited_by(&rig, &vertices, operation, &[joint(&rig, locked)]);
        let now = weights(&with_rows(&rig, &edited.rows));
        for (vertex, (row, was)) in now.iter().zip(&before).enumerate() {
            prop_assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{vertex}: {row:?}");
            prop_assert!(row.iter().all(|weight| *weight >= 0.0));
            prop_assert!((row[locked] - was[locked]).abs() < 1e-6, "{vertex}: {row:?} of {was:?}");
            prop_assert!(row.iter().filter(|weight| **weight > 0.0).count() <= 4);
        }
        for ring in 0..=RINGS {
            prop_assert_eq!(&now[ring * SIDES], &now[(RINGS + 1) * SIDES + ring]);
        }
    }

    #[test]
    fn mirroring_all_twice_on_a_symmetric_rig_changes_nothing(rows in any_weights()) {
        let rig = tube(&rows);
        let all: Vec<usize> = (0..(RINGS + 1) * SIDES).collect();
        let once = with_rows(&rig, &edited_by(&rig, &all, WeightEdit::Mirror, &[]).rows);
        let twice = with_rows(&once, &edited_by(&once, &all, WeightEdit::Mirror, &[]).rows);
        // Vertices on the mirror plane get symmetric weights the first time, which mirroring again doesn't change.
        let middle = (RINGS / 2) * SIDES..(RINGS / 2 + 1) * SIDES;
        for (vertex, ((was, first), second)) in weights(&rig).iter().zip(weights(&once)).zip(weights(&twice)).enumerate() {
            let (ring, on_seam) = (vertex / SIDES, vertex >= (RINGS + 1) * SIDES);
            let is_middle = middle.contains(&vertex) || on_seam && vertex - (RINGS + 1) * SIDES == RINGS / 2;
            let expected = if is_middle { &first } else { was };
            let is_same = expected.iter().zip(&second).all(|(a, b)| (a - b).abs() < 1e-5);
            prop_assert!(is_same, "{vertex} of ring {ring}: {expected:?} {second:?}");
        }
    }
}
