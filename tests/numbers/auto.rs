//! Automatic weights on rigs built for one purpose each: clothing layers, capes, eyes, robots.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::f32::consts::{PI, TAU};
use std::ops::Range;
use std::sync::Arc;

use common::limbs::{dense, legs};
use common::rigs::{Node, node, skinned};
use glam::{Affine3, Quat, Vec3};
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, Mesh, MeshInstance, Primitive, Rig, RigData};
use rigscope::weights::{Body, Recipe, Weighting, compute, helpers};

/// Adds a surface of revolution about y. `rings` are pairs of radius and height, lowest first. Returns its vertices.
fn lathe(primitive: &mut Primitive, middle: Vec3, sides: u32, rings: &[(f32, f32)]) -> Range<usize> {
    let first = primitive.positions.len();
    for &(radius, height) in rings {
        primitive.positions.extend((0..sides).map(|side| {
            let (sin, cos) = (side as f32 / sides as f32 * TAU).sin_cos();
            middle + Vec3::new(radius * cos, height, radius * sin)
        }));
    }
    for ring in 0..rings.len() as u32 - 1 {
        for side in 0..sides {
            let at = |ring: u32, side: u32| first as u32 + ring * sides + side % sides;
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side + 1), at(ring + 1, side)];
            primitive.indices.extend([a, d, c, a, c, b]);
        }
    }
    first..primitive.positions.len()
}

/// Returns the rings of a sphere between two angles from its lowest point, in half turns.
fn round(radius: f32, count: usize, from: f32, to: f32) -> Vec<(f32, f32)> {
    let ring = |at: usize| {
        let (sin, cos) = ((from + (to - from) * at as f32 / count as f32) * PI).sin_cos();
        (radius * sin.max(0.0), -radius * cos)
    };
    (0..=count).map(ring).collect()
}

fn tube(radius: f32, count: usize, heights: Range<f32>) -> Vec<(f32, f32)> {
    let height = |at: usize| heights.start + (heights.end - heights.start) * at as f32 / count as f32;
    (0..=count).map(|at| (radius, height(at))).collect()
}

fn rig(nodes: &[Node], mut primitive: Primitive) -> Arc<Rig> {
    let count = primitive.positions.len();
    primitive.influences = Some(Influences::new(1, vec![0; count], vec![1.0; count]));
    skinned(nodes, None, primitive, Vec::new())
}

fn automatic(rig: &Rig, recipe: &Recipe) -> (Vec<Vec<f32>>, Vec<String>) {
    let computed = compute(rig, recipe, &Progress::default()).unwrap();
    let rows = dense(computed.weights.get(0, 0).unwrap(), rig.skins[0].joints.len());
    for (vertex, row) in rows.iter().enumerate() {
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5, "vertex {vertex} has all its weight: {row:?}");
    }
    (rows, computed.notes)
}

/// Returns the skin after rotating a joint about `at`. All joints with higher indices are its descendants.
fn turned(rig: &Rig, rows: &[Vec<f32>], joint: usize, at: Vec3, turn: Quat) -> Vec<Vec3> {
    let moved = Affine3::from_translation(at) * Affine3::from_quat(turn) * Affine3::from_translation(-at);
    let positions = &rig.meshes[0].primitives[0].positions;
    let place = |(position, row): (&Vec3, &Vec<f32>)| {
        let part: f32 = row[joint..].iter().sum();
        position.lerp(moved.transform_point3(*position), part)
    };
    positions.iter().zip(rows).map(place).collect()
}

/// Returns the smallest distance of a layer's vertices above the surface beneath, in a pose. The distance is measured
/// from the surface vertex that is nearest at rest, along its normal.
fn clearance(rig: &Rig, posed: &[Vec3], layer: Range<usize>, beneath: Range<usize>) -> f32 {
    let Primitive { positions, indices, .. } = &rig.meshes[0].primitives[0];
    let mut normals = vec![Vec3::ZERO; posed.len()];
    for triangle in indices.as_chunks().0.iter().map(|triangle: &[u32; 3]| triangle.map(|vertex| vertex as usize)) {
        let [a, b, c] = triangle.map(|vertex| posed[vertex]);
        for vertex in triangle {
            normals[vertex] += (b - a).cross(c - a);
        }
    }
    let above = |vertex: usize| {
        let distance = |other: &usize| positions[*other].distance(positions[vertex]);
        let nearest = beneath.clone().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
        (posed[vertex] - posed[nearest]).dot(normals[nearest].normalize_or_zero())
    };
    layer.map(above).fold(f32::INFINITY, f32::min)
}

