//! Exclusions of `rigscope check`, by options and by configs.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use serde_json::Value;

use crate::check_pipeline::{Project, clean};
use crate::common::command::Run;

/// Creates a project with `a.glb`, `wip.glb`, `models/a.glb`, `models/old/b.glb`, `models/old/deep/c.glb` and
/// `models/[x] é.glb`.
fn project() -> Project {
    let project = Project::new();
    std::fs::create_dir_all(project.path("models/old/deep")).unwrap();
    for name in ["wip.glb", "models/a.glb", "models/old/b.glb", "models/old/deep/c.glb", "models/[x] é.glb"] {
        project.write(name, clean());
    }
    project
}

fn files(run: &Run) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{run:?}");
    let name = |line: &str| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = run.stdout.lines().map(name).collect();
    for name in &mut names {
        name.drain(..if name.starts_with("./") { 2 } else { 0 });
    }
    names.sort();
    names
}

fn checked(project: &Project, options: &[&str]) -> Vec<String> {
    files(&project.check(&[&["--json"], options].concat()))
}

const ALL: [&str; 6] =
    ["a.glb", "models/[x] é.glb", "models/a.glb", "models/old/b.glb", "models/old/deep/c.glb", "wip.glb"];

/// Returns all files except `left_out`.
fn all_but(left_out: &[&str]) -> Vec<&'static str> {
    ALL.into_iter().filter(|name| !left_out.contains(name)).collect()
}

#[test]
fn patterns_are_of_names_of_folders_and_of_paths() {
    let project = project();
    assert_eq!(checked(&project, &["."]), ALL);
    let (b, c) = ("models/old/b.glb", "models/old/deep/c.glb");
    for (pattern, left_out) in [
        ("old", &[b, c][..]),
        ("old/", &[b, c]),
        ("models/old", &[b, c]),
        ("./models/old/", &[b, c]),
        ("models/old/*", &[b, c]),
        ("models/old/*.glb", &[b]),
        ("models/**/*.glb", &["models/[x] é.glb", "models/a.glb", b, c]),
        ("**/deep/**", &[c]),
        ("wip*", &["wip.glb"]),
        ("a.glb", &["a.glb", "models/a.glb"]),
        ("/a.glb", &["a.glb"]),
        ("a.glb/", &[]),
        ("A.GLB", &[]),
        ("\\[x\\]*", &["models/[x] é.glb"]),
        ("[[]x[]] ?.glb", &["models/[x] é.glb"]),
        ("nothing/**", &[]),
        ("**", &ALL),
    ] {
        assert_eq!(checked(&project, &[".", "--exclude", pattern]), all_but(left_out), "{pattern}");
    }
    assert_eq!(checked(&project, &[".", "--exclude", "old", "--exclude", "wip.glb"]), all_but(&[b, c, "wip.glb"]));
}

#[test]
fn patterns_are_below_the_working_folder_and_elsewhere_below_what_is_named() {
    let project = project();
    let kept = ["models/[x] é.glb", "models/a.glb"];
    assert_eq!(checked(&project, &["models", "--exclude", "models/old"]), kept);
    assert!(checked(&project, &["models", "--exclude", "old/b.glb"]).contains(&"models/old/b.glb".to_owned()));
    assert_eq!(checked(&project, &["models/../models", "--exclude", "models/old"]).len(), 2);
    let absolute = project.path("models").to_str().unwrap().to_owned();
    assert_eq!(checked(&project, &[&absolute, "--exclude", "models/old"]).len(), 2);
    let elsewhere = Project::new();
    assert_eq!(checked(&elsewhere, &[&absolute, "--exclude", "old/b.glb"]).len(), 3);
    assert_eq!(checked(&elsewhere, &[&absolute, "--exclude", "models"]).len(), 4, "above what is named is nothing");
    assert!(checked(&project, &["models/old/b.glb", "--exclude", "old"]).is_empty(), "a file that is named too");
    let list = project.check_given(&["--json", "--files-from", "-", "--exclude", "old"], b"a.glb\nmodels/old/b.glb\n");
    assert_eq!(files(&list), ["a.glb"]);
    assert_eq!(checked(&project, &["builtin:tube", "--exclude", "**"]), ["builtin:tube"]);
}

