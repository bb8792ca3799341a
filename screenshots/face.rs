//! A bust with hair that swings, eyes that look and a smile, as VRM, for the picture of what moves by itself.

use std::error::Error;
use std::f32::consts::{PI, TAU};
use std::path::Path;

use glam::{Affine3, Vec3, Vec4};
use rigscope::export::rig_glb;
use rigscope::jobs::Progress;
use rigscope::rig::{
    Hierarchy, Influences, Mesh, MeshInstance, MorphTarget, NodeDescription, NodeIndex, Primitive, Rig, RigData, Skin,
    Trs,
};
use serde_json::{Value, json};

const RINGS: usize = 32;
const SIDES: usize = 48;

const HEAD: Vec3 = Vec3::new(0.0, 1.42, 0.0);
/// Middle of the head, metres.
const SKULL: Vec3 = Vec3::new(0.0, 1.55, 0.0);
const EYES: [Vec3; 2] = [Vec3::new(0.042, 1.56, 0.081), Vec3::new(-0.042, 1.56, 0.081)];
const MOUTH: Vec3 = Vec3::new(0.0, 1.488, 0.094);

const STRANDS: usize = 9;
/// Joints of a strand, of which the last is its end.
const LINKS: usize = 5;
/// Distance between two joints of a strand, metres.
const LINK: f32 = 0.075;

const SKIN: Vec4 = Vec4::new(0.83, 0.52, 0.37, 1.0);
const SHIRT: Vec4 = Vec4::new(0.05, 0.16, 0.3, 1.0);
const HAIR: Vec4 = Vec4::new(0.055, 0.022, 0.01, 1.0);
const LIPS: Vec4 = Vec4::new(0.35, 0.04, 0.04, 1.0);

/// Name, parent and place in the world of each joint: chest, head and eyes, then the strands one after the other.
fn joints() -> Vec<(String, Option<usize>, Vec3)> {
    let mut joints = vec![
        ("Chest".to_owned(), None, Vec3::new(0.0, 1.1, 0.0)),
        ("Head".to_owned(), Some(0), HEAD),
        ("LeftEye".to_owned(), Some(1), EYES[0]),
        ("RightEye".to_owned(), Some(1), EYES[1]),
    ];
    for strand in 0..STRANDS {
        for link in 0..LINKS {
            let parent = if link == 0 { 1 } else { joints.len() - 1 };
            joints.push((format!("Hair {} {}", strand + 1, link + 1), Some(parent), hair(strand, link as f32)));
        }
    }
    joints
}

/// A point of a strand, so many links from its root: around the back of the head.
fn hair(strand: usize, links: f32) -> Vec3 {
    let turn = PI * (0.6 + 0.8 * (strand as f32 + 0.5) / STRANDS as f32);
    let out = Vec3::new(turn.sin(), 0.0, turn.cos());
    SKULL + out * (0.112 + 0.006 * links) + Vec3::new(0.0, 0.03 - LINK * links, -0.01)
}

/// Writes the bust with its data of VRM 1.0.
pub fn write(path: &Path) -> Result<(), Box<dyn Error>> {
    let bytes = rig_glb(&rig()?, &Progress::default())?.bytes;
    Ok(std::fs::write(path, with_vrm(&bytes)?)?)
}

fn rig() -> Result<Rig, Box<dyn Error>> {
    let joints = joints();
    let place = |joint: Option<usize>| joint.map_or(Vec3::ZERO, |joint| joints[joint].2);
    let nodes = joints.iter().enumerate().map(|(number, (name, parent, at))| NodeDescription {
        name: name.clone(),
        children: (0..joints.len()).filter(|child| joints[*child].1 == Some(number)).collect(),
        rest: Trs { translation: *at - place(*parent), ..Trs::IDENTITY },
        ..NodeDescription::default()
    });
    let hierarchy = Hierarchy::new(&nodes.collect::<Vec<_>>())?;
    let of_skin: Vec<NodeIndex> = (0..joints.len()).filter_map(|joint| hierarchy.by_source(joint)).collect();
    let inverse_bind = joints.iter().map(|(_, _, at)| Affine3::from_translation(-*at)).collect();
    let node = of_skin[0];
    Ok(Rig::new(RigData {
        hierarchy,
        skins: vec![Skin { joints: of_skin, inverse_bind, ..Skin::default() }],
        meshes: vec![Mesh { primitives: vec![surface()], target_names: vec!["Smile".to_owned()], ..Mesh::default() }],
        instances: vec![MeshInstance { node, mesh: 0, skin: Some(0), morph_weights: vec![0.0] }],
        ..RigData::default()
    }))
}