#[test]
fn a_sleeve_stays_over_its_arm_in_every_bend_of_the_elbow() {
    let mut primitive = Primitive::default();
    let arm = lathe(&mut primitive, Vec3::ZERO, 24, &tube(0.2, 60, 0.0..2.0));
    let sleeve = lathe(&mut primitive, Vec3::ZERO, 20, &tube(0.24, 40, 0.1..1.6));
    let nodes = [
        node("upper", None, Vec3::Y * 0.05),
        node("fore", Some(0), Vec3::Y * 0.95),
        node("hand", Some(1), Vec3::Y * 0.9),
    ];
    let rig = rig(&nodes, primitive);
    let (rows, _) = automatic(&rig, &Recipe::default());
    for degrees in [-60.0_f32, -30.0, 30.0, 60.0] {
        let posed = turned(&rig, &rows, 1, Vec3::Y, Quat::from_rotation_z(degrees.to_radians()));
        let least = clearance(&rig, &posed, sleeve.clone(), arm.clone());
        assert!(least > 0.005, "{degrees} degrees: {least} of 0.04 is left");
    }
}

#[test]
fn a_helmet_turns_with_the_head_under_it_up_to_the_crown() {
    let mut primitive = Primitive::default();
    let neck = lathe(&mut primitive, Vec3::ZERO, 16, &tube(0.1, 20, 0.0..1.1));
    let head = lathe(&mut primitive, Vec3::Y * 1.3, 24, &round(0.3, 24, 0.0, 1.0));
    let helmet = lathe(&mut primitive, Vec3::Y * 1.3, 24, &round(0.33, 12, 0.5, 1.0));
    let nodes = [
        node("root", None, Vec3::Y * 0.02),
        node("neck", Some(0), Vec3::Y * 0.5),
        node("head", Some(1), Vec3::Y * 0.53),
    ];
    let rig = rig(&nodes, primitive);
    let (rows, _) = automatic(&rig, &Recipe::default());
    let least = |range: Range<usize>| rows[range].iter().map(|row| row[2]).fold(1.0, f32::min);
    assert!(least(helmet.clone()) > 0.9, "{}", least(helmet.clone()));
    assert!(rows[neck.start..neck.start + 16].iter().all(|row| row[0] > 0.9));
    for turn in [Quat::from_rotation_x(0.7), Quat::from_rotation_z(-0.7)] {
        let posed = turned(&rig, &rows, 2, Vec3::Y * 1.05, turn);
        let clear = clearance(&rig, &posed, helmet.clone(), head.clone());
        assert!(clear > 0.015, "{clear} of 0.03 is left");
    }
}

/// Creates a head with two eyes, and joints for all of them. Without a bending neck, it is a robot.
fn face(is_bending: bool) -> (Arc<Rig>, Range<usize>, [Range<usize>; 2]) {
    let mut primitive = Primitive::default();
    let head = lathe(&mut primitive, Vec3::Y, 24, &round(0.3, 24, 0.0, 1.0));
    lathe(&mut primitive, Vec3::ZERO, 16, &tube(if is_bending { 0.2 } else { 0.1 }, 20, 0.0..0.8));
    let places = [Vec3::new(0.1, 1.05, 0.25), Vec3::new(-0.1, 1.05, 0.25)];
    let eyes = places.map(|place| lathe(&mut primitive, place, 12, &round(0.04, 8, 0.0, 1.0)));
    let mut nodes = vec![
        node("neck", None, Vec3::Y * 0.02),
        node("head", Some(0), Vec3::Y * 0.78),
        node("LeftEye", Some(1), places[0] - Vec3::Y * 0.8),
        node("RightEye", Some(1), places[1] - Vec3::Y * 0.8),
    ];
    if is_bending {
        nodes[1] = node("head", Some(4), Vec3::Y * 0.4);
        nodes.push(node("throat", Some(0), Vec3::Y * 0.38));
    }
    (rig(&nodes, primitive), head, eyes)
}

