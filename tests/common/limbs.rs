//! Adjacent limbs, and checks of weights computed for them.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{Quat, Vec3};
use rigscope::rig::{Influences, Primitive, Rig};

use super::rigs::{node, skinned, tube_primitive};

const RADIUS: f32 = 0.25;

/// Returns weights as a matrix: a row per vertex, a column per joint of the skin.
pub fn dense(influences: &Influences, joints: usize) -> Vec<Vec<f32>> {
    let of_vertex = |vertex: usize| {
        let mut row = vec![0.0; joints];
        influences.vertex(vertex).for_each(|(joint, weight)| row[joint] += weight);
        row
    };
    (0..influences.len()).map(of_vertex).collect()
}

/// Returns a closed tube along x at `place`, rotated by `turn` radians about its axis.
fn leg(place: Vec3, turn: f32, sides: usize) -> (Vec<Vec3>, Vec<u32>) {
    let tube = tube_primitive(30, sides, |_| vec![(0, 1.0)]);
    let turned = |position: &Vec3| Quat::from_rotation_x(turn) * *position + place;
    let mut positions: Vec<Vec3> = tube.positions.iter().map(turned).collect();
    let mut indices = tube.indices;
    for (x, first, flip) in [(-1.0, 0, 0), (1.0, 30 * sides as u32, 1)] {
        let middle = positions.len() as u32;
        positions.push(place + Vec3::X * x);
        for side in 0..sides as u32 {
            let ends = [first + side, first + (side + 1) % sides as u32];
            indices.extend([middle, ends[flip], ends[1 - flip]]);
        }
    }
    (positions, indices)
}

/// Two legs below a pelvis. An edge of one touches a face of the other, but they share no position.
pub fn legs() -> Arc<Rig> {
    let sides = 16;
    let to_face = RADIUS * (PI / 16.0).cos();
    let left = leg(Vec3::Y * RADIUS, 0.0, sides);
    let right = leg(Vec3::NEG_Y * to_face, TAU / 32.0, sides);
    let mut primitive = Primitive { positions: left.0, indices: left.1, ..Primitive::default() };
    let first = primitive.positions.len() as u32;
    primitive.positions.extend(right.0);
    primitive.indices.extend(right.1.iter().map(|vertex| vertex + first));
    let count = primitive.positions.len();
    primitive.influences = Some(Influences::new(1, vec![0; count], vec![1.0; count]));
    let nodes = [
        node("pelvis", None, Vec3::NEG_X * 1.2),
        node("left thigh", Some(0), Vec3::new(0.3, RADIUS, 0.0)),
        node("left shin", Some(1), Vec3::X * 0.9),
        node("left foot", Some(2), Vec3::X * 0.9),
        node("right thigh", Some(0), Vec3::new(0.3, -to_face, 0.0)),
        node("right shin", Some(4), Vec3::X * 0.9),
        node("right foot", Some(5), Vec3::X * 0.9),
    ];
    skinned(&nodes, None, primitive, Vec::new())
}
