//! Every valid form of what import reads, in files built in code.

use crate::common;

use common::glb::{Builder, F32, I8, I16, U8, U16, U32, f32_bytes, make_skinned_glb, triangle};
use glam::{Quat, Vec2, Vec3, Vec4};
use rigscope::analysis::lint::Code;
use rigscope::import::{Imported, Job, SceneChoice, import_bytes, import_file};
use rigscope::rig::{Alpha, ClipMoment, CoordSet, Interpolation, MapKind, Pose, Primitive, Property, Wrap, evaluate};
use rigscope::skinning::{Method, deform, palettes};
use serde_json::{Value, json};

fn open(builder: Builder) -> Imported {
    import_bytes(&builder.build(), &Job::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Opens a file and asserts that no warning changes how it is read.
fn open_clean(builder: Builder) -> Imported {
    let imported = open(builder);
    assert_eq!(common::of_reading(&imported.warnings), []);
    imported
}

fn first(imported: &Imported) -> &Primitive {
    imported.rig.primitives().next().expect("one primitive").1
}

const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

#[test]
fn a_skinned_file_is_read_whole() {
    let imported = open_clean(make_skinned_glb(3, 6, 6, 2));
    let rig = &imported.rig;
    assert_eq!((rig.joint_count(), rig.vertex_count(), rig.instances[0].skin), (3, 6, Some(0)));
    assert_eq!(rig.meshes[0].name, "tube");
    let influences = first(&imported).influences.as_ref().unwrap();
    assert_eq!((influences.per_vertex(), influences.vertex(5).next()), (1, Some((2, 1.0))));
    assert_eq!(first(&imported).indices.len(), 12);
    let clip = &rig.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration_secs, clip.channels.len()), ("turn", 1.0, 1));
    let posed = evaluate(rig, Some(ClipMoment::new(0, 1.0)), &Pose::rest(&rig.hierarchy));
    let skinned = deform(first(&imported), &palettes(rig, &posed)[0], &[], Method::Lbs);
    assert!(skinned.positions[4].distance(Vec3::new(0.0, 4.0, 0.0)) < 1e-5, "{}", skinned.positions[4]);
}

#[test]
fn positions_may_be_stored_in_every_form() {
    for (component, is_normalized, one) in [
        (I8, true, vec![127]),
        (U8, true, vec![255]),
        (I16, true, 32767_i16.to_le_bytes().to_vec()),
        (U16, true, vec![255, 255]),
        (I8, false, vec![1]),
        (U8, false, vec![1]),
        (I16, false, vec![1, 0]),
        (U16, false, vec![1, 0]),
        (F32, false, 1.0_f32.to_le_bytes().to_vec()),
    ] {
        let zero = vec![0; one.len()];
        // Elements begin at multiples of 16 bytes, after 4 bytes of other data. There is no padding after the last one.
        let mut bytes = vec![9; 4];
        for corner in CORNERS {
            bytes.resize(bytes.len().next_multiple_of(16) + 4, 9);
            bytes.extend(corner.to_array().iter().flat_map(|&x| if x > 0.5 { &one } else { &zero }));
        }
        let mut b = triangle();
        let view = b.view(&bytes);
        b.json["bufferViews"][view]["byteStride"] = json!(16);
        b.json["accessors"][0] = json!({"bufferView": view, "byteOffset": 20, "componentType": component, "type": "VEC3",
            "count": 3, "normalized": is_normalized});
        assert_eq!(first(&open_clean(b)).positions, CORNERS, "{component} {is_normalized}");
    }
}

#[test]
fn the_lowest_normalised_integer_is_minus_one() {
    let mut b = triangle();
    let accessor = b.accessor(&[0x80, 0x81, 0, 127, 0, 0, 0, 127, 0], I8, "VEC3", 3);
    b.json["accessors"][accessor]["normalized"] = json!(true);
    b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(accessor);
    assert_eq!(first(&open_clean(b)).positions[0], Vec3::new(-1.0, -1.0, 0.0));
}