#[test]
fn eyes_move_their_balls_and_nothing_of_the_head() {
    let (rig, head, eyes) = face(true);
    let found = helpers(&rig);
    assert!(found.iter().all(|helper| helper.owns_pieces && helper.reason.contains("eye")) && found.len() == 2);
    let (rows, notes) = automatic(&rig, &Recipe::default());
    for (eye, joint) in eyes.into_iter().zip([2, 3]) {
        assert!(rows[eye].iter().all(|row| row[joint] == 1.0), "joint {joint}");
    }
    assert!(rows[head.clone()].iter().all(|row| row[2] == 0.0 && row[3] == 0.0));
    assert!(notes.iter().any(|note| note.starts_with("LeftEye moves the component")), "{notes:?}");
    let all = Recipe { left_out: Some(Vec::new()), ..Recipe::default() };
    assert!(automatic(&rig, &all).0[head].iter().any(|row| row[2] > 0.5), "who asks for it gets eyes with skin");
}

#[test]
fn halves_of_a_symmetric_body_have_the_same_weights_unless_they_may_differ() {
    let (rig, ..) = face(false);
    let (rows, notes) = automatic(&rig, &Recipe::default());
    let positions = &rig.meshes[0].primitives[0].positions;
    for (position, row) in positions.iter().zip(&rows) {
        let image =
            positions.iter().position(|other| other.distance(*position * Vec3::new(-1.0, 1.0, 1.0)) < 1e-4).unwrap();
        let opposite = [rows[image][0], rows[image][1], rows[image][3], rows[image][2]];
        assert!(row.iter().zip(opposite).all(|(a, b)| (a - b).abs() < 1e-5), "{position}: {row:?} and {opposite:?}");
    }
    let told = |notes: &[String]| notes.iter().any(|note| note.starts_with("Body and skeleton are symmetric"));
    assert!(told(&notes));
    assert!(!told(&automatic(&rig, &Recipe { is_asymmetric: true, ..Recipe::default() }).1));
    let recipe = Recipe { weighting: Weighting::Voxel, ..Recipe::default() };
    assert!(!told(&automatic(&rig, &recipe).1), "other methods are as asked for");
}

#[test]
fn legs_that_touch_do_not_move_each_other() {
    let rig = legs();
    let (rows, _) = automatic(&rig, &Recipe::default());
    let half = rows.len() / 2;
    for (vertex, row) in rows.iter().enumerate() {
        let other: f32 = if vertex < half { row[4..].iter().sum() } else { row[1..4].iter().sum() };
        assert!(other < 0.05, "vertex {vertex}: {row:?}");
    }
}

/// Adds half a tube about y, open towards +X.
fn cape(primitive: &mut Primitive, radius: f32, heights: Range<f32>) -> Range<usize> {
    let (sides, rings) = (24_u32, 30_u32);
    let first = primitive.positions.len();
    for number in 0..(rings + 1) * (sides + 1) {
        let (ring, side) = ((number / (sides + 1)) as f32 / rings as f32, (number % (sides + 1)) as f32 / sides as f32);
        let (sin, cos) = ((0.5 + side) * PI).sin_cos();
        let height = heights.start + (heights.end - heights.start) * ring;
        primitive.positions.push(Vec3::new(radius * cos, height, radius * sin));
    }
    for (ring, side) in (0..rings).flat_map(|ring| (0..sides).map(move |side| (ring, side))) {
        let at = |ring: u32, side: u32| first as u32 + ring * (sides + 1) + side;
        let [a, b] = [at(ring, side), at(ring, side + 1)];
        let [c, d] = [at(ring + 1, side + 1), at(ring + 1, side)];
        primitive.indices.extend([a, d, c, a, c, b]);
    }
    first..primitive.positions.len()
}

