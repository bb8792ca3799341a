//! Written files contain the data as authored, not as adapted for display.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;

use common::command::{Run, rigscope};
use common::glb::{Builder, split, triangle};
use rigscope::export::rig_glb;
use rigscope::import::{Imported, Job, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::rig::WeightSet;
use serde_json::{Value, json};

/// Creates a triangle with texture coordinates. Its material has a base colour texture and a normal map in external
/// files.
fn textured() -> Builder {
    let mut b = triangle();
    let uvs = b.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
    let images = ["skin color.png", "bumps.png"].map(|file| b.push("images", json!({"uri": file})));
    let [base, normal] = images.map(|image| b.push("textures", json!({"source": image})));
    b.push(
        "materials",
        json!({"name": "Skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": base}}, "normalTexture": {"index": normal}}),
    );
    let primitive = &mut b.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_0"] = json!(uvs);
    primitive["material"] = json!(0);
    b
}

fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(3, 3, image::Rgb([200, 10, 20])).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn document(path: &Path) -> Value {
    split(&std::fs::read(path).unwrap()).0
}

fn run(args: &[&std::ffi::OsStr]) -> Run {
    rigscope(args)
}

#[test]
fn a_placeholder_is_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let (file, found) = (place("hero.glb"), place("found"));
    std::fs::write(&file, textured().build()).unwrap();
    std::fs::create_dir(&found).unwrap();
    for name in ["skin color.png", "bumps.png"] {
        std::fs::write(found.join(name), png()).unwrap();
    }
    for command in ["convert", "bake"] {
        let out = place(&format!("{command}.glb"));
        let with = |more: &[&std::ffi::OsStr]| {
            let words = ["-q".as_ref(), command.as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()];
            run(&[&words, more].concat())
        };
        let refused = with(&["--strict".as_ref()]);
        assert_eq!((refused.code, out.exists()), (Some(1), false), "{}", refused.stderr);
        let left_out = with(&[]).ok().stderr;
        assert!(
            left_out.contains("2 textures are missing and left out") && left_out.contains("skin color.png"),
            "{left_out}"
        );
        let written = document(&out);
        assert_eq!((&written["images"], &written["textures"]), (&Value::Null, &Value::Null), "{written}");
        let referenced = with(&["--keep-missing".as_ref()]).ok().stderr;
        assert!(referenced.contains("2 textures are missing and referenced as before"), "{referenced}");
        let written = document(&out);
        assert_eq!(written["images"], json!([{"uri": "skin%20color.png"}, {"uri": "bumps.png"}]));
        assert_eq!(written["materials"][0]["normalTexture"]["index"], 1);
        let all = with(&["--strict".as_ref(), "--textures".as_ref(), found.as_os_str()]).ok().stderr;
        assert_eq!(all, "");
        assert_eq!(document(&out)["images"][0]["mimeType"], "image/png");
    }
    let out = place("posed.obj");
    let words = ["-q".as_ref(), "bake".as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()];
    assert!(run(&words).ok().stderr.contains("left out"));
    let mtl = |name: &str| std::fs::read_to_string(place(name)).unwrap();
    assert!(!mtl("posed.mtl").contains("map_Kd"), "{}", mtl("posed.mtl"));
    run(&[&words[..], &["--keep-missing".as_ref()]].concat()).ok();
    assert!(mtl("posed.mtl").contains("map_Kd skin color.png"));
}

#[test]
fn an_error_that_is_repaired_is_not_written_where_all_must_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("hero.glb"), folder.path().join("out.glb"));
    let mut b = common::glb::make_skinned_glb(2, 4, 4, 0);
    let weights = b.floats(&[0.25, 0.25, 0.0, 0.0].repeat(4), "VEC4");
    b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    std::fs::write(&file, b.build()).unwrap();
    let words = ["-q".as_ref(), "convert".as_ref(), file.as_os_str(), "-o".as_ref(), out.as_os_str()];
    let refused = run(&[&words[..], &["--strict".as_ref()]].concat());
    assert!(refused.code == Some(1) && refused.stderr.contains("1 error of the file"), "{}", refused.stderr);
    assert!(!out.exists());
    run(&words).ok();
}