fn make_sparse(b: &mut Builder, accessor: usize, component: u32, indices: &[u8], values: &[f32]) {
    let count = values.len() / 3;
    let (indices, values) = (b.view(indices), b.view(&f32_bytes(values)));
    b.json["accessors"][accessor]["sparse"] = json!({"count": count,
        "indices": {"bufferView": indices, "componentType": component}, "values": {"bufferView": values}});
}

#[test]
fn sparse_values_replace_those_of_the_base_or_zeros() {
    for (component, indices) in [(U8, vec![1, 2]), (U16, vec![1, 0, 2, 0]), (U32, vec![1, 0, 0, 0, 2, 0, 0, 0])] {
        let mut b = triangle();
        make_sparse(&mut b, 0, component, &indices, &[5.0, 0.0, 0.0, 0.0, 6.0, 0.0]);
        let with_base = [Vec3::ZERO, Vec3::X * 5.0, Vec3::Y * 6.0];
        assert_eq!(first(&open_clean(b)).positions, with_base);
    }
    let mut b = triangle();
    b.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    make_sparse(&mut b, 0, U8, &[2], &[0.0, 6.0, 0.0]);
    assert_eq!(first(&open_clean(b)).positions, [Vec3::ZERO, Vec3::ZERO, Vec3::Y * 6.0]);
}

#[test]
fn indices_may_be_of_every_unsigned_type_or_absent() {
    assert_eq!(first(&open_clean(triangle())).indices, [0, 1, 2]);
    for (component, bytes) in
        [(U8, vec![2, 1, 0]), (U16, vec![2, 0, 1, 0, 0, 0]), (U32, vec![2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])]
    {
        let mut b = triangle();
        let accessor = b.accessor(&bytes, component, "SCALAR", 3);
        b.json["meshes"][0]["primitives"][0]["indices"] = json!(accessor);
        assert_eq!(first(&open_clean(b)).indices, [2, 1, 0]);
    }
}

#[test]
fn colours_may_be_of_three_or_four_of_any_type() {
    let expected = [Vec4::ONE, Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::ONE];
    let numbers = |width: usize, one: &[u8]| -> Vec<u8> {
        let corner = |c: Vec4| c.to_array()[..width].iter().map(|&x| x > 0.5).collect::<Vec<_>>();
        expected
            .iter()
            .flat_map(|c| corner(*c))
            .flat_map(|is| if is { one.to_vec() } else { vec![0; one.len()] })
            .collect()
    };
    for (component, one) in [(U8, vec![255]), (U16, vec![255, 255]), (F32, 1.0_f32.to_le_bytes().to_vec())] {
        for (width, shape) in [(3, "VEC3"), (4, "VEC4")] {
            let mut b = triangle();
            let colors = b.accessor(&numbers(width, &one), component, shape, 3);
            b.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(colors);
            assert_eq!(first(&open_clean(b)).colors.as_deref(), Some(&expected[..]), "{component} {shape}");
        }
    }
}

#[test]
fn weights_may_be_integers_and_joints_sixteen_bit() {
    for (component, bytes) in [(U8, vec![85, 170, 0, 0]), (U16, vec![85, 85, 170, 170, 0, 0, 0, 0])] {
        let mut b = make_skinned_glb(3, 3, 3, 0);
        let weights = b.accessor(&bytes.repeat(3), component, "VEC4", 3);
        let joints = b.accessor(&[1, 0, 2, 0, 0, 0, 0, 0].repeat(3), U16, "VEC4", 3);
        let attributes = &mut b.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["JOINTS_0"] = json!(joints);
        attributes["WEIGHTS_0"] = json!(weights);
        let imported = open_clean(b);
        let found: Vec<_> = first(&imported).influences.as_ref().unwrap().vertex(2).collect();
        assert_eq!(found.iter().map(|(j, _)| *j).collect::<Vec<_>>(), [2, 1]);
        assert!((found[0].1 - 2.0 / 3.0).abs() < 1e-4 && (found[1].1 - 1.0 / 3.0).abs() < 1e-4);
    }
}

