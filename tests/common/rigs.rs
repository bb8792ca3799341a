//! Small rigs built in code, each for one property of skinning or drawing.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Affine3, Mat3, Quat, Vec2, Vec3, Vec4};
use rigscope::rig::{
    Alpha, CoordSet, Hierarchy, Image, Influences, MapKind, Material, MaterialIndex, Mesh, MeshInstance, MorphTarget,
    NodeDescription, NodeIndex, Primitive, Rig, RigData, Skin, Texture, Trs, Wrap,
};

/// A node with its parent, as in a file.
pub struct Node {
    pub name: &'static str,
    pub parent: Option<usize>,
    pub rest: Trs,
    pub matrix: Option<Affine3>,
}

pub fn node(name: &'static str, parent: Option<usize>, translation: Vec3) -> Node {
    Node { name, parent, rest: Trs::from_translation(translation), matrix: None }
}

fn hierarchy(nodes: &[Node]) -> Hierarchy {
    let descriptions: Vec<NodeDescription> = nodes
        .iter()
        .enumerate()
        .map(|(i, n)| NodeDescription {
            name: n.name.to_owned(),
            children: (0..nodes.len()).filter(|&c| nodes[c].parent == Some(i)).collect(),
            rest: n.rest,
            matrix: n.matrix,
            ..NodeDescription::default()
        })
        .collect();
    Hierarchy::new(&descriptions).unwrap()
}

/// Creates a rig whose nodes are all joints. Without `inverse_bind`, they are bound at rest. The mesh is on node 0.
pub fn skinned(
    nodes: &[Node],
    inverse_bind: Option<Vec<Affine3>>,
    primitive: Primitive,
    materials: Vec<Material>,
) -> Arc<Rig> {
    let hierarchy = hierarchy(nodes);
    let joints: Vec<NodeIndex> = (0..nodes.len()).map(|i| hierarchy.by_source(i).unwrap()).collect();
    let mut world = vec![Affine3::IDENTITY; hierarchy.len()];
    for n in hierarchy.nodes() {
        let parent = hierarchy.parent(n).map_or(Affine3::IDENTITY, |p| world[p.index()]);
        world[n.index()] = parent * *hierarchy.rest_local(n);
    }
    let inverse_bind = inverse_bind.unwrap_or_else(|| joints.iter().map(|j| world[j.index()].inverse()).collect());
    let instance =
        MeshInstance { node: hierarchy.by_source(0).unwrap(), mesh: 0, skin: Some(0), morph_weights: Vec::new() };
    Arc::new(Rig::new(RigData {
        hierarchy,
        skins: vec![Skin { joints, inverse_bind, ..Skin::default() }],
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        instances: vec![instance],
        materials,
        ..RigData::default()
    }))
}

/// Creates an open tube along x from -1 to 1, radius 0.25. `weights` returns (joint, weight) pairs for an x.
pub fn tube_primitive(rings: usize, sides: usize, weights: impl Fn(f32) -> Vec<(u16, f32)>) -> Primitive {
    let per_vertex = weights(0.0).len();
    let mut primitive = Primitive::default();
    let mut normals = Vec::new();
    let (mut joints, mut shares) = (Vec::new(), Vec::new());
    for ring in 0..=rings {
        let x = ring as f32 / rings as f32 * 2.0 - 1.0;
        for side in 0..sides {
            let angle = side as f32 / sides as f32 * TAU;
            let out = Vec3::new(0.0, angle.cos(), angle.sin());
            primitive.positions.push(Vec3::X * x + out * 0.25);
            normals.push(out);
            let mut slots = weights(x);
            slots.sort_by(|a, b| b.1.total_cmp(&a.1));
            joints.extend(slots.iter().map(|s| s.0));
            shares.extend(slots.iter().map(|s| s.1));
        }
    }
    for ring in 0..rings {
        for side in 0..sides {
            let at = |r: usize, s: usize| (r * sides + s % sides) as u32;
            let (a, b, c, d) = (at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1));
            primitive.indices.extend([a, d, c, a, c, b]);
        }
    }
    primitive.normals = Some(normals);
    primitive.influences = Some(Influences::new(per_vertex, joints, shares));
    primitive
}

fn open_tube_material() -> Vec<Material> {
    vec![Material { is_double_sided: true, ..Material::default() }]
}