/// Everything that is seen, as one primitive.
fn surface() -> Primitive {
    let mut shape = Shape::default();
    let rigid = |joint: u16| move |_: f32| [(joint, 1.0), (0, 0.0)];
    let plain = |color: Vec4| move |_: Vec3| color;
    shape.ball(Vec3::new(0.0, 1.16, -0.01), Vec3::new(0.2, 0.17, 0.11), plain(SHIRT), rigid(0));
    shape.ball(Vec3::new(0.0, 1.36, -0.01), Vec3::new(0.05, 0.12, 0.05), plain(SKIN), rigid(1));
    shape.ball(SKULL, Vec3::new(0.105, 0.125, 0.112), plain(SKIN), rigid(1));
    shape.ball(SKULL + Vec3::new(0.0, 0.022, -0.022), Vec3::new(0.116, 0.12, 0.108), plain(HAIR), rigid(1));
    shape.ball(Vec3::new(0.0, 1.522, 0.112), Vec3::new(0.013, 0.018, 0.014), plain(SKIN), rigid(1));
    for (joint, eye) in (2..).zip(EYES) {
        let color = |out: Vec3| match out.z {
            z if z > 0.93 => Vec4::new(0.004, 0.004, 0.004, 1.0),
            z if z > 0.75 => Vec4::new(0.03, 0.18, 0.32, 1.0),
            _ => Vec4::ONE,
        };
        shape.ball(eye, Vec3::splat(0.025), color, rigid(joint));
    }
    let before_mouth = shape.0.positions.len();
    shape.ball(MOUTH, Vec3::new(0.034, 0.005, 0.014), plain(LIPS), rigid(1));
    let mouth = before_mouth..shape.0.positions.len();
    for strand in 0..STRANDS {
        shape.strand(strand, (4 + strand * LINKS) as u16);
    }
    let mut primitive = shape.0;
    let mut smile = vec![Vec3::ZERO; primitive.positions.len()];
    for vertex in mouth {
        let aside = ((primitive.positions[vertex].x - MOUTH.x) / 0.034).powi(2);
        smile[vertex] = Vec3::new(0.0, 0.02 * aside - 0.006, -0.006 * aside);
    }
    primitive.morph_targets = vec![MorphTarget { positions: smile, ..MorphTarget::default() }];
    primitive.influences = Some(Influences::new(2, shape.1, shape.2));
    primitive
}

/// A primitive that grows, with two joints and two weights for each vertex.
#[derive(Default)]
struct Shape(Primitive, Vec<u16>, Vec<f32>);

impl Shape {
    /// An ellipsoid. Colours go by the direction from its middle; weights of two joints by the height, 0 at its top and 1 at its bottom.
    fn ball(
        &mut self,
        middle: Vec3,
        half: Vec3,
        color: impl Fn(Vec3) -> Vec4,
        weights: impl Fn(f32) -> [(u16, f32); 2],
    ) {
        self.tube(|ring, side| {
            let (out, down) = (Vec3::new(side.sin(), 0.0, side.cos()), ring * PI);
            let out = out * down.sin() + Vec3::Y * down.cos();
            let normal = (out / half).normalize_or(out);
            Vertex { at: middle + out * half, normal, color: color(out), weights: weights(ring) }
        });
    }

    /// A strand of hair, whose joints are numbered from its root.
    fn strand(&mut self, strand: usize, root: u16) {
        let last = (LINKS - 1) as f32;
        self.tube(|ring, side| {
            let links = ring * last;
            let out = Vec3::new(side.sin(), 0.0, side.cos());
            let radius = 0.026 * (1.0 - 0.55 * ring) * (1.0 - (2.0 * ring - 1.0).abs().powi(8)).max(0.0).sqrt();
            // Half way to the next joint both have the same weight.
            let joint = (links - 0.5).clamp(0.0, last - 2.0).floor();
            let share = (links - 0.5 - joint).clamp(0.0, 1.0);
            let weights = [(root + joint as u16, 1.0 - share), (root + joint as u16 + 1, share)];
            Vertex { at: hair(strand, links) + out * radius, normal: out, color: HAIR, weights }
        });
    }