#[test]
fn all_sets_of_influences_count() {
    let mut b = make_skinned_glb(3, 3, 3, 0);
    let joints = b.accessor(&[2, 0, 0, 0].repeat(3), U8, "VEC4", 3);
    let weights = b.floats(&[1.0, 0.0, 0.0, 0.0].repeat(3), "VEC4");
    let attributes = &mut b.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_1"] = json!(joints);
    attributes["WEIGHTS_1"] = json!(weights);
    let imported = open(b);
    let found: Vec<_> = first(&imported).influences.as_ref().unwrap().vertex(0).collect();
    assert_eq!(found, [(0, 0.5), (2, 0.5)]);
    let message = "Mesh 0 \"tube\", primitive 0: the weights of 3 vertices did not sum to 1 (worst: 2.000); they were normalised in memory.";
    assert_eq!(common::messages(&imported.warnings), [message]);
    assert_eq!(imported.warnings[0].worst_sum, Some(2.0));
}

#[test]
fn inverse_binds_may_be_absent_or_padded() {
    let mut b = make_skinned_glb(2, 3, 3, 0);
    b.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let imported = open(b);
    assert_eq!(imported.rig.skins[0].inverse_bind, [glam::Affine3::IDENTITY; 2]);
    let message = "Skin 0 has no inverse bind matrices; they count as the identity.";
    assert_eq!(common::messages(&imported.warnings), [message]);
    let mut b = make_skinned_glb(2, 3, 3, 0);
    let matrix = |x: f32| f32_bytes(&glam::Mat4::from_translation(Vec3::X * x).to_cols_array());
    let view = b.view(&[matrix(3.0), vec![7; 16], matrix(4.0)].concat());
    b.json["bufferViews"][view]["byteStride"] = json!(80);
    let accessor = b.push("accessors", json!({"bufferView": view, "componentType": F32, "type": "MAT4", "count": 2}));
    b.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
    let binds = open_clean(b).rig.skins[0].inverse_bind.clone();
    assert_eq!(binds.iter().map(|m| m.translation.x).collect::<Vec<_>>(), [3.0, 4.0]);
}

#[test]
fn a_mesh_may_be_used_with_and_without_a_skin() {
    let mut b = make_skinned_glb(2, 4, 4, 1);
    b.root(json!({"mesh": 0, "translation": [0, 0, 7]}));
    let imported = open(b);
    let rig = &imported.rig;
    assert_eq!((rig.meshes.len(), rig.instances.len()), (2, 2));
    assert_eq!(rig.meshes.iter().map(|m| m.source).collect::<Vec<_>>(), [0, 0]);
    let codes: Vec<Code> = imported.warnings.iter().map(|w| w.finding.code).collect();
    assert_eq!(codes, [Code::NoSkin]);
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    for (instance, palette) in rig.instances.iter().zip(palettes(rig, &posed)) {
        let primitive = &rig.meshes[instance.mesh].primitives[0];
        assert_eq!(primitive.influences.is_some(), instance.skin.is_some());
        let expected = if instance.skin.is_some() { 0.0 } else { 7.0 };
        assert_eq!(deform(primitive, &palette, &[], Method::Dqs).positions[0].z, expected);
    }
}

#[test]
fn a_primitive_without_joints_follows_its_node() {
    let mut b = make_skinned_glb(2, 4, 4, 1);
    b.json["nodes"][0]["translation"] = json!([0, 0, 7]);
    let position = b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
    let primitives = b.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(json!({"attributes": {"POSITION": position}, "mode": 6}));
    let imported = open(b);
    let reason = "its node has a skin, but it has no joints and weights";
    let message = format!("Mesh 0 \"tube\", primitive 1 is drawn without skinning: {reason}.");
    assert_eq!(common::messages(&imported.warnings), [message]);
    let rig = &imported.rig;
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let skinned: Vec<_> = rig
        .instances
        .iter()
        .zip(palettes(rig, &posed))
        .map(|(i, p)| (i.skin, deform(&rig.meshes[i.mesh].primitives[0], &p, &[], Method::Lbs).positions[0].z))
        .collect();
    assert_eq!(skinned, [(Some(0), 0.0), (None, 7.0)]);
}

