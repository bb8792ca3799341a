//! `rigscope compare`, run as a user or a script would.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::{Path, PathBuf};

use common::character::Character;
use common::command::{Run, rigscope};
use serde_json::Value;

/// A pose that twists the middle of the tube by 120°.
const TWISTED: &str = r#"{"version":1,"joints":{"Middle":{"rotation":[0.8660254,0,0,0.5]}}}"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pose.json"), TWISTED).unwrap();
    folder
}

fn compare(folder: &Path, options: &[&str]) -> Run {
    let pose = folder.join("pose.json");
    let args = ["compare", "builtin:tube", "--pose", pose.to_str().unwrap()];
    rigscope(&args.iter().chain(options).map(PathBuf::from).collect::<Vec<_>>())
}

pub(crate) fn object(run: &Run) -> Value {
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_pose_is_a_table_and_the_same_numbers_as_json_and_csv() {
    let folder = folder();
    let csv = folder.path().join("out.csv");
    let run = compare(folder.path(), &["--csv", csv.to_str().unwrap()]).ok();
    assert!(run.stderr.starts_with("saved: ") && run.stderr.lines().count() == 1, "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0]), (7, "builtin:tube"));
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["A", "lbs", "B", "dqs", "B", "-", "A"]);
    assert!(lines[6].starts_with("largest at     vertex ") && lines[6].contains("mesh 0, primitive 0, joint "));

    let found = object(&compare(folder.path(), &["--json"]).ok());
    assert_eq!((&found["version"], found["file"].as_str()), (&Value::from(1), Some("builtin:tube")));
    let pose = &found["pose"];
    assert_eq!(pose["methods"], serde_json::json!(["lbs", "dqs"]));
    let number = |value: &Value| value.as_f64().unwrap();
    // The radius of the middle ring, 1/4 m, shrinks by a factor of cos 60°.
    assert!((number(&pose["max_distance_m"]) - 0.125).abs() < 1e-3, "{pose}");
    let lost = 1.0 - number(&pose["volume_m3"][0]) / number(&pose["volume_m3"][1]);
    assert!(lost > 0.05 && lost < 0.1, "{lost}");
    for key in ["node", "mesh", "primitive", "vertex"] {
        assert!(pose["worst"][key].is_u64(), "{key}");
    }

    let text = std::fs::read_to_string(csv).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][2], rows[0].len(), rows[1].len()), (2, "volume_a_m3", 8, 8));
    assert_eq!(rows[1][6].parse::<f64>().unwrap(), number(&pose["max_distance_m"]));
}

#[test]
fn a_method_differs_from_itself_by_nothing() {
    let folder = folder();
    let found = object(&compare(folder.path(), &["--json", "--method", "dqs", "--with", "DQS"]).ok());
    let pose = &found["pose"];
    assert_eq!((pose["max_distance_m"].as_f64(), &pose["worst"]), (Some(0.0), &Value::Null));
    assert_eq!(pose["volume_m3"][0], pose["volume_m3"][1]);
}

#[test]
fn a_joint_is_swept_to_the_angle_that_is_given() {
    let folder = folder();
    let csv = folder.path().join("sweep.csv");
    let angles = |options: &[&str]| {
        let found = object(&compare(folder.path(), &[&["--json", "--joint", "Middle"], options].concat()).ok());
        assert_eq!(found["sweep"]["joint"], "Middle");
        let rows = found["sweep"]["rows"].as_array().unwrap().clone();
        rows.iter().map(|r| (r["motion"].as_str().unwrap().to_owned(), r["angle_deg"].as_f64().unwrap())).collect()
    };
    let twists: Vec<(String, f64)> = angles(&["--twist", "15", "--csv", csv.to_str().unwrap()]);
    assert_eq!(twists.iter().map(|r| r.1).collect::<Vec<_>>(), [-15.0, -7.5, 0.0, 7.5, 15.0]);
    let bends: Vec<(String, f64)> = angles(&["--bend", "-20"]);
    assert_eq!(bends.iter().map(|r| r.1).collect::<Vec<_>>(), [0.0, -10.0, -20.0]);
    assert!(bends.iter().all(|r| r.0 == "bend"));

    let text = std::fs::read_to_string(csv).unwrap();
    assert!(
        text.starts_with("motion,angle_deg,lbs_volume_ratio,lbs_volume_ratio_uncertainty,lbs_min_area_ratio,"),
        "{text}"
    );
    assert!(text.contains("dqs_max_distance_m\ntwist,-15,") && text.lines().count() == 6, "{text}");
}

