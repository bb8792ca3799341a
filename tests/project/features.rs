//! Builds with fewer features: the crates that they depend on, and their messages about missing features.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::collections::BTreeSet;
use std::process::Command;

#[cfg(not(feature = "window"))]
use crate::common;

/// Returns the names and versions of all crates in a build, including the program itself.
fn crates(features: &str) -> BTreeSet<String> {
    let words = "tree --package rigscope --offline --locked --edges normal,build --prefix none --format {p} --no-default-features --features";
    let output = Command::new(env!("CARGO"))
        .args(words.split(' '))
        .arg(features)
        .current_dir(rigscope_tests::ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_build_without_features_is_a_fraction_of_the_crates() {
    let [none, cli, gl, window] = ["", "cli", "cli,gl", "cli,window"].map(crates);
    let has = |crates: &BTreeSet<String>, name: &str| crates.iter().any(|line| line.starts_with(&format!("{name} ")));
    assert!(none.len() <= 93, "{} crates without features: {none:#?}", none.len());
    assert!(cli.len() <= 109, "{} crates of the subcommands: {cli:#?}", cli.len());
    assert!(gl.len() <= 147, "{} crates with OpenGL: {gl:#?}", gl.len());
    assert!(none.is_subset(&cli) && cli.is_subset(&gl) && gl.is_subset(&window));
    for (name, places) in [
        ("gltf", [true, true, true, true]),
        ("clap", [false, true, true, true]),
        ("three-d", [false, false, true, true]),
        ("egui", [false, false, false, true]),
        ("winit", [false, false, false, true]),
        ("egui_kittest", [false, false, false, false]),
    ] {
        assert_eq!([&none, &cli, &gl, &window].map(|crates| has(crates, name)), places, "{name}");
    }
}

#[cfg(not(feature = "window"))]
#[test]
fn build_without_a_window_explains_what_to_do() {
    for words in [&[][..], &["builtin:tube"]] {
        let run = common::command::rigscope(words);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words:?}");
        let instead = if cfg!(feature = "gl") { "rigscope render" } else { "bake" };
        for part in ["without its window", "default features", instead] {
            assert!(run.stderr.contains(part), "{words:?}: {}", run.stderr);
        }
    }
}

#[cfg(not(feature = "gl"))]
#[test]
fn build_without_opengl_reports_it_when_drawing() {
    let picture = ["render", "builtin:tube", "--yaw", "-30", "-o", "gone/a.png"];
    let meshes = ["bake", "builtin:tube", "--backend", "gpu", "-o", "gone/a.ply"];
    for words in [&["render"][..], &picture, &meshes] {
        let run = common::command::rigscope(words);
        assert_eq!(run.code, Some(2), "{words:?}");
        assert!(run.stderr.contains("without OpenGL") && run.stderr.contains("--features gl"), "{}", run.stderr);
    }
    assert!(!common::command::rigscope(&["--help"]).ok().stdout.contains("\n  render"));
}