#[test]
fn a_cape_with_air_beneath_moves_by_its_own_joints() {
    let mut primitive = Primitive::default();
    lathe(&mut primitive, Vec3::ZERO, 48, &tube(0.7, 40, 0.0..2.0));
    let cape = cape(&mut primitive, 0.8, 0.2..1.8);
    let nodes = [
        node("body", None, Vec3::Y * 0.05),
        node("neck", Some(0), Vec3::Y * 1.8),
        node("cape", Some(0), Vec3::new(-0.8, 1.65, 0.0)),
        node("cape middle", Some(2), Vec3::NEG_Y * 0.7),
        node("cape hem", Some(3), Vec3::NEG_Y * 0.7),
    ];
    let rig = rig(&nodes, primitive);
    let (rows, _) = automatic(&rig, &Recipe::default());
    let positions = &rig.meshes[0].primitives[0].positions;
    let edges = cape.filter(|&vertex| positions[vertex].x > -0.1 && (positions[vertex].y - 1.0).abs() < 0.1);
    let least = edges.map(|vertex| rows[vertex][2..].iter().sum::<f32>()).fold(1.0, f32::min);
    assert!(least > 0.4, "{least} of an edge of the cape is its own");
}

/// Creates a leg whose foot joint is a child of joint `foot_hangs_on`, and a ball on a child of the root. Returns the
/// rig, and the vertices of the leg and of the ball.
fn leg(foot_hangs_on: usize) -> (Arc<Rig>, Range<usize>, Range<usize>) {
    let mut primitive = Primitive::default();
    let leg = lathe(&mut primitive, Vec3::Y * 0.6, 24, &tube(0.15, 60, 0.0..2.2));
    let ball = lathe(&mut primitive, Vec3::NEG_Y * 0.6, 24, &round(0.3, 24, 0.0, 1.0));
    let places = [Vec3::X * 1.2, Vec3::NEG_Y * 0.6, Vec3::Y * 2.7, Vec3::Y * 1.75, Vec3::Y * 0.8];
    let nodes =
        [("root", None), ("ball", Some(0)), ("thigh", Some(0)), ("shin", Some(2)), ("foot", Some(foot_hangs_on))];
    let made = |(at, (name, parent)): (usize, (&'static str, Option<usize>))| {
        node(name, parent, places[at] - parent.map_or(Vec3::ZERO, |parent| places[parent]))
    };
    let nodes: Vec<Node> = nodes.into_iter().enumerate().map(made).collect();
    (rig(&nodes, primitive), leg, ball)
}

#[test]
fn a_shin_leads_to_its_foot_though_that_hangs_on_the_root() {
    let [(rig, leg, ball), (as_usual, ..)] = [leg(0), leg(3)];
    let [(rows, _), (known, _)] = [&rig, &as_usual].map(|rig| automatic(rig, &Recipe::default()));
    for vertex in leg.clone() {
        let off = rows[vertex].iter().zip(&known[vertex]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 0.02, "vertex {vertex}: {:?}, not {:?}", rows[vertex], known[vertex]);
    }
    let height = |vertex: usize| rig.meshes[0].primitives[0].positions[vertex].y;
    let low = leg.filter(|&vertex| (1.05..1.5).contains(&height(vertex)));
    let least = low.map(|vertex| rows[vertex][3]).fold(1.0, f32::min);
    assert!(least > 0.9, "{least} of the lower half of the shin is its own");
    assert!(ball.into_iter().all(|vertex| rows[vertex][1] > 0.99), "no bone leads on through the air");
}

#[test]
fn twist_helpers_divide_the_twist_along_the_bone() {
    let mut primitive = Primitive::default();
    lathe(&mut primitive, Vec3::ZERO, 16, &tube(0.1, 60, 0.0..2.0));
    let nodes = [
        node("upper", None, Vec3::Y * 0.05),
        node("fore", Some(0), Vec3::Y * 0.95),
        node("hand", Some(1), Vec3::Y * 0.9),
        node("fore_twist_01", Some(1), Vec3::Y * 0.3),
        node("fore_twist_02", Some(1), Vec3::Y * 0.6),
        node("upper_twist_01", Some(0), Vec3::Y * 0.001),
        node("hand_twist", Some(2), Vec3::Y * 0.05),
    ];
    let rig = rig(&nodes, primitive);
    let recipe = Recipe { left_out: Some(Vec::new()), ..Recipe::default() };
    let (rows, notes) = automatic(&rig, &recipe);
    let [first, rest] = [0, 1].map(|at| notes.iter().filter(|note| note.contains("twist helpers")).nth(at).unwrap());
    assert!(first.contains("upper_twist_01") && rest.contains("fore_twist_01, fore_twist_02"), "{notes:?}");
    assert!(rows.iter().any(|row| row[6] > 0.0), "beside no bone of a limb a helper is a bone as others are");
    let heights = rig.meshes[0].primitives[0].positions.iter().map(|position| position.y);
    for (height, row) in heights.zip(&rows) {
        let fore = row[1] + row[3] + row[4];
        if fore < 0.99 {
            continue;
        }
        let at = (height - 1.0) / 0.3;
        let known = [1.0 - at, 1.0 - (at - 1.0).abs(), at - 1.0].map(|part| part.clamp(0.0, 1.0));
        let found = [row[1], row[3], row[4]].map(|share| share / fore);
        let most = known.iter().zip(found).map(|(known, found)| (known - found).abs()).fold(0.0, f32::max);
        assert!(most < 0.02, "{height}: {found:?} for {known:?}");
    }
    let positions = &rig.meshes[0].primitives[0].positions;
    let row = |height: f32| &rows[positions.iter().position(|position| position.y >= height).unwrap()];
    let [shoulder, elbow] = [0.1, 0.7].map(row);
    assert!(shoulder[5] > shoulder[0], "near the shoulder the helper holds the twist back: {shoulder:?}");
    assert!(elbow[0] > elbow[5], "near the elbow the joint moves the skin: {elbow:?}");
}

#[test]
fn each_component_of_a_robot_follows_the_joint_inside_it_or_what_it_is_attached_to() {
    let mut primitive = Primitive::default();
    let torso = lathe(&mut primitive, Vec3::Y * 0.5, 24, &round(0.3, 16, 0.0, 1.0));
    let head = lathe(&mut primitive, Vec3::Y * 1.25, 24, &round(0.4, 16, 0.0, 1.0));
    let arms = [0.5_f32, 1.0].map(|x| lathe(&mut primitive, Vec3::new(x, 0.55, 0.0), 16, &round(0.2, 12, 0.0, 1.0)));
    // Beside the head, and equally close to the upper arm.
    let ear = lathe(&mut primitive, Vec3::new(0.42, 1.1, 0.0), 12, &round(0.08, 8, 0.0, 1.0));
    let nodes = [
        node("torso", None, Vec3::Y * 0.3),
        node("head", Some(0), Vec3::Y * 0.6),
        node("upper arm", Some(0), Vec3::new(0.32, 0.25, 0.0)),
        node("forearm", Some(2), Vec3::X * 0.5),
    ];
    let rig = rig(&nodes, primitive);
    let (rows, notes) = automatic(&rig, &Recipe::default());
    let [upper, fore] = arms;
    for (component, joint) in [(torso, 0), (head, 1), (upper, 2), (fore, 3), (ear, 1)] {
        assert!(
            rows[component.clone()].iter().all(|row| row[joint] == 1.0),
            "joint {joint}: {:?}",
            rows[component.start]
        );
    }
    assert!(notes.iter().any(|note| note.starts_with("The body is made of rigid components: 5 of 5")), "{notes:?}");
}

#[test]
fn a_short_bone_does_not_bend_the_shell_of_a_robot() {
    let mut primitive = Primitive::default();
    let shell = lathe(&mut primitive, Vec3::Y * 0.6, 24, &round(0.6, 16, 0.0, 1.0));
    let legs = [-0.4_f32, 0.4].map(|x| lathe(&mut primitive, Vec3::new(x, -0.3, 0.0), 16, &round(0.2, 12, 0.0, 1.0)));
    // Above the hip. Most of it is beside the shell, but its point nearest to any other component is beside the leg.
    let pod = lathe(&mut primitive, Vec3::new(0.52, -0.02, 0.0), 16, &round(0.1, 12, 0.0, 1.0));
    let nodes = [
        node("shell", None, Vec3::Y * 0.3),
        node("eye", Some(0), Vec3::Y * 0.1),
        node("leg.L", Some(0), Vec3::new(0.4, -0.45, 0.0)),
        node("leg.R", Some(0), Vec3::new(-0.4, -0.45, 0.0)),
    ];
    let rig = rig(&nodes, primitive);
    let (rows, _) = automatic(&rig, &Recipe { left_out: Some(Vec::new()), ..Recipe::default() });
    let [right, left] = legs;
    for (component, joint) in [(shell, 0), (left, 2), (right, 3)] {
        assert!(
            rows[component.clone()].iter().all(|row| row[joint] == 1.0),
            "joint {joint}: {:?}",
            rows[component.start]
        );
    }
    assert!(rows[pod.clone()].iter().all(|row| row.contains(&1.0)), "{:?}", rows[pod.start]);
}

#[test]
fn a_buckle_moves_as_one_with_what_it_lies_on() {
    let mut primitive = Primitive::default();
    let body = lathe(&mut primitive, Vec3::ZERO, 24, &tube(0.2, 60, 0.0..2.0));
    // Above the joint, where the body's weights change most.
    let buckle = lathe(&mut primitive, Vec3::new(0.2, 1.0, 0.0), 12, &round(0.06, 8, 0.0, 1.0));
    let nodes = [node("hips", None, Vec3::Y * 0.05), node("chest", Some(0), Vec3::Y * 0.95)];
    let rig = rig(&nodes, primitive);
    let (rows, _) = automatic(&rig, &Recipe::default());
    let positions = &rig.meshes[0].primitives[0].positions;
    let middle = Vec3::new(0.2, 1.0, 0.0);
    let nearest = body
        .min_by(|&a, &b| positions[a].distance(middle).total_cmp(&positions[b].distance(middle)))
        .map(|vertex| &rows[vertex]);
    for row in &rows[buckle.clone()] {
        assert_eq!(row, &rows[buckle.start]);
    }
    let off = (rows[buckle.start][0] - nearest.unwrap()[0]).abs();
    assert!(off < 0.1, "{:?} on {nearest:?}", rows[buckle.start]);
}

/// Creates a body, and a shirt over it that was bound in another space. `last` moves the bind of the shirt's last
/// joint.
fn dressed(shirt_from_body: Affine3, last: Affine3) -> Rig {
    let [mut body, mut shirt] = [Primitive::default(), Primitive::default()];
    lathe(&mut body, Vec3::ZERO, 24, &tube(0.2, 60, 0.0..2.0));
    // Off centre, so that no ray hits an edge.
    lathe(&mut shirt, Vec3::new(0.003, 0.0, 0.002), 19, &tube(0.24, 40, 0.1..1.6));
    for position in &mut shirt.positions {
        *position = shirt_from_body.transform_point3(*position);
    }
    let count = shirt.positions.len();
    shirt.influences = Some(Influences::new(1, vec![0; count], vec![1.0; count]));
    let nodes = [
        node("hips", None, Vec3::Y * 0.05),
        node("chest", Some(0), Vec3::Y * 0.95),
        node("head", Some(1), Vec3::Y * 0.8),
    ];
    let rig = rig(&nodes, body);
    let mut of_shirt = rig.skins[0].clone();
    for inverse_bind in &mut of_shirt.inverse_bind {
        *inverse_bind *= shirt_from_body.inverse();
    }
    of_shirt.inverse_bind[2] *= last;
    let instance = MeshInstance { mesh: 1, skin: Some(1), ..rig.instances[0].clone() };
    Rig::new(RigData {
        skins: vec![rig.skins[0].clone(), of_shirt],
        meshes: vec![rig.meshes[0].clone(), Mesh { primitives: vec![shirt], ..Mesh::default() }],
        instances: vec![rig.instances[0].clone(), instance],
        ..RigData::clone(&rig)
    })
}

#[test]
fn clothes_that_were_bound_in_a_space_of_their_own_get_their_weights_together_with_their_wearer() {
    let rows = |rig: &Rig| {
        let computed = compute(rig, &Recipe::default(), &Progress::default()).unwrap();
        [0, 1].map(|mesh| dense(computed.weights.get(mesh, 0).unwrap(), 3)).concat()
    };
    let known = rows(&dressed(Affine3::IDENTITY, Affine3::IDENTITY));
    let turned = Quat::from_rotation_x(1.0);
    let space =
        Affine3::from_scale_rotation_translation(Vec3::new(0.01, 0.02, 0.01), turned, Vec3::new(3.0, -1.0, 0.5));
    let bodies = |rig: &Rig| Body::from_rig(rig, |_| false).len();
    let rig = dressed(space, Affine3::IDENTITY);
    assert_eq!(bodies(&rig), 1);
    let found = rows(&rig);
    let off = found.iter().flatten().zip(known.iter().flatten()).map(|(a, b)| (a - b).abs());
    let mean = off.sum::<f32>() / found.len() as f32;
    assert!(mean < 0.01, "{mean}");
    assert_eq!(bodies(&dressed(space, Affine3::from_translation(Vec3::X * 0.1))), 2, "in another pose");
    assert_eq!(bodies(&dressed(Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)), Affine3::IDENTITY)), 2, "inside out");
}

