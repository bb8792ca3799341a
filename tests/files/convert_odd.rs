//! `rigscope convert` on rigs with features that glTF lacks or stores differently.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::common::allocations;

use allocations::allocated;
use common::conversion::{Conversion, complaints};
use common::glb::{Builder, F32, U8, U16, f32_bytes, make_skinned_glb, split, triangle};
use common::rigs::tube_primitive;
use rigscope::export::rig_glb;
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{AuthoredMethod, Mesh, Rig, RigData};
use serde_json::{Value, json};

fn opened(builder: Builder) -> Rig {
    import_bytes(&builder.build(), &Job::default()).unwrap().rig
}

/// Converts a rig and asserts everything that must hold for any conversion. Returns the written document and the
/// messages.
fn converted(name: &str, rig: &Rig) -> (Value, Vec<String>) {
    let conversion = Conversion::new(name, rig);
    conversion.assert_same_deformation();
    conversion.assert_fixed();
    let path = tempfile::tempdir().unwrap();
    let path = path.path().join("out.glb");
    std::fs::write(&path, &conversion.bytes).unwrap();
    if let Some(complaints) = complaints(&[path]) {
        assert!(complaints.is_empty(), "{name}: {complaints:#?}");
    }
    (split(&conversion.bytes).0, conversion.told)
}

/// Creates a skinned mesh on node 0. The weight of the second joint rises from 0 at the first vertex to 1 at the last.
fn skinned() -> Builder {
    let mut b = make_skinned_glb(3, 6, 6, 1);
    let joints = b.accessor(&[0, 1, 0, 0].repeat(6), U8, "VEC4", 6);
    let weights: Vec<f32> = (0..6).flat_map(|i| [1.0 - i as f32 * 0.2, i as f32 * 0.2, 0.0, 0.0]).collect();
    let weights = b.floats(&weights, "VEC4");
    b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    b
}

/// By columns. The x axis is tilted towards y.
const SHEARED: [f32; 16] = [1.0, 0.4, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.3, 0.2, 0.1, 1.0];

#[test]
fn shear_goes_into_a_new_parent() {
    let mut b = skinned();
    b.json["nodes"][2] = json!({"name": "joint 2", "matrix": SHEARED, "children": [3]});
    let (document, told) = converted("sheared", &opened(b));
    assert_eq!(told, [""; 0]);
    assert_eq!(document["nodes"][4]["name"], "joint 2 shear");
    assert_eq!((&document["nodes"][4]["children"], &document["nodes"][1]["children"]), (&json!([2]), &json!([4])));
}

#[test]
fn shear_of_an_animated_node_is_dropped_with_a_warning() {
    let mut b = skinned();
    b.json["nodes"][1] = json!({"name": "joint 1", "matrix": SHEARED, "children": [2]});
    let rig = opened(b);
    let conversion = Conversion::new("sheared and animated", &rig);
    conversion.assert_same_parts();
    assert!(conversion.told[0].starts_with("1 shear of a node left out"), "{:?}", conversion.told);
}

#[test]
fn a_matrix_without_shear_becomes_translation_rotation_and_scale() {
    let mut b = skinned();
    let matrix = glam::Mat4::from_scale_rotation_translation(
        glam::Vec3::new(-1.0, 2.0, 0.5),
        glam::Quat::from_rotation_z(0.7),
        glam::Vec3::X,
    );
    b.json["nodes"][1] = json!({"name": "joint 1", "matrix": matrix.to_cols_array(), "children": [2]});
    let (document, _) = converted("matrix", &opened(b));
    assert!(document["nodes"][1]["matrix"].is_null() && document["nodes"].as_array().unwrap().len() == 4);
}

#[test]
fn joints_of_several_roots_get_one_and_one_that_comes_twice_a_child() {
    let mut b = skinned();
    b.json["nodes"][1]["children"] = json!([]);
    b.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
    b.json["skins"][0]["joints"] = json!([1, 2, 1]);
    let (document, _) = converted("roots", &opened(b));
    assert_eq!(
        document["skins"][0],
        json!({"joints": [1, 2, 4], "skeleton": 5, "inverseBindMatrices": document["skins"][0]["inverseBindMatrices"]})
    );
    assert_eq!(document["nodes"][5], json!({"name": "root", "children": [1, 2]}));
}

