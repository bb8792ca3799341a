//! The built-in figure as a VRM with a ponytail on springs, look-at eyes and a smile, for the image of faces and springs.

use std::error::Error;
use std::f32::consts::{PI, TAU};
use std::path::Path;

use glam::{Affine3, Vec3, Vec4, vec3};
use rigscope::export::rig_glb;
use rigscope::import::{Job, import_file};
use rigscope::jobs::Progress;
use rigscope::rig::{Hierarchy, Influences, MorphTarget, NodeDescription, Primitive, Rig, RigData, Trs};
use serde_json::{Value, json};

/// Number of joints of the ponytail, including its end.
const LINKS: usize = 6;
/// Distance between two joints, metres.
const LINK: f32 = 0.05;
/// Root of the ponytail in world space, metres.
const ROOT: Vec3 = vec3(0.0, 1.69, -0.105);
/// Direction of the ponytail at rest.
const DOWN: Vec3 = vec3(0.0, -0.94, -0.34);
/// Maximum radius of the ponytail, metres.
const RADIUS: f32 = 0.03;
const HAIR: Vec4 = Vec4::new(0.105, 0.041, 0.022, 1.0);

const RINGS: usize = 40;
const SIDES: usize = 32;

/// Positions of the mouth's corners in world space, metres.
const CORNERS: [Vec3; 2] = [vec3(0.024, 1.5535, 0.098), vec3(-0.024, 1.5535, 0.098)];

/// Writes the figure in `hero` with hair, a smile and VRM 1.0 data.
pub fn write(hero: &Path, path: &Path) -> Result<(), Box<dyn Error>> {
    let bytes = rig_glb(&with_hair(&import_file(hero, &Job::default())?.rig)?, &Progress::default())?.bytes;
    Ok(std::fs::write(path, with_vrm(&bytes)?)?)
}

fn with_hair(figure: &Rig) -> Result<Rig, Box<dyn Error>> {
    let (old, node_count) = (&figure.hierarchy, figure.hierarchy.len());
    let mut nodes: Vec<NodeDescription> = (0..node_count)
        .filter_map(|source| old.by_source(source))
        .map(|node| NodeDescription {
            name: old.name(node).to_owned(),
            children: old.children(node).iter().map(|child| old.source(*child)).collect(),
            rest: *old.rest(node),
            ..NodeDescription::default()
        })
        .collect();
    let mut skin = figure.skins.first().ok_or("the figure has no skin")?.clone();
    let head = nodes.iter().position(|node| node.name == "Head").ok_or("the figure has no head")?;
    let head_joint = skin.joints.iter().position(|joint| old.source(*joint) == head).ok_or("the head is no joint")?;
    let head_from_world = skin.inverse_bind[head_joint];
    nodes[head].children.push(node_count);
    for link in 0..LINKS {
        let translation = if link == 0 { head_from_world.transform_point3(ROOT) } else { DOWN * LINK };
        nodes.push(NodeDescription {
            name: format!("Hair {}", link + 1),
            children: (link + 1 < LINKS).then_some(node_count + link + 1).into_iter().collect(),
            rest: Trs { translation, ..Trs::IDENTITY },
            ..NodeDescription::default()
        });
        skin.inverse_bind.push(Affine3::from_translation(-ROOT - DOWN * LINK * link as f32));
    }
    let hierarchy = Hierarchy::new(&nodes)?;
    let moved = |source: usize| hierarchy.by_source(source).ok_or("a node is lost");
    let joints = skin.joints.iter().map(|joint| old.source(*joint)).chain(node_count..node_count + LINKS);
    let first_hair = skin.joints.len() as u16;
    skin.joints = joints.map(moved).collect::<Result<_, _>>()?;
    let mut mesh = figure.meshes.first().ok_or("the figure has no mesh")?.clone();
    let is_hair = |p: &Primitive| p.material.is_some_and(|m| figure.materials[m.0].name == "Hair");
    let hair_material = mesh.primitives.iter().find(|p| is_hair(p)).and_then(|p| p.material);
    mesh.primitives.push(Primitive { material: hair_material, ..ponytail(first_hair) });
    for primitive in &mut mesh.primitives {
        let positions = primitive.positions.iter().map(|p| smile(*p)).collect();
        primitive.morph_targets = vec![MorphTarget { positions, ..MorphTarget::default() }];
    }
    mesh.target_names = vec!["Smile".to_owned()];
    let mut instance = figure.instances.first().ok_or("the figure is in no scene")?.clone();
    instance.node = moved(old.source(instance.node))?;
    instance.morph_weights = vec![0.0];
    Ok(Rig::new(RigData {
        hierarchy,
        skins: vec![skin],
        meshes: vec![mesh],
        instances: vec![instance],
        materials: figure.materials.clone(),
        ..RigData::default()
    }))
}

/// Returns the smile's displacement at a point, metres. It moves the corners of the mouth up, out and back.
fn smile(point: Vec3) -> Vec3 {
    let by_corner = CORNERS.map(|corner| {
        let weight = (-(point - corner).length_squared() / (2.0 * 0.012_f32.powi(2))).exp();
        vec3(0.004 * corner.x.signum(), 0.008, -0.004) * weight
    });
    by_corner[0] + by_corner[1]
}

