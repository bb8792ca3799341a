//! `rigscope bench`: frame times for every kind of row.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use common::command::rigscope;
use serde_json::Value;

fn bench(options: &[&str]) -> String {
    let words = [&["bench", "builtin:tube", "--frames", "3", "--size", "96x64"], options].concat();
    rigscope(&words).ok().stdout
}

fn names(report: &Value) -> Vec<&str> {
    report["frames"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

#[test]
fn every_method_and_layout_is_measured_wherever_vertices_are_skinned() {
    for device in ["compute", "feedback", "cpu"] {
        let report: Value = serde_json::from_str(&bench(&["--json", "--skin", device])).unwrap();
        assert_eq!(report["skinned_on"], device);
        assert_eq!(report["size"], serde_json::json!([96, 64]));
        let names = names(&report);
        let expected = ["orbit", "lbs", "dqs", "blend:0.5", "dqs-compensated", "cor", "sclerp"];
        assert_eq!(names[..expected.len()], expected);
        for kind in ["no grid", "clay", "wireframe", "overlay", "wipe", "side by side", "ghost", "outline"] {
            assert_eq!(names.iter().filter(|name| name.contains(kind)).count(), 1, "{kind}");
        }
        for row in report["frames"].as_array().unwrap() {
            let [fastest, median, slowest] = ["min_ms", "median_ms", "p95_ms"].map(|key| row[key].as_f64().unwrap());
            assert!(0.0 < fastest && fastest <= median && median <= slowest && row["frames"] == 3, "{row}");
        }
        assert!(report["bytes"]["vertices"].as_u64().unwrap() > 0);
        let ms = |key: &str| report[key].as_f64().unwrap();
        // The start time and the current time are only accurate to ten milliseconds.
        let parts = ms("load_ms") + ms("context_ms") + ms("first_image_ms");
        assert!(ms("start_to_image_ms") + 20.0 >= parts, "{report}");
    }
}

#[test]
fn a_table_names_what_was_measured_and_only_the_rows_that_were_asked_for() {
    let table = bench(&["--only", "wipe", "--samples", "1"]);
    assert!(table.contains("96 x 64 pixels, 1 sample each, by"), "{table}");
    assert!(table.contains("lbs | dqs, wipe") && !table.contains("side by side"), "{table}");
}

#[test]
fn a_method_that_cannot_serve_a_rig_is_left_out_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.glb");
    std::fs::write(&path, common::glb::triangle().build()).unwrap();
    let words = ["bench", path.to_str().unwrap(), "--frames", "3", "--size", "32x32", "--only", "cor"];
    let table = rigscope(&words).ok().stdout;
    assert!(table.contains("left out: ") && table.contains("needs a skin"), "{table}");
}

#[test]
fn bench_reports_the_graphics_card_and_its_own_time() {
    let report: Value = serde_json::from_str(&bench(&["--card", "--only", "lbs"])).unwrap();
    let card = &report["card"];
    assert_eq!(card["renderer"], report["renderer"]);
    assert!(card["limits"]["max_texture_size"].as_u64().unwrap() >= 1024, "{card}");
    assert!(card["extensions"].as_array().unwrap().len() > 10 && card["is_software"].is_boolean(), "{card}");
    if cfg!(target_os = "linux") {
        assert!(card["max_memory_bytes"].as_u64().unwrap() > 1 << 20, "{card}");
    }
    let row = &report["frames"][0];
    let is_timed =
        card["version"].as_str().unwrap().starts_with("4.5") || card["version"].as_str().unwrap().starts_with("4.6");
    assert_eq!(row["card_ms"].as_f64().is_some_and(|ms| ms > 0.0), is_timed, "{row}");
    let plain: Value = serde_json::from_str(&bench(&["--json", "--only", "lbs"])).unwrap();
    assert!(plain["card"].is_null() && plain["frames"][0]["card_ms"].is_null(), "{plain}");
}