#[test]
fn all_joints_are_ranked() {
    let run = rigscope(&["compare", "builtin:tube", "--rank", "--range", "full"]).ok();
    let joints: Vec<&str> = run.stdout.lines().skip(2).map(|l| l.split_whitespace().last().unwrap()).collect();
    assert_eq!(joints, ["Near", "Far", "Middle", "Root"], "{}", run.stdout);
    let found = object(&rigscope(&["compare", "builtin:tube", "--rank", "--range", "full", "--json"]).ok());
    assert!(found["rank"][0]["volume_loss"].as_f64().unwrap() > 0.2);
    assert_eq!((found["rank"].as_array().unwrap().len(), &found["specks"]), (4, &serde_json::json!([])));
}

#[test]
fn specks_are_ranked_apart_in_text_json_and_csv() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("rank.csv");
    let rank = ["compare", "builtin:figure", "--rank", "--range", "full", "--csv", csv.to_str().unwrap()];
    let text = rigscope(&rank).ok().stdout;
    let (main, specks) = text.split_once("\nSpecks: under 0.1 % of the surface or 50 triangles\n").unwrap();
    assert!(main.contains("LeftUpperArm\n") && !main.contains("LeftLittleDistal\n"), "{text}");
    assert!(specks.contains("LeftLittleDistal\n") && !specks.contains("LeftUpperArm\n"), "{text}");
    let found = object(&rigscope(&[&rank[..], &["--json"]].concat()).ok());
    let has = |list: &str, name: &str| found[list].as_array().unwrap().iter().any(|r| r["joint"] == name);
    assert!(has("rank", "LeftFoot") && !has("rank", "LeftUpperArm") && !has("rank", "LeftLittleDistal"), "{found}");
    assert!(has("too_thin", "LeftUpperArm") && !has("too_thin", "LeftFoot"), "{found}");
    assert!(has("specks", "LeftLittleDistal") && !has("specks", "LeftUpperArm"), "{found}");
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(
        csv.starts_with("joint,volume_loss,volume_loss_uncertainty,motion,angle_deg,triangles,too_thin,speck\n"),
        "{csv}"
    );
    let is_speck =
        |name: &str| csv.lines().find(|l| l.starts_with(name)).unwrap().rsplit(',').next().unwrap().to_owned();
    assert_eq!((is_speck("LeftLittleDistal,"), is_speck("LeftUpperArm,")), ("true".to_owned(), "false".to_owned()));
}

#[test]
fn invalid_compare_options_are_rejected_and_replace_nothing() {
    let folder = folder();
    let refused = |options: &[&str], why: &str| {
        let run = compare(folder.path(), options);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{options:?}");
        assert!(run.stderr.contains(why), "{options:?}: {}", run.stderr);
    };
    refused(&["--joint", "Elbow"], "There is no joint \"Elbow\"");
    refused(&["--twist", "90"], "--joint");
    refused(&["--joint", "Middle", "--rank"], "cannot be used with");
    refused(&["--joint", "Middle", "--twist", "1e9"], "up to 360");
    refused(&["--with", "slerp"], "no skinning method is called");
    let pose = folder.path().join("pose.json");
    refused(&["--csv", pose.to_str().unwrap()], "give another OUT");
    assert_eq!(std::fs::read_to_string(pose).unwrap(), TWISTED);
    refused(&["--csv", "/nowhere/out.csv"], "/nowhere");

    let still = folder.path().join("still.glb");
    let character = Character::default();
    std::fs::write(&still, character.builder().build()).unwrap();
    let run = rigscope(&["compare", still.to_str().unwrap(), "--joint", "Body"]);
    assert!(run.code == Some(2) && run.stderr.contains("no triangle follows \"Body\""), "{}", run.stderr);
}

#[test]
fn joints_are_ranked_through_natural_ranges_or_what_clips_use() {
    let worst = |range: &str| {
        let found = object(&rigscope(&["compare", "builtin:figure", "--rank", "--range", range, "--json"]).ok());
        assert_eq!(found["range"], range);
        let first = &found["rank"][0];
        (first["angle_deg"].as_f64().unwrap().abs(), first["volume_loss"].as_f64().unwrap())
    };
    let [full, natural, clips] = ["full", "natural", "clips"].map(worst);
    assert_eq!((full.0, natural.0), (180.0, 120.0), "a twist of the chest, a bend of the upper arm");
    assert!(full.1 > natural.1 && natural.1 > clips.1 && clips.1 > 0.01, "{full:?} {natural:?} {clips:?}");
    let refused = rigscope(&["compare", "builtin:figure", "--rank", "--range", "fulll"]);
    assert!(refused.stderr.contains("it is natural, full, limits or clips"), "{}", refused.stderr);
}
