//! VRM expressions and look-at on the command line.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::PathBuf;

use common::command::{Run, rigscope};
use common::glb::split;
use common::vrm_face::vrm_face;
use glam::Quat;
use rigscope::import::{Job, import_bytes};
use serde_json::{Value, json};

/// Writes the VRM face of a version to a file in a temporary folder.
fn file(version: u8) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("face.vrm");
    std::fs::write(&path, vrm_face(version).build()).unwrap();
    (folder, path)
}

fn run(version: u8, command: &str, options: &[&str]) -> Run {
    let (_folder, path) = file(version);
    rigscope(&[&[command, path.to_str().unwrap()], options].concat())
}

fn nodes(version: u8, options: &[&str]) -> Value {
    let run = run(version, "nodes", &[options, &["--json"]].concat()).ok();
    serde_json::from_str::<Value>(&run.stdout).unwrap()["nodes"].clone()
}

fn morph(found: &Value, name: &str) -> f64 {
    let morphs = found["morphs"].as_array().unwrap();
    morphs.iter().find(|morph| morph["name"] == name).unwrap()["weight"].as_f64().unwrap()
}

#[test]
fn expressions_move_their_targets_in_both_versions() {
    for version in [0, 1] {
        let found = nodes(version, &["--expression", "happy=0.5", "--expression", "blink=0.5"]);
        // In VRM 1.0, `happy` at 0.5 halves the blink.
        let blink = if version == 0 { 0.5 } else { 0.25 };
        assert_eq!((morph(&found, "smileLeft"), morph(&found, "blink")), (0.25, 0.5 + blink));
        let weights: Vec<Value> = found["expressions"].as_array().unwrap().clone();
        assert_eq!(weights[0], json!({"name": "happy", "weight": 0.5, "shown": 0.5}));
        assert_eq!(weights[1], json!({"name": "blink", "weight": 0.5, "shown": blink}));
        assert_eq!(found["behaviours"][1], json!({"kind": "expression", "count": 2}));
        let still = nodes(version, &["--expression", "happy=0.5", "--no-behaviours"]);
        assert_eq!(morph(&still, "smileLeft"), 0.0);
    }
}

#[test]
fn eyes_look_at_points_and_in_directions_in_both_versions() {
    for (version, front) in [(0, -1.0), (1, 1.0)] {
        let eye = |found: &Value, name: &str| {
            let list = found["nodes"].as_array().unwrap();
            let node = list.iter().find(|node| node["name"] == name).unwrap();
            let rotation: Vec<f32> = serde_json::from_value(node["rotation"].clone()).unwrap();
            assert_eq!(node["rotated_by"], "look-at");
            // In the skull's axes, which are aligned with the world's.
            Quat::from_slice(&rotation) * Quat::from_xyzw(0.0, 0.6, 0.0, 0.8).inverse()
        };
        let up = nodes(version, &["--look-at", "0,-30"]);
        assert_eq!((&up["look_at"]["yaw_deg"], &up["look_at"]["pitch_deg"]), (&json!(0.0), &json!(-30.0)));
        let expected = Quat::from_rotation_x(-front * 6_f32.to_radians());
        assert!(eye(&up, "left").abs_diff_eq(expected, 1e-6) && eye(&up, "right").abs_diff_eq(expected, 1e-6));
        let point = format!("{front},1.06,{front}");
        let left = nodes(version, &["--look-at", &point]);
        assert!((left["look_at"]["yaw_deg"].as_f64().unwrap() - 45.0).abs() < 1e-4);
        assert!(eye(&left, "left").abs_diff_eq(Quat::from_rotation_y(9_f32.to_radians()), 1e-6));
        assert!(eye(&left, "right").abs_diff_eq(Quat::from_rotation_y(4.5_f32.to_radians()), 1e-6));
    }
}

#[test]
fn missing_expressions_and_targets_are_reported() {
    let told = |version, options: &[&str], said: &str| {
        let run = run(version, "nodes", options);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{run:?}");
    };
    told(1, &["--expression", "hapy=1"], "There is no expression \"hapy\"; near it are happy");
    told(0, &["--expression", "Wink=1"], "There is no expression \"Wink\"");
    told(1, &["--expression", "happy=2"], "happy=2");
    told(1, &["--look-at", "1"], "give a point as X,Y,Z");
    let tube = rigscope(&["nodes", "builtin:tube", "--look-at", "0,0"]);
    assert!(tube.stderr.contains("does not say how its eyes look"), "{tube:?}");
}

