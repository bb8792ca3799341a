//! `rigscope flex`, and `check` with a bend test.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use common::command::{Run, rigscope};
use serde_json::Value;

/// A tube, and the same tube with one influence per vertex.
struct Tubes {
    folder: tempfile::TempDir,
}

impl Tubes {
    fn new() -> Self {
        let tubes = Self { folder: tempfile::tempdir().unwrap() };
        rigscope(&["convert", "builtin:tube", "-o", &tubes.path("tube.glb"), "-q"]).ok();
        rigscope(&["weights", "builtin:tube", "--max-influences", "1", "-o", &tubes.path("cut.glb"), "-q"]).ok();
        tubes
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn check(&self, name: &str, args: &[&str]) -> Run {
        rigscope(&[&["check", &self.path(name)], args].concat())
    }
}

#[test]
fn check_compares_bending_with_an_older_file_folder_or_record() {
    let tubes = Tubes::new();
    let numbers = rigscope(&["flex", &tubes.path("tube.glb"), "--json"]).ok().stdout;
    std::fs::write(tubes.path("numbers.json"), numbers).unwrap();
    std::fs::create_dir(tubes.path("old")).unwrap();
    for name in ["tube.glb", "cut.glb"] {
        std::fs::copy(tubes.path("tube.glb"), tubes.path(&format!("old/{name}"))).unwrap();
    }
    for older in ["tube.glb", "numbers.json", "old"] {
        let against = ["--against", &tubes.path(older)];
        let same = tubes.check("tube.glb", &against);
        assert!(same.code == Some(0) && !same.stdout.contains("RIG19"), "{older}: {}{}", same.stdout, same.stderr);
        let worse = tubes.check("cut.glb", &against);
        assert_eq!(worse.code, Some(1), "{older}: {}", worse.stderr);
        assert!(worse.stdout.contains("RIG198") && worse.stdout.contains("in the older version"), "{}", worse.stdout);
    }
}

#[test]
fn the_config_asks_for_the_bend_test_and_sets_its_limits() {
    let tubes = Tubes::new();
    assert!(!tubes.check("cut.glb", &[]).stdout.contains("RIG193"), "the test runs only on request");
    let asked = tubes.check("cut.glb", &["--deform"]);
    assert!(asked.code == Some(1) && asked.stdout.contains("RIG193"), "{}", asked.stdout);
    let config = |text: &str| std::fs::write(tubes.path("rigscope.toml"), text).unwrap();
    config("[deform]\n");
    assert!(tubes.check("cut.glb", &[]).stdout.contains("RIG193"));
    let without_stretch = |more: &str| {
        config(&format!("[deform]\nlimits = {{ stretch = 'off'{more} }}\n"));
        tubes.check("cut.glb", &[])
    };
    let abrupt = without_stretch("").stdout;
    assert!(abrupt.contains("RIG199") && !abrupt.contains("RIG193"), "{abrupt}");
    without_stretch(", abrupt = 'off'");
    assert_eq!(tubes.check("cut.glb", &[]).code, Some(0));
    config("[[deform.joint]]\nmatch = '*'\nflexion = [0, 0]\nabduction = [0, 0]\ntwist = [-1, 1]\n");
    assert_eq!(tubes.check("cut.glb", &[]).code, Some(0), "one influence does no harm in a twist by one degree");
    config("[deform]\nagainst = 'previous'\n");
    let waiting = tubes.check("cut.glb", &[]);
    assert!(waiting.code == Some(0) && waiting.stderr.contains("--against"), "{}", waiting.stderr);
}

#[test]
fn baselines_keep_findings_of_a_bend_test_that_did_not_run() {
    let tubes = Tubes::new();
    let baseline = tubes.path("known.json");
    tubes.check("cut.glb", &["--deform", "--write-baseline", &baseline]).ok();
    let written = std::fs::read_to_string(&baseline).unwrap();
    assert!(written.contains("RIG193"), "{written}");
    tubes.check("cut.glb", &["--baseline", &baseline, "--update-baseline"]).ok();
    assert_eq!(std::fs::read_to_string(&baseline).unwrap(), written);
    assert_eq!(tubes.check("cut.glb", &["--deform", "--baseline", &baseline]).code, Some(0));
    tubes.check("tube.glb", &["--deform", "--baseline", &baseline]).ok();
}

#[test]
fn wrong_records_and_patterns_are_explained() {
    let tubes = Tubes::new();
    for (text, said) in [("{}", "missing field"), ("no JSON", "No numbers"), ("", "it has no numbers of ")] {
        std::fs::write(tubes.path("numbers.json"), text).unwrap();
        let run = tubes.check("tube.glb", &["--against", &tubes.path("numbers.json")]);
        assert!(run.code == Some(2), "{text}: {}{}", run.stdout, run.stderr);
        assert!(format!("{}{}", run.stdout, run.stderr).contains(said), "{text}: {}{}", run.stdout, run.stderr);
    }
    let run = rigscope(&["flex", &tubes.path("tube.glb"), "--joint", "Elbow*"]);
    assert!(run.code == Some(2) && run.stderr.contains("No tested joint fits \"Elbow*\""), "{}", run.stderr);
}

#[test]
fn poses_are_listed_by_severity() {
    let text = rigscope(&["flex", "builtin:tube", "--json"]).ok().stdout;
    let flex: Value = serde_json::from_str(&text).unwrap();
    let poses = flex["flex"]["poses"].as_array().unwrap();
    let severities: Vec<f64> = poses.iter().map(|pose| pose["severity"].as_f64().unwrap()).collect();
    assert!(severities.is_sorted_by(|a, b| a >= b) && severities[0] > 0.0, "{severities:?}");
    // The tube's region loses as much volume as `compare` measures.
    let twist = poses.iter().find(|pose| pose["name"] == "Far twist -45°").unwrap();
    let loss = twist["measures"][0]["value"].as_f64().unwrap();
    let compared = rigscope(&["compare", "builtin:tube", "--joint", "Far", "--twist", "45", "--json"]).ok().stdout;
    let compared: Value = serde_json::from_str(&compared).unwrap();
    let row = &compared["sweep"]["rows"][0];
    assert_eq!(row["angle_deg"], -45.0);
    let ratio = row["methods"][0]["volume_ratio"].as_f64().unwrap();
    assert!((loss - (1.0 - ratio)).abs() < 1e-4, "{loss} and {ratio}");
}

/// Two tiles of 520 x 320 pixels with captions of 48, and gaps of 12.
#[test]
fn the_sheet_has_a_tile_for_each_pose() {
    let tubes = Tubes::new();
    let sheet = |args: &[&str]| {
        let path = tubes.path("sheet.png");
        let run = rigscope(&[&["flex", "builtin:tube", "--sheet", &path, "--worst", "1"], args].concat()).ok();
        assert!(
            run.stdout.contains("beyond a limit") && run.stderr.contains("saved: "),
            "{}{}",
            run.stdout,
            run.stderr
        );
        image::open(path).unwrap().into_rgb8()
    };
    let two = sheet(&["--sheet-count", "2"]);
    assert_eq!(two.dimensions(), (2 * 532 + 12, 380 + 12));
    // Each half of a tile shows the tube in the same pose, and each caption has dark letters.
    let is_drawn = |image: &image::RgbImage, [left, top, right, bottom]: [u32; 4]| {
        (left..right).any(|x| (top..bottom).any(|y| image.get_pixel(x, y).0.iter().all(|value| *value < 0x90)))
    };
    for left in [12, 272, 544, 804] {
        assert!(is_drawn(&two, [left, 60, left + 250, 330]), "{left}");
    }
    for left in [12, 544] {
        assert!(is_drawn(&two, [left, 334, left + 500, 380]), "{left}");
    }
    assert_eq!(sheet(&["--sheet-count", "1", "--sheet-poses", "joint"]).dimensions(), (532 + 12, 380 + 12));
}

#[test]
fn a_sheet_that_cannot_be_drawn_is_refused_with_the_reason() {
    let tubes = Tubes::new();
    let (tube, cut) = (tubes.path("tube.glb"), tubes.path("cut.glb"));
    let png = tubes.path("sheet.png");
    std::fs::copy(&tube, tubes.path("tube.png")).unwrap();
    let before = std::fs::read(&tube).unwrap();
    for (args, said) in [
        (vec![&*tube, "--sheet", &*tube], "extension"),
        (vec![&*tubes.path("tube.png"), "--sheet", &*tubes.path("tube.png")], "would be lost"),
        (vec![&*tube, &*cut, "--sheet", &*png], "would both be written to"),
        (vec![&*tube, "--sheet", &*png, "--sheet-poses", "whole-body"], "the test has no whole-body poses"),
        (vec![&*tube, "--sheet", "-", "--json"], "Only one of --sheet, --csv and --json"),
        (vec![&*tube, "--sheet-count", "3"], "--sheet"),
    ] {
        let run = rigscope(&[&["flex"], &*args].concat());
        assert!(run.code == Some(2) && run.stderr.contains(said), "{args:?}: {}", run.stderr);
    }
    assert!(std::fs::read(&tube).unwrap() == before && !std::path::Path::new(&png).exists());
}
