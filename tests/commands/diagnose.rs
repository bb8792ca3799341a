//! `rigscope diagnose`: points of other programs, its answers and exit codes.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use common::command::{Run, rigscope};
use serde_json::{Value, json};

const MOMENT: [&str; 4] = ["--clip", "walk", "--time", "0.3"];

fn run(args: &[&str]) -> Run {
    rigscope(&[&["diagnose", "builtin:figure"], &MOMENT[..], args].concat())
}

fn run_json(args: &[&str]) -> Value {
    let run = run(&[args, &["--json"]].concat());
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

fn baked(folder: &Path, name: &str, args: &[&str]) -> PathBuf {
    let path = folder.join(name);
    rigscope(&[&["bake", "builtin:figure", "-o", path.to_str().unwrap(), "-q"], &MOMENT[..], args].concat()).ok();
    path
}

#[test]
fn baked_points_of_each_format_are_right() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["right.json", "right.glb", "right.obj", "right.ply"] {
        let path = baked(folder.path(), name, &[]);
        let found = run(&["--points", path.to_str().unwrap()]);
        assert_eq!(found.code, Some(0), "{name}: {}{}", found.stdout, found.stderr);
        assert!(found.stdout.starts_with("Your points are right: LBS"), "{name}: {}", found.stdout);
    }
}

#[test]
fn another_method_and_another_space_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = baked(folder.path(), "dqs.json", &["--method", "dqs"]);
    let found = run_json(&["--points", path.to_str().unwrap()]);
    assert_eq!((&found["best"], &found["explanations"][0]["id"]), (&json!(["dqs-for-lbs"]), &json!(["dqs-for-lbs"])));
    assert_eq!(run(&["--points", path.to_str().unwrap()]).code, Some(1));
    assert_eq!(run(&["--points", path.to_str().unwrap(), "--method", "dqs"]).code, Some(0));
    // The same points in centimetres, Z up.
    let baked: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut table = "x,y,z\n".to_owned();
    for point in baked["primitives"].as_array().unwrap().iter().flat_map(|p| p["positions"].as_array().unwrap()) {
        let [x, y, z] = [0, 1, 2].map(|axis| point[axis].as_f64().unwrap() * 100.0);
        writeln!(table, "{x},{},{y}", -z).unwrap();
    }
    let path = folder.path().join("points.csv");
    std::fs::write(&path, table).unwrap();
    let path = path.to_str().unwrap();
    let found = run_json(&["--points", path, "--method", "dqs"]);
    assert_eq!(found["best"], json!(["z-up", "centimetres"]));
    let found = run_json(&["--points", path, "--method", "dqs", "--points-unit", "cm", "--points-up", "z"]);
    assert_eq!(found["best"], json!([]));
}

#[test]
fn options_read_and_write_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let right = baked(folder.path(), "right.json", &[]).to_str().unwrap().to_owned();
    // Points in another order are matched by those at rest.
    let table = |file: &str, name: &str| {
        let baked: Value = serde_json::from_str(&std::fs::read_to_string(path(file)).unwrap()).unwrap();
        let lists = baked["primitives"].as_array().unwrap().iter().rev();
        let points: Vec<&Value> = lists.flat_map(|p| p["positions"].as_array().unwrap()).collect();
        std::fs::write(path(name), serde_json::to_vec(&points).unwrap()).unwrap();
        path(name)
    };
    rigscope(&["bake", "builtin:figure", "-o", &path("rest.json"), "-q"]).ok();
    let (posed, rest) = (table("right.json", "posed-list.json"), table("rest.json", "rest-list.json"));
    assert_eq!(run(&["--points", &posed, "--points-rest", &rest]).code, Some(0));
    // Of several frames, one is compared.
    let list: Value = serde_json::from_str(&std::fs::read_to_string(&posed).unwrap()).unwrap();
    let frames = path("frames.json");
    std::fs::write(&frames, serde_json::to_vec(&[&list, &list]).unwrap()).unwrap();
    let of = |frame: &str| run(&["--points", &frames, "--points-rest", &rest, "--points-frame", frame]);
    assert_eq!([of("1").code, of("2").code], [Some(0), Some(2)], "{}", of("2").stderr);
    // Inputs are never replaced, and matrices are read before the work begins.
    let kept = run(&["--points", &right, "--matrices", &rest, "--suggest-pose", &rest]);
    assert!(kept.code == Some(2) && kept.stderr.contains("would be lost"), "{}", kept.stderr);
    let wrong = run(&["--points", &right, "--matrices", &right]);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("(joints, 4, 4)"), "{}", wrong.stderr);
    let both = run(&["--points", &right, "--suggest-pose", "-"]);
    assert!(both.code == Some(2) && both.stderr.contains("standard output"), "{}", both.stderr);
}