#[test]
fn the_settings_of_a_project_leave_out_what_is_not_named() {
    let project = project();
    project.write("rigscope.toml", "exclude = ['old/', 'wip.*', '/models/a.glb']\n");
    assert_eq!(checked(&project, &["."]), ["a.glb", "models/[x] é.glb"]);
    assert_eq!(checked(&project, &[".", "--no-config"]), ALL);
    assert_eq!(
        checked(&project, &["models/a.glb", "wip.glb"]),
        ["models/a.glb", "wip.glb"],
        "what is named is checked"
    );
    assert_eq!(checked(&project, &["models/old"]), ["models/old/b.glb", "models/old/deep/c.glb"]);
    let list = project.check_given(&["--json", "--files-from", "-"], b"a.glb\nwip.glb\nmodels/old/b.glb\n");
    assert_eq!(files(&list), ["a.glb"], "a list names nothing by hand");
    // The nearest config applies to the files below its folder.
    project.write("models/rigscope.toml", "exclude = ['deep']\n");
    let nearest = checked(&project, &["."]);
    assert_eq!(nearest, ["a.glb", "models/[x] é.glb", "models/a.glb", "models/old/b.glb"]);
    project.write("rigscope.toml", "exclude = ['models/']\n");
    assert_eq!(checked(&project, &["."]), ["a.glb", "wip.glb"], "a folder by the settings beside it");
    project.write("rigscope.toml", "exclude = ['old/', 'wip.*', '/models/a.glb']\n");
    let elsewhere = Project::new();
    let (folder, settings) = (project.path("models"), project.path("rigscope.toml"));
    let named = [folder.to_str().unwrap(), "--config", settings.to_str().unwrap()];
    assert_eq!(checked(&elsewhere, &named).len(), 1, "below the folder of the settings that are named");
}

#[test]
fn excluded_meshes_are_counted_and_listed_on_request() {
    let project = project();
    let run = project.check(&[".", "--exclude", "old", "--exclude", "wip.glb"]);
    let sum = "3 files: 0 with errors, 0 unreadable; 0 errors, 0 warnings, 0 notes; 2 excluded";
    assert_eq!((run.code, run.stdout.lines().last(), run.stderr.as_str()), (Some(0), Some(sum), ""));
    let told = project.check(&["models", "--exclude", "old", "-v"]).stderr;
    assert!(told.contains("note: models/old is excluded"), "{told}");
    let nothing = project.check(&["models", "--exclude", "**"]);
    assert_eq!((nothing.code, nothing.stdout.lines().count()), (Some(0), 1), "{nothing:?}");
}

#[test]
fn invalid_pattern_is_rejected() {
    let project = project();
    for (pattern, said) in [("a[", "has a [ without ]"), ("!a", "begins with !"), ("", "is of no path"), ("../a", "..")]
    {
        let run = project.check(&[".", "--exclude", pattern]);
        assert!(run.code == Some(2) && run.stdout.is_empty() && run.stderr.contains(said), "{pattern}: {run:?}");
    }
    for (text, said) in [
        ("exclude = ['a[']\n", "line 1: exclude: the pattern \"a[\" has a [ without ]"),
        ("exclude = 'a'\n", "line 1: exclude: a list, not text"),
        ("[[override]]\nfiles = 'a*'\nexclude = ['b']\n", "exclude is for the whole project"),
    ] {
        project.write("rigscope.toml", text);
        let run = project.check(&["a.glb"]);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{text}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn links_and_names_that_are_not_text_are_left_out_too() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let project = project();
    std::fs::write(project.path("models").join(OsStr::from_bytes(b"r\xEFg.glb")), clean()).unwrap();
    std::os::unix::fs::symlink(project.path("models"), project.path("link")).unwrap();
    assert_eq!(checked(&project, &["models", "--exclude", "old"]).len(), 3);
    assert_eq!(checked(&project, &["models", "--exclude", "old", "--exclude", "r?g.glb"]).len(), 2);
    assert_eq!(checked(&project, &["link", "--exclude", "models/old"]).len(), 3, "a link is what it leads to");
}
