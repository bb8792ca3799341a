//! `rigscope refit`: operations in order, the proof, and files that are never lost.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::{Path, PathBuf};

use common::command::{Run, rigscope};
use serde_json::Value;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn refit(folder: &Path, options: &[&str]) -> (Run, PathBuf) {
    let path = folder.join("out.glb");
    (rigscope(&[&["refit", "builtin:tube", "-o", text(&path)], options].concat()), path)
}

fn names(path: &Path) -> Vec<String> {
    let document: Value = serde_json::from_str(&rigscope(&["nodes", text(path), "--json"]).ok().stdout).unwrap();
    let nodes = document["nodes"]["nodes"].as_array().unwrap();
    nodes.iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn operations_run_in_the_order_given() {
    let folder = tempfile::tempdir().unwrap();
    // The new name is known to the second operation only.
    let table = folder.path().join("names.csv");
    std::fs::write(&table, "Top,Base\n").unwrap();
    let options = ["--add-root", "Top", "--rename", text(&table), "--add-root", "Top"];
    let (run, path) = refit(folder.path(), &options);
    let said = run.ok().stdout;
    let starts: Vec<&str> = said.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(starts[..3], ["add-root", "rename", "add-root"], "{said}");
    assert!(said.lines().any(|line| line.starts_with("Proof holds. 201 poses")), "{said}");
    let names = names(&path);
    assert!(names.contains(&"Top".to_owned()) && names.contains(&"Base".to_owned()), "{names:?}");
    let swapped = refit(folder.path(), &["--rename", text(&table), "--add-root", "Top"]).0.ok();
    assert!(swapped.stdout.contains("no counterpart: Top"), "{}", swapped.stdout);
}

#[test]
fn a_skin_that_changes_is_measured_and_a_refusal_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (run, path) = refit(folder.path(), &["--limit-influences", "1", "--json"]);
    let proof: Value = serde_json::from_str(&run.ok().stdout).unwrap();
    assert_eq!((&proof["holds"], &proof["changes_skin"]), (&Value::Bool(false), &Value::Bool(true)));
    assert!(proof["skin"]["max_of_size"].as_f64().unwrap() > 1e-4, "{proof}");
    std::fs::remove_file(&path).unwrap();
    let (run, path) = refit(folder.path(), &["--add-root", "Near"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("add-root: there is already a node \"Near\""), "{}", run.stderr);
    assert!(!path.exists());
}

#[test]
fn other_files_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let (run, path) = refit(folder.path(), &["--pose-as-rest", "twist@1", "--add-root", "Top", "-q"]);
    run.ok();
    let same = rigscope(&["refit", "builtin:tube", "--check", text(&path)]);
    assert_eq!(same.code, Some(0), "{}{}", same.stdout, same.stderr);
    assert!(same.stdout.contains("Proof holds"), "{}", same.stdout);
    let (run, path) = refit(folder.path(), &["--limit-influences", "1", "-q"]);
    run.ok();
    let proof = folder.path().join("proof.json");
    let other = rigscope(&["refit", "builtin:tube", "--check", text(&path), "--proof", text(&proof)]);
    assert_eq!(other.code, Some(1), "{}{}", other.stdout, other.stderr);
    let proof: Value = serde_json::from_slice(&std::fs::read(&proof).unwrap()).unwrap();
    assert_eq!(proof["holds"], Value::Bool(false));
    let unlike = rigscope(&["refit", "builtin:tube", "--check", "builtin:figure"]);
    assert_eq!(unlike.code, Some(2), "{}", unlike.stdout);
    assert!(unlike.stderr.contains("can't be compared"), "{}", unlike.stderr);
}