/// Creates the tube of the closed form in `docs/mathematics.md`: two joints on the axis, weights of 1/2 at x = 0, and a blend of length `ramp`.
pub fn twisted_tube(ramp: f32) -> Arc<Rig> {
    let primitive = tube_primitive(40, 32, |x| {
        let w = (x / ramp + 0.5).clamp(0.0, 1.0);
        vec![(0, 1.0 - w), (1, w)]
    });
    let nodes = [node("base", None, Vec3::NEG_X), node("twist", Some(0), Vec3::X)];
    skinned(&nodes, None, Primitive { material: Some(MaterialIndex(0)), ..primitive }, open_tube_material())
}

/// Creates a tube with seven joints and six influences per vertex, two more than the vertex attributes hold.
pub fn six_influences() -> Arc<Rig> {
    let mut nodes = vec![node("joint 0", None, Vec3::NEG_X)];
    for (i, name) in ["joint 1", "joint 2", "joint 3", "joint 4", "joint 5", "joint 6"].into_iter().enumerate() {
        nodes.push(node(name, Some(i), Vec3::X / 3.0));
    }
    let primitive = tube_primitive(24, 12, |x| {
        let share = |j: u16| (-2.0 * (x - (f32::from(j) / 3.0 - 1.0)).powi(2)).exp();
        let mut slots: Vec<(u16, f32)> = (0..7).map(|j| (j, share(j))).collect();
        slots.sort_by(|a, b| b.1.total_cmp(&a.1));
        slots.truncate(6);
        let sum: f32 = slots.iter().map(|s| s.1).sum();
        slots.iter().map(|&(j, w)| (j, w / sum)).collect()
    });
    skinned(&nodes, None, Primitive { material: Some(MaterialIndex(0)), ..primitive }, open_tube_material())
}

/// Creates a tube whose second joint mirrors (scale -1 on x) but was bound without mirroring.
pub fn mirrored_joint() -> Arc<Rig> {
    let mut nodes = [node("base", None, Vec3::NEG_X), node("mirror", Some(0), Vec3::X)];
    nodes[1].rest.scale = Vec3::new(-1.0, 1.0, 1.0);
    let inverse_bind = vec![Affine3::from_translation(Vec3::X), Affine3::IDENTITY];
    let primitive = tube_primitive(20, 16, |x| if x < 0.0 { vec![(0, 1.0)] } else { vec![(1, 1.0)] });
    skinned(&nodes, Some(inverse_bind), primitive, Vec::new())
}

/// Creates a tube with a joint under a shearing matrix and a joint with non-uniform scale.
pub fn scaled_and_sheared() -> Arc<Rig> {
    let mut nodes =
        [node("base", None, Vec3::NEG_X), node("sheared", Some(0), Vec3::ZERO), node("tip", Some(1), Vec3::X * 0.7)];
    let shear = Mat3::from_cols(Vec3::X, Vec3::new(0.4, 1.2, 0.0), Vec3::new(0.0, -0.2, 0.8));
    nodes[1].matrix = Some(Affine3::from_mat3_translation(shear, Vec3::X));
    nodes[2].rest.scale = Vec3::new(1.5, 0.6, 0.8);
    let inverse_bind = vec![
        Affine3::from_translation(Vec3::X),
        Affine3::IDENTITY,
        Affine3::from_rotation_translation(Quat::from_rotation_y(0.3), Vec3::new(-0.7, 0.1, 0.0)),
    ];
    let primitive = tube_primitive(24, 12, |x| {
        let w = (x * 0.5 + 0.5).clamp(0.0, 1.0);
        vec![(0, (1.0 - w) * (1.0 - w)), (1, 2.0 * w * (1.0 - w)), (2, w * w)]
    });
    skinned(
        &nodes,
        Some(inverse_bind),
        Primitive { material: Some(MaterialIndex(0)), ..primitive },
        open_tube_material(),
    )
}