#[test]
fn an_image_that_is_reduced_for_drawing_is_written_as_the_file_has_it() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let wide = image::RgbImage::from_fn(9000, 1, |x, _| image::Rgb([x as u8, (x >> 8) as u8, 7]));
    wide.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let bytes = bytes.into_inner();
    let mut b = textured();
    let view = b.view(&bytes);
    b.json["images"][0] = json!({"bufferView": view, "mimeType": "image/png"});
    let rig = import_bytes(&b.build(), &Job::default()).unwrap().rig;
    let file = rig_glb(&rig, &Progress::default()).unwrap();
    let (document, binary) = split(&file.bytes);
    let view = &document["bufferViews"][document["images"][0]["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    assert!(binary[start..].starts_with(&bytes), "the bytes of the file");
}

#[test]
fn all_attributes_of_vertices_are_kept_with_their_numbers() {
    let mut b = triangle();
    let attributes = [
        ("TEXCOORD_0", b.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2")),
        ("TEXCOORD_1", b.floats(&[0.5; 6], "VEC2")),
        ("TEXCOORD_2", b.floats(&[0.25; 6], "VEC2")),
        ("COLOR_0", b.floats(&[1.0; 12], "VEC4")),
        ("COLOR_1", b.floats(&[0.75; 12], "VEC4")),
        ("_WETNESS", b.floats(&[1.0, 2.0, 3.0], "SCALAR")),
    ];
    for (name, accessor) in attributes {
        b.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
    }
    // Only the occlusion texture uses the second set: engines expect their lightmap coordinates there.
    let image = b.push("images", json!({"uri": "gone.png"}));
    let texture = b.push("textures", json!({"source": image}));
    b.push("materials", json!({"occlusionTexture": {"index": texture, "texCoord": 1}}));
    b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let rig = import_bytes(&b.build(), &Job::default()).unwrap().rig;
    let file = rig_glb(&rig, &Progress::default()).unwrap();
    let again = import_bytes(&file.bytes, &Job::default()).unwrap().rig;
    let written = &split(&file.bytes).0["meshes"][0]["primitives"][0]["attributes"];
    for (name, _) in attributes {
        assert!(written[name].is_u64(), "{name} in {written}");
    }
    let uvs = |rig: &rigscope::rig::Rig| {
        let primitive = &rig.meshes[0].primitives[0];
        let named = |name: &str| primitive.streams.iter().find(|s| s.name == name).map(|s| s.values.clone());
        (named("TEXCOORD_2"), named("COLOR_1"), named("_WETNESS"), primitive.streams.len())
    };
    assert_eq!(uvs(&rig), (Some(vec![0.25; 6]), Some(vec![0.75; 12]), Some(vec![1.0, 2.0, 3.0]), 4));
    // Import uses the first set as the drawn coordinates, because the texture is missing.
    assert_eq!(uvs(&again).2, Some(vec![1.0, 2.0, 3.0]));
    assert!(rig_glb(&again, &Progress::default()).unwrap().bytes == file.bytes, "a fixed point");
}

#[test]
fn unlit_materials_keep_metalness_and_roughness() {
    let mut b = triangle();
    b.push(
        "materials",
        json!({"pbrMetallicRoughness": {"metallicFactor": 0.25, "roughnessFactor": 0.5}, "extensions": {"KHR_materials_unlit": {}}}),
    );
    b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let rig = import_bytes(&b.build(), &Job::default()).unwrap().rig;
    let material = &split(&rig_glb(&rig, &Progress::default()).unwrap().bytes).0["materials"][0];
    let factors = &material["pbrMetallicRoughness"];
    assert_eq!((&factors["metallicFactor"], &factors["roughnessFactor"]), (&json!(0.25), &json!(0.5)));
    assert!(material["extensions"]["KHR_materials_unlit"].is_object());
}

fn case(name: &str) -> Option<Imported> {
    Some(import_file(&common::cases()?.join(name), &Job::default()).unwrap())
}

#[cfg(feature = "fbx")]
#[test]
fn texture_coordinates_of_an_fbx_without_a_texture_are_kept() {
    let Some(Imported { rig, .. }) = case("morph_test.fbx") else { return };
    assert!(rig.meshes.iter().flat_map(|mesh| &mesh.primitives).all(|p| p.tex_coords.is_some()));
    let document = split(&rig_glb(&rig, &Progress::default()).unwrap().bytes).0;
    assert!(document["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"].is_u64());
}

#[cfg(feature = "fbx")]
#[test]
fn clips_of_an_fbx_have_the_ranges_of_their_takes() {
    let Some(Imported { rig, warnings, .. }) = case("multiple_animations_test.fbx") else { return };
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 0.01, "{found} s, not {expected}");
    assert_eq!(rig.clips.len(), 3);
    for (clip, secs) in rig.clips.iter().zip([0.667, 0.5, 0.5]) {
        near(clip.duration_secs, secs);
        let begins = clip.channels.iter().filter_map(|c| c.times_secs.first());
        near(begins.copied().fold(f32::INFINITY, f32::min), 0.0);
    }
    let text: String = warnings.iter().map(ToString::to_string).collect();
    assert!(text.contains("--whole-timeline"), "what is cut is reported: {text}");
    let whole = Job::default().playing_whole_timeline(true);
    let path = common::cases().unwrap().join("multiple_animations_test.fbx");
    let whole = import_file(&path, &whole).unwrap().rig;
    whole.clips.iter().for_each(|clip| near(clip.duration_secs, 2.0));
}

#[test]
fn a_first_set_without_weight_is_drawn_as_engines_draw_it() {
    let Some(Imported { rig, .. }) = case("b10_17_sets.glb") else { return };
    assert!(rig.has_stored_weights());
    let stored = rig.with_weights(&WeightSet::stored(&rig));
    assert!(!stored.has_stored_weights(), "other weights are not the file's");
    let first = stored.meshes[0].primitives[0].influences.as_ref().unwrap();
    assert!(first.vertex(0).take(4).all(|(_, weight)| weight == 0.0));
    let folder = tempfile::tempdir().unwrap();
    let path = common::cases().unwrap().join("b10_17_sets.glb");
    let baked = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let words = ["bake".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()];
        run(&[&words[..], &more.iter().map(std::ffi::OsStr::new).collect::<Vec<_>>()].concat()).ok();
        let file: Value = serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap();
        file["primitives"][0]["positions"].clone()
    };
    let first_set = baked("first.json", &["--stored-weights", "--max-influences", "4", "--not-normalised"]);
    assert_ne!(first_set, baked("all.json", &[]), "a vertex without weight collapses");
    let found = rigscope(&["check".as_ref(), path.as_os_str()]).stdout;
    assert!(found.contains("RIG111") && found.contains("one or two sets"), "{found}");
}

#[test]
fn smoothing_alone_keeps_all_influences() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("six.glb"), folder.path().join("smooth.glb"));
    std::fs::write(&file, rig_glb(&common::rigs::six_influences(), &Progress::default()).unwrap().bytes).unwrap();
    rigscope(&[
        "weights".as_ref(),
        file.as_os_str(),
        "--smooth".as_ref(),
        "1".as_ref(),
        "-o".as_ref(),
        out.as_os_str(),
    ])
    .ok();
    let rig = import_file(&out, &Job::default()).unwrap().rig;
    assert!(rig.meshes[0].primitives[0].influences.as_ref().unwrap().per_vertex() >= 6);
}