#[test]
fn names_stay_and_the_unnamed_are_numbered() {
    let mut b = make_skinned_glb(2, 3, 3, 0);
    b.json["nodes"][1].as_object_mut().unwrap().remove("name");
    b.json["nodes"][2]["name"] = json!("Über/Arm ");
    b.json["animations"][0]["name"] = json!("");
    let rig = open_clean(b).rig;
    let name = |source| rig.hierarchy.name(rig.hierarchy.by_source(source).unwrap());
    assert_eq!((name(0), name(1), name(2)), ("body", "node 1", "Über/Arm "));
    assert_eq!(rig.clips[0].name, "clip 0");
}

#[test]
fn transforms_may_be_matrices_or_unnormalised() {
    let mut b = triangle();
    b.root(json!({"rotation": [0, 0, 3, 3]}));
    b.root(json!({"matrix": [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 3, 0, 5, 6, 7, 1]}));
    let imported = open(b);
    let message = "The rotation of node 1 is not of unit length; they were normalised.";
    assert_eq!(common::messages(&imported.warnings), [message]);
    let rig = imported.rig;
    let rest = |source| *rig.hierarchy.rest(rig.hierarchy.by_source(source).unwrap());
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert!(rest(1).rotation.angle_between(quarter) < 1e-3);
    assert!(rest(2).rotation.angle_between(quarter) < 1e-3);
    assert!(rest(2).scale.distance(Vec3::new(2.0, 1.0, 3.0)) < 1e-5);
    let local = rig.hierarchy.rest_local(rig.hierarchy.by_source(2).unwrap());
    assert_eq!(local.transform_point3(Vec3::X), Vec3::new(5.0, 8.0, 7.0));
}

#[test]
fn only_the_default_scene_is_shown() {
    let mut b = triangle();
    let hidden = b.push("nodes", json!({"mesh": 0}));
    b.push("scenes", json!({"nodes": [hidden, 0]}));
    let told = |count: usize| {
        let scenes = if count == 1 { "1 further scene is".to_owned() } else { format!("{count} further scenes are") };
        vec![format!("{scenes} not shown; choose one in the View menu or with --scene.")]
    };
    let imported = open(b);
    assert_eq!((imported.rig.instances.len(), common::messages(&imported.warnings)), (1, told(1)));
    let mut b = triangle();
    b.push("nodes", json!({"mesh": 0}));
    b.push("scenes", json!({"nodes": [0, 1]}));
    b.push("scenes", json!({}));
    b.json["scene"] = json!(1);
    let imported = open(b);
    assert_eq!((imported.rig.instances.len(), common::messages(&imported.warnings)), (2, told(2)));
    let mut b = triangle();
    b.push("nodes", json!({"mesh": 0}));
    let imported = open(b);
    let message = "1 node with a mesh is in no scene and not shown.".to_owned();
    assert_eq!((imported.rig.instances.len(), common::messages(&imported.warnings)), (1, vec![message]));
    let mut b = triangle();
    b.json.as_object_mut().unwrap().remove("scenes");
    b.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(open_clean(b).rig.instances.len(), 1);
    let mut b = triangle();
    b.json["scenes"][0] = json!({});
    let named = Job::default().with_scene(Some(SceneChoice::Number(0)));
    let bytes = b.build();
    for job in [Job::default(), named] {
        let imported = import_bytes(&bytes, &job).expect("opens");
        let message = "The default scene has no mesh; all nodes are shown instead.".to_owned();
        assert_eq!((imported.rig.instances.len(), common::messages(&imported.warnings)), (1, vec![message]));
    }
}

#[test]
fn a_skeleton_alone_is_shown() {
    let mut b = make_skinned_glb(3, 3, 3, 0);
    b.json["meshes"] = json!([]);
    b.json["nodes"][0] = json!({"name": "was the body"});
    let rig = open_clean(b).rig;
    assert_eq!((rig.joint_count(), rig.vertex_count(), rig.clips.len()), (3, 0, 1));
}

fn png(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::RgbaImage::from_raw(width, height, pixels.to_vec()).expect("enough pixels");
    image.write_to(&mut bytes, image::ImageFormat::Png).expect("memory holds it");
    bytes.into_inner()
}

