//! `--clips-of`: how many joints match, and clips that hardly fit.
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

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
