//! Tubes of any size. A thousand rings give a million vertices and two million triangles.

use glam::{Affine3, Vec3};
use rigscope::rig::{
    Hierarchy, Influences, Mesh, MeshInstance, NodeDescription, NodeIndex, Primitive, Rig, RigData, Skin, Trs,
};

/// Creates a tube with 1000 vertices per ring and 64 joints.
#[allow(dead_code, clippy::allow_attributes, reason = "some benches measure other sizes alone")]
pub fn tube(rings: usize) -> Rig {
    build_tube(1000, rings, 64)
}

/// Creates a tube with joints one metre apart along x. Each vertex follows the two joints next to it.
pub fn build_tube(sides: usize, rings: usize, joint_count: usize) -> Rig {
    let mut primitive = Primitive::default();
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for ring in 0..rings {
        let along = ring as f32 / rings as f32 * (joint_count - 1) as f32;
        for side in 0..sides {
            let (sin, cos) = (side as f32 / sides as f32 * std::f32::consts::TAU).sin_cos();
            primitive.positions.push(Vec3::new(along, cos, sin));
            let mut slots = [(along as u16, 1.0 - along.fract()), (along as u16 + 1, along.fract())];
            slots.sort_by(|a, b| b.1.total_cmp(&a.1));
            joints.extend(slots.map(|(joint, _)| joint));
            weights.extend(slots.map(|(_, weight)| weight));
        }
    }
    for ring in 1..rings {
        for side in 0..sides {
            let at = |r: usize, s: usize| (r * sides + s % sides) as u32;
            let (a, b, c, d) = (at(ring - 1, side), at(ring, side), at(ring, side + 1), at(ring - 1, side + 1));
            primitive.indices.extend([a, d, c, a, c, b]);
        }
    }
    primitive.influences = Some(Influences::new(2, joints, weights));
    rig(primitive, joint_count)
}

fn rig(primitive: Primitive, joint_count: usize) -> Rig {
    let node = |j: usize| NodeDescription {
        name: format!("joint {j}"),
        children: if j + 1 < joint_count { vec![j + 1] } else { Vec::new() },
        rest: Trs { translation: if j == 0 { Vec3::ZERO } else { Vec3::X }, ..Trs::IDENTITY },
        ..NodeDescription::default()
    };
    let hierarchy = Hierarchy::new(&(0..joint_count).map(node).collect::<Vec<_>>()).expect("a chain is a tree");
    let inverse_bind = (0..joint_count).map(|j| Affine3::from_translation(Vec3::NEG_X * j as f32)).collect();
    Rig::new(RigData {
        skins: vec![Skin { joints: hierarchy.nodes().collect(), inverse_bind, ..Skin::default() }],
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        instances: vec![MeshInstance { node: NodeIndex(0), mesh: 0, skin: Some(0), morph_weights: Vec::new() }],
        hierarchy,
        ..RigData::default()
    })
}
