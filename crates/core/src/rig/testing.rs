//! Test helpers: random transforms and hierarchies, rigs with morph targets.

use std::ops::Range;

use glam::{Affine3, Mat3, Quat, Vec3};
use proptest::prelude::*;

use super::{
    Hierarchy, Mesh, MeshInstance, MorphTarget, NodeDescription, NodeIndex, Primitive, Rig, RigData, Skin, Trs,
};

pub fn any_vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

pub fn any_rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0_f32..1.0)
        .prop_filter("too short", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.1)
        .prop_map(|q| Quat::from_array(q).normalize())
}

pub fn any_scale() -> impl Strategy<Value = Vec3> {
    (prop::array::uniform3(0.3_f32..3.0), prop::array::uniform3(any::<bool>()))
        .prop_map(|(size, mirror)| Vec3::from(size) * Vec3::from(mirror.map(|m| if m { -1.0 } else { 1.0 })))
}

pub fn any_rigid(size: f32) -> impl Strategy<Value = Trs> {
    (any_vector(size), any_rotation()).prop_map(|(translation, rotation)| Trs {
        translation,
        rotation,
        ..Trs::IDENTITY
    })
}

pub fn any_trs(size: f32) -> impl Strategy<Value = Trs> {
    (any_rigid(size), any_scale()).prop_map(|(rigid, scale)| Trs { scale, ..rigid })
}

/// Generates a random parent matrix with stretch, shear and mirroring: the product of two scaled rotations.
pub fn any_parent() -> impl Strategy<Value = Affine3> {
    (any_rotation(), any_scale(), any_rotation(), any_scale(), any_vector(5.0)).prop_map(|(q, s, r, t, x)| {
        let matrix = Mat3::from_quat(q) * Mat3::from_diagonal(s) * Mat3::from_quat(r) * Mat3::from_diagonal(t);
        Affine3::from_mat3_translation(matrix, x)
    })
}

/// Generates a random parent matrix with uniform scale, sometimes mirrored.
pub fn any_even_parent() -> impl Strategy<Value = Affine3> {
    (any_rotation(), 0.05_f32..20.0, 0_usize..5, any_vector(5.0)).prop_map(|(q, size, mirror, x)| {
        let mirrors =
            [Vec3::ONE, Vec3::NEG_ONE, Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(1.0, 1.0, -1.0)];
        Affine3::from_scale_rotation_translation(mirrors[mirror] * size, q, x)
    })
}

/// Generates a random tree whose first seven nodes form a chain from the root.
pub fn any_tree(count: Range<usize>, rest: impl Strategy<Value = Trs>) -> impl Strategy<Value = Hierarchy> {
    prop::collection::vec((any::<prop::sample::Index>(), rest), count).prop_map(|nodes| {
        let parents = nodes.iter().enumerate().map(|(i, (above, _))| match i {
            0 => None,
            1..7 => Some(i - 1),
            _ => Some(above.index(i)),
        });
        tree(&parents.collect::<Vec<_>>(), &nodes.iter().map(|n| n.1).collect::<Vec<_>>())
    })
}

pub fn chain(count: usize, rest: Trs) -> Hierarchy {
    build_chain(&vec![rest; count])
}

/// Creates a chain of nodes, each the only child of the previous node.
pub fn build_chain(rest: &[Trs]) -> Hierarchy {
    let node = |at: usize| NodeDescription::new("", (at + 1..rest.len()).take(1).collect(), rest[at]);
    Hierarchy::new(&(0..rest.len()).map(node).collect::<Vec<_>>()).expect("a tree")
}

/// Creates a rig with one node, which carries all instances `(mesh, skin)` and is the only joint of every skin.
pub fn on_one_node(meshes: Vec<Vec<Primitive>>, instances: &[(usize, Option<usize>)]) -> RigData {
    let skin = Skin { joints: vec![NodeIndex(0)], inverse_bind: vec![Affine3::IDENTITY], ..Skin::default() };
    let skin_count = instances.iter().filter_map(|(_, skin)| *skin).max().map_or(0, |last| last + 1);
    let instance = |&(mesh, skin)| MeshInstance { node: NodeIndex(0), mesh, skin, morph_weights: Vec::new() };
    RigData {
        hierarchy: Hierarchy::new(&[NodeDescription::default()]).expect("one node is a tree"),
        skins: vec![skin; skin_count],
        meshes: meshes.into_iter().map(|primitives| Mesh { primitives, ..Mesh::default() }).collect(),
        instances: instances.iter().map(instance).collect(),
        ..RigData::default()
    }
}

/// Creates a rig whose nodes are all joints, bound at the origin, and move one primitive.
pub fn skinned(hierarchy: Hierarchy, primitive: Primitive) -> RigData {
    let joints: Vec<NodeIndex> = hierarchy.nodes().collect();
    RigData {
        skins: vec![Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() }],
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        instances: vec![MeshInstance { node: NodeIndex(0), mesh: 0, skin: Some(0), morph_weights: Vec::new() }],
        hierarchy,
        ..RigData::default()
    }
}

fn tree(parents: &[Option<usize>], rest: &[Trs]) -> Hierarchy {
    let described = |node: usize| {
        NodeDescription::new("", (0..parents.len()).filter(|&c| parents[c] == Some(node)).collect(), rest[node])
    };
    Hierarchy::new(&(0..parents.len()).map(described).collect::<Vec<_>>()).expect("a tree")
}

pub fn world_at_rest(hierarchy: &Hierarchy) -> Vec<Affine3> {
    let mut world: Vec<Affine3> = Vec::new();
    for node in hierarchy.nodes() {
        let above = hierarchy.parent(node).map_or(Affine3::IDENTITY, |p| world[p.index()]);
        world.push(above * *hierarchy.rest_local(node));
    }
    world
}

/// Returns the angle between two rotations, radians; `Quat::angle_between` is inaccurate for small angles.
pub fn apart(a: Quat, b: Quat) -> f32 {
    2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
}

pub fn largest(m: Mat3) -> f32 {
    m.to_cols_array().into_iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Creates one-vertex meshes on separate nodes, with one morph target per name; an empty name leaves the target
/// unnamed. Target `t` moves the vertex by `t + 1` along +Y.
pub fn faces(meshes: &[&[&str]]) -> Rig {
    let target = |t| MorphTarget { positions: vec![Vec3::Y * (t + 1) as f32], ..MorphTarget::default() };
    let mesh = |(source, names): (usize, &&[&str])| {
        let morph_targets = (0..names.len()).map(target).collect();
        let primitive =
            Primitive { positions: vec![Vec3::ZERO], points: vec![0], morph_targets, ..Primitive::default() };
        let target_names = names.iter().map(|&name| name.to_owned()).collect();
        Mesh { source, primitives: vec![primitive], target_names, ..Mesh::default() }
    };
    let placed = |(mesh, names): (usize, &&[&str])| MeshInstance {
        node: NodeIndex(mesh as u32),
        mesh,
        skin: None,
        morph_weights: vec![0.0; names.len()],
    };
    let node = |mesh: usize| NodeDescription { name: format!("node {mesh}"), ..NodeDescription::default() };
    let nodes: Vec<NodeDescription> = (0..meshes.len()).map(node).collect();
    Rig::new(RigData {
        hierarchy: Hierarchy::new(&nodes).unwrap_or_default(),
        meshes: meshes.iter().enumerate().map(mesh).collect(),
        instances: meshes.iter().enumerate().map(placed).collect(),
        ..RigData::default()
    })
}
