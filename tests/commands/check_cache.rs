//! `rigscope check --cache`: unchanged files are not checked again, and the output stays the same.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::fs::File;
use std::time::{Duration, SystemTime};

use crate::check_pipeline::{Project, clean, heavy};
use crate::common::command::{Run, rigscope_in};

const CACHE: &str = "--cache=kept";
const FILE: &str = "kept/check.cache";

/// Creates a project whose files were last changed a minute ago.
fn project() -> Project {
    let project = Project::new();
    project.write("b.glb", heavy(3));
    project.write("c.glb", &clean()[..100]);
    project.write("rigscope.toml", "ignore = ['RIG022']\n");
    for name in ["a.glb", "b.glb", "c.glb"] {
        age(&project, name, 60);
    }
    project
}

/// Sets the modification time of a file to `seconds` ago.
fn age(project: &Project, name: &str, seconds: u64) {
    let file = File::options().write(true).open(project.path(name)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

/// Checks the whole project with and without the cache. Asserts that the output is the same, and returns the number of
/// files taken from the cache.
fn known(project: &Project, options: &[&str]) -> usize {
    let plain = project.check(&[&["."], options].concat());
    let cached = project.check(&[&[".", CACHE], options].concat());
    assert_eq!((&plain.stdout, plain.code), (&cached.stdout, cached.code), "{options:?}");
    count(&cached)
}

fn count(run: &Run) -> usize {
    let told = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("note: ")?.split_once(" of ").filter(|_| line.contains("unchanged")));
    told.unwrap_or_else(|| panic!("{}", run.stderr)).0.parse().unwrap()
}

#[test]
fn the_answer_is_the_same_in_every_format() {
    let project = project();
    for options in
        [vec![], vec!["-v"], vec!["--json"], vec!["--sarif"], vec!["--format", "junit"], vec!["--format", "github"]]
    {
        assert_eq!(known(&project, &options), 0, "{options:?}");
        assert_eq!(known(&project, &options), 2, "{options:?}: what cannot be read is tried again");
    }
    assert!(!std::fs::read_to_string(project.path(FILE)).unwrap().contains("c.glb"));
}

#[test]
fn options_that_change_the_result_bypass_the_cache() {
    let project = project();
    let fill = || _ = known(&project, &[]);
    fill();
    for options in
        [["--severity", "warning"], ["--ignore", "RIG010"], ["--profile", "vrm-1"], ["--memory-limit", "100"]]
    {
        assert_eq!(known(&project, &options), 0, "{options:?}");
    }
    assert_eq!((known(&project, &["--strict"]), known(&project, &["--jobs", "1"])), (0, 2));
    project.write("rigscope.toml", "[severity]\nRIG010 = 'note'\n");
    assert_eq!((known(&project, &[]), known(&project, &["--no-config"])), (0, 0));
    fill();
    let named = project.check(&["b.glb", CACHE]);
    assert_eq!(count(&named), 0, "the answer says b.glb and not ./b.glb");
    project.write("b.glb", heavy(2));
    age(&project, "b.glb", 60);
    assert_eq!((known(&project, &[]), known(&project, &[])), (1, 2));
    project.write("b.glb", heavy(1));
    assert_eq!(
        (known(&project, &[]), known(&project, &[])),
        (1, 1),
        "a file that changed just now may change again unseen"
    );
    age(&project, "b.glb", 30);
    assert_eq!((known(&project, &[]), known(&project, &[])), (1, 2));
    age(&project, "b.glb", 20);
    assert_eq!(
        (known(&project, &[]), known(&project, &[])),
        (1, 2),
        "other times and the same content are known, and not untouched"
    );
}

#[test]
fn files_beside_a_file_count_as_it_does() {
    let project = Project::new();
    let gltf = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"a.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0,"images":[{"uri":"skin.png"}],"textures":[{"source":0}]}"#;
    std::fs::remove_file(project.path("a.glb")).unwrap();
    project.write("a.gltf", gltf);
    age(&project, "a.gltf", 60);
    let triangle = |x: f32| [0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, 1.0, 0.0].map(f32::to_le_bytes).concat();
    let buffer = |x: f32| {
        project.write("a.bin", triangle(x));
        age(&project, "a.bin", 60);
    };
    buffer(1.0);
    assert_eq!((known(&project, &[]), known(&project, &[])), (0, 1));
    buffer(0.0);
    assert_eq!((known(&project, &[]), known(&project, &[])), (0, 1), "its buffer has changed");
    project.write("skin.png", "no picture");
    age(&project, "skin.png", 60);
    assert_eq!((known(&project, &[]), known(&project, &[])), (0, 1), "its image is there now");
}

#[test]
fn baselines_are_written_and_heeded_as_without_a_cache() {
    let project = project();
    std::fs::remove_file(project.path("c.glb")).unwrap();
    let baseline = |options: &[&str]| {
        project.check(&[&["."], options].concat());
        std::fs::read_to_string(project.path("known.json")).unwrap()
    };
    let plain = baseline(&["--write-baseline", "known.json"]);
    for _ in 0..2 {
        std::fs::remove_file(project.path("known.json")).unwrap();
        assert_eq!(baseline(&["--write-baseline", "known.json", CACHE]), plain);
    }
    let accepting = ["--baseline", "known.json"];
    assert_eq!((known(&project, &accepting), known(&project, &accepting)), (0, 2));
    std::fs::copy(project.path("known.json"), project.path("other.json")).unwrap();
    assert_eq!(known(&project, &["--baseline", "other.json"]), 2, "the same entries at another path");
    project.write("known.json", plain.replace(": 3", ": 5"));
    assert_eq!(known(&project, &accepting), 1, "more is accepted of b.glb");
    assert_eq!(known(&project, &accepting), 2);
}

#[test]
fn unusable_cache_is_reported_and_fails_nothing() {
    let project = project();
    known(&project, &[]);
    let whole = std::fs::read_to_string(project.path(FILE)).unwrap();
    for text in ["", "something else\n", &whole[..whole.len() - 9], &whole.replace("RIG010", "RIG011")] {
        project.write(FILE, text);
        let run = project.check(&[".", CACHE]);
        assert!(run.stderr.contains("is damaged or of another version"), "{}", run.stderr);
        assert!(run.stdout.contains("RIG010") && run.code == Some(2), "{}", run.stdout);
        assert_eq!(known(&project, &[]), 2, "it was made anew");
    }
    for blocked in ["--cache=a.glb", "--cache=a.glb/below"] {
        let run = project.check(&[".", blocked]);
        assert!(run.stderr.contains("warning:") && run.stdout.contains("RIG010"), "{run:?}");
        assert_eq!(run.code, Some(2));
    }
}

#[test]
fn without_a_name_the_cache_is_in_the_users_folder_and_takes_no_file_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.glb");
    std::fs::write(&file, clean()).unwrap();
    File::options().write(true).open(&file).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let check = || {
        rigscope_in(
            &[("XDG_CACHE_HOME", folder.path().as_os_str())],
            &["check".as_ref(), "--cache".as_ref(), file.as_os_str()],
        )
    };
    assert_eq!((count(&check()), count(&check())), (0, 1));
    assert!(folder.path().join("rigscope/check.cache").exists());
}