#[test]
fn a_head_of_its_own_follows_its_joint_alone() {
    let mut primitive = Primitive::default();
    lathe(&mut primitive, Vec3::ZERO, 24, &tube(0.2, 60, 0.0..2.0));
    let head = lathe(&mut primitive, Vec3::Y * 2.35, 24, &round(0.5, 24, 0.0, 1.0));
    lathe(&mut primitive, Vec3::ZERO, 20, &tube(0.24, 40, 0.1..1.6));
    let nodes = [
        node("hips", None, Vec3::Y * 0.05),
        node("spine", Some(0), Vec3::Y * 0.6),
        node("chest", Some(1), Vec3::Y * 0.6),
        node("head", Some(2), Vec3::Y * 0.72),
    ];
    let rig = rig(&nodes, primitive);
    let (rows, _) = automatic(&rig, &Recipe::default());
    assert!(rows[head].iter().all(|row| row[3] == 1.0));
}

#[test]
fn joints_on_the_face_take_nothing_of_the_back_of_the_head() {
    let mut primitive = Primitive::default();
    let head = lathe(&mut primitive, Vec3::Y * 1.2, 32, &round(0.4, 32, 0.0, 1.0));
    lathe(&mut primitive, Vec3::ZERO, 16, &tube(0.1, 20, 0.0..0.9));
    let nodes = [
        node("body", None, Vec3::Y * 0.02),
        node("neck", Some(0), Vec3::Y * 0.6),
        node("head", Some(1), Vec3::Y * 0.22),
        node("brow.L", Some(2), Vec3::new(0.15, 0.4, 0.32)),
        node("brow.R", Some(2), Vec3::new(-0.15, 0.4, 0.32)),
    ];
    let rig = rig(&nodes, primitive);
    let recipe = Recipe { left_out: Some(Vec::new()), ..Recipe::default() };
    let (rows, _) = automatic(&rig, &recipe);
    let positions = &rig.meshes[0].primitives[0].positions;
    let back: Vec<&Vec<f32>> =
        head.filter(|&vertex| positions[vertex].z < -0.1 && positions[vertex].y > 1.2).map(|at| &rows[at]).collect();
    assert!(back.iter().all(|row| row[2] > 0.8 && row[3] + row[4] < 0.1), "{back:?}");
}