#[test]
fn base_colour_textures_are_decoded() {
    let mut b = triangle();
    let pixels = [1, 2, 3, 4, 5, 6, 7, 8];
    let view = b.view(&png(&pixels, 2, 1));
    let uvs = b.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    b.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    b.push("samplers", json!({"magFilter": 9728, "wrapS": 33071, "wrapT": 33648}));
    b.push("textures", json!({"source": 0, "sampler": 0}));
    b.push("textures", json!({"source": 0}));
    let transform = json!({"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 2]}});
    for texture in [0, 1] {
        let info = json!({"index": texture, "texCoord": 1, "extensions": transform});
        b.push("materials", json!({"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorTexture": info}}));
    }
    let primitive = &mut b.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_1"] = json!(uvs);
    primitive["material"] = json!(0);
    let second = b.json["meshes"][0]["primitives"][0].clone();
    b.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    b.json["meshes"][0]["primitives"][1]["material"] = json!(1);
    let imported = open_clean(b);
    let rig = &imported.rig;
    assert_eq!(rig.images.len(), 1);
    assert_eq!((rig.images[0].width, rig.images[0].height, &rig.images[0].rgba[..]), (2, 1, &pixels[..]));
    let textures: Vec<_> = rig.materials.iter().map(|m| m.texture.clone().unwrap()).collect();
    assert_eq!((textures[0].wrap, textures[0].is_nearest), ([Wrap::Clamp, Wrap::Mirror], true));
    assert_eq!((textures[1].wrap, textures[1].is_nearest, textures[1].image), ([Wrap::Repeat; 2], false, 0));
    assert_eq!(rig.materials[0].alpha, Alpha::Blend);
    let expected = [Vec2::new(0.5, 0.0), Vec2::new(2.5, 0.0), Vec2::new(0.5, 2.0)];
    assert_eq!(first(&imported).tex_coords.as_deref(), Some(&expected[..]));
}

/// Creates a triangle with a texture of one grey pixel.
fn textured(format: image::ImageFormat, grey: u8) -> Builder {
    let mut b = triangle();
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(1, 1, image::Rgb([grey; 3])).write_to(&mut bytes, format).expect("a pixel");
    let view = b.view(&bytes.into_inner());
    let uvs = b.floats(&[0.0; 6], "VEC2");
    b.push("images", json!({"bufferView": view}));
    b.push("textures", json!({"source": 0}));
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    b
}

#[test]
fn webp_textures_are_read() {
    let mut b = textured(image::ImageFormat::WebP, 77);
    b.json["textures"][0] = json!({"extensions": {"EXT_texture_webp": {"source": 0}}});
    b.json["extensionsUsed"] = json!(["EXT_texture_webp"]);
    b.json["extensionsRequired"] = json!(["EXT_texture_webp"]);
    let imported = open(b);
    assert_eq!(imported.warnings, []);
    assert_eq!(imported.rig.images[0].rgba[..], [77, 77, 77, 255]);
}

#[test]
fn an_image_that_cannot_be_read_leaves_the_one_for_other_readers() {
    let mut b = textured(image::ImageFormat::Png, 77);
    let ktx = b.view(b"\xABKTX 20\xBB\r\n\x1A\n");
    b.push("images", json!({"bufferView": ktx}));
    b.json["textures"][0]["extensions"] = json!({"KHR_texture_basisu": {"source": 1}});
    b.json["extensionsUsed"] = json!(["KHR_texture_basisu"]);
    let imported = open(b);
    assert_eq!((imported.rig.images.len(), &imported.warnings[..]), (1, &[][..]));
    assert_eq!(imported.rig.images[0].rgba[..], [77, 77, 77, 255]);
}

#[test]
fn unsupported_material_features_share_one_warning() {
    let mut b = triangle();
    let view = b.view(&png(&[9; 4], 1, 1));
    let uvs = b.floats(&[0.0; 6], "VEC2");
    b.push("images", json!({"bufferView": view}));
    b.push("textures", json!({"source": 0}));
    let by = |set: u32| json!({"index": 0, "texCoord": set});
    let elsewhere = |extensions: Value| {
        json!({"extensions": extensions, "normalTexture": by(0), "occlusionTexture": by(1),
            "emissiveTexture": by(2), "emissiveFactor": [1, 1, 1]})
    };
    for material in [
        json!({"normalTexture": by(0), "occlusionTexture": by(1)}),
        elsewhere(json!({})),
        // An unlit material loses nothing, and no mesh uses the last material.
        elsewhere(json!({"KHR_materials_unlit": {}})),
        elsewhere(json!({})),
    ] {
        b.push("materials", material);
    }
    let attributes = json!({"POSITION": 0, "TEXCOORD_0": uvs, "TEXCOORD_1": uvs, "TEXCOORD_2": uvs});
    let primitives = b.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    *primitives = (0..3).map(|m| json!({"attributes": attributes, "material": m})).collect();
    let imported = open(b);
    let drawn = "Drawn are textures by two sets. Surfaces may look different.";
    let message = format!("Not drawn: textures by a third set of coordinates (1 material). {drawn}");
    assert_eq!(common::messages(&imported.warnings), [message]);
}

#[test]
fn textures_keep_their_values_and_transforms() {
    let mut b = triangle();
    let view = b.view(&png(&[9; 4], 1, 1));
    let (near, far) = (b.floats(&[0.5; 6], "VEC2"), b.floats(&[0.25; 6], "VEC2"));
    b.push("images", json!({"bufferView": view}));
    b.push("textures", json!({"source": 0}));
    let scaled = |by: f32| json!({"KHR_texture_transform": {"scale": [by, by]}});
    b.push(
        "materials",
        json!({"normalTexture": {"index": 0, "scale": 0.5, "extensions": scaled(4.0)},
            "occlusionTexture": {"index": 0, "texCoord": 1, "strength": 0.75, "extensions": scaled(8.0)},
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": scaled(2.0)}}}),
    );
    let primitive = &mut b.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["attributes"]["TEXCOORD_0"] = json!(near);
    primitive["attributes"]["TEXCOORD_1"] = json!(far);
    let imported = open_clean(b);
    let (material, primitive) = (&imported.rig.materials[0], first(&imported));
    assert_eq!((material.normal_scale, material.occlusion_strength, imported.rig.images.len()), (0.5, 0.75, 1));
    assert_eq!(primitive.tex_coords.as_ref().unwrap()[0], Vec2::ONE);
    assert_eq!(primitive.second_tex_coords.as_ref().unwrap()[0], Vec2::splat(0.25));
    let lies = |kind: MapKind, uv: Vec2| {
        let texture = material.maps[kind].as_ref().unwrap();
        (texture.coords, texture.transform.unwrap().transform_point2(uv))
    };
    assert_eq!(lies(MapKind::Normal, Vec2::ONE), (CoordSet::First, Vec2::splat(2.0)));
    assert_eq!(lies(MapKind::Occlusion, Vec2::splat(0.25)), (CoordSet::Second, Vec2::splat(2.0)));
}

#[test]
fn data_left_out_of_a_primitive_or_texture_is_reported() {
    let mut b = triangle();
    let uvs = b.floats(&[0.0; 6], "VEC2");
    let view = b.view(&png(&[255; 4], 1, 1));
    b.push("images", json!({"bufferView": view}));
    b.push("textures", json!({"source": 0, "sampler": 3}));
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    let attributes = json!({"POSITION": 0, "TEXCOORD_0": uvs, "TEXCOORD_1": uvs, "TANGENT": 0, "_ID": 0, "JOINT": 0});
    let targets = json!([{"POSITION": 0, "COLOR_0": 0}, {"TEXCOORD_0": uvs}]);
    b.json["meshes"][0]["primitives"][0] = json!({"attributes": attributes, "material": 0, "targets": targets});
    let imported = open(b);
    assert_eq!(
        common::messages(&common::of_reading(&imported.warnings)),
        [
            "Mesh 0, primitive 0 has attributes of names that glTF does not define; they are ignored.",
            "Mesh 0, primitive 0: its morph targets also change texture coordinates or colours; these stay as they are.",
            "Sampler 3 is malformed, or does not exist; it was left out.",
        ]
    );
}

#[test]
fn morph_targets_and_their_weights_are_read() {
    let mut b = triangle();
    let up = b.floats(&[0.0, 0.0, 1.0].repeat(3), "VEC3");
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": up}, {}]);
    b.json["meshes"][0]["weights"] = json!([0.25, 0.5]);
    b.root(json!({"mesh": 0, "weights": [0.75, 1]}));
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let weights = b.accessor(&[0, 0, 255, 255], U8, "SCALAR", 4);
    b.json["accessors"][weights]["normalized"] = json!(true);
    b.push(
        "animations",
        json!({"samplers": [{"input": times, "output": weights, "interpolation": "STEP"}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "weights"}}]}),
    );
    let imported = open_clean(b);
    let rig = &imported.rig;
    let weights: Vec<_> = rig.instances.iter().map(|i| i.morph_weights.clone()).collect();
    assert_eq!(weights, [vec![0.25, 0.5], vec![0.75, 1.0]]);
    let channel = &rig.clips[0].channels[0];
    assert_eq!(
        (channel.property, channel.interpolation, channel.width),
        (Property::MorphWeights, Interpolation::Step, 2)
    );
    let posed = evaluate(rig, Some(ClipMoment::new(0, 1.0)), &Pose::rest(&rig.hierarchy));
    assert_eq!(posed.morph_weights, [vec![0.25, 0.5], vec![1.0, 1.0]]);
    let moved = deform(first(&imported), &palettes(rig, &posed)[0], &posed.morph_weights[0], Method::Lbs);
    assert_eq!(moved.positions[1], Vec3::new(1.0, 0.0, 0.25));
}

#[test]
fn tangents_are_read_where_there_are_normals_to_stand_on() {
    let tangents = [1.0, 0.0, 0.0, -1.0].repeat(3);
    let mut b = triangle();
    let tangent = b.floats(&tangents, "VEC4");
    b.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] = json!(tangent);
    assert_eq!(first(&open_clean(b)).tangents, None, "the specification wants them ignored");
    let mut b = triangle();
    let tangent = b.floats(&tangents, "VEC4");
    let normal = b.floats(&[0.0, 0.0, 1.0].repeat(3), "VEC3");
    b.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] = json!(tangent);
    b.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normal);
    assert_eq!(first(&open_clean(b)).tangents, Some(vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 3]));
}

