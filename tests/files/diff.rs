//! `rigscope diff`: reports every change and no false ones.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;

use common::character::{Character, moved, vertex};
use common::command::rigscope;
use common::glb::Builder;
use rigscope::diff::{ChangeKind, ChangeMeasure, RigDiff, Tolerances, diff};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::matching::RigCounterparts;
use rigscope::rig::Rig;
use serde_json::{Value, json};

/// A character with a morph target, a textured material, and a box attached to its tip.
struct Draft {
    character: Character,
    target: Vec<[f32; 3]>,
    target_name: &'static str,
    target_weight: f32,
    pixel: [u8; 3],
    material: Value,
    uv: f32,
    color: f32,
    clip: &'static str,
    /// Seconds added to the times of all keys of the clip except the first.
    end: f32,
    box_translation: [f32; 3],
    box_size: f32,
    /// Centre and scale of the box's stored coordinates. The node of the box compensates for both.
    box_decode: ([f32; 3], f32),
    /// Final edit of the document.
    edit: fn(&mut Value),
}

impl Default for Draft {
    fn default() -> Self {
        let mut character = Character::default();
        for node in &mut character.nodes[1..] {
            node["rotation"] = json!([0, 0, 0, 1]);
        }
        let mut target = vec![[0.0; 3]; character.positions.len()];
        target[vertex(12, 3)] = [0.0, 0.25, 0.0];
        Self {
            character,
            target,
            target_name: "Smile",
            target_weight: 0.0,
            pixel: [200, 100, 50],
            material: json!({"name": "Skin", "pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1], "roughnessFactor": 0.5}}),
            uv: 0.5,
            color: 1.0,
            clip: "Turn",
            end: 0.0,
            box_translation: [0.0, 0.5, 0.0],
            box_size: 1.0,
            box_decode: ([0.0; 3], 1.0),
            edit: |_| {},
        }
    }
}

impl Draft {
    fn bytes(mut self) -> Vec<u8> {
        self.character.times.iter_mut().skip(1).for_each(|time| *time += self.end);
        let count = self.character.positions.len();
        let mut b = self.character.builder();
        let mut png = std::io::Cursor::new(Vec::new());
        let image = image::RgbImage::from_pixel(2, 2, image::Rgb(self.pixel));
        image.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let view = b.view(png.get_ref());
        b.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
        b.push("textures", json!({"source": 0}));
        self.material["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
        b.push("materials", self.material);
        b.push("materials", json!({"name": "Wood"}));
        let (target, tex_coords) =
            (b.floats(self.target.as_flattened(), "VEC3"), b.floats(&vec![self.uv; count * 2], "VEC2"));
        let colors = b.floats(&[self.color, 1.0, 1.0, 1.0].repeat(count), "VEC4");
        let mesh = &mut b.json["meshes"][0];
        mesh["extras"] = json!({"targetNames": [self.target_name]});
        mesh["weights"] = json!([self.target_weight]);
        let primitive = &mut mesh["primitives"][0];
        primitive["targets"] = json!([{"POSITION": target}]);
        primitive["material"] = json!(0);
        primitive["attributes"]["TEXCOORD_0"] = json!(tex_coords);
        primitive["attributes"]["COLOR_0"] = json!(colors);
        b.json["animations"][0]["name"] = json!(self.clip);
        add_box(&mut b, self.box_translation, self.box_size, self.box_decode);
        (self.edit)(&mut b.json);
        b.build()
    }

    fn rig(self) -> Rig {
        import_bytes(&self.bytes(), &Job::default()).unwrap().rig
    }
}

/// Adds the box: a mesh of two triangles without a skin, as a child of the tip.
fn add_box(b: &mut Builder, translation: [f32; 3], size: f32, (middle, scale): ([f32; 3], f32)) {
    let corners = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.25]];
    let stored = |corner: [f32; 3]| [0, 1, 2].map(|i| (corner[i] * size - middle[i]) / scale);
    let positions = b.floats(corners.map(stored).as_flattened(), "VEC3");
    let translation = [0, 1, 2].map(|i| translation[i] + middle[i]);
    let indices = b.indices(&[0, 1, 2, 0, 2, 3]);
    let primitive = json!({"attributes": {"POSITION": positions}, "indices": indices, "material": 1});
    let mesh = b.push("meshes", json!({"name": "Box", "primitives": [primitive]}));
    let node = b.push(
        "nodes",
        json!({"name": "Box", "mesh": mesh, "translation": translation, "scale": [scale, scale, scale]}),
    );
    b.json["nodes"][4]["children"].as_array_mut().unwrap().push(json!(node));
}

fn found(old: &Rig, new: &Rig) -> RigDiff {
    diff(old, new, &Tolerances::for_rig(old), &Progress::default()).unwrap()
}

fn told(found: &RigDiff) -> Vec<String> {
    found.changes.iter().map(|c| format!("{} {}: {}", c.kind, c.object_name, c.details())).collect()
}

/// Reorders every list in the file, except where the order has a meaning.
fn reordered(mut draft: Draft) -> Draft {
    let character = &mut draft.character;
    let (count, joints) = (character.positions.len(), character.binds.len() as u16);
    // 7 is coprime to the number of vertices, so each index appears once.
    let order: Vec<usize> = (0..count).map(|vertex| (vertex * 7 + 3) % count).collect();
    character.positions = order.iter().map(|&v| character.positions[v]).collect();
    character.normals = order.iter().map(|&v| character.normals[v]).collect();
    character.weights = order.iter().map(|&v| character.weights[v]).collect();
    let renumbered = |joints_of: [u16; 4]| joints_of.map(|joint| joints - 1 - joint);
    character.joints = order.iter().map(|&v| renumbered(character.joints[v])).collect();
    draft.target = order.iter().map(|&v| draft.target[v]).collect();
    let place = |old: &u16| order.iter().position(|&v| v == usize::from(*old)).unwrap() as u16;
    character.indices =
        character.indices.chunks_exact(3).rev().flat_map(|t| [place(&t[1]), place(&t[2]), place(&t[0])]).collect();
    character.binds.reverse();
    Draft { edit: reorder_lists, ..draft }
}

fn reorder_lists(json: &mut Value) {
    let reverse = |list: &mut Value| list.as_array_mut().unwrap().reverse();
    let turned = |number: &mut Value, count: usize| *number = json!(count - 1 - number.as_u64().unwrap() as usize);
    reverse(&mut json["skins"][0]["joints"]);
    let count = json["nodes"].as_array().unwrap().len();
    for node in json["nodes"].as_array_mut().unwrap() {
        if let Some(children) = node["children"].as_array_mut() {
            for child in &mut *children {
                turned(child, count);
            }
            children.reverse();
        } else {
            _ = node.as_object_mut().unwrap().remove("children");
        }
        if node["mesh"].is_u64() {
            turned(&mut node["mesh"], 2);
        } else {
            _ = node.as_object_mut().unwrap().remove("mesh");
        }
    }
    for list in ["meshes", "nodes"] {
        reverse(&mut json[list]);
    }
    let numbers = |list: &mut Value| list.as_array_mut().unwrap().iter_mut().for_each(|number| turned(number, count));
    numbers(&mut json["skins"][0]["joints"]);
    numbers(&mut json["scenes"][0]["nodes"]);
    reverse(&mut json["scenes"][0]["nodes"]);
    let channels = &mut json["animations"][0]["channels"];
    reverse(channels);
    channels.as_array_mut().unwrap().iter_mut().for_each(|channel| turned(&mut channel["target"]["node"], count));
}

type Case = (&'static str, fn(&mut Draft), &'static [(ChangeKind, &'static str)]);

/// Returns a roll constraint whose source is the node with this index.
fn rolling(source: usize, weight: f32) -> Value {
    let roll = json!({"source": source, "rollAxis": "Y", "weight": weight});
    json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": {"roll": roll}}})
}

const CASES: &[Case] = &[
    ("a joint more", |d| _ = d.character.add_joint("Ear", Some(4)), &[(ChangeKind::JointAdded, "Ear")]),
    ("a joint renamed", |d| d.character.nodes[3]["name"] = json!("Breast"), &[(ChangeKind::JointRenamed, "Upper")]),
    (
        "a joint renamed to capitals",
        |d| d.character.nodes[3]["name"] = json!("UPPER"),
        &[(ChangeKind::JointRenamed, "Upper")],
    ),
    (
        "a joint with a namespace",
        |d| d.character.nodes[4]["name"] = json!("rig:tip"),
        &[(ChangeKind::JointRenamed, "Tip")],
    ),
    (
        "a joint reparented",
        |d| {
            d.character.nodes[4]["children"] = json!([]);
            d.character.nodes[3]["children"] = json!([4, 5]);
            d.character.nodes[5]["translation"] = json!([0, -2, 0]);
        },
        &[(ChangeKind::JointReparented, "Horn")],
    ),
    (
        "a joint moved at rest",
        |d| d.character.nodes[3]["translation"] = json!([0, 1.05, 0]),
        &[(ChangeKind::RestMoved, "Upper")],
    ),
    (
        "a joint turned at rest",
        |d| d.character.nodes[3]["rotation"] = json!([0.0, 0.0, 0.087_155_74, 0.996_194_7]),
        &[(ChangeKind::RestMoved, "Upper")],
    ),
    (
        "a joint scaled at rest",
        |d| d.character.nodes[3]["scale"] = json!([1.1, 1.1, 1.1]),
        &[(ChangeKind::RestMoved, "Upper")],
    ),
    ("a joint bound elsewhere", |d| d.character.binds[2] = moved(0.05, -2.0, 0.0), &[(ChangeKind::BindMoved, "Upper")]),
    (
        "weights of a vertex",
        |d| d.character.weigh(vertex(8, 2), [1, 2, 0, 0], [0.5, 0.5, 0.0, 0.0]),
        &[(ChangeKind::Weights, "Lower"), (ChangeKind::Weights, "Upper")],
    ),
    ("a vertex moved", |d| d.character.positions[vertex(9, 2)][1] += 0.01, &[(ChangeKind::Vertices, "Tube")]),
    (
        "a whole mesh sculpted",
        |d| d.character.positions.iter_mut().for_each(|p| p[0] += 0.02 * p[1]),
        &[(ChangeKind::Vertices, "Tube")],
    ),
    (
        "a mesh sculpted so that vertices are where others were",
        |d| d.character.positions.iter_mut().for_each(|p| p[1] += 4.0 / 24.0),
        &[(ChangeKind::Vertices, "Tube")],
    ),
    (
        "a triangle less",
        |d| d.character.indices.truncate(d.character.indices.len() - 3),
        &[(ChangeKind::Topology, "Tube")],
    ),
    ("a triangle turned round", |d| d.character.indices.swap(0, 1), &[(ChangeKind::Topology, "Tube")]),
    ("a normal", |d| d.character.normals[7] = [0.0, 1.0, 0.0], &[(ChangeKind::Normals, "Tube")]),
    ("texture coordinates", |d| d.uv = 0.75, &[(ChangeKind::TexCoords, "Tube")]),
    ("vertex colours", |d| d.color = 0.25, &[(ChangeKind::Colors, "Tube")]),
    ("a pose of a clip", |d| d.character.rotations[1] = [0.0, 0.0, 0.6, 0.8], &[(ChangeKind::ClipMotion, "Turn")]),
    (
        "a key more in a clip",
        |d| {
            d.character.times.insert(1, 0.000_05);
            d.character.rotations.insert(1, [0.0, 0.0, 0.0, 1.0]);
        },
        &[(ChangeKind::ClipKeys, "Turn")],
    ),
    (
        "a clip that weighs a morph target",
        |d| {
            d.edit = |j| {
                let output = j["animations"][0]["samplers"][0]["input"].clone();
                let animation = &mut j["animations"][0];
                let sampler = animation["samplers"].as_array_mut().unwrap();
                sampler.push(json!({"input": output, "output": output}));
                let channels = animation["channels"].as_array_mut().unwrap();
                channels.push(json!({"sampler": 2, "target": {"node": 0, "path": "weights"}}));
            };
        },
        &[(ChangeKind::ClipKeys, "Turn"), (ChangeKind::ClipMorphs, "Turn")],
    ),
    ("a morph target's shape", |d| d.target[vertex(12, 4)] = [0.0, 0.25, 0.0], &[(ChangeKind::MorphShape, "Smile")]),
    ("a morph target's weight", |d| d.target_weight = 0.5, &[(ChangeKind::MorphWeight, "Smile")]),
    (
        "a material's number",
        |d| d.material["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.75),
        &[(ChangeKind::Material, "Skin")],
    ),
    ("a material renamed", |d| d.material["name"] = json!("Hide"), &[(ChangeKind::MaterialRenamed, "Skin")]),
    ("an image", |d| d.pixel[0] = 0, &[(ChangeKind::Texture, "base colour of Skin")]),
    (
        "another mesh method",
        |d| d.edit = |j| j["skins"][0]["extras"] = json!({"rigscope": {"method": "rigid"}}),
        &[(ChangeKind::Method, "Tube")],
    ),
    (
        "a mesh without its skin",
        |d| d.edit = |j| _ = j["nodes"][0].as_object_mut().unwrap().remove("skin"),
        &[(ChangeKind::Skinned, "Tube")],
    ),
    (
        "a mesh less",
        |d| d.edit = |j| _ = j["nodes"][6].as_object_mut().unwrap().remove("mesh"),
        &[(ChangeKind::MeshRemoved, "Box")],
    ),
    ("a mesh more", |d| d.edit = |j| j["nodes"][5]["mesh"] = json!(1), &[(ChangeKind::MeshAdded, "Box")]),
    ("a mesh renamed", |d| d.edit = |j| j["meshes"][0]["name"] = json!("Pipe"), &[(ChangeKind::MeshRenamed, "Tube")]),
    (
        "a mesh on another node",
        |d| d.edit = |j| (j["nodes"][6]["mesh"], j["nodes"][5]["mesh"]) = (Value::Null, json!(1)),
        &[(ChangeKind::MeshReparented, "Box")],
    ),
    ("a node renamed", |d| d.edit = |j| j["nodes"][6]["name"] = json!("Crate"), &[(ChangeKind::NodeRenamed, "Box")]),
    (
        "a material that another mesh has",
        |d| d.edit = |j| j["meshes"][1]["primitives"][0]["material"] = json!(0),
        &[(ChangeKind::MaterialUse, "Box")],
    ),
    (
        "a material more",
        |d| d.edit = |j| j["materials"].as_array_mut().unwrap().push(json!({"name": "Glass", "alphaMode": "BLEND"})),
        &[(ChangeKind::MaterialAdded, "Glass")],
    ),
    (
        "how a texture lies",
        |d| {
            d.edit = |j| {
                j["samplers"] = json!([{"wrapS": 33071}]);
                j["textures"][0]["sampler"] = json!(0);
            }
        },
        &[(ChangeKind::Texture, "base colour of Skin")],
    ),
    (
        "a constraint more",
        |d| d.edit = |j| j["nodes"][5]["extensions"] = rolling(2, 0.5),
        &[(ChangeKind::ConstraintAdded, "Horn")],
    ),
    ("a node without weights moved", |d| d.box_translation[0] = 0.25, &[(ChangeKind::RestMoved, "Box")]),
];

#[test]
fn each_change_is_named_and_no_other() {
    let old = Draft::default().rig();
    for (what, change, expected) in CASES {
        let mut draft = Draft::default();
        change(&mut draft);
        let diff = found(&old, &draft.rig());
        assert_eq!(named(&diff), *expected, "{what}: {:?}", told(&diff));
    }
}

#[test]
fn reversed_diff_reports_the_opposite_changes() {
    let old = Draft::default().rig();
    let mut draft = Draft::default();
    _ = draft.character.add_joint("Ear", Some(4));
    assert_eq!(told(&found(&draft.rig(), &old)), ["joint removed Ear: was below Tip"]);
    let named = |target_name, clip| Draft { target_name, clip, ..Draft::default() }.rig();
    assert_eq!(
        told(&found(&old, &named("Grin", "Spin"))),
        ["clip renamed Turn: was Turn, now Spin", "morph renamed Smile: was Smile, now Grin"]
    );
    let mut other_shape = Draft { target_name: "Grin", ..Draft::default() };
    other_shape.target[vertex(12, 5)] = [0.0, 0.25, 0.0];
    assert_eq!(told(&found(&old, &other_shape.rig())), ["morph added Grin: ", "morph removed Smile: "]);
}

#[test]
fn amounts_are_those_of_the_change() {
    let old = Draft::default().rig();
    let amount = |change: fn(&mut Draft), measure: ChangeMeasure| {
        let mut draft = Draft::default();
        change(&mut draft);
        let diff = found(&old, &draft.rig());
        diff.changes[0].amounts.iter().find(|(found, _)| *found == measure).unwrap().1
    };
    let near =
        |value: f64, expected: f64| assert!((value - expected).abs() < 1e-3 * expected, "{value} for {expected}");
    near(amount(|d| d.character.nodes[3]["translation"] = json!([0, 1.05, 0]), ChangeMeasure::Distance), 0.05);
    near(
        amount(
            |d| d.character.nodes[3]["rotation"] = json!([0.0, 0.0, 0.087_155_74, 0.996_194_7]),
            ChangeMeasure::Angle,
        ),
        10.0,
    );
    near(amount(|d| d.character.positions[vertex(9, 2)][1] += 0.01, ChangeMeasure::Distance), 0.01);
    // The weights at this vertex were 1/3 and 2/3.
    near(amount(|d| d.character.weigh(vertex(8, 2), [1, 2, 0, 0], [0.5, 0.5, 0.0, 0.0]), ChangeMeasure::L1), 1.0 / 6.0);
    near(amount(|d| d.end = 0.5, ChangeMeasure::Secs), 0.5);
}

#[test]
fn constraints_are_compared_by_what_they_follow_and_how() {
    let rig = |edit: fn(&mut Value)| Draft { edit, ..Draft::default() }.rig();
    let half = rig(|j| j["nodes"][5]["extensions"] = rolling(2, 0.5));
    let whole = rig(|j| j["nodes"][5]["extensions"] = rolling(3, 1.0));
    let changes = found(&half, &whole).changes;
    let expected = (ChangeKind::Constraint, "was roll Y 0.5 of Lower, now roll Y 1 of Upper".to_owned());
    assert_eq!(changes.iter().map(|change| (change.kind, change.details())).collect::<Vec<_>>(), [expected]);
    assert!(found(&half, &half).is_same());
    assert_eq!(found(&half, &rig(|_| ())).changes[0].kind, ChangeKind::ConstraintRemoved);
}

#[test]
fn vrm_data_is_compared_by_counts_and_terms() {
    let vrm = |change: fn(&mut Value)| {
        let mut builder = common::vrm::vrm_1();
        change(&mut builder.json["extensions"]);
        import_bytes(&builder.build(), &Job::default()).unwrap().rig
    };
    let before = vrm(|_| ());
    let after = vrm(|extensions| {
        extensions["VRMC_springBone"]["springs"] = json!([]);
        extensions["VRMC_vrm"]["meta"]["creditNotation"] = json!("unnecessary");
    });
    assert!(found(&before, &before).is_same());
    let told: Vec<String> =
        found(&before, &after).changes.iter().map(|c| format!("{} {}", c.object_name, c.details())).collect();
    assert_eq!(told, ["credit was required, now not required", "spring chains was 1, now none"]);
}

#[test]
fn a_rig_is_the_same_as_itself_and_as_one_in_another_order() {
    let old = Draft::default().rig();
    assert_eq!(told(&found(&old, &old)), [""; 0]);
    let new = reordered(Draft::default()).rig();
    assert_ne!(old.meshes[0].primitives[0].positions, new.meshes[1].primitives[0].positions);
    assert_eq!(told(&found(&old, &new)), [""; 0]);
    let matched =
        RigCounterparts::between(&old, &new, Tolerances::for_rig(&old).distance_m, &Progress::default()).unwrap();
    let tube = (0..old.instances.len()).find(|&i| old.instances[i].skin.is_some()).unwrap();
    let vertices = matched.vertices(tube).unwrap();
    let count = old.meshes[0].primitives[0].positions.len();
    assert!(!vertices.is_same_order() && vertices.left() == [0, 0]);
    assert!((0..count).all(|new| vertices.old_for(new) == Some((new * 7 + 3) % count)));
    let tip = (1..=5).map(|source| old.hierarchy.by_source(source).unwrap()).find(|&n| old.hierarchy.name(n) == "Tip");
    assert_eq!(matched.joints.new_for(tip.unwrap()).map(|node| new.hierarchy.name(node)), Some("Tip"));
    // Actual changes are found in the reordered file as well.
    for (what, change, expected) in CASES.iter().take(8) {
        let mut draft = Draft::default();
        change(&mut draft);
        let diff = found(&old, &reordered(draft).rig());
        assert_eq!(named(&diff), *expected, "{what}: {:?}", told(&diff));
    }
}

/// Stores the meshes in other coordinates, as quantising programs do. The inverse bind matrices and the box's node
/// compensate for this.
fn stored_otherwise(draft: &mut Draft) {
    let (middle, scale) = ([0.25, 1.5, -0.125], 2.5);
    let character = &mut draft.character;
    for p in &mut character.positions {
        *p = [0, 1, 2].map(|i| (p[i] - middle[i]) / scale);
    }
    draft.target.iter_mut().flatten().for_each(|x| *x /= scale);
    let decode = glam::Mat4::from_translation(middle.into()) * glam::Mat4::from_scale(glam::Vec3::splat(scale));
    for bind in &mut character.binds {
        *bind = (glam::Mat4::from_cols_array(bind) * decode).to_cols_array();
    }
    draft.box_decode = ([0.125, 0.25, 0.5], 0.25);
}

fn rounded(draft: &mut Draft, steps: f32) {
    draft.character.positions.iter_mut().flatten().for_each(|x| *x = (*x * steps).round() / steps);
}

fn named(diff: &RigDiff) -> Vec<(ChangeKind, &str)> {
    let mut named: Vec<(ChangeKind, &str)> = diff.changes.iter().map(|c| (c.kind, c.object_name.as_str())).collect();
    named.sort();
    named
}

#[test]
fn storage_transform_is_ignored_if_skin_or_node_undoes_it() {
    let old = Draft::default().rig();
    let stored = |change: fn(&mut Draft)| {
        let mut draft = Draft::default();
        change(&mut draft);
        stored_otherwise(&mut draft);
        draft
    };
    assert_ne!(old.meshes[0].primitives[0].positions, stored(|_| ()).rig().meshes[0].primitives[0].positions);
    for diff in [found(&old, &stored(|_| ()).rig()), found(&stored(|_| ()).rig(), &old)] {
        assert_eq!(told(&diff), [""; 0]);
    }
    // Other changes are reported as if the coordinates were the same. The exceptions are a mesh that moves to another
    // node or loses its skin, whose coordinates are then no longer compensated for, and a removed mesh, whose node then
    // compensates for nothing.
    let is_undone = |what: &str| !["a mesh on another node", "a mesh without its skin", "a mesh less"].contains(&what);
    for (what, change, expected) in CASES.iter().filter(|(what, ..)| is_undone(what)) {
        let diff = found(&old, &stored(*change).rig());
        assert_eq!(named(&diff), *expected, "{what}: {:?}", told(&diff));
    }
    // Also with reordered lists, and with positions changed by rounding.
    let mut draft = stored(|_| ());
    rounded(&mut draft, 256.0);
    let diff = found(&old, &reordered(draft).rig());
    assert_eq!(named(&diff), [(ChangeKind::Vertices, "Tube")], "{:?}", told(&diff));
    let half_a_step = 2.5 / 256.0 / 2.0;
    let moved = diff.changes[0].size();
    assert!(moved > half_a_step && moved < 1.8 * half_a_step, "{moved} m");
}

#[test]
fn a_node_without_a_name_that_undoes_what_a_mesh_is_stored_in_is_no_node() {
    let old = Draft::default().rig();
    let below = |edit: fn(&mut Value)| {
        let mut draft = Draft { edit, ..Draft::default() };
        draft.box_decode = ([0.125, 0.25, 0.5], 0.25);
        draft.rig()
    };
    let new = below(|json| {
        let mesh = json["nodes"][6]["mesh"].take();
        let nodes = json["nodes"].as_array_mut().unwrap();
        nodes[6] = json!({"name": "Box", "translation": [0, 0.5, 0], "children": [7]});
        nodes.push(json!({"mesh": mesh, "translation": [0.125, 0.25, 0.5], "scale": [0.25, 0.25, 0.25]}));
    });
    for diff in [found(&old, &new), found(&new, &old)] {
        assert_eq!(told(&diff), [""; 0]);
    }
    let new = below(|json| {
        let mesh = json["nodes"][6]["mesh"].take();
        let nodes = json["nodes"].as_array_mut().unwrap();
        nodes[6] = json!({"name": "Box", "translation": [0, 0.5, 0], "children": [7]});
        nodes.push(json!({"mesh": mesh, "translation": [0.125, 0.5, 0.5], "scale": [0.25, 0.25, 0.25]}));
    });
    let diff = found(&old, &new);
    assert!(!diff.is_same() && diff.changes.iter().all(|c| (c.size() - 0.25).abs() < 1e-4), "{:?}", told(&diff));
}

#[test]
fn bind_and_vertex_changes_are_reported_separately() {
    let old = Draft::default().rig();
    let mut draft = Draft::default();
    // Every joint was bound 0.25 lower, but the mesh stayed in place.
    let lower = glam::Mat4::from_translation(glam::Vec3::new(0.0, 0.25, 0.0));
    for bind in &mut draft.character.binds {
        *bind = (glam::Mat4::from_cols_array(bind) * lower).to_cols_array();
    }
    assert_eq!(named(&found(&old, &draft.rig())), [(ChangeKind::BindMoved, "Root")]);
    // If the mesh moves with the joints, nothing has changed. If one joint then stays behind, that joint is reported.
    let follow = |draft: &mut Draft| {
        draft.character.positions.iter_mut().for_each(|p| p[1] -= 0.25);
        for bind in &mut draft.character.binds {
            let lower = glam::Mat4::from_translation(glam::Vec3::new(0.0, 0.25, 0.0));
            *bind = (glam::Mat4::from_cols_array(bind) * lower).to_cols_array();
        }
    };
    let mut draft = Draft::default();
    follow(&mut draft);
    assert_eq!(told(&found(&old, &draft.rig())), [""; 0]);
    let mut draft = Draft::default();
    follow(&mut draft);
    draft.character.binds[4] = moved(0.0, 0.0, 0.0);
    let diff = found(&old, &draft.rig());
    assert_eq!(named(&diff), [(ChangeKind::BindMoved, "Horn")]);
    assert!((diff.changes[0].size() - 0.25).abs() < 1e-4);
    // The mesh moved without the joints, or grew on a node that stayed the same.
    let mut draft = Draft::default();
    draft.character.positions.iter_mut().for_each(|p| p[1] -= 0.25);
    assert_eq!(named(&found(&old, &draft.rig())), [(ChangeKind::Vertices, "Tube")]);
    let grown = Draft { box_size: 2.0, ..Draft::default() };
    assert_eq!(named(&found(&old, &grown.rig())), [(ChangeKind::Vertices, "Box")]);
}

#[test]
fn the_order_of_corners_means_nothing_even_of_a_degenerate_triangle() {
    let with = |corners: [u16; 9]| {
        let mut draft = Draft::default();
        draft.character.indices.extend(corners);
        draft.rig()
    };
    let old = with([5, 5, 9, 3, 7, 3, 8, 8, 8]);
    assert_eq!(told(&found(&old, &with([8, 8, 8, 9, 5, 5, 3, 3, 7]))), [""; 0]);
    assert_eq!(named(&found(&old, &with([8, 8, 8, 9, 5, 5, 3, 3, 4]))), [(ChangeKind::Topology, "Tube")]);
}

#[test]
fn a_changed_key_names_the_joint_that_it_turns_and_then_where_it_shows_most() {
    let old = Draft::default().rig();
    let mut draft = Draft::default();
    draft.character.rotations[1] = [0.0, 0.0, 0.6, 0.8];
    let diff = found(&old, &draft.rig());
    let now = diff.changes[0].now.as_deref().unwrap();
    assert!(now.starts_with("Root turned, most at ") && !now.ends_with("Root"), "{now}");
}

/// Scales all lengths by 100 and changes the vertical axis.
fn in_centimetres(draft: &mut Draft) {
    let axes = |[x, y, z]: [f32; 3]| [x * 100.0, -z * 100.0, y * 100.0];
    draft.character.positions.iter_mut().for_each(|p| *p = axes(*p));
    draft.character.normals.iter_mut().for_each(|[_, y, z]| (*y, *z) = (-*z, *y));
    draft.target.iter_mut().for_each(|p| *p = axes(*p));
    for bind in &mut draft.character.binds {
        // The bind transform of a joint. Joints keep their own axes; the axes of skin space are rotated.
        let skin_from_joint = glam::Mat4::from_cols_array(bind).inverse();
        let turned = glam::Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2) * skin_from_joint;
        let place = turned.w_axis.truncate() * 100.0;
        *bind = glam::Mat4::from_cols(turned.x_axis, turned.y_axis, turned.z_axis, place.extend(1.0))
            .inverse()
            .to_cols_array();
    }
    for node in &mut draft.character.nodes[2..] {
        let moved: Vec<f64> =
            node["translation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() * 100.0).collect();
        node["translation"] = json!(moved);
    }
}

#[test]
fn units_and_axes_are_reported_once() {
    let old = Draft::default().rig();
    let mut draft = Draft::default();
    in_centimetres(&mut draft);
    (draft.box_translation, draft.box_size) = ([0.0, 50.0, 0.0], 100.0);
    let turn = std::f32::consts::FRAC_1_SQRT_2;
    draft.character.nodes[1]["rotation"] = json!([turn, 0.0, 0.0, turn]);
    // The clip rotates the root about the axis that was vertical before.
    draft.character.rotations = vec![[turn, 0.0, 0.0, turn], [turn * 0.8, turn * 0.6, turn * 0.6, turn * 0.8]];
    let lines = told(&found(&old, &draft.rig()));
    assert_eq!(
        lines[0],
        "units or axes everything: now scene times 100 turned by 90°, joints times 100, meshes times 100 turned by 90°"
    );
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[test]
fn a_node_around_everything_that_turns_and_scales_it_is_one_node_and_the_units() {
    let old = Draft::default().rig();
    let new = Draft {
        edit: |json| {
            json["nodes"]
                .as_array_mut()
                .unwrap()
                .push(json!({"name": "Armature", "children": [1], "scale": [100, 100, 100]}));
            json["scenes"][0]["nodes"] = json!([0, 7]);
        },
        ..Draft::default()
    };
    let lines = told(&found(&old, &new.rig()));
    assert_eq!(lines, ["units or axes everything: now scene times 100", "node added Armature: now below the scene"]);
}

fn written(folder: &Path, name: &str, draft: Draft) -> String {
    let path = folder.join(name);
    std::fs::write(&path, draft.bytes()).unwrap();
    // Output has `/` on Windows too, which takes both.
    path.display().to_string().replace('\\', "/")
}

#[test]
fn diff_reports_by_exit_code_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, draft: Draft| written(folder.path(), name, draft);
    let old = write("old.glb", Draft::default());
    let mut draft = Draft::default();
    draft.character.nodes[3]["translation"] = json!([0, 1.05, 0]);
    let new = write("new.glb", draft);
    let same = rigscope(&["diff", &old, &old]).ok();
    assert_eq!(same.stdout, format!("{old} is the same as {old}\n"));
    let run = rigscope(&["diff", &old, &new]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.stdout, format!("{old} -> {new}\n  rest pose moved      Upper: 50 mm\n"));
    let json: Value = serde_json::from_str(&rigscope(&["diff", "--json", &old, &new]).stdout).unwrap();
    assert_eq!((&json["version"], &json["same"], &json["new"]), (&json!(1), &json!(false), &json!(new)));
    let changes = json["changes"].as_array().unwrap();
    assert_eq!(
        (changes.len(), &changes[0]["kind"], &changes[0]["of"]),
        (1, &json!("rest_pose_moved"), &json!("Upper"))
    );
    rigscope(&["diff", "--distance", "51", &old, &new]).ok();
    let missing = folder.path().join("none.glb").display().to_string();
    assert_eq!(rigscope(&["diff", &old, &missing]).code, Some(2));
    assert_eq!(rigscope(&["diff", &old, &new, "--distance", "-1"]).code, Some(2));
}

#[test]
fn diff_only_reports_and_counts_the_requested_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, draft: Draft| written(folder.path(), name, draft);
    let old = write("old.glb", Draft::default());
    let mut draft = Draft { clip: "Spin", ..Draft::default() };
    draft.character.nodes[3]["translation"] = json!([0, 1.05, 0]);
    let new = write("new.glb", draft);
    let run = |options: &[&str]| rigscope(&[&["diff", &old, &new], options].concat());
    let all: Value = serde_json::from_str(&run(&["--json"]).stdout).unwrap();
    let all = all["changes"].as_array().unwrap().len();
    assert!(all > 1);
    let clips = run(&["--only", "clip"]);
    assert_eq!(clips.code, Some(1), "{}", clips.stderr);
    assert!(clips.stdout.contains("  clip ") && !clips.stdout.contains("rest pose moved"), "{}", clips.stdout);
    assert!(clips.stdout.ends_with("1 change of other kinds\n"), "{}", clips.stdout);
    let weights = run(&["--only", "weights,vertices_moved"]).ok();
    assert_eq!(weights.stdout, format!("{new} is the same as {old}\n{all} changes of other kinds\n"));
    let json: Value = serde_json::from_str(&run(&["--only", "rest-pose", "--json"]).stdout).unwrap();
    assert_eq!((&json["same"], &json["hidden"]), (&json!(false), &json!(all - 1)));
    let page = run(&["--only", "rest", "--html", "-"]).stdout;
    assert!(page.contains("<h2>Rest pose moved (1)</h2>") && page.contains("of other kinds"), "{page}");
    let refused = run(&["--only", "clips"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("no kind of change has this name"), "{}", refused.stderr);
    assert!(
        ChangeKind::ALL.iter().all(|kind| refused.stderr.contains(&kind.name().replace(' ', "_"))),
        "{}",
        refused.stderr
    );
}

#[test]
fn moves_below_fail_over_are_reported_and_pass() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, draft: Draft| written(folder.path(), name, draft);
    let old = write("old.glb", Draft::default());
    let moved = |name, y: f32| {
        let mut draft = Draft::default();
        draft.character.nodes[3]["translation"] = json!([0, y, 0]);
        write(name, draft)
    };
    let near = moved("near.glb", 1.05);
    let passed = rigscope(&["diff", &old, &near, "--fail-over", "51"]).ok();
    assert!(passed.stdout.contains("Upper: 50 mm"), "{}", passed.stdout);
    assert_eq!(rigscope(&["diff", &old, &near, "--fail-over", "49"]).code, Some(1));
    let renamed = write("renamed.glb", Draft { clip: "Spin", ..Draft::default() });
    assert_eq!(rigscope(&["diff", &old, &renamed, "--fail-over", "51"]).code, Some(1), "no distance");

    let log = |new: &str, options: &[&str]| -> Value {
        let run = rigscope(&[&["diff", &old, new, "--format", "sarif"], options].concat());
        serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stdout))
    };
    for (options, level) in [(&[][..], "error"), (&["--fail-over", "51"], "note")] {
        let run = &log(&near, options)["runs"][0];
        let result = &run["results"][0];
        assert_eq!((&result["level"], &result["ruleId"]), (&json!(level), &json!("diff/rest_pose_moved")));
        assert_eq!(result["message"]["text"], "rest pose moved, Upper: 50 mm");
        assert_eq!(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "Upper");
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    assert_eq!(log(&old, &[])["runs"][0]["results"], json!([]));

    let cases = |options: &[&str]| rigscope(&[&["diff", &old, &near, "--format", "junit"], options].concat()).stdout;
    let failed = cases(&[]);
    assert!(
        failed.contains(r#"tests="1" failures="1" errors="0""#) && failed.contains("diff/rest_pose_moved"),
        "{failed}"
    );
    let passed = cases(&["--fail-over", "51"]);
    assert!(passed.contains(r#"tests="1" failures="0" errors="0""#) && passed.contains("Upper: 50 mm"), "{passed}");
    let twice = rigscope(&["diff", &old, &near, "--format", "junit", "--html", "-"]);
    assert_eq!(twice.code, Some(2), "two outputs in one stream");
}

#[test]
fn a_cancelled_comparison_ends() {
    let old = Draft::default().rig();
    assert_eq!(diff(&old, &old, &Tolerances::for_rig(&old), &Progress::cancelled()), None);
}

#[test]
fn the_page_has_every_change_and_asks_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, draft: Draft| written(folder.path(), name, draft);
    let old = write("old.glb", Draft::default());
    let mut draft = Draft::default();
    draft.character.nodes[3]["name"] = json!("<script>alert(1)</script>");
    draft.box_translation[0] = 0.25;
    let new = write("new.glb", draft);
    let page = folder.path().join("page.html").display().to_string();
    let run = rigscope(&["diff", &old, &new, "--html", &page]);
    assert_eq!((run.code, run.stdout.lines().count()), (Some(1), 3), "{}", run.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    for part in [
        "<h2>Joint renamed (1)</h2>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<h2>Rest pose moved (1)</h2>",
        "250 mm",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    for part in ["<script", "http://", "https://", "url(", "@import"] {
        assert!(!html.contains(part), "{part} in {html}");
    }
    assert_eq!(rigscope(&["diff", &old, &new, "--html", "-"]).stdout, html);
    assert_eq!(rigscope(&["diff", &old, &new, "--html", &new]).code, Some(2), "what is read is not written over");
}

#[test]
fn files_that_draw_the_same_have_no_change_that_fails() {
    let Some(folder) = common::cases() else { return };
    let diff = |old: &str, new: &str, options: &[&str]| {
        let [old, new] = [old, new].map(|name| folder.join(name).display().to_string());
        rigscope(&[&["diff", &old, &new], options].concat())
    };
    let welded = ["n02_cube_36_vertices.glb", "n02_cube_24_welded.glb"];
    let scaled = ["n04_root_1.glb", "n04_root_001.glb"];
    let turned = ["n05_turn_on_armature.glb", "n05_turn_on_root.glb"];
    for [a, b] in [welded, scaled, turned] {
        for [old, new] in [[a, b], [b, a]] {
            diff(old, new, &["--fail-over", "0.01"]).ok();
            let told = diff(old, new, &[]).stdout;
            assert!(!told.contains("clip motion") && !told.contains("moved"), "{told}");
        }
    }
    diff(welded[0], welded[1], &[]).ok();
    let told = diff("n07_floats_named.glb", "n08_quantised_below_body.glb", &[]).stdout;
    let is_rounding_reported = told.contains("\nRounding moves vertices by at most 0.0");
    assert!(told.contains("mesh renamed") && told.lines().count() == 3 && is_rounding_reported, "{told}");
    for (new, line) in [("n06_without_uv.glb", "texture coordinates"), ("n06_without_normals.glb", "normals")] {
        let told = diff("n06_all.glb", new, &[]).stdout;
        assert!(told.contains(&format!("  {line:<20} tube: now removed, 108 vertices")), "{told}");
    }
}

#[test]
fn a_scale_that_moved_from_the_joints_to_their_root_is_a_note() {
    let old = Draft::default().rig();
    let mut draft = Draft::default();
    draft.character.nodes[1]["scale"] = json!([0.01, 0.01, 0.01]);
    for node in &mut draft.character.nodes[2..] {
        let longer: Vec<f64> =
            node["translation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() * 100.0).collect();
        node["translation"] = json!(longer);
    }
    for bind in &mut draft.character.binds {
        *bind = (glam::Mat4::from_scale(glam::Vec3::splat(100.0)) * glam::Mat4::from_cols_array(bind)).to_cols_array();
    }
    draft.box_translation = [0.0, 50.0, 0.0];
    draft.box_decode.1 = 0.01;
    let diff = found(&old, &draft.rig());
    assert!(diff.changes.iter().all(|change| change.kind != ChangeKind::ClipMotion), "{:?}", told(&diff));
    assert!(named(&diff).contains(&(ChangeKind::LocalTransforms, "everything")), "{:?}", told(&diff));
}

#[test]
fn a_step_between_keys_is_found_and_sized_by_what_is_drawn() {
    let old = Draft::default().rig();
    let stepped = Draft {
        edit: |json| {
            for sampler in json["animations"][0]["samplers"].as_array_mut().unwrap() {
                sampler["interpolation"] = json!("STEP");
            }
        },
        ..Draft::default()
    };
    let new = stepped.rig();
    let diff = found(&old, &new);
    assert_eq!(named(&diff), [(ChangeKind::ClipMotion, "Turn")], "{:?}", told(&diff));
    // Just before the last key, one clip has reached its last pose and the other is still at rest.
    let pose = |rig: &Rig, time_secs| {
        let moment = Some(rigscope::rig::ClipMoment::new(0, time_secs));
        rigscope::rig::evaluate(rig, moment, &rigscope::rig::Pose::rest(&rig.hierarchy))
    };
    let method = rigscope::skinning::Skinning::new(rigscope::skinning::Method::Lbs);
    let [a, b] = [0.0, 1.0].map(|time| {
        let rig = std::sync::Arc::new(old.clone());
        let surfaces = rigscope::skinning::Skinner::new(&rig, &method).unwrap().deform(&pose(&old, time));
        surfaces.into_iter().flatten().flat_map(|part| part.positions).collect::<Vec<_>>()
    });
    let farthest = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    let size = diff.changes[0].size();
    assert!((size - f64::from(farthest)).abs() < 0.01 * f64::from(farthest), "{size} m for {farthest}");
}
