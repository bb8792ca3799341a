//! `--clips-of`: the number of matching joints, clips that hardly fit, and the table of errors.

use crate::common;

use common::command::rigscope;

#[test]
fn clips_of_which_fewer_than_half_of_the_joints_match_are_taken_only_if_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let [onto, out] = ["prop.gltf", "out.glb"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let prop = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"LeftFoot","children":[1]},{"name":"Tip","translation":[0,7,0]}]}"#;
    std::fs::write(&onto, prop).unwrap();
    let command = ["convert", &onto, "--clips-of", "builtin:figure", "-o", &out];
    let refused = rigscope(&command);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("--partial takes the clips nevertheless"), "{}", refused.stderr);
    assert!(!std::path::Path::new(&out).exists());
    let taken = rigscope(&[&command[..], &["--partial"]].concat());
    assert_eq!(taken.code, Some(0), "{}", taken.stderr);
    assert!(taken.stderr.contains("joints that the clips of builtin:figure move match"), "{}", taken.stderr);
}

#[test]
fn errors_of_clips_are_written_as_a_table_or_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let [out, table, json] =
        ["out.glb", "errors.txt", "errors.json"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    for errors in [&table, &json] {
        let command =
            ["convert", "builtin:figure", "--clips-of", "builtin:figure", "--clip-errors", errors, "-o", &out];
        let run = rigscope(&command);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let table = std::fs::read_to_string(table).unwrap();
    for row in ["LeftUpperArm ", "all bones ", "soles ", "hands "] {
        assert!(table.lines().any(|line| line.starts_with(row)), "{table}");
    }
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    let errors = &json[0];
    assert_eq!(errors["file"], "builtin:figure");
    assert_eq!(errors["unmatched"].as_array().unwrap().len(), 0);
    assert!(errors["bones"].as_array().unwrap().len() > 40, "{errors}");
    // Clips that are applied to their own character don't change.
    assert!(errors["all_bones"]["worst"].as_f64().unwrap() < 0.1, "{errors}");
    assert!(errors["soles"]["worst"].as_f64().unwrap() < 1e-3 && errors["hands"]["worst"].as_f64().unwrap() < 1e-3);
}