#[test]
fn unreadable_points_are_a_failure_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.csv");
    for (text, said) in [("1,2,3\n", "39859"), ("hello", "x, y and z"), ("", "no points")] {
        std::fs::write(&path, text).unwrap();
        let found = run(&["--points", path.to_str().unwrap()]);
        assert!(found.code == Some(2) && found.stderr.contains(said), "{text}: {}", found.stderr);
    }
    let found = run(&["--points", "gone.npy"]);
    assert!(found.code == Some(2) && found.stderr.contains("gone.npy"), "{}", found.stderr);
}

#[test]
fn every_mistake_is_explained_and_has_a_line_in_the_guide() {
    use rigscope::analysis::diagnose::MISTAKES;

    let page = std::fs::read_to_string(Path::new(rigscope_tests::ROOT).join("docs/diagnose.md")).unwrap();
    for mistake in MISTAKES {
        let line = format!("| `{}` | {} |", mistake.id, mistake.wording);
        assert!(page.lines().any(|other| other == line), "docs/diagnose.md lacks {line}");
    }
    let ids: Vec<&str> = MISTAKES.iter().map(|mistake| mistake.id).collect();
    let text = rigscope(&[&["explain"], &ids[..]].concat()).ok().stdout;
    let is_explained = |id: &&str| text.lines().any(|line| line.starts_with(&format!("{id}  ")));
    assert!(ids.iter().all(is_explained), "{text}");
    let lines = rigscope(&["explain", "quat-wxyz", "--json"]).ok().stdout;
    let explained: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!((&explained["mistake"], &explained["group"]), (&json!("quat-wxyz"), &json!("layout")));
}

#[test]
fn points_are_compared_and_drawn_as_side_b() {
    let folder = tempfile::tempdir().unwrap();
    let path = baked(folder.path(), "dqs.json", &["--method", "dqs"]);
    let path = path.to_str().unwrap();
    let compare = |args: &[&str]| {
        let run =
            rigscope(&[&["compare", "builtin:figure", "--json", "--with-points", path], &MOMENT[..], args].concat());
        {
            let note = run.stderr.clone();
            (serde_json::from_str::<Value>(&run.ok().stdout).unwrap(), note)
        }
    };
    let distance = |json: &Value| json["pose"]["max_distance_m"].as_f64().unwrap();
    let (same, note) = compare(&["--method", "dqs"]);
    assert!(distance(&same) < 1e-5 && note.contains("points are matched by node and primitive"), "{note}{same}");
    let (other, _) = compare(&[]);
    let own = rigscope(&[&["compare", "builtin:figure", "--json", "--with", "dqs"], &MOMENT[..]].concat());
    let own: Value = serde_json::from_str(&own.ok().stdout).unwrap();
    assert!((distance(&other) - distance(&own)).abs() < 1e-5, "as DQS beside LBS: {other} {own}");
    // The worst vertex has its equation, of linear blending.
    let equation = &other["pose"]["equation"];
    assert!((equation["distance_m"].as_f64().unwrap() - distance(&other)).abs() < 1e-6, "{equation}");
    let terms = equation["terms"].as_array().unwrap();
    let sum: f64 = terms.iter().map(|term| term["term_m"][1].as_f64().unwrap()).sum();
    assert!((sum - equation["expected_m"][1].as_f64().unwrap()).abs() < 1e-5 && terms.len() > 1, "{equation}");
    assert!(own["pose"].get("equation").is_none());
    let text = rigscope(&[&["compare", "builtin:figure", "--with-points", path], &MOMENT[..]].concat()).ok().stdout;
    assert!(text.contains("w_j T_j v") && text.contains("of the file"), "{text}");
    let (metres, _) = compare(&["--points-unit", "cm"]);
    assert!(distance(&metres) > 0.5, "a stated unit is used: {metres}");
    let motion = rigscope(&["motion", "builtin:figure", "--clip", "walk", "--with-points", path]);
    assert!(motion.code == Some(2) && motion.stderr.contains("no frames of the clip \"walk\""), "{}", motion.stderr);
    // A picture of the distance is the same as with DQS on side B.
    let picture = |name: &str, side_b: &[&str]| {
        let out = folder.path().join(name);
        let args =
            ["render", "builtin:figure", "--compare", "side-by-side", "--size", "160x90", "--overlay", "distance"];
        rigscope(&[&args[..], &MOMENT[..], side_b, &["-o", out.to_str().unwrap()]].concat()).ok();
        image::open(out).unwrap().into_rgb8()
    };
    let [points, method] = [picture("points.png", &["--with-points", path]), picture("method.png", &["--with", "dqs"])];
    let far = points.iter().zip(method.iter()).filter(|(a, b)| a.abs_diff(**b) > 24).count();
    assert!(far < 160 * 90 * 3 / 50, "{far} components differ");
}