/// Creates a tube with three morph targets: for positions and normals, for positions only, and empty. The second instance has other weights and no skin.
pub fn morphed_tube() -> Arc<Rig> {
    let mut primitive = tube_primitive(20, 12, |x| vec![(0, 0.5 - 0.5 * x), (1, 0.5 + 0.5 * x)]);
    let bulge = |p: &Vec3| Vec3::new(0.0, p.y, p.z) * (1.0 - p.x * p.x);
    let normals = primitive.positions.iter().map(|p| Vec3::X * (0.5 * p.x)).collect();
    primitive.morph_targets = vec![
        MorphTarget { positions: primitive.positions.iter().map(bulge).collect(), normals, ..MorphTarget::default() },
        MorphTarget {
            positions: primitive.positions.iter().map(|p| Vec3::Y * p.x * p.x).collect(),
            ..MorphTarget::default()
        },
        MorphTarget::default(),
    ];
    let nodes = [node("base", None, Vec3::NEG_X), node("tip", Some(0), Vec3::X)];
    let rig = skinned(&nodes, None, primitive, Vec::new());
    let instances = vec![
        MeshInstance { morph_weights: vec![0.0, 0.7, 0.3], ..rig.instances[0].clone() },
        MeshInstance { node: NodeIndex(1), mesh: 0, skin: None, morph_weights: vec![-0.4, 0.0, 1.0] },
    ];
    Arc::new(Rig::new(RigData { instances, ..RigData::clone(&rig) }))
}

/// Creates a box without normals and skin on a rotated and stretched node, mirrored if `flip` is -1.
pub fn flat_box(flip: f32) -> Arc<Rig> {
    let mut nodes = [node("box", None, Vec3::new(0.2, 0.5, -0.1))];
    nodes[0].rest.rotation = Quat::from_rotation_y(0.4);
    nodes[0].rest.scale = Vec3::new(1.0, flip, 2.0);
    let hierarchy = hierarchy(&nodes);
    let instance = MeshInstance { node: NodeIndex(0), mesh: 0, skin: None, morph_weights: Vec::new() };
    Arc::new(Rig::new(RigData {
        hierarchy,
        meshes: vec![Mesh { primitives: vec![box_primitive(Vec3::splat(0.5))], ..Mesh::default() }],
        instances: vec![instance],
        ..RigData::default()
    }))
}

/// Creates a box with corners at plus and minus `half`, counter-clockwise seen from outside.
pub fn box_primitive(half: Vec3) -> Primitive {
    let corner = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * Vec3::new(sign(0), sign(1), sign(2))
    };
    let faces: [[u32; 4]; 6] = [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];
    Primitive {
        positions: (0..8).map(corner).collect(),
        indices: faces.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect(),
        ..Primitive::default()
    }
}

/// Creates two boxes on one node; the nearer one is half transparent.
pub fn glass_before_stone() -> Arc<Rig> {
    let moved = |by: Vec3, material: usize| {
        let mut primitive = box_primitive(Vec3::splat(0.4));
        primitive.positions.iter_mut().for_each(|p| *p += by);
        Primitive { material: Some(MaterialIndex(material)), ..primitive }
    };
    let glass = Material {
        base_color: Vec4::new(0.1, 0.3, 0.9, 0.5),
        alpha: Alpha::Blend,
        is_unlit: true,
        ..Material::default()
    };
    let stone = Material { base_color: Vec4::new(0.8, 0.1, 0.1, 1.0), is_unlit: true, ..Material::default() };
    Arc::new(Rig::new(RigData {
        hierarchy: hierarchy(&[node("boxes", None, Vec3::Y * 0.4)]),
        meshes: vec![Mesh { primitives: vec![moved(Vec3::Z, 0), moved(Vec3::ZERO, 1)], ..Mesh::default() }],
        instances: vec![MeshInstance { node: NodeIndex(0), mesh: 0, skin: None, morph_weights: Vec::new() }],
        materials: vec![glass, stone],
        ..RigData::default()
    }))
}

