//! Transfer of weights from one mesh to another.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use common::limbs::dense;
use common::rigs::{node, skinned, tube_primitive};
use glam::{Affine3, Vec3};
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, Primitive, Rig};
use rigscope::weights::{WeightResult, transfer};

/// Returns the weight of the second of two joints at a position along the tube.
fn second(x: f32) -> f32 {
    (x * 0.9 + 0.5).clamp(0.0, 1.0)
}

fn body(rings: usize, sides: usize) -> Primitive {
    tube_primitive(rings, sides, |x| vec![(0, 1.0 - second(x)), (1, second(x))])
}

fn rig(names: [&'static str; 3], primitive: Primitive) -> Arc<Rig> {
    let nodes =
        [node(names[0], None, Vec3::NEG_X), node(names[1], Some(0), Vec3::X), node(names[2], Some(1), Vec3::X * 0.5)];
    skinned(&nodes, None, primitive, Vec::new())
}

const NAMES: [&str; 3] = ["spine", "chest", "head"];

/// Creates a rig whose joints have other positions than in the other rigs. The second and the third joint also have
/// other names.
fn elsewhere(first: &'static str, primitive: Primitive) -> Arc<Rig> {
    let root = if first == NAMES[0] { Vec3::NEG_X } else { Vec3::Y * 3.0 };
    let nodes = [node(first, None, root), node("torso", Some(0), Vec3::Z), node("skull", Some(1), Vec3::Z * 0.3)];
    skinned(&nodes, None, primitive, Vec::new())
}

/// Replaces the weights of a primitive by meaningless ones.
fn unweighted(mut primitive: Primitive) -> Primitive {
    let count = primitive.positions.len();
    primitive.influences = Some(Influences::new(1, vec![0; count], vec![1.0; count]));
    primitive
}

fn carried(onto: &Rig, from: &Rig) -> (Vec<Vec<f32>>, Vec<String>) {
    let WeightResult { weights, notes } = transfer(onto, from, &Progress::default()).unwrap();
    (dense(weights.get(0, 0).unwrap(), onto.skins[0].joints.len()), notes)
}

/// Returns the largest difference from the expected weights.
fn error(onto: &Rig, rows: &[Vec<f32>]) -> f32 {
    let positions = &onto.meshes[0].primitives[0].positions;
    let errors = rows.iter().zip(positions).map(|(row, p)| (row[1] - second(p.x)).abs().max(row[0] + row[1] - 1.0));
    errors.fold(0.0, f32::max)
}

#[test]
fn a_mesh_gets_its_own_weights_back() {
    let rig = rig(NAMES, body(40, 32));
    let (rows, notes) = carried(&rig, &rig);
    assert_eq!(notes, [""; 0]);
    assert!(error(&rig, &rows) < 1e-5, "{}", error(&rig, &rows));
}

#[test]
fn other_vertices_of_one_shape_get_the_weights_of_their_places() {
    let from = rig(NAMES, body(40, 32));
    let onto = rig(NAMES, unweighted(body(97, 50)));
    let (rows, notes) = carried(&onto, &from);
    assert_eq!(notes, [""; 0]);
    assert!(error(&onto, &rows) < 0.01, "{}", error(&onto, &rows));
}

#[test]
fn a_shirt_gets_the_weights_of_what_it_is_worn_on() {
    let from = rig(NAMES, body(40, 32));
    let mut shirt = unweighted(body(30, 20));
    shirt.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x * 0.6, p.y * 1.15, p.z * 1.15));
    let onto = rig(["mixamorig:Spine", "mixamorig:Chest", "mixamorig:Head"], shirt);
    let (rows, notes) = carried(&onto, &from);
    assert_eq!(notes, [""; 0]);
    assert!(error(&onto, &rows) < 0.01, "{}", error(&onto, &rows));
}

