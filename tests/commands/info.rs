//! `rigscope info`: the content of a file, for people and scripts.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;

use common::character::Character;
use common::command::rigscope;
use serde_json::{Value, json};

fn info(path: &Path) -> Value {
    let run = rigscope(&[Path::new("info"), Path::new("--json"), path]).ok();
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    serde_json::from_str(&run.stdout).unwrap()
}

fn text(path: &Path, option: &str) -> String {
    rigscope(&[Path::new("info"), Path::new(option), path]).ok().stdout
}

/// Creates the character with an image, two scenes, extensions, a morph target, another material and six more clips.
/// `scale` scales its coordinates.
fn rich(folder: &Path, scale: f32) -> std::path::PathBuf {
    let mut character = Character::default();
    character.positions.as_flattened_mut().iter_mut().for_each(|x| *x *= scale);
    character.weigh(0, [0, 1, 2, 0], [0.5, 0.25, 0.25, 0.0]);
    let zeros = vec![0.0; character.positions.len() * 3];
    let mut b = character.builder();
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(20, 10).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let view = b.view(png.get_ref());
    b.push("images", json!({"name": "skin", "bufferView": view, "mimeType": "image/png"}));
    b.push("images", json!({"uri": "gone.jpg"}));
    b.push("materials", json!({"name": "one"}));
    b.push("materials", json!({"name": "two"}));
    b.push("scenes", json!({"name": "Empty"}));
    let targets = b.floats(&zeros, "VEC3");
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": targets}]);
    b.json["asset"]["generator"] = json!("Maker 1.2");
    b.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_lights_punctual", "VRMC_vrm", "KHR_xmp_json_ld"]);
    b.json["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    for number in 0..6 {
        let mut clip = b.json["animations"][0].clone();
        clip["name"] = json!(format!("Clip {number}"));
        b.push("animations", clip);
    }
    let path = folder.join("rich.glb");
    std::fs::write(&path, b.build()).unwrap();
    path
}

#[test]
fn json_has_the_promised_keys() {
    let folder = tempfile::tempdir().unwrap();
    let found = info(&rich(folder.path(), 0.5));
    assert_eq!((&found["version"], &found["status"], &found["reason"]), (&json!(1), &json!("ok"), &Value::Null));
    assert_eq!(found["gltf"], json!({"version": "2.0", "container": "glb", "generator": "Maker 1.2"}));
    let read =
        |name: &str, required: bool, read: &str| json!({"name": name, "required": required, "read": read, "uses": 0});
    let extensions = json!([
        read("KHR_lights_punctual", false, "no"),
        read("KHR_materials_unlit", true, "yes"),
        read("KHR_xmp_json_ld", false, "needless"),
        read("VRMC_vrm", false, "partly"),
    ]);
    assert_eq!(found["extensions"], extensions);
    assert_eq!((&found["scenes"], &found["scene"]), (&json!(["Scene 0", "Empty"]), &json!(0)));
    let counts = json!({
        "nodes": 6, "joints": 5, "skins": 1, "meshes": 1, "primitives": 1, "vertices": 300, "triangles": 576, "lines": 0, "points": 0,
        "morph_targets": 1, "materials": 2, "images": 2, "clips": 7, "constraints": 0, "springs": 0,
    });
    assert_eq!(found["counts"], counts);
    assert_eq!(found["influences"]["max"], 3);
    assert_eq!(found["influences"]["vertices"], 300);
    let mean = found["influences"]["mean"].as_f64().unwrap();
    assert!(mean > 1.0 && mean < 2.0, "{mean}");
    assert_eq!(found["images"][0], json!({"name": "skin", "format": "PNG", "width": 20, "height": 10}));
    assert_eq!(found["images"][1], json!({"name": "gone.jpg", "format": null, "width": null, "height": null}));
    assert_eq!(found["clips"][0], json!({"name": "Turn", "duration_secs": 1.0, "channels": 2}));
    assert_eq!((&found["extents"]["size"], &found["extents"]["unit"]), (&json!([1.0, 2.0, 1.0]), &json!("metre")));
}

