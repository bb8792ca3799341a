//! Two fingers close to each other, for the image of weights that leak through the air.

use std::collections::BTreeMap;
use std::error::Error;
use std::f32::consts::{FRAC_PI_2, TAU};
use std::path::Path;

use glam::{Affine3, Vec2, Vec3};
use rigscope::export::rig_glb;
use rigscope::jobs::Progress;
use rigscope::rig::{
    Hierarchy, Influences, Mesh, MeshInstance, NodeDescription, NodeIndex, Primitive, Rig, RigData, Skin, Trs,
};

/// Half the width of a finger, metres.
const HALF_WIDTH: f32 = 0.2;
/// Gap between the fingers, metres: two to three voxels at 128 voxels per hand height.
const GAP: f32 = 0.07;
/// Distance of a finger's axis from the middle of the hand, metres.
const AXIS: f32 = HALF_WIDTH + GAP * 0.5;

const RINGS: usize = 72;
const SIDES: usize = 48;
/// Number of rings of a round end.
const CAP: usize = 10;

/// Name, parent and world position of each joint.
const JOINTS: [(&str, Option<usize>, Vec3); 7] = [
    ("Palm", None, Vec3::new(0.0, 0.1, 0.0)),
    ("Index 1", Some(0), Vec3::new(-AXIS, 1.1, 0.0)),
    ("Index 2", Some(1), Vec3::new(-AXIS, 2.1, 0.0)),
    ("Index 3", Some(2), Vec3::new(-AXIS, 2.8, 0.0)),
    ("Middle 1", Some(0), Vec3::new(AXIS, 1.1, 0.0)),
    ("Middle 2", Some(4), Vec3::new(AXIS, 2.2, 0.0)),
    ("Middle 3", Some(5), Vec3::new(AXIS, 2.95, 0.0)),
];

/// Writes the hand with unusable weights: every vertex follows the palm.
pub fn write(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut skin = Primitive::default();
    block(&mut skin, Vec2::new(0.0, 1.3), Vec2::new(AXIS + HALF_WIDTH + 0.02, 0.3));
    block(&mut skin, Vec2::new(-AXIS, 3.3), Vec2::splat(HALF_WIDTH));
    block(&mut skin, Vec2::new(AXIS, 3.5), Vec2::splat(HALF_WIDTH));
    skin.normals = Some(normals(&skin));
    let count = skin.positions.len();
    skin.influences = Some(Influences::new(1, vec![0; count], vec![1.0; count]));
    Ok(rig_glb(&rig(skin)?, &Progress::default())?.write(path)?)
}

/// Adds a closed block with round ends at `x`, up to the height `top`. `half` is half its width and depth. Fingers begin inside the palm.
fn block(skin: &mut Primitive, Vec2 { x, y: top }: Vec2, half: Vec2) {
    let bottom = if half.x > HALF_WIDTH { 0.0 } else { 0.8 };
    let first = skin.positions.len() as u32;
    for ring in 0..=RINGS {
        let (share, height) = profile(ring, top - bottom);
        for side in 0..SIDES {
            let out = Vec2::from_angle(side as f32 / SIDES as f32 * TAU);
            // A superellipse, between an ellipse and a rectangle.
            let across = out.map(|c| c.signum() * c.abs().powf(0.7)) * half * share;
            skin.positions.push(Vec3::new(x + across.x, bottom + height, across.y));
        }
    }
    for (ring, side) in (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let at = |r: usize, s: usize| first + (r * SIDES + s % SIDES) as u32;
        let [a, b, c, d] = [at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)];
        // The first and the last ring are single points.
        skin.indices.extend((ring + 1 < RINGS).then_some([a, b, c]).into_iter().flatten());
        skin.indices.extend((ring > 0).then_some([a, c, d]).into_iter().flatten());
    }
}

/// Returns the relative width of a ring (0 to 1), and its distance from the bottom of a block of the given length.
fn profile(ring: usize, length: f32) -> (f32, f32) {
    let from_end = ring.min(RINGS - ring);
    if from_end >= CAP {
        let along = (ring - CAP) as f32 / (RINGS - 2 * CAP) as f32;
        return (1.0, HALF_WIDTH + along * (length - 2.0 * HALF_WIDTH));
    }
    let (sin, cos) = (from_end as f32 / CAP as f32 * FRAC_PI_2).sin_cos();
    let depth = HALF_WIDTH * (1.0 - cos);
    (sin, if ring == from_end { depth } else { length - depth })
}

fn normals(skin: &Primitive) -> Vec<Vec3> {
    let mut sums = BTreeMap::<[i32; 3], Vec3>::new();
    let place = |vertex: u32| (skin.positions[vertex as usize] * 1e5).round().as_ivec3().to_array();
    for corners in skin.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner: usize| skin.positions[corners[corner] as usize]);
        for &vertex in corners {
            *sums.entry(place(vertex)).or_default() += (b - a).cross(c - a);
        }
    }
    (0..skin.positions.len() as u32).map(|vertex| sums[&place(vertex)].normalize_or(Vec3::Y)).collect()
}

/// Creates the rig. All nodes are joints, bound at rest.
fn rig(skin: Primitive) -> Result<Rig, Box<dyn Error>> {
    let place = |joint: Option<usize>| joint.map_or(Vec3::ZERO, |joint| JOINTS[joint].2);
    let nodes = JOINTS.iter().enumerate().map(|(number, (name, parent, at))| NodeDescription {
        name: (*name).to_owned(),
        children: (0..JOINTS.len()).filter(|child| JOINTS[*child].1 == Some(number)).collect(),
        rest: Trs { translation: *at - place(*parent), ..Trs::IDENTITY },
        ..NodeDescription::default()
    });
    let hierarchy = Hierarchy::new(&nodes.collect::<Vec<_>>())?;
    let joints: Vec<NodeIndex> = (0..JOINTS.len()).filter_map(|joint| hierarchy.by_source(joint)).collect();
    let inverse_bind = JOINTS.iter().map(|(_, _, at)| Affine3::from_translation(-*at)).collect();
    let instance = MeshInstance { node: joints[0], mesh: 0, skin: Some(0), morph_weights: Vec::new() };
    Ok(Rig::new(RigData {
        hierarchy,
        skins: vec![Skin { joints, inverse_bind, ..Skin::default() }],
        meshes: vec![Mesh { primitives: vec![skin], ..Mesh::default() }],
        instances: vec![instance],
        ..RigData::default()
    }))
}
