//! Dual quaternion skinning compared with a mesh that Maya deformed.
//!
//! The scene is ufbx's `maya_dual_quaternion`: a box of eleven rings along y with two joints. The upper joint is moved,
//! and twisted by 170°. The scene's numbers are written here, because this test doesn't read FBX. Maya's result is read
//! from the OBJ file beside the scene.

use crate::common;

use glam::{Affine3, Quat, Vec3};
use rigscope::rig::{Influences, Primitive};
use rigscope::skinning::{JointTransform, Method, Palette, deform};

/// Weight of the lower joint on each ring, lowest ring first. The upper joint has the remaining weight.
const LOWER: [f32; 11] = [
    0.996_640_8,
    0.996_640_8,
    0.988_403_6,
    0.952_926_6,
    0.823_763_8,
    0.5,
    0.176_236_22,
    0.047_073_36,
    0.011_596_37,
    0.003_359_213,
    0.003_359_213,
];

/// Returns the vertex order of both files: up the front and down the back, left and right on each ring.
fn rings() -> impl Iterator<Item = (usize, f32)> {
    (0..11).map(|ring| (ring, 0.5)).chain((0..11).rev().map(|ring| (ring, -0.5)))
}

fn positions() -> Vec<Vec3> {
    rings().flat_map(|(ring, z)| [-0.5, 0.5].map(|x| Vec3::new(x, -2.0 + 0.4 * ring as f32, z))).collect()
}

/// Returns the influences, heaviest first, as import sorts them.
fn influences() -> Influences {
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for (ring, _) in rings() {
        let mut slots = [(0, LOWER[ring]), (1, 1.0 - LOWER[ring])];
        slots.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (joint, weight) in [slots, slots].concat() {
            joints.push(joint);
            weights.push(weight);
        }
    }
    Influences::new(2, joints, weights)
}

/// Returns `T_j = W_j * IB_j` relative to the bind positions.
fn palette() -> Palette {
    let turn = Quat::from_rotation_z(90_f32.to_radians());
    let bind = [Vec3::new(0.0, -2.0, 0.0), Vec3::ZERO].map(|at| Affine3::from_rotation_translation(turn, at));
    let twist = Quat::from_rotation_x(170_f32.to_radians());
    let upper = bind[0] * Affine3::from_rotation_translation(twist, Vec3::new(2.0, -1.0, 0.0));
    let joints = [bind[0], upper].into_iter().zip(bind);
    let transforms = joints.map(|(world, bind)| JointTransform::new(world * bind.inverse(), bind.translation));
    Palette::from(transforms.collect::<Vec<_>>())
}

#[test]
#[expect(clippy::print_stdout, reason = "says how near")]
fn dual_quaternion_skinning_is_mayas() {
    let Some(samples) = common::samples() else { return };
    let text = std::fs::read_to_string(samples.join("ufbx/maya_dual_quaternion.obj")).unwrap();
    let vertex = |line: &str| {
        let numbers: Vec<f32> = line.strip_prefix("v ")?.split(' ').map(|n| n.parse().unwrap()).collect();
        Some(Vec3::from_slice(&numbers))
    };
    let maya: Vec<Vec3> = text.lines().filter_map(vertex).collect();
    let primitive = Primitive { positions: positions(), influences: Some(influences()), ..Primitive::default() };
    let largest = |method: Method| {
        let found = deform(&primitive, &palette(), &[], method).positions;
        assert_eq!((found.len(), maya.len()), (44, 44));
        found.iter().zip(&maya).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    let (dual, linear) = (largest(Method::Dqs), largest(Method::Lbs));
    println!("DQS differs from Maya by {dual:.1e}, LBS by {linear:.1e}");
    assert!(dual < 1e-5, "DQS is {dual} from Maya's");
    assert!(linear > 0.1, "LBS is {linear} from it: the pose must tell the two apart");
}