    /// Rings from 0 to 1, of which the first and the last are points, and sides by their angle.
    fn tube(&mut self, vertex: impl Fn(f32, f32) -> Vertex) {
        let Self(primitive, joints, weights) = self;
        let first = primitive.positions.len() as u32;
        for ring in 0..=RINGS {
            for side in 0..SIDES {
                let Vertex { at, normal, color, weights: pair } =
                    vertex(ring as f32 / RINGS as f32, side as f32 / SIDES as f32 * TAU);
                primitive.positions.push(at);
                primitive.normals.get_or_insert_default().push(normal);
                primitive.colors.get_or_insert_default().push(color);
                for (joint, weight) in pair {
                    joints.push(joint);
                    weights.push(weight);
                }
            }
        }
        for (ring, side) in (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
            let at = |r: usize, s: usize| first + (r * SIDES + s % SIDES) as u32;
            let [a, b, c, d] = [at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)];
            primitive.indices.extend((ring + 1 < RINGS).then_some([a, b, c]).into_iter().flatten());
            primitive.indices.extend((ring > 0).then_some([a, c, d]).into_iter().flatten());
        }
    }
}

struct Vertex {
    at: Vec3,
    normal: Vec3,
    color: Vec4,
    weights: [(u16, f32); 2],
}

/// The file with humanoid bones, an expression, the gaze and springs.
fn with_vrm(glb: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let number = |at: usize| Some(u32::from_le_bytes(glb.get(at..at + 4)?.try_into().ok()?) as usize);
    let length = number(12).ok_or("a file without a header")?;
    let mut document: Value = serde_json::from_slice(&glb[20..20 + length])?;
    let names: Vec<String> = (document["nodes"].as_array().into_iter().flatten())
        .map(|node| node["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    let node = |name: &str| names.iter().position(|other| other == name);
    let skinned = (document["nodes"].as_array().into_iter().flatten()).position(|node| node.get("mesh").is_some());
    let range = json!({"inputMaxValue": 90.0, "outputScale": 40.0});
    let bone = |name: &str| json!({"node": node(name)});
    document["extensions"]["VRMC_vrm"] = json!({
        "specVersion": "1.0",
        "meta": {"name": "Bust", "version": "1", "authors": ["Rigscope"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
        "humanoid": {"humanBones": {"hips": bone("Chest"), "head": bone("Head"), "leftEye": bone("LeftEye"), "rightEye": bone("RightEye")}},
        "expressions": {"preset": {"happy": {"morphTargetBinds": [{"node": skinned, "index": 0, "weight": 1.0}]}}},
        "lookAt": {"type": "bone", "offsetFromHeadBone": (EYES[0] + EYES[1] - 2.0 * HEAD).map(|c| c / 2.0).to_array(),
            "rangeMapHorizontalInner": range, "rangeMapHorizontalOuter": range,
            "rangeMapVerticalDown": range, "rangeMapVerticalUp": range},
    });
    let springs = (1..=STRANDS).map(|strand| {
        let joint = |link: usize| {
            json!({"node": node(&format!("Hair {strand} {link}")), "hitRadius": 0.02, "stiffness": 0.15, "gravityPower": 0.6, "dragForce": 0.4})
        };
        json!({"name": format!("Hair {strand}"), "joints": (1..=LINKS).map(joint).collect::<Vec<_>>(), "colliderGroups": [0]})
    });
    document["extensions"]["VRMC_springBone"] = json!({
        "specVersion": "1.0",
        "colliders": [
            {"node": node("Head"), "shape": {"sphere": {"offset": (SKULL - HEAD).to_array(), "radius": 0.105}}},
            {"node": node("Head"), "shape": {"capsule": {"offset": [0.0, -0.12, -0.01], "tail": [0.0, 0.02, -0.01], "radius": 0.055}}},
            {"node": node("Chest"), "shape": {"capsule": {"offset": [-0.1, 0.09, -0.01], "tail": [0.1, 0.09, -0.01], "radius": 0.1}}},
        ],
        "colliderGroups": [{"colliders": [0, 1, 2]}],
        "springs": springs.collect::<Vec<_>>(),
    });
    document["extensionsUsed"] = json!(["VRMC_vrm", "VRMC_springBone"]);
    let mut json = serde_json::to_vec(&document)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + length..];
    let mut file = Vec::new();
    for part in [
        &glb[..8],
        &((20 + json.len() + rest.len()) as u32).to_le_bytes(),
        &(json.len() as u32).to_le_bytes(),
        b"JSON",
        &json,
        rest,
    ] {
        file.extend_from_slice(part);
    }
    Ok(file)
}
