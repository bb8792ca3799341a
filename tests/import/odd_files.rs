//! Unusual but common files, opened by the program as users run it.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use common::character::Character;
use common::command::rigscope;
use common::glb::{Builder, triangle};
use glam::Vec3;
use rigscope::import::Job;
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{AfterLoad, AppState, JobResult, Settings};
use serde_json::json;

/// Writes a file to the folder. Returns its path.
fn saved(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Creates a primitive with this mode: a strip, a fan, or a list of triangles.
fn of_mode(mode: u32, indices: Option<&[u16]>, positions: &[f32]) -> Builder {
    let mut b = triangle();
    let position = b.floats(positions, "VEC3");
    let mut primitive = json!({"attributes": {"POSITION": position}, "mode": mode});
    if let Some(indices) = indices {
        primitive["indices"] = json!(b.indices(indices));
    }
    b.json["meshes"][0]["primitives"] = json!([primitive]);
    b
}

#[test]
fn triangles_without_area_are_drawn_and_baked_with_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let line = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let repeated: Option<&[u16]> = Some(&[0, 1, 1, 0]);
    for (name, file) in [
        ("strip", of_mode(5, repeated, &square)),
        ("fan", of_mode(6, repeated, &square)),
        ("list", of_mode(4, Some(&[0, 1, 1]), &square)),
        ("straight strip", of_mode(5, None, &line)),
        ("straight list", of_mode(4, Some(&[0, 1, 2, 1, 2, 3]), &line)),
        ("point", of_mode(5, None, &[1.0; 12])),
    ] {
        let file = saved(&folder, &format!("{name}.glb"), &file.build());
        let check = rigscope(&["check", &file]).ok();
        assert!(check.stdout.contains("RIG050") && !check.stdout.contains("RIG052"), "{name}: {}", check.stdout);
        let [picture, baked] = ["png", "json"].map(|ending| format!("{file}.{ending}"));
        rigscope(&["render", &file, "-o", &picture, "--size", "40x30"]).ok();
        assert_eq!(image::open(&picture).unwrap().width(), 40, "{name}");
        rigscope(&["bake", &file, "-o", &baked]).ok();
        let baked: serde_json::Value = serde_json::from_slice(&std::fs::read(baked).unwrap()).unwrap();
        let positions = baked["primitives"][0]["positions"].as_array().unwrap();
        assert_eq!(positions.len(), 4, "{name}: {baked}");
    }
}

#[test]
fn gltf_1_and_other_encodings_explain_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, bytes: &[u8]| {
        let run = rigscope(&["check", &saved(&folder, name, bytes)]);
        assert_eq!(run.code, Some(2), "{name}");
        run.stdout + &run.stderr
    };
    let old = br#"{"asset":{"version":"1.0"},"meshes":{"m":{"primitives":[]}}}"#;
    let container = [b"glTF", &1_u32.to_le_bytes()[..], &[24, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0], b"{}  "].concat();
    for text in [refused("old.gltf", old), refused("old.glb", &container)] {
        assert!(text.contains("glTF 1.0 is not read") && text.contains("gltf-pipeline -i"), "{text}");
    }
    let latin = refused("latin.gltf", b"{\"asset\":{\"version\":\"2.0\",\"generator\":\"M\xfcller\"}}");
    assert!(latin.contains("not UTF-8 at byte 40"), "{latin}");
}

/// Creates a character with a foot, and a toe at this offset from the foot.
fn with_toe(toe: [f32; 3]) -> Vec<u8> {
    let mut character = Character::default();
    character.add_joint("Foot.L", Some(1));
    let number = character.add_joint("Toe.L", Some(6));
    character.nodes[usize::from(number) + 1]["translation"] = json!(toe);
    character.builder().build()
}

#[test]
fn a_character_is_first_seen_from_its_front_in_the_window_and_in_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let [back, front] =
        [("back.glb", -1.0), ("front.glb", 1.0)].map(|(name, z)| saved(&folder, name, &with_toe([0.0, -0.2, z])));
    let open = |path: &str| Document::open(&Source::File(path.into()), &Job::default()).unwrap();
    let seen_from = |state: &AppState| {
        (state.open.stage.view.camera.eye() - state.open.stage.view.camera.target).normalize_or_zero()
    };
    let mut state = AppState::new(open(&back), Settings::default());
    assert!(seen_from(&state).dot(Vec3::NEG_Z) > 0.8, "{}", seen_from(&state));
    state.receive(JobResult::Document(Box::new(open(&front)), AfterLoad::Show));
    assert!(seen_from(&state).dot(Vec3::Z) > 0.8, "{}", seen_from(&state));
    state.receive(JobResult::Document(Box::new(open(&back)), AfterLoad::Show));
    assert!(seen_from(&state).dot(Vec3::NEG_Z) > 0.8, "{}", seen_from(&state));
    let built_in = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    assert_eq!(built_in.rig.front(), Vec3::Z);

    // VRM 0 specifies that its characters face -Z.
    let (mut json, bin) = common::glb::split(BuiltIn::Figure.bytes());
    json["extensions"] = json!({"VRM": {}});
    let turned = saved(&folder, "turned.vrm", &common::glb::container(json.to_string().as_bytes(), bin));
    let out = folder.path().join("out.png");
    let picture = |options: &[&str]| {
        let common = ["render", &turned, "--size", "60x40", "--no-grid", "-o", out.to_str().unwrap()];
        rigscope(&[&common, options].concat()).ok();
        image::open(&out).unwrap().to_rgb8().into_raw()
    };
    let apart =
        |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64;
    let first_seen = picture(&[]);
    let [same, other] = ["205.783", "25.783"].map(|yaw| apart(&first_seen, &picture(&["--yaw", yaw])));
    assert!(same < 0.1 && other > 10.0 * same && other > 0.5, "--yaw goes by the axes: {same} {other}");
}
