//! `rigscope motion`, run as a user or a script would.

use crate::common;
use crate::compare::object;

use std::path::PathBuf;

use common::command::{Run, rigscope};
use serde_json::Value;

fn motion(options: &[&str]) -> Run {
    rigscope(&["motion", "builtin:tube"].iter().chain(options).map(PathBuf::from).collect::<Vec<_>>())
}

#[test]
fn clips_are_ranked_and_one_is_listed_frame_by_frame() {
    let all = motion(&[]).ok();
    let lines: Vec<&str> = all.stdout.lines().collect();
    assert_eq!(lines[0], "builtin:tube");
    assert!(lines[1].starts_with("A lbs, B dqs, ") && lines[1].ends_with(" frames"), "{}", lines[1]);
    let found = object(&motion(&["--json"]).ok());
    let ranking = found["motion"]["ranking"].as_array().unwrap();
    assert_eq!(lines.len(), 3 + ranking.len());
    for (line, row) in lines[3..].iter().zip(ranking) {
        assert!(line.ends_with(row["clip"].as_str().unwrap()), "{line}");
    }
    assert_eq!(ranking[0]["clip"], "twist");
    let one = motion(&["--clip", "twist", "--fps", "4"]).ok();
    // 4 s at 4 frames per second, including both ends.
    assert_eq!(one.stdout.lines().count(), 3 + 17, "{}", one.stdout);
}

#[test]
fn json_and_csv_agree_with_compare_at_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("out.csv");
    let run = motion(&["--clip", "twist", "--fps", "2", "--json", "--csv", csv.to_str().unwrap()]).ok();
    assert!(run.stderr.starts_with("saved: "), "{}", run.stderr);
    let found = object(&run)["motion"].clone();
    let clip = &found["clips"][0];
    assert_eq!((found["sides"].clone(), &clip["fps"]), (serde_json::json!(["lbs", "dqs"]), &Value::from(2.0)));
    let text = std::fs::read_to_string(csv).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let times = clip["time_secs"].as_array().unwrap();
    assert_eq!((rows.len(), times.len(), rows[0].len()), (10, 9, 22));
    for (frame, time) in times.iter().enumerate() {
        let time = time.to_string();
        let pose = rigscope(&["compare", "builtin:tube", "--clip", "twist", "--time", &time, "--json"]).ok();
        let pose = object(&pose)["pose"].clone();
        for side in 0..2 {
            assert_eq!(clip["volume_m3"][side][frame], pose["volume_m3"][side], "at {time}");
        }
        assert_eq!(clip["max_distance_m"][frame], pose["max_distance_m"], "at {time}");
        assert_eq!(clip["mean_distance_m"][frame], pose["mean_distance_m"], "at {time}");
        assert_eq!(clip["worst_vertex"][frame], pose["worst"], "at {time}");
        let row = &rows[frame + 1];
        let number = |column: &str| {
            let at = rows[0].iter().position(|name| *name == column).unwrap();
            serde_json::from_str::<Value>(row[at]).unwrap()
        };
        assert_eq!(number("volume_b_m3"), pose["volume_m3"][1]);
        assert_eq!(number("mean_distance_m").as_f64(), pose["mean_distance_m"].as_f64());
        assert_eq!(number("flipped_triangles_a"), clip["flipped_triangles"][0][frame]);
    }
}

#[test]
fn sides_are_as_compare_has_them() {
    let same = object(&motion(&["--method", "dqs", "--with", "dqs", "--clip", "bend", "--fps", "1", "--json"]).ok());
    let distances = same["motion"]["clips"][0]["max_distance_m"].as_array().unwrap().clone();
    assert!(distances.len() > 2 && distances.iter().all(|d| d.as_f64() == Some(0.0)), "{distances:?}");
    let folder = tempfile::tempdir().unwrap();
    let figure = folder.path().join("figure.glb");
    std::fs::write(&figure, rigscope::stage::BuiltIn::Figure.bytes()).unwrap();
    let options = ["--with-file", figure.to_str().unwrap(), "--clip", "bend", "--fps", "1", "--json"];
    let other = object(&motion(&options).ok());
    assert!(other["motion"]["distances_off"].is_string(), "{other}");
    assert_eq!(other["motion"]["clips"][0]["max_distance_m"], Value::Null);
}