#[test]
fn a_skinned_mesh_is_carried_by_a_root_and_nothing_else_moves() {
    // The mesh is on a node without children, on a node with a child, and on a joint.
    let below = |carrier: usize| {
        let mut b = skinned();
        b.json["nodes"][0].take();
        b.json["nodes"][0] = json!({"name": "body", "translation": [5.0, 0.0, 0.0]});
        b.json["nodes"][carrier]["mesh"] = json!(0);
        b.json["nodes"][carrier]["skin"] = json!(0);
        b
    };
    let mut alone = below(0);
    alone.json["nodes"][1]["children"] = json!([2, 0]);
    alone.json["scenes"][0]["nodes"] = json!([1]);
    let (document, _) = converted("alone", &opened(alone));
    assert_eq!(document["scenes"][0]["nodes"], json!([0, 1]));
    assert_eq!(document["nodes"][0], json!({"name": "body", "mesh": 0, "skin": 0}));
    for (name, carrier, root) in [("with a child", 0, "body mesh"), ("a joint", 2, "joint 2 mesh")] {
        let mut b = below(carrier);
        b.json["nodes"][0]["children"] = json!([1]);
        b.json["scenes"][0]["nodes"] = json!([0]);
        let (document, _) = converted(name, &opened(b));
        assert_eq!(document["nodes"][4], json!({"name": root, "mesh": 0, "skin": 0}), "{name}");
        assert!(document["nodes"][carrier]["mesh"].is_null(), "{name}");
    }
}

