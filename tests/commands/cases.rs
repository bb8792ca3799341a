//! Small files from bug reports: each command's expected and forbidden output.

use crate::common;

use std::path::Path;

use common::command::rigscope;
use serde_json::Value;

/// File, code of `check`, and the severity with which the file has the code: `error`, `warning`, `note`, or `-` if it
/// lacks it.
const CHECKED: [(&str, &str, &str); 17] = [
    ("b02_rest_scale0_joint.glb", "RIG037", "-"),
    ("b02_rest_scale0_joint.glb", "RIG048", "warning"),
    ("b06_unequal_targets.glb", "RIG057", "error"),
    ("b10_17_sets.glb", "RIG111", "warning"),
    ("b12_weights_u8_not_normalized.glb", "RIG059", "error"),
    ("b15_clip_begins_at_8s.glb", "RIG067", "note"),
    ("b16_tiny_under_large_scale.glb", "RIG060", "-"),
    ("b17_two_channels_one_target.glb", "RIG066", "error"),
    ("m01_meshy_scale.glb", "RIG049", "note"),
    ("m01_meshy_scale.glb", "RIG103", "note"),
    ("f01_with_pole_target.glb", "RIG121", "-"),
    ("f01_without.glb", "RIG101", "-"),
    ("n02_cube_24_welded.glb", "RIG058", "-"),
    ("n04_root_1.glb", "RIG049", "-"),
    ("n08_quantised_below_body.glb", "RIG059", "-"),
    ("v20_vrm0.vrm", "RIG176", "-"),
    ("v20_vrm1_clip.vrm", "RIG176", "-"),
];

/// Old and new version, and the kinds of all changes between them; no kinds if the versions are equal.
const DIFFED: [(&str, &str, &[&str]); 9] = [
    ("n02_cube_36_vertices.glb", "n02_cube_24_welded.glb", &[]),
    ("n02_cube_24_welded.glb", "n02_cube_36_vertices.glb", &[]),
    ("n04_root_1.glb", "n04_root_001.glb", &["local_transforms"]),
    ("n04_root_001.glb", "n04_root_1.glb", &["local_transforms"]),
    ("n05_turn_on_armature.glb", "n05_turn_on_root.glb", &["local_transforms"]),
    ("n05_turn_on_root.glb", "n05_turn_on_armature.glb", &["local_transforms"]),
    ("n07_floats_named.glb", "n08_quantised_below_body.glb", &["mesh_renamed"]),
    ("n06_all.glb", "n06_without_uv.glb", &["texture_coordinates"]),
    ("n06_all.glb", "n06_without_normals.glb", &["normals"]),
];

/// File, and the lengths of its clips in seconds.
const CLIPS: [(&str, &[f64]); 2] =
    [("multiple_animations_test.fbx", &[2.0 / 3.0, 0.5, 0.5]), ("b15_clip_begins_at_8s.glb", &[9.0])];

/// Files whose results are tested elsewhere: in `numbers::feet`, `panels::framing` and `commands::clips_of`.
const ELSEWHERE: [&str; 5] = [
    "feet_known_slides.glb",
    "r02_source_tpose_world_axes.glb",
    "r02_target_apose_bone_axes.glb",
    "r02_target_apose_world_axes.glb",
    "r02_target_tpose_bone_axes.glb",
];

fn object(words: &[&Path]) -> Value {
    let run = rigscope(words);
    serde_json::from_str(&run.stdout).unwrap_or_else(|problem| panic!("{problem}: {}{}", run.stdout, run.stderr))
}

#[test]
fn check_has_the_expected_findings() {
    let Some(cases) = common::cases() else { return };
    for (name, code, expected) in CHECKED {
        let found = object(
            &["check", "--json", "--no-config"]
                .map(Path::new)
                .into_iter()
                .chain([&*cases.join(name)])
                .collect::<Vec<_>>(),
        );
        let findings = found["findings"].as_array().unwrap();
        let severity = findings.iter().find(|finding| finding["code"] == code).and_then(|f| f["severity"].as_str());
        assert_eq!(severity.unwrap_or("-"), expected, "{name} {code}: {findings:#?}");
    }
}

fn is_fbx(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "fbx")
}

fn diff(old: &Path, new: &Path) -> Value {
    object(&[Path::new("diff"), Path::new("--json"), old, new])
}