#[test]
fn nodes_prints_expressions_and_look_at_and_info_lists_them() {
    let told = run(1, "nodes", &["--expression", "happy=0.5", "--look-at", "45,0"]).ok();
    assert!(
        told.stderr.contains("The eyes follow the look-at target, 1 expression is shown; --no-behaviours"),
        "{}",
        told.stderr
    );
    for line in ["look-at: 45.0000° to the left, 0.0000° down", "expression happy: 0.5000"] {
        assert!(told.stdout.lines().any(|found| found == line), "{}", told.stdout);
    }
    let (_folder, path) = file(1);
    let info = rigscope(&["info", "--json", path.to_str().unwrap()]).ok();
    let info: Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!((&info["expressions"], &info["look_at"]), (&json!(["happy", "blink", "Wink"]), &json!("eyes")));
    assert_eq!(info["arkit"], Value::Null);
    let text = rigscope(&["info", path.to_str().unwrap()]).ok();
    assert!(text.stdout.contains("3: happy, blink, Wink") && text.stdout.contains("by eyes"), "{}", text.stdout);
}

#[test]
fn binds_to_nothing_and_to_what_is_not_drawn_are_warnings() {
    let mut b = vrm_face(1);
    let happy = &mut b.json["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"];
    happy["morphTargetBinds"] = json!([{"node": 0, "index": 9, "weight": 1}, {"node": 77, "index": 0}, {"node": 0}, 5]);
    happy["materialColorBinds"] =
        json!([{"material": 0, "type": "rimColor", "targetValue": [1, 1, 1, 1]}, {"material": 4, "type": "color"}]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.vrm");
    std::fs::write(&path, b.build()).unwrap();
    let checked = rigscope(&["check", path.to_str().unwrap(), "--severity", "note"]);
    for said in [
        "refer to 5 morph targets or materials that are not here, the first in happy",
        "change 1 colour that is not drawn",
    ] {
        assert!(checked.stdout.contains(said), "{}", checked.stdout);
    }
}

#[cfg(feature = "gl")]
#[test]
fn pictures_show_colours_of_expressions() {
    let (folder, path) = file(1);
    let picture = |name: &str, options: &[&str]| {
        let out = folder.path().join(name);
        let shown = ["--size", "96x96", "--yaw", "0", "--shading", "flat", "-o", out.to_str().unwrap()];
        rigscope(&[&["render", path.to_str().unwrap()], &shown[..], options].concat()).ok();
        image::open(out).unwrap().to_rgba8()
    };
    let reds = |picture: &image::RgbaImage| picture.pixels().filter(|p| p[0] > 150 && p[1] < 60 && p[2] < 60).count();
    let (rest, red) = (picture("rest.png", &[]), picture("red.png", &["--expression", "happy=1"]));
    assert!(reds(&rest) == 0 && reds(&red) > 50, "{} {}", reds(&rest), reds(&red));
}

#[test]
fn baked_meshes_have_the_colours_of_expressions() {
    for version in [0, 1] {
        let (folder, path) = file(version);
        let baked = |name: &str, weight: &str| {
            let out = folder.path().join(name);
            let options = ["--expression", weight, "-o", out.to_str().unwrap()];
            rigscope(&[&["bake", path.to_str().unwrap()], &options[..]].concat()).ok();
            std::fs::read(out).unwrap()
        };
        let red = split(&baked("red.glb", "happy=1")).0;
        let color = &red["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
        assert_eq!(color[0], 1.0, "{version}: {color}");
        assert!(color[1] == 0.0 && color[2] == 0.0, "{version}: {color}");
        let grey = split(&baked("grey.glb", "happy=0")).0;
        assert_eq!(grey["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"][1], 0.5);
        baked("red.obj", "happy=1");
        let mtl = std::fs::read_to_string(folder.path().join("red.mtl")).unwrap();
        assert!(mtl.contains("Kd 1.0 0.0 0.0"), "{mtl}");
    }
}

#[test]
fn meshes_that_the_own_eyes_of_a_character_see_alone_are_hidden_in_pictures() {
    for version in [0, 1] {
        let mut b = vrm_face(version);
        let (name, mark) = if version == 0 {
            ("VRM", json!({"mesh": 0, "firstPersonFlag": "FirstPersonOnly"}))
        } else {
            ("VRMC_vrm", json!({"node": 0, "type": "firstPersonOnly"}))
        };
        b.json["extensions"][name]["firstPerson"]["meshAnnotations"] = json!([mark]);
        let imported = import_bytes(&b.build(), &Job::default()).unwrap();
        assert_eq!(imported.rig.unseen_meshes(false), [0].into(), "{version}");
        assert!(!imported.rig.unseen_meshes(true).contains(&0));
    }
}