/// Creates a tapered tube along the joints of the ponytail. `root` is the index of its first joint in the skin.
fn ponytail(root: u16) -> Primitive {
    let last = (LINKS - 1) as f32;
    let (across, back) = (Vec3::X, Vec3::X.cross(DOWN));
    let mut hair = Primitive::default();
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    let (mut normals, mut colors) = (Vec::new(), Vec::new());
    for (ring, side) in (0..=RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let along = ring as f32 / RINGS as f32;
        let out = across * (side as f32 / SIDES as f32 * TAU).cos() + back * (side as f32 / SIDES as f32 * TAU).sin();
        let radius = RADIUS * (along * PI).sin().max(0.0).powf(0.45) * (1.0 - 0.45 * along);
        hair.positions.push(ROOT + DOWN * LINK * last * along + out * radius);
        normals.push(out);
        colors.push(HAIR * Vec3::splat(0.85 + 0.3 * (side as f32 * 0.9).sin().abs()).extend(1.0));
        let links = along * last;
        let joint = (links - 0.5).clamp(0.0, last - 1.0).floor();
        let next_weight = (links - 0.5 - joint).clamp(0.0, 1.0);
        joints.extend([root + joint as u16, root + joint as u16 + 1]);
        weights.extend([1.0 - next_weight, next_weight]);
    }
    for (ring, side) in (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let at = |r: usize, s: usize| (r * SIDES + s % SIDES) as u32;
        let [a, b, c, d] = [at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)];
        hair.indices.extend([a, c, b, a, d, c]);
    }
    let influences = Some(Influences::new(2, joints, weights));
    Primitive { normals: Some(normals), colors: Some(colors), influences, ..hair }
}

/// Adds humanoid bones, an expression, look-at eyes and springs to the JSON of a GLB.
fn with_vrm(glb: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let number = |at: usize| Some(u32::from_le_bytes(glb.get(at..at + 4)?.try_into().ok()?) as usize);
    let length = number(12).ok_or("a file without a header")?;
    let mut document: Value = serde_json::from_slice(&glb[20..20 + length])?;
    let nodes = document["nodes"].as_array().ok_or("a file without nodes")?;
    let node = |name: &str| nodes.iter().position(|node| node["name"] == name);
    let bone = |name: &str| json!({"node": node(name)});
    let mut bones = json!({});
    for name in ["Hips", "Spine", "Chest", "UpperChest", "Neck", "Head", "LeftEye", "RightEye"] {
        bones[format!("{}{}", name[..1].to_lowercase(), &name[1..])] = bone(name);
    }
    for (side, limb) in ["left", "right"]
        .into_iter()
        .flat_map(|side| ["UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"].map(|limb| (side, limb)))
    {
        bones[format!("{side}{limb}")] = bone(&format!("{}{}{limb}", side[..1].to_uppercase(), &side[1..]));
    }
    let mesh = nodes.iter().position(|node| node.get("mesh").is_some());
    let range = json!({"inputMaxValue": 90.0, "outputScale": 25.0});
    let joint = |link: usize| json!({"node": node(&format!("Hair {link}")), "hitRadius": 0.022, "stiffness": 0.35, "gravityPower": 0.5, "dragForce": 0.4});
    let sphere = |bone: &str, offset: [f32; 3], radius: f32| json!({"node": node(bone), "shape": {"sphere": {"offset": offset, "radius": radius}}});
    let colliders = [
        sphere("Head", [0.0, 0.12, -0.01], 0.09),
        sphere("Neck", [0.0, 0.05, 0.0], 0.06),
        sphere("UpperChest", [0.0, 0.05, -0.01], 0.115),
    ];
    let vrm = json!({
        "specVersion": "1.0",
        "meta": {"name": "Figure", "version": "1", "authors": ["Rigscope"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
        "humanoid": {"humanBones": bones},
        "expressions": {"preset": {"happy": {"morphTargetBinds": [{"node": mesh, "index": 0, "weight": 1.0}]}}},
        "lookAt": {"type": "bone", "offsetFromHeadBone": [0.0, 0.09, 0.08],
            "rangeMapHorizontalInner": range, "rangeMapHorizontalOuter": range,
            "rangeMapVerticalDown": range, "rangeMapVerticalUp": range},
    });
    let springs = json!({
        "specVersion": "1.0",
        "colliders": colliders,
        "colliderGroups": [{"colliders": [0, 1, 2]}],
        "springs": [{"name": "Ponytail", "joints": (1..=LINKS).map(joint).collect::<Vec<_>>(), "colliderGroups": [0]}],
    });
    document["extensions"] = json!({"VRMC_vrm": vrm, "VRMC_springBone": springs});
    document["extensionsUsed"] = json!(["VRMC_vrm", "VRMC_springBone"]);
    let mut json = serde_json::to_vec(&document)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + length..];
    let mut file = glb[..8].to_vec();
    file.extend(((20 + json.len() + rest.len()) as u32).to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend([b"JSON", json.as_slice(), rest].concat());
    Ok(file)
}
