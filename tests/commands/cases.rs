//! Small files with known right answers, each made for a fault of some program: what commands say of them, and what not.

use crate::common;

use std::path::Path;

use common::command::rigscope;
use serde_json::Value;

/// A file, a code of `check`, and whether the file has it: `error`, `warning`, `note`, or `-` for none.
const CHECKED: [(&str, &str, &str); 16] = [
    ("b02_rest_scale0_joint.glb", "RIG037", "-"),
    ("b02_rest_scale0_joint.glb", "RIG048", "warning"),
    ("b06_unequal_targets.glb", "RIG057", "error"),
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

fn object(words: &[&Path]) -> Value {
    let run = rigscope(words);
    serde_json::from_str(&run.stdout).unwrap_or_else(|problem| panic!("{problem}: {}{}", run.stdout, run.stderr))
}

#[test]
fn check_says_what_is_right() {
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

/// A file, its clip, and the jump of a joint across the seam, degrees a second.
const SEAMS: [(&str, &str, f64); 1] = [
    // Up and down by 60 degrees in half a second each, from 8 s on: at the seam as at the top.
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
            (seam["turn_jump"]["speed_deg_s"].as_f64().unwrap_or(f64::NAN) - jump).abs() < 1e-2 * jump,
            "{name}: {seam:#}"
        );
    }
}
