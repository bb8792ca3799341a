//! Common behaviour of all subcommands: messages, colours, names with control characters, exit codes.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::character::Character;
use common::command::{Run, rigscope};
use serde_json::{Value, json};

/// A colour escape sequence, a forged output line, and a right-to-left override.
const FORGED: &str = "\u{1b}[31mArm\n  error   RIG001  forged\u{202e}\u{9b}";

fn run(args: &[&dyn AsRef<std::ffi::OsStr>]) -> Run {
    rigscope(&args.iter().map(|a| a.as_ref().to_owned()).collect::<Vec<OsString>>())
}

/// Writes a character with one wrong weight sum, and with control characters in its names and in its file name.
fn forged(folder: &Path) -> PathBuf {
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    for node in &mut character.nodes {
        node["name"] = json!(format!("{} {FORGED}", node["name"].as_str().unwrap()));
    }
    let mut builder = character.builder();
    for list in ["meshes", "animations", "skins", "scenes"] {
        builder.json[list][0]["name"] = json!(FORGED);
    }
    builder.json["asset"]["generator"] = json!(FORGED);
    builder.json["extensionsUsed"] = json!([FORGED]);
    builder.json["animations"][0]["channels"][0]["target"]["path"] = json!(FORGED);
    // Windows has no such names of files.
    let name = if cfg!(windows) { "forged" } else { FORGED };
    let path = folder.join(format!("{name}.glb"));
    std::fs::write(&path, builder.build()).unwrap();
    path
}

/// Creates a character whose only fault concerns its appearance: a texture that is missing.
fn untextured(folder: &Path) -> PathBuf {
    let mut builder = Character::default().builder();
    builder.push("images", json!({"uri": "gone.png"}));
    builder.push("textures", json!({"source": 0}));
    builder.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    builder.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let path = folder.join("untextured.glb");
    std::fs::write(&path, builder.build()).unwrap();
    path
}

fn assert_harmless(run: &Run, what: &str) {
    for text in [&run.stdout, &run.stderr] {
        let steers = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{2028}'..='\u{202e}'));
        assert!(!text.contains(steers), "{what}: {text:?}");
        let forged = text.lines().find(|line| line.starts_with("  error   RIG001"));
        assert_eq!(forged, None, "{what}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such names")]
fn names_cannot_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = forged(folder.path());
    let out = |name: &str| folder.path().join(format!("{FORGED}{name}"));
    let gone = folder.path().join(format!("gone {FORGED}"));
    let commands: &[(&str, &[&dyn AsRef<std::ffi::OsStr>])] = &[
        ("check", &[&"check", &file, &gone, &"-v"]),
        ("check as JSON", &[&"check", &file, &gone, &"--json"]),
        ("info", &[&"info", &file, &gone]),
        ("info as JSON", &[&"info", &file, &"--json"]),
        ("compare", &[&"compare", &file, &"--csv", &out(".csv")]),
        ("rank", &[&"compare", &file, &"--rank"]),
        ("rank as JSON", &[&"compare", &file, &"--rank", &"--json"]),
        ("motion", &[&"motion", &file, &"--csv", &out(".csv")]),
        ("motion of a clip", &[&"motion", &file, &"--clip", &"0"]),
        ("seams", &[&"motion", &file, &"--seams"]),
        ("motion as JSON", &[&"motion", &file, &"--json"]),
        ("nodes", &[&"nodes", &file]),
        ("nodes as JSON", &[&"nodes", &file, &"--json"]),
        ("no joint", &[&"compare", &file, &"--joint", &FORGED]),
        ("bake", &[&"bake", &file, &"-o", &out(".json"), &"-v"]),
        ("convert", &[&"convert", &file, &"-o", &out(".glb"), &"-v"]),
        ("no rig file", &[&"convert", &file, &"-o", &out("")]),
        ("no clip", &[&"bake", &file, &"-o", &out(".json"), &"--clip", &FORGED]),
        ("no file", &[&"bake", &gone, &"-o", &out(".json")]),
        ("no format", &[&"bake", &file, &"-o", &out("")]),
        ("no option", &[&"render", &file, &FORGED]),
        ("no command", &[&"chec", &file, &FORGED]),
    ];
    for (what, args) in commands {
        let run = run(args);
        assert!(run.stdout.len() + run.stderr.len() > 40, "{what} says something");
        assert_harmless(&run, what);
    }
    let found: Value = serde_json::from_str(&run(&[&"info", &file, &"--json"]).ok().stdout).unwrap();
    assert_eq!((found["gltf"]["generator"].as_str(), found["scenes"][0].as_str()), (Some(FORGED), Some(FORGED)));
}