/// Creates three boxes in front of a red wall: opaque, masked and blended. Their image has alpha that decreases from left to right.
pub fn boxes_of_every_alpha() -> Arc<Rig> {
    let half = Vec3::splat(0.4);
    let boxed = |number: usize| {
        let mut primitive = box_primitive(half);
        let uv = |p: &Vec3| Vec2::new(p.x, -p.y) / (2.0 * half.x) + 0.5;
        primitive.tex_coords = Some(primitive.positions.iter().map(uv).collect());
        primitive.positions.iter_mut().for_each(|p| p.x += number as f32 - 1.0);
        Primitive { material: Some(MaterialIndex(number)), ..primitive }
    };
    let mut wall = box_primitive(Vec3::new(1.8, 0.7, 0.02));
    wall.positions.iter_mut().for_each(|p| p.z -= 0.8);
    let texture =
        Some(Texture { image: 0, wrap: [Wrap::Clamp; 2], is_nearest: true, coords: CoordSet::First, transform: None });
    let of = |alpha| Material { alpha, texture: texture.clone(), ..Material::default() };
    let red = Material { base_color: Vec4::new(0.6, 0.05, 0.05, 1.0), ..Material::default() };
    let pixel = |i: u32| {
        let (x, y) = (i % 8, i / 8);
        [if (x + y) % 2 == 0 { 230 } else { 40 }, 28 * y as u8, 200, 255 - 34 * x as u8]
    };
    Arc::new(Rig::new(RigData {
        hierarchy: hierarchy(&[node("boxes", None, Vec3::Y * 0.7)]),
        meshes: vec![Mesh {
            primitives: vec![boxed(0), boxed(1), boxed(2), Primitive { material: Some(MaterialIndex(3)), ..wall }],
            ..Mesh::default()
        }],
        instances: vec![MeshInstance { node: NodeIndex(0), mesh: 0, skin: None, morph_weights: Vec::new() }],
        materials: vec![of(Alpha::Opaque), of(Alpha::Mask(0.5)), of(Alpha::Blend), red],
        images: vec![Image { width: 8, height: 8, rgba: (0..64).flat_map(pixel).collect() }],
        ..RigData::default()
    }))
}

/// Creates a tube with vertex colours: red, green and blue around it, darkening to black along it.
pub fn colored_tube() -> Arc<Rig> {
    let mut primitive = tube_primitive(24, 24, |x| vec![(0, 0.5 - 0.5 * x), (1, 0.5 + 0.5 * x)]);
    let color = |p: &Vec3| {
        let around = p.z.atan2(p.y);
        let share = |at: f32| 0.5 + 0.5 * (around - at * TAU / 3.0).cos();
        Vec3::new(share(0.0), share(1.0), share(2.0)) * (0.5 - 0.5 * p.x)
    };
    primitive.colors = Some(primitive.positions.iter().map(|p| color(p).extend(1.0)).collect());
    let nodes = [node("base", None, Vec3::NEG_X), node("tip", Some(0), Vec3::X)];
    skinned(&nodes, None, Primitive { material: Some(MaterialIndex(0)), ..primitive }, open_tube_material())
}

/// Creates a tube like [`twisted_tube`], and beside it a tube without weights. The DQ blend weight of the first grows from 0 at one end to 1 at the other.
pub fn painted_tube() -> Arc<Rig> {
    let tube = twisted_tube(0.8);
    let mut meshes = tube.meshes.clone();
    let plain = meshes[0].primitives[0].clone();
    let share = |p: &Vec3| (0.5 * (p.x + 1.0)).clamp(0.0, 1.0);
    meshes[0].primitives[0].dq_weights = plain.positions.iter().map(share).collect();
    meshes[0].primitives.push(plain);
    Arc::new(Rig::new(RigData { meshes, ..RigData::clone(&tube) }))
}

/// Adds a normal map, and tangents with opposite handedness on the two halves, to the rig's mesh.
pub fn leant(rig: &Rig) -> Arc<Rig> {
    let mut parts = RigData::clone(rig);
    let primitive = &mut parts.meshes[0].primitives[0];
    let tangent = |n: &Vec3| n.any_orthonormal_vector().extend(1.0_f32.copysign(n.y));
    primitive.tangents = primitive.normals.as_ref().map(|normals| normals.iter().map(tangent).collect());
    primitive.material = Some(MaterialIndex(0));
    let texture =
        Texture { image: 0, wrap: [Wrap::Repeat; 2], is_nearest: false, coords: CoordSet::First, transform: None };
    let mut material = Material::default();
    material.maps[MapKind::Normal] = Some(texture);
    parts.materials = vec![material];
    parts.images = vec![Image { width: 1, height: 1, rgba: [128, 128, 255, 255].into() }];
    Arc::new(Rig::new(parts))
}

/// Reorders vertices and triangles of each primitive, and rotates triangle corners. Keeps only the data that skinning needs.
pub fn reordered(rig: &Rig, seed: u64) -> Rig {
    let mut parts = RigData::clone(rig);
    let mut random = Shuffle(seed);
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        *primitive = reordered_primitive(primitive, &mut random);
    }
    Rig::new(parts)
}