#[test]
fn splines_hold_three_values_a_key_and_rotations_may_be_integers() {
    let mut b = triangle();
    let times = b.floats(&[0.5, 1.0], "SCALAR");
    let spline = b.floats(&(0..18).map(|i| i as f32).collect::<Vec<_>>(), "VEC3");
    let rotation = b.accessor(&[0, 0, 0, 127, 0, 0, 127, 0], I8, "VEC4", 2);
    b.json["accessors"][rotation]["normalized"] = json!(true);
    b.push(
        "animations",
        json!({"samplers": [{"input": times, "output": spline, "interpolation": "CUBICSPLINE"}, {"input": times, "output": rotation}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}},
                {"sampler": 1, "target": {"node": 0, "path": "rotation"}}]}),
    );
    let rig = open_clean(b).rig;
    let [spline, rotation] = &rig.clips[0].channels[..] else { panic!("two channels") };
    assert_eq!((spline.interpolation, spline.values.len()), (Interpolation::CubicSpline, 18));
    assert_eq!(rotation.values, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(rig.clips[0].duration_secs, 1.0);
}

#[test]
fn buffers_may_be_data_uris_and_files() {
    let bytes = f32_bytes(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let gltf = |uri: &str| {
        let mut b = triangle();
        b.json["buffers"] = json!([{"uri": uri, "byteLength": 36}]);
        b.json.to_string()
    };
    let hex = bytes.iter().fold(String::new(), |hex, b| hex + &format!("%{b:02x}"));
    let imported = import_bytes(gltf(&format!("data:,{hex}")).as_bytes(), &Job::default()).unwrap();
    assert_eq!(first(&imported).positions, CORNERS);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("any name");
    std::fs::write(folder.path().join("a b.bin"), &bytes).unwrap();
    std::fs::write(&file, gltf("a%20b.bin")).unwrap();
    assert_eq!(first(&import_file(&file, &Job::default()).unwrap()).positions, CORNERS);
    std::fs::write(&file, triangle().build()).unwrap();
    assert_eq!(first(&import_file(&file, &Job::default()).unwrap()).positions, CORNERS);
}