/// The matrices of a kit are right; a changed one is the worst.
#[test]
fn matrices_are_compared_joint_by_joint() {
    let folder = tempfile::tempdir().unwrap();
    let kit = folder.path().join("kit");
    rigscope(&["kit", "builtin:figure", "-o", kit.to_str().unwrap(), "--poses", "1", "--frames", "0", "-q"]).ok();
    let kit: Value = serde_json::from_str(&std::fs::read_to_string(kit.join("kit.json")).unwrap()).unwrap();
    let sample = &kit["samples"][0];
    let numbers: Vec<f64> = sample["skinning"].as_array().unwrap().iter().flat_map(flat).collect();
    let mut matrices: Vec<Vec<f64>> = numbers.chunks(16).map(<[f64]>::to_vec).collect();
    let path = folder.path().join("palette.json");
    let compare = |matrices: &[Vec<f64>], args: &[&str]| {
        std::fs::write(&path, serde_json::to_vec(matrices).unwrap()).unwrap();
        let path = path.to_str().unwrap();
        rigscope(&[&["compare", "builtin:figure", "--with-matrices", path], args].concat()).ok().stdout
    };
    let text = compare(&matrices, &[]);
    assert!(text.contains("skinning matrices") && text.contains("and right"), "{text}");
    matrices[5][12] += 0.25;
    let found: Value = serde_json::from_str(&compare(&matrices, &["--json"])).unwrap();
    let worst = &found["matrices"]["joints"][0];
    assert!((worst["translation_m"].as_f64().unwrap() - 0.25).abs() < 1e-5, "{worst}");
    assert!(worst["rotation_deg"].as_f64().unwrap() < 1e-3 && worst["scale"].as_f64().unwrap() < 1e-5, "{worst}");
    assert_eq!(found["matrices"]["joints"].as_array().unwrap().len(), matrices.len());
    let text = compare(&matrices, &[]);
    assert!(text.contains(worst["joint"].as_str().unwrap()) && text.contains("0.250000"), "{text}");
    assert!(compare(&matrices, &["--csv", "-"]).starts_with("joint,rotation_deg,translation_m,scale,max"));
    let path = path.to_str().unwrap();
    let both = rigscope(&["compare", "builtin:figure", "--with-matrices", path, "--with-points", path]);
    assert!(both.code == Some(2) && both.stderr.contains("cannot be used with"), "{}", both.stderr);
    let few = compare_fails(folder.path());
    assert!(few.contains("There are 1 matrices"), "{few}");
}

/// Returns all numbers in a list of lists.
fn flat(value: &Value) -> Vec<f64> {
    value.as_array().map_or_else(|| vec![value.as_f64().unwrap()], |list| list.iter().flat_map(flat).collect())
}

fn compare_fails(folder: &Path) -> String {
    let path = folder.join("few.json");
    std::fs::write(&path, serde_json::to_vec(&[[0.0; 16]]).unwrap()).unwrap();
    let run = rigscope(&["compare", "builtin:figure", "--with-matrices", path.to_str().unwrap()]);
    assert_eq!(run.code, Some(2));
    run.stderr
}

#[test]
fn options_of_points_without_points_and_points_of_another_mesh_are_refused() {
    let alone = rigscope(&["compare", "builtin:figure", "--points-unit", "cm"]);
    assert!(alone.code == Some(2) && alone.stderr.contains("--with-points FILE"), "{}", alone.stderr);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("few.csv");
    std::fs::write(&path, "x,y,z\n0,0,0\n").unwrap();
    let few = rigscope(&["compare", "builtin:figure", "--with-points", path.to_str().unwrap()]);
    assert!(few.code == Some(2) && few.stderr.contains("The file has 1 point, but the rig draws"), "{}", few.stderr);
}
