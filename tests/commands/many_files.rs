//! Subcommands over many files: folders, patterns, lists, output paths with placeholders.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::process::Command;

use common::character::Character;
use common::command::Run;
use serde_json::Value;

/// A folder with `a.glb`, `broken.glb` and `deep/a.glb`.
struct Models {
    folder: tempfile::TempDir,
}

impl Models {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("models/deep")).unwrap();
        for name in ["models/a.glb", "models/deep/a.glb"] {
            std::fs::write(folder.path().join(name), Character::default().builder().build()).unwrap();
        }
        std::fs::write(folder.path().join("models/broken.glb"), b"junk").unwrap();
        Self { folder }
    }

    /// Runs the program in the folder.
    fn run(&self, args: &[&str]) -> Run {
        let output = Command::new(rigscope_tests::program()).current_dir(&self.folder).args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Run { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).is_file()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }
}

fn files(run: &Run) -> Vec<String> {
    let file = |line: &str| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_owned();
    run.stdout.lines().map(file).collect()
}

#[test]
fn a_file_that_fails_is_named_and_stops_nothing() {
    let models = Models::new();
    for command in [
        &["convert", "models", "-o", "out/{folder}/{stem}.glb"][..],
        &["bake", "models", "-o", "out/{folder}/{stem}.glb"],
        &["weights", "models", "--max-influences", "2", "-q", "-o", "out/{folder}/{stem}.glb"],
    ] {
        let run = models.run(command);
        assert_eq!(run.code, Some(2), "{command:?}: {}", run.stderr);
        assert!(models.has("out/a.glb") && models.has("out/deep/a.glb"), "{command:?}: {}", run.stderr);
        assert!(!models.has("out/broken.glb"));
        let error = run.stderr.lines().find(|line| line.starts_with("rigscope: ")).unwrap();
        assert!(error.contains("models/broken.glb"), "{error}");
        std::fs::remove_dir_all(models.path("out")).unwrap();
    }
    let run = models.run(&["convert", "models/a.glb", "models/deep", "-o", "out/{name}-{stem}.glb"]);
    assert_eq!(run.code, Some(2), "both are called a.glb");
    models.run(&["convert", "models/deep", "-o", "out/{name}.glb"]).ok();
    assert!(models.has("out/a.glb.glb"));
}

#[test]
fn numbers_of_many_files_are_lines_of_json_or_one_csv() {
    let models = Models::new();
    let names = ["models/a.glb", "models/deep/a.glb"];
    for command in [&["compare"][..], &["motion"], &["weights"], &["nodes"], &["flex", "--worst", "1"]] {
        let run = models.run(&[command, &["models", "--json", "-j", "2"]].concat());
        assert_eq!(run.code, Some(2), "{command:?}");
        assert_eq!(files(&run), names, "{command:?}: {}", run.stderr);
    }
    for command in [&["compare"][..], &["motion"], &["weights"], &["flex"]] {
        let each = models.run(&[command, &["models/a.glb", "--csv", "-"]].concat()).ok().stdout;
        let all = models.run(&[command, &["models", "--csv", "-", "--jobs", "3"]].concat());
        let lines: Vec<&str> = all.stdout.lines().collect();
        assert_eq!(lines[0], format!("file,{}", each.lines().next().unwrap()), "{command:?}");
        assert_eq!(lines.len(), 2 * each.lines().count() - 1, "{command:?}");
        assert!(lines[1].starts_with("models/a.glb,") && lines.last().unwrap().starts_with("models/deep/a.glb,"));
        models.run(&[command, &["models", "--csv", "{stem}{folder}.csv", "-q"]].concat());
        assert_eq!(models.bytes("a.csv"), each.as_bytes(), "{command:?}");
        assert!(models.has("adeep.csv"), "{command:?}");
    }
    let tables = models.run(&["compare", "models/a.glb", "models/deep/a.glb"]).ok().stdout;
    let alone = models.run(&["compare", "models/a.glb"]).ok().stdout;
    assert!(tables.starts_with(&format!("{alone}\nmodels/deep/a.glb\n")), "{tables}");
}

#[test]
fn files_come_from_patterns_lists_and_folders_without_exclusions() {
    let models = Models::new();
    let found = |args: &[&str]| files(&models.run(&[&["compare", "--json"], args].concat()));
    assert_eq!(found(&["models/*/a.glb"]), ["models/deep/a.glb"]);
    assert_eq!(found(&["models/**/a.glb"]), ["models/a.glb", "models/deep/a.glb"]);
    assert_eq!(found(&["models/{a,b}.glb"]), ["models/a.glb"]);
    assert_eq!(found(&["models", "--exclude", "deep/"]), ["models/a.glb"]);
    std::fs::write(models.path("list"), "models/deep/a.glb\nbuiltin:tube\n").unwrap();
    assert_eq!(found(&["--files-from", "list"]), ["models/deep/a.glb", "builtin:tube"]);
    let none = models.run(&["compare", "models/*.fbx"]);
    assert!(none.code == Some(2) && none.stderr.contains("matches this pattern"), "{}", none.stderr);
    std::fs::write(models.path("rigscope.toml"), "exclude = ['deep/']\n").unwrap();
    assert_eq!(found(&["models"]), ["models/a.glb"], "as check does");
}

#[test]
fn outputs_must_differ_and_are_no_inputs() {
    let models = Models::new();
    let same = models.run(&["convert", "models", "-o", "out/{stem}.glb"]);
    assert!(same.code == Some(2) && same.stderr.contains("{folder}"), "{}", same.stderr);
    assert!(!models.path("out").exists(), "nothing is written");
    let before = models.bytes("models/a.glb");
    let input = models.run(&["convert", "models/a.glb", "models/deep", "-o", "{folder}/{stem}.glb"]);
    assert!(input.code == Some(2) && models.bytes("models/a.glb") == before, "{}", input.stderr);
    let csv = models.run(&["compare", "models", "--csv", "models/a.glb"]);
    assert!(csv.code == Some(2) && models.bytes("models/a.glb") == before, "{}", csv.stderr);
}

