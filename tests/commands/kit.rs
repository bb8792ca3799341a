//! `rigscope kit`: the test kit agrees with other commands, its checks work, and nothing is overwritten.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::command::rigscope;
use serde_json::Value;

const KIT: [&str; 6] = ["--poses", "2", "--frames", "1", "--seed", "3"];

fn kit(folder: &Path, file: &str) -> PathBuf {
    let path = folder.join("kit");
    rigscope(&[&["kit", file, "-o", path.to_str().unwrap(), "-q"], &KIT[..]].concat()).ok();
    path
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the points of a sample as float32 x, y, z.
fn raw_points(path: &Path) -> Vec<u8> {
    let primitives = json(path)["primitives"].as_array().unwrap().clone();
    let points = primitives.iter().flat_map(|primitive| primitive["positions"].as_array().unwrap());
    let numbers = points.flat_map(|point| point.as_array().unwrap());
    numbers.flat_map(|number| (number.as_f64().unwrap() as f32).to_le_bytes()).collect()
}

#[test]
fn samples_agree_with_the_other_commands() {
    let folder = tempfile::tempdir().unwrap();
    let kit = kit(folder.path(), "builtin:tube");
    let top = ["README.md", "check.cpp", "check.py", "check.rs", "dqs", "kit.json", "kit.npz", "lbs", "poses"];
    assert_eq!(names(&kit), top);
    assert_eq!(names(folder.path()), ["kit"]);
    let description = json(&kit.join("kit.json"));
    let samples = description["samples"].as_array().unwrap();
    let files: Vec<String> = samples.iter().map(|s| format!("{}.json", s["name"].as_str().unwrap())).collect();
    assert_eq!(
        (&files[..3], files.len()),
        (&["00-rest.json", "01-pose-1.json", "02-pose-2.json"].map(String::from)[..], 5)
    );
    for part in ["lbs", "dqs"] {
        assert_eq!(names(&kit.join(part)), files, "{part}");
    }
    assert_eq!(names(&kit.join("poses")), files[..3], "samples of clips have no pose file");
    let path = |name: &str| kit.join(name).to_str().unwrap().to_owned();
    for (sample, file) in samples.iter().zip(&files) {
        let time = sample["time_secs"].to_string();
        let pose = path(&format!("poses/{file}"));
        let number = sample["clip_number"].to_string();
        let of_sample = match sample["clip"].as_str() {
            Some(_) => vec!["--clip", &number, "--time", &time],
            None => vec!["--pose", &pose],
        };
        for method in ["lbs", "dqs"] {
            let points = path(&format!("{method}/{file}"));
            let head = ["diagnose", "builtin:tube", "--no-behaviours", "--method", method, "--points", &points];
            let found = rigscope(&[&head[..], &of_sample].concat());
            assert_eq!(found.code, Some(0), "{method} of {file}: {}{}", found.stdout, found.stderr);
        }
        let printed =
            rigscope(&[&["nodes", "builtin:tube", "--json", "--no-behaviours"], &of_sample[..]].concat()).ok();
        let nodes: Value = serde_json::from_str(&printed.stdout).unwrap();
        let nodes = nodes["nodes"]["nodes"].as_array().unwrap();
        let joints = description["skins"][0]["joints"].as_array().unwrap();
        for (joint, world) in joints.iter().zip(sample["worlds"].as_array().unwrap()) {
            let node = nodes.iter().find(|node| node["node"] == *joint).unwrap();
            let own = world.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32);
            let others =
                node["world"]["matrix"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32);
            assert!(own.eq(others), "{file}, node {joint}");
        }
    }
    let readme = std::fs::read_to_string(kit.join("README.md")).unwrap();
    assert!(readme.starts_with("# Test kit of tube\n") && !readme.contains('{'), "{readme}");
}