fn reordered_primitive(primitive: &Primitive, random: &mut Shuffle) -> Primitive {
    let count = primitive.positions.len();
    let order = random.shuffled((0..count).collect());
    let mut place = vec![0; count];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new as u32);
    let corners = random.shuffled(primitive.indices.as_chunks::<3>().0.to_vec());
    let turned = |(number, [a, b, c]): (usize, [u32; 3])| [[a, b, c], [b, c, a], [c, a, b]][number % 3];
    let indices = corners.into_iter().enumerate().flat_map(turned).map(|vertex| place[vertex as usize]);
    let influences = primitive.influences.as_ref().map(|influences| {
        let per_vertex = influences.per_vertex();
        let joints = order.iter().flat_map(|v| influences.joints()[v * per_vertex..][..per_vertex].to_vec());
        let weights = order.iter().flat_map(|v| influences.weights()[v * per_vertex..][..per_vertex].to_vec());
        Influences::new(per_vertex, joints.collect(), weights.collect())
    });
    let moved = |all: &[Vec3]| if all.is_empty() { Vec::new() } else { order.iter().map(|&v| all[v]).collect() };
    let targets = primitive.morph_targets.iter();
    Primitive {
        positions: moved(&primitive.positions),
        indices: indices.collect(),
        influences,
        morph_targets: targets
            .map(|target| MorphTarget { positions: moved(&target.positions), ..MorphTarget::default() })
            .collect(),
        ..Primitive::default()
    }
}

/// Deterministic pseudo-random numbers.
struct Shuffle(u64);

impl Shuffle {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn shuffled<T>(&mut self, mut list: Vec<T>) -> Vec<T> {
        for at in (1..list.len()).rev() {
            let other = self.next(at + 1);
            list.swap(at, other);
        }
        list
    }
}

/// Creates a tube whose vertices each follow a random one of three joints, with extra triangles on existing edges. Openings touch themselves and each other
/// everywhere, and the surface branches.
pub fn spotted_tube(seed: u64) -> Arc<Rig> {
    let nodes = [node("A", None, Vec3::NEG_X), node("B", Some(0), Vec3::X * 0.5), node("C", Some(1), Vec3::X)];
    let mut random = Shuffle(seed);
    let mut primitive = tube_primitive(16, 12, |_| vec![(0, 1.0)]);
    let count = primitive.positions.len();
    let joints = (0..count).map(|_| random.next(3) as u16).collect();
    primitive.influences = Some(Influences::new(1, joints, vec![1.0; count]));
    for _ in 0..6 {
        let first = 3 * random.next(primitive.indices.len() / 3);
        let [a, b] = [first, first + 1].map(|at| primitive.indices[at]);
        primitive.indices.extend([a, b, random.next(count) as u32]);
    }
    skinned(&nodes, None, primitive, Vec::new())
}

/// Creates a tube with a narrow belt that follows its own joint. The belt waves along the tube by more than its width.
pub fn belted_tube() -> Arc<Rig> {
    let nodes = [
        node("Left", None, Vec3::NEG_X),
        node("Between", Some(0), Vec3::X * 0.5),
        node("Belt", Some(1), Vec3::X * 0.5),
        node("Right", Some(2), Vec3::X * 0.2),
    ];
    let mut primitive = tube_primitive(80, 24, |_| vec![(0, 1.0)]);
    let joint = |position: &Vec3| {
        let along = position.x - 0.2 * (3.0 * position.y.atan2(position.z)).sin();
        if along.abs() < 0.03 {
            2
        } else if along < 0.0 {
            0
        } else {
            3
        }
    };
    let joints: Vec<u16> = primitive.positions.iter().map(joint).collect();
    primitive.influences = Some(Influences::new(1, joints.clone(), vec![1.0; joints.len()]));
    skinned(&nodes, None, primitive, Vec::new())
}

/// Returns a named rig for each property of skinning.
pub fn all() -> Vec<(&'static str, Arc<Rig>)> {
    vec![
        ("twisted tube", twisted_tube(0.8)),
        ("six influences", six_influences()),
        ("mirrored joint", leant(&mirrored_joint())),
        ("scaled and sheared", leant(&scaled_and_sheared())),
        ("morphed tube", morphed_tube()),
        ("painted tube", painted_tube()),
        ("flat box", flat_box(-1.0)),
        ("glass before stone", glass_before_stone()),
    ]
}