#[test]
fn saved_files_are_reported_unless_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, csv, picture] = ["out.ply", "out.csv", "out.png"].map(|name| folder.path().join(name));
    let commands: [(&Path, Vec<&dyn AsRef<std::ffi::OsStr>>, &str); 3] = [
        (&mesh, vec![&"bake", &"builtin:tube", &"-o", &mesh], "vertices, "),
        (&csv, vec![&"compare", &"builtin:tube", &"--csv", &csv], " B)"),
        (&picture, vec![&"render", &"builtin:tube", &"--size", &"64x48", &"-o", &picture], "(64 x 48 pixels)"),
    ];
    let piped = run(&[&"bake", &"builtin:tube", &"-o", &"-", &"--format", &"json"]).ok();
    assert!(piped.stdout.starts_with('{') && !piped.stderr.contains("saved"), "{}", piped.stderr);
    for (path, mut args, holds) in commands {
        let said = run(&args).ok().stderr;
        let line = said.lines().last().filter(|l| l.starts_with(&format!("saved: {} (", path.display())));
        assert!(line.is_some_and(|l| l.contains(holds)), "{said}");
        let times = run(&[args.as_slice(), &[&"-v"]].concat()).ok().stderr;
        assert!(times.lines().filter(|l| l.starts_with("time: ") && l.ends_with(" s")).count() >= 2, "{times}");
        args.push(&"-q");
        assert_eq!(run(&args).ok().stderr, "", "{}", path.display());
    }
}

#[test]
fn quiet_commands_print_no_tables_but_what_a_format_is_asked_for() {
    for command in ["weights", "compare", "motion", "nodes", "info"] {
        let table = run(&[&command, &"builtin:tube"]).ok();
        assert!(table.stdout.lines().count() > 3, "{command} prints a table: {}", table.stdout);
        let quiet = run(&[&command, &"-q", &"builtin:tube"]).ok();
        assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""), "{command}");
        let json = run(&[&command, &"-q", &"--json", &"builtin:tube"]).ok().stdout;
        assert!(serde_json::from_str::<Value>(&json).is_ok(), "{command}: {json}");
    }
}

#[test]
fn warnings_are_silenced_but_errors_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (forged(folder.path()), folder.path().join("out.json"));
    assert!(run(&[&"bake", &file, &"-o", &out]).ok().stderr.contains("warning: "));
    assert_eq!(run(&[&"-q", &"bake", &file, &"-o", &out]).ok().stderr, "");
    assert!(run(&[&"-q", &"bake", &"gone.glb", &"-o", &out]).stderr.starts_with("rigscope: "));
    assert_eq!(run(&[&"check", &"-q", &"builtin:tube"]).ok().stdout, "");
    assert!(run(&[&"check", &"-q", &file]).stdout.contains("RIG010"));
}