#[test]
fn a_file_is_replaced_in_place_only_by_a_proven_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tube.glb");
    rigscope(&["convert", "builtin:tube", "-o", text(&path), "-q"]).ok();
    let before = std::fs::read(&path).unwrap();
    let tried = rigscope(&["refit", text(&path), "--freeze-scale", "--add-root", "Top", "--dry-run"]).ok();
    assert!(tried.stdout.contains("Proof holds"), "{}", tried.stdout);
    assert_eq!(std::fs::read(&path).unwrap(), before, "--dry-run writes nothing");
    assert_eq!(rigscope(&["refit", text(&path), "--add-root", "Near", "--in-place"]).code, Some(2));
    assert_eq!(std::fs::read(&path).unwrap(), before, "refused");
    rigscope(&["refit", text(&path), "--add-root", "Top", "--in-place"]).ok();
    assert!(names(&path).contains(&"Top".to_owned()));
    for (options, problem) in [
        (&["--add-root", "x", "-o", text(&path)][..], "is an input of this command"),
        (&["-o", "x.glb"][..], "nothing to do"),
        (&["--add-root", "x", "-o", "x.fbx"][..], ".glb"),
        (&["--add-root", "x"][..], "--output"),
        (&["--to-unit", "ell", "-o", "x.glb"][..], "give m, cm"),
        (&["--keep", "x", "-o", "x.glb"][..], "--drop-unused"),
        (&["--check", "builtin:tube", "--freeze-scale"][..], "takes no operations"),
    ] {
        let run = rigscope(&[&["refit", text(&path)], options].concat());
        assert_eq!(run.code, Some(2), "{options:?}");
        assert!(run.stderr.contains(problem), "{options:?}: {}", run.stderr);
    }
}

/// Twelve tiles of 532 x 380 pixels in four rows, with a gap of 12.
#[test]
#[cfg(feature = "gl")]
fn the_sheet_shows_where_the_skin_changes() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.png");
    let options = ["--limit-influences", "1", "--sheet", text(&sheet)];
    let run = refit(folder.path(), &options).0.ok();
    assert!(run.stdout.contains("The skin changes, as the operation is meant to"), "{}", run.stdout);
    let image = image::open(&sheet).unwrap().into_rgb8();
    assert_eq!(image.dimensions(), (3 * 532 + 12, 4 * 380 + 12));
    // The distance is a heat map on side B alone.
    let coloured_pixels = |left: u32| {
        let coloured = |pixel: &image::Rgb<u8>| pixel.0.iter().max().unwrap() - pixel.0.iter().min().unwrap() > 60;
        let pixels = (left..left + 240).flat_map(|x| (60..330).map(move |y| (x, y)));
        pixels.filter(|&(x, y)| coloured(image.get_pixel(x, y))).count()
    };
    // A dot on side A marks the vertex.
    let [a, b] = [16, 276].map(coloured_pixels);
    assert!(a < 300 && b > 1000, "{a} and {b}");
    for (options, problem) in [
        (&["--limit-influences", "1", "--sheet", "x.glb"][..], "extension"),
        (&["--check", "builtin:tube", "--sheet", "x.png"][..], "--sheet"),
    ] {
        let run = rigscope(&[&["refit", "builtin:tube", "--dry-run"], options].concat());
        assert!(run.code == Some(2) && run.stderr.contains(problem), "{options:?}: {}", run.stderr);
    }
}

#[test]
#[cfg(feature = "gl")]
fn reports_of_a_session_have_the_proof_of_its_changed_skeleton() {
    let folder = tempfile::tempdir().unwrap();
    let (session, page) = (folder.path().join("s.json"), folder.path().join("page.html"));
    let compare = r#"{"b":{"file":{"refit":["add-root=Top","freeze-scale"]}}}"#;
    std::fs::write(&session, format!(r#"{{"version":1,"source":"builtin:tube","compare":{compare}}}"#)).unwrap();
    rigscope(&["report", "--session", text(&session), "-o", text(&page)]).ok();
    let html = std::fs::read_to_string(&page).unwrap();
    for part in ["Changed skeleton", "add-root", "Proven: it deforms like the open one", "201 poses"] {
        assert!(html.contains(part), "{part}");
    }
}