#[test]
fn info_text_agrees_with_json_and_lists_all_clips_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = rich(folder.path(), 50.0);
    let said = text(&path, "--color=never");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].ends_with("rich.glb") && lines.len() == 13, "{said}");
    for line in [
        "  file          glTF 2.0, binary, written by Maker 1.2",
        "  nodes         6, 5 of them joints of 1 skin",
        "  meshes        1 primitive of 1 mesh",
        "  drawn         300 vertices, 576 triangles",
        "  images        2: \"skin\" 20 x 10 PNG, \"gone.jpg\" not readable",
        "  extents       100.000 x 200.000 x 100.000 m at rest, as of a character in centimetres: glTF wants metres",
    ] {
        assert!(lines.contains(&line), "{line}\n{said}");
    }
    assert!(said.contains("KHR_materials_unlit (read, required)"), "{said}");
    assert!(said.contains("\"Scene 0\" (shown), \"Empty\""), "{said}");
    assert!(said.contains("7: \"Turn\" 1.00 s, \"Clip 0\" 1.00 s") && said.contains(", and 2 more"), "{said}");
    assert!(text(&path, "-v").contains("\"Clip 5\" 1.00 s"));
}

#[test]
fn standard_input_is_read_as_a_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = rich(folder.path(), 1.0);
    let mut program = std::process::Command::new(rigscope_tests::program());
    let program = program.args(["info", "--json", "-"]).stdin(std::fs::File::open(&path).unwrap());
    let mut piped: Value = serde_json::from_slice(&program.output().unwrap().stdout).unwrap();
    piped["file"] = json!(path.to_str().unwrap().replace('\\', "/"));
    assert_eq!(piped, info(&path));
}

#[test]
fn one_broken_file_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.glb"), b"glTF").unwrap();
    rich(folder.path(), 1.0);
    let run = rigscope(&[Path::new("info"), Path::new("--json"), folder.path()]);
    assert_eq!(run.code, Some(2));
    let lines: Vec<Value> = run.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((&lines[0]["status"], &lines[1]["status"]), (&json!("unreadable"), &json!("ok")));
    assert!(lines[0]["reason"].as_str().unwrap().contains("cut short") && lines[0].get("counts").is_none());
}

#[test]
fn units_of_the_samples_are_detected() {
    let Some(samples) = common::samples() else { return };
    for (name, unit) in [("derived/CesiumMan_ktx2_etc1s.glb", "metre"), ("khronos/Fox/Fox.glb", "centimetre")] {
        assert_eq!(info(&samples.join(name))["extents"]["unit"], unit, "{name}");
    }
}

#[test]
fn info_shows_the_title_and_licence_of_a_vrm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ada.vrm");
    std::fs::write(&path, common::vrm::vrm_1().build()).unwrap();
    let found = info(&path);
    let vrm = &found["vrm"];
    assert_eq!((&vrm["version"], &vrm["title"], &vrm["model_version"]), (&json!(1), &json!("Ada"), &json!("3")));
    assert_eq!(vrm["authors"], json!(["B", "C"]));
    assert!(vrm["terms"].as_array().unwrap().contains(&json!({"term": "use by", "value": "only the author"})));
    assert_eq!(found["unrun_constraints"], json!([]));
    let said = text(&path, "--verbose");
    for part in [
        "version 1, \"Ada\", version 3, by B, C",
        "credit: required; redistribution: not allowed",
        "VRMC_materials_mtoon (not read, used once)",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    std::fs::write(&path, common::vrm::vrm_0().build()).unwrap();
    let old = info(&path);
    assert_eq!((&old["vrm"]["version"], &old["vrm"]["authors"]), (&json!(0), &json!(["B"])));
    let plain = folder.path().join("plain.glb");
    std::fs::write(&plain, Character::default().builder().build()).unwrap();
    assert_eq!(info(&plain)["vrm"], Value::Null);
}