#[test]
fn diff_finds_what_changed_and_nothing_else() {
    let Some(cases) = common::cases() else { return };
    for (old, new, expected) in DIFFED {
        let found = diff(&cases.join(old), &cases.join(new));
        let kinds: Vec<&str> =
            found["changes"].as_array().unwrap().iter().map(|change| change["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, expected, "{old} -> {new}: {found:#}");
        let is_ignored = expected.iter().all(|kind| *kind == "local_transforms");
        let options = ["diff", "-q", "--fail-over", "0.1"].map(Path::new);
        let run = rigscope(&options.into_iter().chain([&*cases.join(old), &*cases.join(new)]).collect::<Vec<_>>());
        assert_eq!(run.code, Some(i32::from(!is_ignored)), "{old} -> {new}: {run:?}");
    }
    let quantised = diff(&cases.join("n07_floats_named.glb"), &cases.join("n08_quantised_below_body.glb"));
    assert!(quantised["rounding_m"].as_f64().unwrap() > 0.0, "{quantised:#}");
}

/// Among other things, conversion keeps UVs without a texture, the time ranges of takes, and the factors of unlit
/// materials.
#[test]
fn converted_files_equal_their_sources() {
    let Some(cases) = common::cases() else { return };
    let folder = tempfile::tempdir().unwrap();
    for file in common::files_below(&cases, &["glb", "vrm", "fbx"]) {
        if file.parent() != Some(&*cases) || (!cfg!(feature = "fbx") && is_fbx(&file)) {
            continue;
        }
        let extension = if file.extension().is_some_and(|extension| extension == "vrm") { "vrm" } else { "glb" };
        let out = folder.path().join("out").with_extension(extension);
        let run = rigscope(&["convert".as_ref(), file.as_os_str(), "-q".as_ref(), "-o".as_ref(), out.as_os_str()]);
        assert!(run.code == Some(0), "{}: {run:?}", file.display());
        let found = diff(&file, &out);
        assert_eq!(found["same"], true, "{}: {found:#}", file.display());
    }
}

#[test]
fn clips_last_as_long_as_they_should() {
    let Some(cases) = common::cases() else { return };
    for (name, expected) in CLIPS.into_iter().filter(|(name, _)| cfg!(feature = "fbx") || !is_fbx(Path::new(name))) {
        let found = object(&[Path::new("info"), Path::new("--json"), &cases.join(name)]);
        let lengths: Vec<f64> =
            found["clips"].as_array().unwrap().iter().map(|clip| clip["duration_secs"].as_f64().unwrap()).collect();
        let is_near = lengths.iter().zip(expected).all(|(length, expected)| (length - expected).abs() < 1e-3);
        assert!(lengths.len() == expected.len() && is_near, "{name}: {lengths:?}");
    }
}

#[test]
fn every_case_has_a_row() {
    let Some(cases) = common::cases() else { return };
    let rows = CHECKED.iter().map(|row| row.0).chain(DIFFED.iter().flat_map(|row| [row.0, row.1]));
    let rows = rows.chain(CLIPS.iter().map(|row| row.0)).chain(SEAMS.iter().map(|row| row.0)).chain(ELSEWHERE);
    let known: std::collections::HashSet<&str> = rows.collect();
    for file in common::files_below(&cases, &["glb", "vrm", "fbx"]).iter().filter(|file| file.parent() == Some(&*cases))
    {
        let name = file.file_name().unwrap().to_str().unwrap();
        // `converted_files_equal_their_sources` converts every file. These files are in no other table.
        let is_only_converted = ["morph_test.fbx", "v03_shared_material_colour_bind.vrm"].contains(&name);
        assert!(known.contains(name) || is_only_converted, "{name} has no row");
    }
}

/// File, clip, and the jump in a joint's angular velocity at the seam, degrees per second.
const SEAMS: [(&str, &str, f64); 1] = [
    // From 8 s on, the joint rotates by 60° and back, half a second each way. It reverses at the seam as it does at the
    // peak.
    ("b15_clip_begins_at_8s.glb", "wave", 240.0),
];

#[test]
fn seams_are_those_of_what_moves() {
    let Some(cases) = common::cases() else { return };
    for (name, clip, jump) in SEAMS {
        let found = object(
            &["motion", "--seams", "--json"].map(Path::new).into_iter().chain([&*cases.join(name)]).collect::<Vec<_>>(),
        );
        let seam = found["seams"].as_array().unwrap().iter().find(|seam| seam["clip"] == clip).unwrap();
        assert!(
            (seam["rotation_jump"]["speed_deg_s"].as_f64().unwrap_or(f64::NAN) - jump).abs() < 1e-2 * jump,
            "{name}: {seam:#}"
        );
    }
}