#[test]
fn the_same_seed_gives_the_same_kit_and_another_one_other_poses() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [a, b] = [0, 1].map(|at: usize| kit(folders[at].path(), "builtin:tube"));
    for name in ["kit.json", "kit.npz", "lbs/01-pose-1.json"] {
        assert_eq!(std::fs::read(a.join(name)).unwrap(), std::fs::read(b.join(name)).unwrap(), "{name}");
    }
    let other = folders[2].path().join("kit");
    rigscope(&["kit", "builtin:tube", "-o", other.to_str().unwrap(), "-q", "--seed", "4"]).ok();
    let pose = "poses/01-pose-1.json";
    assert_ne!(std::fs::read(a.join(pose)).unwrap(), std::fs::read(other.join(pose)).unwrap());
}

fn done(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|problem| panic!("{command:?}: {problem}"))
}

/// Runs a compiled check with right points, wrong ones, and too few.
fn run_check(check: &Path, kit: &Path) {
    let sample = kit.join("lbs/01-pose-1.json");
    let right = raw_points(&sample);
    let mine = kit.join("mine.f32");
    let run = |points: &[u8], more: &[&str]| {
        std::fs::write(&mine, points).unwrap();
        let run = done(Command::new(check).args([&sample, &mine]).args(more));
        (run.status.success(), String::from_utf8(run.stdout).unwrap())
    };
    let (is_right, text) = run(&right, &[]);
    assert!(is_right && text.starts_with("largest error: "), "{text}");
    let of = |value: f32| {
        let mut wrong = right.clone();
        wrong[12..16].copy_from_slice(&value.to_le_bytes());
        wrong
    };
    assert!(!run(&of(5.0), &[]).0 && !run(&of(f32::NAN), &["1e9"]).0 && run(&of(5.0), &["1e9"]).0);
    assert!(!run(&right[12..], &[]).0);
}

#[test]
#[cfg_attr(windows, ignore = "needs Rust for Windows")]
fn the_check_in_rust_compiles_and_compares() {
    let folder = tempfile::tempdir().unwrap();
    let (kit, check) = (kit(folder.path(), "builtin:tube"), folder.path().join("check"));
    let built = done(
        Command::new("rustc").arg("--edition=2021").arg("-Dwarnings").arg("-o").args([&check, &kit.join("check.rs")]),
    );
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    run_check(&check, &kit);
}

#[cfg(unix)]
#[test]
fn the_check_in_cpp_compiles_and_compares() {
    if Command::new("c++").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (kit, check) = (kit(folder.path(), "builtin:tube"), folder.path().join("check"));
    let options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o"];
    let built = done(Command::new("c++").args(options).args([&check, &kit.join("check.cpp")]));
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    run_check(&check, &kit);
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_after_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(path("full")).unwrap();
    std::fs::write(path("full/mine"), b"x").unwrap();
    std::fs::create_dir(path("empty")).unwrap();
    let run = |file: &str, output: &str, more: &[&str]| rigscope(&[&["kit", file, "-o", output], more].concat());
    for (output, said) in [
        (path("full"), "isn't empty"),
        (path("full/mine"), "it is a file"),
        (path("a/b"), "does not exist"),
        ("-".to_owned(), "folder"),
    ] {
        let run = run("builtin:tube", &output, &[]);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{output}: {}", run.stderr);
    }
    let gone = run(&path("gone.glb"), &path("kit"), &[]);
    assert_eq!(gone.code, Some(2));
    assert_eq!(
        (names(folder.path()), names(Path::new(&path("full")))),
        (vec!["empty".to_owned(), "full".to_owned()], vec!["mine".to_owned()])
    );
    run("builtin:tube", &path("empty"), &["--poses", "0", "--frames", "0"]).ok();
    assert_eq!(names(&Path::new(&path("empty")).join("lbs")), ["00-rest.json"]);
    assert_eq!(names(folder.path()), ["empty", "full"]);
    let many = run("builtin:tube", &path("kit"), &["--poses", "17"]);
    assert!(many.code == Some(2) && many.stderr.contains("16"), "{}", many.stderr);
}