#[test]
fn the_loss_on_b_is_that_of_the_joint_of_the_same_name_wherever_it_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.glb");
    // Every joint has another index below a new root.
    rigscope(&["refit", "builtin:tube", "--add-root", "Top", "-q", "-o", other.to_str().unwrap()]).ok();
    let motions = object(&motion(&["--comparison-file", other.to_str().unwrap(), "--fps", "4", "--json"]).ok());
    let ranking = motions["motion"]["ranking"].as_array().unwrap();
    let losses: Vec<_> = ranking.iter().filter_map(|clip| clip["volume_loss"].as_array()).collect();
    assert!(losses.len() > 1, "{ranking:?}");
    for loss in losses {
        let [a, b] = [0, 1].map(|side| loss[side].as_f64().unwrap());
        assert!((a - b).abs() < 1e-5 && a > 0.05, "{ranking:?}");
    }
}

#[test]
fn seams_of_each_clip_appear_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("seams.csv");
    let run = motion(&["--seams", "--csv", csv.to_str().unwrap()]).ok();
    let found = object(&motion(&["--seams", "--json"]).ok());
    let seams = found["seams"].as_array().unwrap();
    assert_eq!(seams.iter().map(|s| s["clip"].as_str().unwrap()).collect::<Vec<_>>(), ["twist", "bend"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2 + seams.len(), "{}", run.stdout);
    let text = std::fs::read_to_string(csv).unwrap();
    assert_eq!(text.lines().count(), 1 + seams.len());
    for ((line, row), seam) in lines[2..].iter().zip(text.lines().skip(1)).zip(seams) {
        let name = seam["clip"].as_str().unwrap();
        assert!(line.ends_with(name) && row.starts_with(name), "{line} {row}");
        assert!(seam["skin_gap"]["max_distance_m"].as_f64().unwrap() < 1e-3, "{seam}");
        assert!(seam["keys"]["keys"].as_u64() > seam["keys"]["spare_keys"].as_u64(), "{seam}");
    }
    let refused = motion(&["--seams", "--with", "dqs"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("cannot be used with"), "{}", refused.stderr);
}

#[test]
fn feet_are_found_by_name_or_chosen() {
    let figure = |options: &[&str]| {
        let all = [&["motion", "builtin:figure", "--clip", "walk", "--feet", "--fps", "10"], options].concat();
        rigscope(&all.iter().map(PathBuf::from).collect::<Vec<_>>())
    };
    let text = figure(&[]).ok().stdout;
    assert_eq!(text.lines().count(), 4, "{text}");
    let found = object(&figure(&["--json"]).ok());
    let feet = |found: &Value| {
        let feet = found["feet"][0]["feet"].as_array().unwrap().clone();
        feet.iter().map(|foot| foot["foot"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(feet(&found), ["LeftFoot", "RightFoot"]);
    assert_eq!((&found["feet"][0]["clip"], &found["feet"][0]["moves"]), (&Value::from("walk"), &Value::from(false)));
    assert_eq!(feet(&object(&figure(&["--foot", "LeftHand", "--json"]).ok())), ["LeftHand"]);
    let csv = figure(&["--csv", "-"]).ok().stdout;
    assert!(csv.starts_with("clip,number,foot,") && csv.lines().count() == 3, "{csv}");
    let none = motion(&["--feet"]);
    assert!(none.code == Some(2) && none.stderr.contains("--foot NAME"), "{}", none.stderr);
    let unknown = figure(&["--foot", "Paw"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("There is no joint \"Paw\""), "{}", unknown.stderr);
}

#[test]
fn invalid_motion_options_are_rejected_with_a_reason() {
    let refused = |run: Run, why: &str| {
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{why}");
        assert!(run.stderr.contains(why), "{}", run.stderr);
    };
    refused(motion(&["--clip", "run"]), "There is no clip \"run\"; there are ");
    refused(motion(&["--fps", "0"]), "frames per second");
    refused(motion(&["--with", "slerp"]), "no skinning method is called");
    refused(motion(&["--json", "--csv", "-"]), "Only one of --csv and --json");
    let folder = tempfile::tempdir().unwrap();
    let still = folder.path().join("still.glb");
    let mut character = common::character::Character::default().builder();
    character.json.as_object_mut().unwrap().remove("animations");
    std::fs::write(&still, character.build()).unwrap();
    let still = still.to_str().unwrap();
    refused(rigscope(&["motion", still]), "this file has no clips");
    let both = rigscope(&["motion", still, "builtin:tube", "--csv", "-"]);
    assert_eq!(both.code, Some(0), "{}", both.stderr);
    assert!(both.stderr.contains("this file has no clips") && both.stdout.contains("builtin:tube,"), "{}", both.stdout);
}