#[test]
fn warnings_of_one_kind_are_summed_up_unless_all_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    let mut builder = character.builder();
    let primitive = builder.json["meshes"][0]["primitives"][0].clone();
    builder.json["meshes"][0]["primitives"] = json!(vec![primitive; 8]);
    let [file, out] = ["a.glb", "out.json"].map(|name| folder.path().join(name));
    std::fs::write(&file, builder.build()).unwrap();
    let warnings = |option: &str| {
        let said = run(&[&"bake", &file, &"-o", &out, &option]).ok().stderr;
        said.lines().filter(|l| l.starts_with("warning: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let few = warnings("--color=never");
    assert_eq!((few.len(), few[3].as_str()), (4, "warning: 5 more like the last (RIG010); --verbose lists all."));
    assert_eq!(warnings("-v").len(), 8);
}

#[test]
fn appearance_findings_are_ignored_if_nothing_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = untextured(folder.path());
    let out = |name: &str| folder.path().join(name);
    let said = |args: &[&dyn AsRef<std::ffi::OsStr>]| run(args).ok().stderr.contains("warning: ");
    for name in ["out.json", "out.ply"] {
        assert!(!said(&[&"bake", &file, &"-o", &out(name)]), "{name}");
    }
    assert!(!said(&[&"compare", &file]) && !said(&[&"info", &file]));
    assert!(said(&[&"bake", &file, &"-o", &out("out.glb")]));
    assert!(run(&[&"check", &file]).stdout.contains("RIG070"));
}

/// Runs the program in a terminal of its own. Returns `None` if this isn't possible here.
fn on_a_terminal(words: &str, environment: &[(&str, &str)]) -> Option<String> {
    let command = format!("{} {words}", rigscope_tests::program());
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm");
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        script.env_remove(variable);
    }
    let output = script.envs(environment.iter().copied()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn colours_are_for_terminals() {
    let folder = tempfile::tempdir().unwrap();
    let file = untextured(folder.path());
    let plain = run(&[&"check", &file]);
    assert!(!plain.stdout.contains('\u{1b}'));
    assert!(!run(&[&"info", &"gone.glb"]).stdout.contains('\u{1b}'));
    let colored = run(&[&"check", &file, &"--color", &"always"]);
    assert!(colored.stdout.contains("\u{1b}[1m\u{1b}[31merror\u{1b}[0m"), "{:?}", colored.stdout);
    let is_colored = |words: &str, environment: &[(&str, &str)]| {
        let said = on_a_terminal(&format!("check {words} {}", file.display()), environment)?;
        assert!(said.contains("RIG070"), "{said}");
        Some(said.contains('\u{1b}'))
    };
    let Some(by_default) = is_colored("", &[]) else { return };
    assert!(by_default);
    assert_eq!(is_colored("", &[("NO_COLOR", "1")]), Some(false));
    assert_eq!(is_colored("", &[("TERM", "dumb")]), Some(false));
    assert_eq!(is_colored("", &[("TERM", "dumb"), ("CI", "1")]), Some(false));
    assert_eq!(is_colored("--color never", &[]), Some(false));
    assert_eq!(is_colored("--color always", &[("NO_COLOR", "1")]), Some(true));
}

#[test]
fn exit_codes_are_the_same_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.json");
    let nowhere = folder.path().join("no/folder/out.json");
    for command in ["check", "info", "render", "bake", "compare"] {
        assert_eq!(run(&[&command]).code, Some(2), "{command} without a file");
        assert_eq!(run(&[&command, &"--help"]).code, Some(0), "{command}");
        assert_eq!(run(&[&command, &"builtin:tube", &"--no-such-option"]).code, Some(2), "{command}");
    }
    for args in [["check", "gone.glb"], ["info", "gone.glb"], ["compare", "gone.glb"], ["completions", "cmd.exe"]] {
        assert_eq!(rigscope(&args).code, Some(2), "{args:?}");
    }
    assert_eq!(run(&[&"bake", &"builtin:tube", &"-o", &nowhere]).code, Some(2));
    assert_eq!(run(&[&"render", &"gone.glb", &"-o", &out]).code, Some(2));
    for args in [&["check", "builtin:tube"][..], &["info", "builtin:tube"], &["--version"], &["--help"], &["man"]] {
        assert_eq!(rigscope(args).code, Some(0), "{args:?}");
    }
    let help = rigscope(&["--help"]).stdout;
    for line in ["Exit codes, the same for all commands:", "  1  check found errors", "  2  failure"] {
        assert!(help.contains(line), "{help}");
    }
}

#[test]
fn mistyped_command_gets_a_suggestion() {
    let run = rigscope(&["chek", "a.glb"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("there is no file \"chek\"; did you mean the command \"check\"?"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_text_are_read_and_written() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    let file = at(b"r\xEFg.glb");
    std::fs::write(&file, Character::default().builder().build()).unwrap();
    let pose = at(b"p\xEF.json");
    std::fs::write(&pose, r#"{"version":1,"joints":{}}"#).unwrap();
    let session = at(b"s\xEF.json");
    std::fs::write(&session, r#"{"version":1,"source":"builtin:tube"}"#).unwrap();
    let [mesh, obj, csv, picture] = [b"m\xEF.json".as_slice(), b"m\xEF.obj", b"m\xEF.csv", b"m\xEF.png"].map(at);
    run(&[&"check", &file]).ok();
    run(&[&"check", &folder.path()]).ok();
    run(&[&"info", &file]).ok();
    run(&[&"bake", &file, &"--pose", &pose, &"-o", &mesh]).ok();
    run(&[&"bake", &"--session", &session, &"-o", &obj]).ok();
    run(&[&"compare", &file, &"--csv", &csv]).ok();
    run(&[&"render", &file, &"--size", &"32x32", &"-o", &picture]).ok();
    for path in [mesh, obj, csv, picture] {
        assert!(path.metadata().unwrap().len() > 40, "{}", path.display());
    }
}

#[test]
fn completions_list_all_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = rigscope(&["completions", shell]).ok().stdout;
        for word in ["compare", "completions", "memory-limit", "severity"] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    for shell in ["bash", "zsh"] {
        let script = rigscope(&["completions", shell]).ok().stdout;
        for value in
            ["dqs-compensated", "weight-leak", "RIG010", "ghost-outline", "heat", "uv-checker", "outdoor", "webp"]
        {
            assert!(script.contains(value), "{shell} lacks {value}");
        }
    }
    let script = rigscope(&["completions", "bash"]).ok().stdout;
    let offered = |command: &str| {
        let (_, block) = script.split_once(&format!("\n        rigscope__subcmd__{command})\n")).unwrap();
        block.lines().next().unwrap().to_owned()
    };
    assert!(offered("check").contains("--memory-limit") && offered("render").contains("--skin"));
    for option in ["--memory-limit", "--skin "] {
        assert!(!offered("schema").contains(option), "{option} changes nothing in schema, but is offered");
    }
}

#[test]
fn every_command_has_a_page() {
    let page = rigscope(&["man"]).ok().stdout;
    assert!(
        page.contains(".TH rigscope 1") && page.contains("Exit codes") && page.contains("\n.SH EXAMPLES\n"),
        "{page}"
    );
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    let said = run(&[&"man", &"-o", &pages]).ok().stderr;
    let help = rigscope(&["--help"]).stdout;
    let commands = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let names: Vec<&str> = commands.filter_map(|l| l.split_whitespace().next()).filter(|n| *n != "help").collect();
    assert_eq!(names.len(), 23, "{help}");
    for name in &names {
        let page = std::fs::read_to_string(pages.join(format!("rigscope-{name}.1"))).unwrap();
        assert!(page.contains(&format!("rigscope\\-{name}")), "{name}: {page}");
        let has_examples = rigscope(&[*name, "--help"]).stdout.contains("Examples:\n");
        assert_eq!(page.contains("\n.SH EXAMPLES\n.nf\n"), has_examples, "{name}: {page}");
    }
    assert!(pages.join("rigscope.1").exists());
    assert!(said.ends_with("(24 pages)\n"), "{said}");
}

#[test]
fn command_stops_at_its_time_limit_and_reports_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let commands: [&[&dyn AsRef<std::ffi::OsStr>]; 4] = [
        &[&"convert", &"builtin:figure", &"-o", &out],
        &[&"compare", &"builtin:figure", &"--rank"],
        &[&"info", &"builtin:figure", &"builtin:tube"],
        &[&"check", &"builtin:figure", &"builtin:tube"],
    ];
    for command in commands {
        let run = run(&[command, &[&"--timeout", &"0.001"]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        // The last line is about files that were not started; `check` prints those that were not finished.
        let told = run
            .stderr
            .lines()
            .chain(run.stdout.lines())
            .find(|line| line.contains("Not done within 0.001 s (--timeout): "));
        let told = told.unwrap_or_else(|| panic!("{run:?}"));
        // A file that was started in time may be finished before the program checks the time again.
        assert!(told.contains("figure") || told.contains("builtin:tube and all files after it"), "{told}");
    }
    assert!(!out.exists());
    let cut = run(&[&"check", &"builtin:tube", &"--sarif", &"--timeout", &"0.001"]);
    let sarif: Value = serde_json::from_str(&cut.stdout).unwrap();
    assert_eq!((cut.code, &sarif["runs"][0]["invocations"][0]["executionSuccessful"]), (Some(2), &json!(false)));
    let window = run(&[&"builtin:tube", &"--timeout", &"5"]);
    assert!(window.code == Some(2) && window.stderr.contains("--timeout is for commands"), "{window:?}");
}

#[test]
fn finished_results_stay_after_the_time_limit() {
    // The list of names gets no more entries, but isn't closed either.
    let mut names = Command::new(rigscope_tests::program());
    names.args(["check", "--files-from", "-", "--json", "--timeout", "2"]);
    let pipe = std::process::Stdio::piped;
    let mut child = names.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    let mut open = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut open, b"builtin:tube\ngone.glb\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    drop(open);
    assert_eq!(output.status.code(), Some(2), "{err}");
    let files: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(files.iter().map(|file| &file["file"]).collect::<Vec<_>>(), ["builtin:tube", "gone.glb"]);
    assert!(err.contains("Not done within 2 s (--timeout): Checking, which could not be cancelled"), "{err}");
}

#[cfg(feature = "gl")]
#[test]
fn a_video_that_takes_too_long_keeps_its_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("%05d.png");
    let video = run(&[
        &"render",
        &"builtin:tube",
        &"--turntable",
        &"100000",
        &"--size",
        &"16x16",
        &"-o",
        &video,
        &"--timeout",
        &"4",
    ]);
    assert_eq!(video.code, Some(2), "{video:?}");
    let pictures = std::fs::read_dir(folder.path()).unwrap().count();
    assert!(
        pictures > 0 && video.stderr.contains(&format!("Rendering, {pictures} of 100000")),
        "{pictures}: {video:?}"
    );
    assert!(image::open(folder.path().join(format!("{:05}.png", pictures - 1))).is_ok(), "the last one is whole");
}