#[test]
fn files_are_changed_in_place() {
    let models = Models::new();
    let before = models.bytes("models/a.glb");
    let dry = models.run(&["weights", "models", "--max-influences", "1", "--in-place", "--dry-run", "-q"]);
    assert_eq!((dry.code, models.bytes("models/a.glb") == before), (Some(2), true), "{}", dry.stderr);
    let told = models.run(&["weights", "models/a.glb", "--max-influences", "1", "--in-place", "--dry-run"]).ok();
    assert!(told.stderr.contains("models/a.glb would be written"), "{}", told.stderr);
    models.run(&["weights", "models/a.glb", "models/deep/a.glb", "--max-influences", "1", "--in-place", "-q"]).ok();
    let after = models.bytes("models/a.glb");
    assert!(after != before && after == models.bytes("models/deep/a.glb"));
    models.run(&["convert", "models/a.glb", "--in-place"]).ok();
    let converted = models.bytes("models/a.glb");
    models.run(&["convert", "models/a.glb", "--in-place"]).ok();
    assert_eq!(models.bytes("models/a.glb"), converted, "converting again gives the same bytes");
    for args in
        [&["convert", "builtin:tube"][..], &["convert", "-"], &["weights", "models/x.fbx", "--max-influences", "1"]]
    {
        let refused = models.run(&[args, &["--in-place"]].concat());
        assert!(refused.code == Some(2) && refused.stderr.contains("--in-place"), "{args:?}: {}", refused.stderr);
    }
    let entries = std::fs::read_dir(models.path("models")).unwrap().count();
    assert_eq!(entries, 3, "no temporary files stay");
}

#[cfg(feature = "gl")]
#[test]
fn images_of_many_files_equal_those_of_single_runs() {
    let models = Models::new();
    let size = ["--size", "48x32", "--no-grid"];
    models.run(&[&["render", "models", "-o", "all/{folder}/{stem}.png"], &size[..]].concat());
    models.run(&[&["render", "models/deep/a.glb", "-o", "one.png"], &size[..]].concat()).ok();
    assert_eq!(models.bytes("all/deep/a.png"), models.bytes("one.png"));
    assert!(models.has("all/a.png") && !models.has("all/broken.png"));
}

#[cfg(feature = "gl")]
#[test]
fn a_sheet_shows_files_frames_or_methods() {
    let models = Models::new();
    let sheet = |args: &[&str]| {
        let run = models.run(&[&["render", "--size", "64x48", "-o", "sheet.png"], args].concat());
        (run, image::open(models.path("sheet.png")).ok().map(|image| (image.width(), image.height())))
    };
    let side = |count: u32, length: u32| count * (length + 12) + 12;
    let (run, size) = sheet(&["models", "--sheet", "2x2"]);
    assert_eq!((run.code, size), (Some(2), Some((side(2, 64), side(1, 48 + 24)))), "{}", run.stderr);
    let (run, size) = sheet(&["builtin:tube", "--clip", "0", "--sheet", "5x1"]);
    assert_eq!((run.code, size), (Some(0), Some((side(5, 64), side(1, 48 + 24)))), "{}", run.stderr);
    let (run, _) = sheet(&["builtin:tube", "--sheet", "4x4"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let (run, _) = sheet(&["models", "--sheet", "1x1"]);
    assert!(run.code == Some(2) && run.stderr.contains("--sheet 1x3"), "{}", run.stderr);
    let (run, _) = sheet(&["builtin:tube", "--sheet", "2x2", "--sheet-of", "frames"]);
    assert!(run.code == Some(2) && run.stderr.contains("--clip"), "{}", run.stderr);
}

#[cfg(feature = "gl")]
#[test]
fn pages_of_many_files_have_an_index_or_names_of_their_own() {
    let models = Models::new();
    let run = models.run(&["report", "models/a.glb", "models/deep/a.glb", "-o", "pages"]).ok();
    assert!(models.has("pages/index.html") && models.has("pages/models-deep-a.glb.html"), "{}", run.stderr);
    let run = models.run(&["report", "models/deep", "-o", "own/{stem}.html"]).ok();
    assert!(models.has("own/a.html") && !models.has("own/index.html"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    for number in 0..400 {
        let name = folder.path().join(format!("{number}.glb"));
        std::fs::write(name, Character::default().builder().build()).unwrap();
    }
    let names: Vec<String> =
        (0..400).map(|number| folder.path().join(format!("{number}.glb")).display().to_string()).collect();
    std::fs::write(&list, names.join("\n")).unwrap();
    let out = folder.path().join("out");
    let mut child = Command::new(rigscope_tests::program());
    child.args(["convert", "-q", "--files-from"]).arg(&list).arg("-o").arg(out.join("{stem}.glb"));
    let mut child = child.spawn().unwrap();
    while std::fs::read_dir(&out).map_or(0, Iterator::count) < 3 {
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait().unwrap();
    assert!(killed.success());
    let is_whole =
        |path: &std::path::Path| common::command::rigscope(&["info".as_ref(), path.as_os_str()]).code == Some(0);
    let written: Vec<_> = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(ended.success() || written.len() < 400);
    assert!(written.iter().all(|path| path.extension().is_some_and(|end| end == "glb")), "{written:?}");
    assert!(written.iter().take(20).all(|path| is_whole(path)));
}