#[test]
fn points_without_a_match_are_filled_in_with_a_note() {
    let from = rig(NAMES, body(40, 32));
    let mut sleeve = unweighted(body(30, 20));
    // A bulge in the middle, and a separate triangle far away.
    sleeve.positions.iter_mut().filter(|p| p.x.abs() < 0.2).for_each(|p| *p = Vec3::new(p.x, p.y * 2.0, p.z * 2.0));
    // Includes the rings next to the bulge, whose normals are tilted.
    let unlike = sleeve.positions.iter().filter(|p| p.x.abs() < 0.2).count() as u32 + 2 * 20;
    let count = sleeve.positions.len() as u32;
    sleeve.positions.extend([Vec3::new(0.9, 3.0, 0.0), Vec3::new(0.8, 3.0, 0.0), Vec3::new(0.9, 3.0, 0.1)]);
    sleeve.indices.extend([count, count + 1, count + 2]);
    sleeve.normals = None;
    let onto = elsewhere("spine", unweighted(sleeve));
    let (rows, notes) = carried(&onto, &from);
    assert_eq!(
        notes,
        [
            "Joints that are not here, whose weights go to the next above that is: chest, head.".to_owned(),
            format!("{unlike} of {} points have no match and are filled in from around.", count + 3),
            format!(
                "3 of {} points are in pieces without any match and take the nearest weights, however far.",
                count + 3
            ),
        ]
    );
    assert!(rows.iter().all(|row| row[0] == 1.0), "all weights are those of the spine now");
    let named = rig(NAMES, onto.meshes[0].primitives[0].clone());
    let (rows, _) = carried(&named, &from);
    // Weights change evenly along the surface, which includes the walls of the bulge.
    assert!(error(&named, &rows[..count as usize]) < 0.1, "{}", error(&named, &rows[..count as usize]));
    assert!(rows[count as usize..].iter().all(|row| row[1] > 0.99));
}

#[test]
fn transfer_between_unrelated_bodies_is_reported() {
    let from = rig(NAMES, body(10, 8));
    let strange = elsewhere("hip", body(10, 8));
    let none = transfer(&strange, &from, &Progress::default()).unwrap();
    assert_eq!(none.notes, ["No joint of the other file is one of those here: weights stay as they are."]);
    assert_eq!(none.weights.get(0, 0), None);
    let changed = |change: fn(Vec3) -> Vec3| {
        let mut primitive = unweighted(body(10, 8));
        primitive.positions.iter_mut().for_each(|position| *position = change(*position));
        rig(NAMES, primitive)
    };
    let (_, notes) = carried(&changed(|p| p + Vec3::Y * 50.0), &from);
    assert!(notes[0].starts_with("The two bodies don't overlap"), "{notes:?}");
    let (_, notes) = carried(&changed(|p| p * 0.01), &from);
    assert!(notes[0].starts_with("The other body is 100.00 times as large"), "{notes:?}");
}

#[test]
fn skins_of_other_spaces_are_laid_over_each_other_at_rest() {
    let from = rig(NAMES, body(40, 32));
    let mut small = unweighted(body(40, 32));
    small.positions.iter_mut().for_each(|position| *position *= 0.01);
    let nodes =
        [node("spine", None, Vec3::NEG_X), node("chest", Some(0), Vec3::X), node("head", Some(1), Vec3::X * 0.5)];
    // The unit of the skin space is a hundredth of the world's unit.
    let joint_from_skin =
        [1.0, 0.0, -0.5].map(|x| Affine3::from_translation(Vec3::X * x) * Affine3::from_scale(Vec3::splat(100.0)));
    let onto = skinned(&nodes, Some(joint_from_skin.to_vec()), small, Vec::new());
    let (rows, notes) = carried(&onto, &from);
    assert_eq!(notes, [""; 0]);
    let plain = rig(NAMES, body(40, 32));
    assert!(error(&plain, &rows) < 1e-4, "{}", error(&plain, &rows));
    assert_eq!(transfer(&onto, &from, &Progress::cancelled()), None);
}