#[test]
fn a_mesh_that_is_half_skinned_is_carried_by_two_nodes_with_the_same_morph_targets() {
    let mut b = skinned();
    let (position, moved) =
        (b.floats(&[0.0, 2.0, 0.0, 1.0, 2.0, 0.0, 0.0, 3.0, 0.0], "VEC3"), [0.0, 0.5, 0.0].repeat(6));
    let of_skin = b.floats(&moved, "VEC3");
    let of_rest = b.floats(&moved[..9], "VEC3");
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": of_skin}, {"POSITION": of_skin}]);
    b.json["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap()
        .push(json!({"attributes": {"POSITION": position}, "targets": [{"POSITION": of_rest}]}));
    b.json["meshes"][0]["weights"] = json!([0.25, 0.5]);
    b.json["meshes"][0]["extras"] = json!({"targetNames": ["up"]});
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let weights = b.floats(&[0.0, 1.0, 1.0, 0.0], "SCALAR");
    b.push("animations", json!({"samplers": [{"input": times, "output": weights}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}));
    let rig = opened(b);
    let (document, told) = converted("half skinned", &rig);
    assert_eq!((rig.meshes.len(), told), (2, Vec::new()));
    let names = |mesh: usize| document["meshes"][mesh]["extras"]["targetNames"].clone();
    assert_eq!((names(0), names(1)), (json!(["up", "Target 1"]), json!(["up"])));
}

#[test]
fn a_morph_target_that_only_turns_normals_is_kept() {
    let mut b = skinned();
    let (still, turned) = (b.floats(&[0.0; 18], "VEC3"), b.floats(&[0.5, 0.0, 0.0].repeat(6), "VEC3"));
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": still, "NORMAL": turned}]);
    let (document, told) = converted("turned normals", &opened(b));
    assert_eq!(told, [""; 0]);
    assert!(document["meshes"][0]["primitives"][0]["targets"][0]["NORMAL"].is_u64(), "{document}");
}

#[test]
fn clips_rise_from_0_with_one_channel_a_property() {
    let mut b = skinned();
    let mut sampler = |times: &[f32], values: &[&[f32]], interpolation: &str| {
        let shape = if values[0].len() == 4 { "VEC4" } else { "VEC3" };
        let (input, output) = (b.floats(times, "SCALAR"), b.floats(&values.concat(), shape));
        json!({"input": input, "output": output, "interpolation": interpolation})
    };
    let samplers = [
        sampler(&[-0.5, 0.25, 0.25, 1.0], &[&[0.0; 3], &[0.1; 3], &[0.5; 3], &[0.6; 3]], "LINEAR"),
        sampler(&[0.0, 0.5, 0.5], &[&[1.0; 3], &[2.0; 3], &[3.0; 3]], "STEP"),
        sampler(&[0.5], &[&[9.0; 3], &[0.5, 0.0, 0.0], &[9.0; 3]], "CUBICSPLINE"),
        sampler(&[0.0, 1.0], &[&[0.0, 0.0, 0.0, 3.0], &[0.0, 0.0, 3.0, 0.0]], "LINEAR"),
    ];
    let channels: Vec<Value> = [
        (0, 1, "translation"),
        (1, 1, "scale"),
        (2, 2, "translation"),
        (3, 3, "rotation"),
        (2, 3, "translation"),
        (0, 3, "translation"),
    ]
    .map(|(sampler, node, path)| json!({"sampler": sampler, "target": {"node": node, "path": path}}))
    .into();
    b.json["animations"] = json!([{"name": "odd", "samplers": samplers, "channels": channels}]);
    let (document, told) = converted("clips", &opened(b));
    assert_eq!(document["animations"][0]["channels"].as_array().unwrap().len(), 5);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("0.5 s before 0") && told[1].starts_with("2 rotations"), "{told:?}");
}

#[test]
fn the_authored_method_and_the_dq_blend_weights_are_kept() {
    let mut b = skinned();
    let shares = b.accessor(&f32_bytes(&[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]), F32, "SCALAR", 6);
    b.json["meshes"][0]["primitives"][0]["attributes"]["_DQ_WEIGHT"] = json!(shares);
    b.json["skins"][0]["extras"] = json!({"rigscope": {"method": "blended"}});
    let rig = opened(b);
    assert_eq!(rig.skins[0].authored, AuthoredMethod::Blended);
    assert_eq!(rig.meshes[0].primitives[0].dq_weights, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    let (document, _) = converted("blended", &rig);
    assert_eq!(document["skins"][0]["extras"], json!({"rigscope": {"method": "blended"}}));
    let plain = converted("linear", &opened(skinned())).0;
    assert!(plain["skins"][0]["extras"].is_null(), "linear is what glTF means anyway");
}

#[test]
fn any_number_of_joints_and_influences_is_kept_and_a_joint_named_twice_is_merged() {
    let mut b = make_skinned_glb(300, 4, 4, 0);
    let sets = [[299_u16, 299, 1, 2], [3, 4, 5, 6], [7, 8, 0, 0]];
    for (set, joints) in sets.iter().enumerate() {
        let bytes: Vec<u8> = joints.repeat(4).iter().flat_map(|j| j.to_le_bytes()).collect();
        let joints = b.accessor(&bytes, U16, "VEC4", 4);
        let weights =
            b.floats(&[0.1, 0.1, if set == 2 { 0.0 } else { 0.1 }, if set == 2 { 0.0 } else { 0.1 }].repeat(4), "VEC4");
        b.json["meshes"][0]["primitives"][0]["attributes"][format!("JOINTS_{set}")] = json!(joints);
        b.json["meshes"][0]["primitives"][0]["attributes"][format!("WEIGHTS_{set}")] = json!(weights);
    }
    let (document, _) = converted("influences", &opened(b));
    let attributes = &document["meshes"][0]["primitives"][0]["attributes"];
    assert!(attributes["JOINTS_2"].is_number() && attributes["JOINTS_3"].is_null());
}

#[test]
fn lines_points_colors_and_surfaces_are_kept() {
    let mut b = triangle();
    let color = b.floats(&[2.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.0, 1.0, 0.0, 1.0], "VEC4");
    let uv = b.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    let mut png = Vec::new();
    image::write_buffer_with_format(
        &mut std::io::Cursor::new(&mut png),
        &[255; 16],
        2,
        2,
        image::ExtendedColorType::Rgba8,
        image::ImageFormat::Png,
    )
    .unwrap();
    let view = b.view(&png);
    b.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    b.push("samplers", json!({"magFilter": 9728, "wrapS": 33071}));
    b.push("textures", json!({"source": 0, "sampler": 0}));
    b.push("materials", json!({"name": "skin", "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true, "emissiveFactor": [1.0, 0.5, 0.1],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 3.0}},
        "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1.0, 0.5], "metallicFactor": 0.3, "roughnessFactor": 0.7, "baseColorTexture": {"index": 0}}}));
    b.push("materials", json!({"extensions": {"KHR_materials_unlit": {}}, "alphaMode": "BLEND"}));
    b.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_materials_emissive_strength"]);
    let of = |mode: u32, attributes: Value| json!({"attributes": attributes, "mode": mode, "material": 0});
    b.json["meshes"][0]["primitives"] = json!([
        of(4, json!({"POSITION": 0, "TEXCOORD_0": uv})),
        of(4, json!({"POSITION": 0})),
        of(3, json!({"POSITION": 0, "COLOR_0": color, "TEXCOORD_0": uv})),
        json!({"attributes": {"POSITION": 0}, "mode": 0, "material": 1}),
    ]);
    let rig = opened(b);
    Conversion::new("surfaces", &rig).assert_same_parts();
    let (document, told) = converted("surfaces", &rig);
    assert!(told.len() == 1 && told[0].contains("range of colours"), "{told:?}");
    assert_eq!(
        document["materials"].as_array().unwrap().len(),
        3,
        "one more without texture, for what has no coordinates"
    );
    assert_eq!(document["images"].as_array().unwrap().len(), 1);
}

/// Creates a triangle and two textures for its material. The second texture uses nearest-neighbour filtering.
fn textured() -> Builder {
    let mut b = triangle();
    for number in [0_u8, 1] {
        let mut png = std::io::Cursor::new(Vec::new());
        let pixels =
            image::RgbaImage::from_fn(4, 2, |x, y| image::Rgba([x as u8 * 40, y as u8 * 90, number * 200, 255]));
        pixels.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let view = b.view(&png.into_inner());
        b.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    }
    b.push("samplers", json!({"magFilter": 9728, "wrapS": 33071}));
    b.push("textures", json!({"source": 0}));
    b.push("textures", json!({"source": 1, "sampler": 0}));
    b
}

#[test]
fn all_that_is_drawn_of_a_material_is_kept() {
    let mut b = textured();
    let normals = b.floats(&[0.0, 0.0, 1.0].repeat(3), "VEC3");
    let first = b.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    let second = b.floats(&[0.5, 0.0, 0.25, 0.0, 0.0, 0.75], "VEC2");
    let moved = |index: u32, set: u32| {
        let transform = json!({"offset": [0.25, -1.0], "rotation": 0.5, "scale": [3.0, -0.3]});
        json!({"index": index, "texCoord": set, "extensions": {"KHR_texture_transform": transform}})
    };
    let plain = json!({"index": 0});
    let elsewhere = json!({"index": 1, "texCoord": 1});
    let mut occlusion = elsewhere.clone();
    occlusion["strength"] = json!(0.75);
    let mut normal = moved(1, 0);
    normal["scale"] = json!(0.5);
    b.push("materials", json!({"name": "all", "normalTexture": normal, "occlusionTexture": occlusion,
        "emissiveFactor": [1.0, 0.5, 0.25], "emissiveTexture": moved(0, 1),
        "pbrMetallicRoughness": {"baseColorTexture": plain, "metallicFactor": 0.5, "roughnessFactor": 0.75, "metallicRoughnessTexture": elsewhere},
        "extensions": {
            "KHR_materials_emissive_strength": {"emissiveStrength": 2.5},
            "KHR_materials_ior": {"ior": 1.8},
            "KHR_materials_specular": {"specularFactor": 0.5, "specularTexture": plain, "specularColorFactor": [1.0, 0.5, 0.25], "specularColorTexture": elsewhere},
            "KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatTexture": plain, "clearcoatRoughnessFactor": 0.25,
                "clearcoatRoughnessTexture": elsewhere, "clearcoatNormalTexture": {"index": 1, "scale": 0.25}},
            "KHR_materials_sheen": {"sheenColorFactor": [0.5, 0.25, 1.0], "sheenRoughnessFactor": 0.5, "sheenColorTexture": plain, "sheenRoughnessTexture": elsewhere},
            "KHR_materials_transmission": {"transmissionFactor": 0.5, "transmissionTexture": elsewhere},
        }}));
    b.push("materials", json!({"name": "old", "extensions": {"KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [0.5, 0.5, 0.5, 1.0],
        "diffuseTexture": plain, "specularFactor": [0.25, 0.5, 1.0], "glossinessFactor": 0.3, "specularGlossinessTexture": elsewhere}}}));
    b.push(
        "materials",
        json!({"name": "mirror", "extensions": {"KHR_materials_specular": {"specularColorFactor": [0.0, 0.0, 0.0]},
        "KHR_materials_ior": {"ior": 0.0}}}),
    );
    b.json["extensionsUsed"] = json!([
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_texture_transform"
    ]);
    let of = |material: u32, coords: Value| {
        let mut attributes = json!({"POSITION": 0, "NORMAL": normals});
        attributes.as_object_mut().unwrap().extend(coords.as_object().unwrap().clone());
        json!({"attributes": attributes, "material": material})
    };
    b.json["meshes"][0]["primitives"] = json!([
        of(0, json!({"TEXCOORD_0": first, "TEXCOORD_1": second})),
        of(0, json!({"TEXCOORD_0": first})),
        of(0, json!({})),
        of(1, json!({"TEXCOORD_0": first, "TEXCOORD_1": second})),
        of(2, json!({})),
    ]);
    let rig = import_bytes(&b.build(), &Job::default()).unwrap().rig;
    let conversion = Conversion::new("looks", &rig);
    conversion.assert_same_parts();
    let (document, told) = converted("looks", &rig);
    assert_eq!(told, [""; 0]);
    let count = |list: &str| document[list].as_array().unwrap().len();
    assert_eq!((count("images"), count("textures"), count("samplers")), (2, 2, 2), "each once");
    assert_eq!(count("materials"), 5, "the first again for what has one set of coordinates, and for what has none");
    assert_eq!(count("extensionsUsed"), 8);
    let material = |primitive: usize| {
        let number = document["meshes"][0]["primitives"][primitive]["material"].as_u64().unwrap();
        &document["materials"][usize::try_from(number).unwrap()]
    };
    assert_eq!(material(0)["occlusionTexture"]["texCoord"], 1);
    assert!(material(1)["occlusionTexture"].is_null() && material(1)["normalTexture"].is_object());
    assert!(material(2)["normalTexture"].is_null() && material(2)["name"] == "all");
}

/// Creates a triangle whose emission is rotated, stretched and rotated back, relative to the base colour's texture
/// coordinates. With `has_second`, the occlusion texture uses a second set of coordinates.
fn twice_turned(has_second: bool) -> Builder {
    let mut b = textured();
    let first = b.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    let lies = |wide: f32| json!({"index": 0, "extensions": {"KHR_texture_transform": {"rotation": wide * 0.5, "scale": [wide, 1.0]}}});
    b.push(
        "materials",
        json!({"emissiveFactor": [1.0, 1.0, 1.0], "emissiveTexture": lies(3.0),
        "pbrMetallicRoughness": {"baseColorTexture": lies(1.0)}}),
    );
    b.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    let mut attributes = json!({"POSITION": 0, "TEXCOORD_0": first});
    if has_second {
        attributes["TEXCOORD_1"] = json!(first);
        b.json["materials"][0]["occlusionTexture"] = json!({"index": 0, "texCoord": 1});
    }
    b.json["meshes"][0]["primitives"][0] = json!({"attributes": attributes, "material": 0});
    b
}

#[test]
fn a_texture_that_lies_otherwise_than_the_first_keeps_the_file_s_own_coordinates() {
    let (document, told) = converted("turned twice", &opened(twice_turned(false)));
    assert!(told.is_empty(), "{told:?}");
    let emission = &document["materials"][0]["emissiveTexture"];
    assert!(
        emission["texCoord"] == 1 && emission["extensions"]["KHR_texture_transform"]["scale"][0] == 3.0,
        "{emission}"
    );
}

#[test]
fn sheared_texture_is_left_out_with_a_warning() {
    let (document, told) = converted("sheared texture", &opened(twice_turned(true)));
    assert!(told.len() == 1 && told[0].starts_with("1 texture left out"), "{told:?}");
    let material = &document["materials"][0];
    assert!(material["emissiveTexture"].is_null() && material["emissiveFactor"].is_null());
    assert!(material["pbrMetallicRoughness"]["baseColorTexture"].is_object());
}

#[test]
fn factors_are_kept_without_their_textures_and_a_whole_turn_is_no_transform() {
    let mut b = textured();
    let first = b.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    let texture = json!({"index": 0});
    let turned = json!({"index": 0, "extensions": {"KHR_texture_transform": {"rotation": std::f32::consts::TAU}}});
    b.push(
        "materials",
        json!({"emissiveFactor": [1.0, 0.5, 0.0], "emissiveTexture": texture,
        "pbrMetallicRoughness": {"metallicFactor": 1.0, "metallicRoughnessTexture": texture}}),
    );
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": texture}, "occlusionTexture": turned}));
    b.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    b.json["meshes"][0]["primitives"] = json!([
        {"attributes": {"POSITION": 0}, "material": 0},
        {"attributes": {"POSITION": 0, "TEXCOORD_0": first}, "material": 1},
    ]);
    let (document, told) = converted("factors", &opened(b));
    assert!(told.is_empty(), "{told:?}");
    let [without, turned] = [0, 1].map(|number| &document["materials"][number]);
    assert!(without["emissiveTexture"].is_null() && without["emissiveFactor"] == json!([1.0, 0.5, 0.0]));
    assert_eq!(without["pbrMetallicRoughness"]["metallicFactor"], 1.0);
    assert!(turned["occlusionTexture"].is_object() && turned["occlusionTexture"]["extensions"].is_null());
    assert!(document["extensionsUsed"].is_null());
}

#[test]
fn cameras_keep_their_order_whatever_carries_them() {
    let mut b = skinned();
    let sheared = [1.0, 0.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 4.0, 1.0];
    for (number, node) in [json!({"matrix": sheared}), json!({"translation": [0.0, 0.0, 5.0]})].into_iter().enumerate()
    {
        let camera =
            json!({"type": "perspective", "name": format!("{number}"), "perspective": {"yfov": 0.5, "znear": 0.1}});
        b.push("cameras", camera);
        let mut node = node;
        node["camera"] = json!(number);
        let at = b.push("nodes", node);
        b.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(at));
    }
    let (document, _) = converted("cameras", &opened(b));
    assert_eq!([0, 1].map(|number| document["cameras"][number]["name"].clone()), ["0", "1"]);
}

#[test]
fn the_file_is_built_once_and_takes_no_more_memory_than_its_bytes_while_they_grow() {
    let before = opened(skinned());
    let parts = (*before).clone();
    let tube = tube_primitive(1000, 100, |_| vec![(0, 0.75), (1, 0.25)]);
    let rig = Rig::new(RigData { meshes: vec![Mesh { primitives: vec![tube], ..Mesh::default() }], ..parts });
    let (file, asked) = allocated(|| rig_glb(&rig, &Progress::default()).unwrap());
    let size = file.bytes.len() as u64;
    assert!(size > 6_000_000 && asked <= size * 21 / 10, "{asked} bytes asked for a file of {size}");
}
