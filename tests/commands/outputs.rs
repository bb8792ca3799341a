//! Output files: never overwrite inputs, follow links, accept devices and pipes, and are complete or absent.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;

use common::command::rigscope;
use common::glb::{split, triangle};
use rigscope::import::Job;
use rigscope::stage::{Document, Source};
use rigscope::state::{AppState, Command as Do, PathUse, Request, Settings};
use serde_json::json;

/// A folder with `m.gltf`, which stores its data in `m.bin` and refers to two images, one of them unused.
struct Model(tempfile::TempDir);

impl Model {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = triangle().build();
        let (mut json, bin) = split(&file);
        json["buffers"][0]["uri"] = json!("m.bin");
        json["images"] = json!([{"uri": "skin%20a.png"}, {"uri": "unread.png"}]);
        for (name, bytes) in
            [("m.gltf", json.to_string().as_bytes()), ("m.bin", bin), ("skin a.png", b"a"), ("unread.png", b"b")]
        {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        std::fs::write(folder.path().join("p.json"), br#"{"version":1,"joints":{}}"#).unwrap();
        std::fs::write(folder.path().join("s.json"), br#"{"version":1,"source":"m.gltf"}"#).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Returns the name and content of every file in the folder.
    fn content(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let paths = std::fs::read_dir(self.0.path()).unwrap().map(|e| e.unwrap().path());
        let mut all: Vec<_> = paths.filter(|p| p.is_file()).map(|p| (p.clone(), std::fs::read(p).unwrap())).collect();
        all.sort();
        all
    }
}

#[test]
fn nothing_that_is_read_is_written_over_by_any_path() {
    let model = Model::new();
    std::fs::create_dir(model.at("sub")).unwrap();
    std::fs::hard_link(model.at("m.bin"), model.at("hard.png")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("m.gltf", model.at("soft.png")).unwrap();
    let names = ["m.gltf", "m.bin", "skin a.png", "unread.png", "p.json", "s.json", "hard.png", "sub/../m.gltf"];
    let outputs: Vec<String> =
        names.into_iter().chain(cfg!(unix).then_some("soft.png")).map(|name| model.at(name)).collect();
    let (session, pose) = (model.at("s.json"), model.at("p.json"));
    let assert_refused = |command: &str, option: &str, output: &str| {
        let run = rigscope(&[command, "--session", &session, "--pose", &pose, option, output]);
        assert!(run.code == Some(2) && run.stderr.contains("another OUT"), "{command} {output}: {}", run.stderr);
    };
    let before = model.content();
    for output in &outputs {
        assert_refused("compare", "--csv", output);
        assert_refused("motion", "--csv", output);
        // Hard links with an extension that the command accepts.
        for (command, alias) in [("render", model.at("alias.png")), ("bake", model.at("alias.glb"))] {
            std::fs::hard_link(output, &alias).unwrap();
            assert_refused(command, "-o", &alias);
            std::fs::remove_file(alias).unwrap();
        }
    }
    assert_eq!(model.content(), before);
}

#[test]
fn no_file_that_a_converted_one_names_is_written_over() {
    let model = Model::new();
    let outputs = ["m.gltf", "m.bin", "skin a.png", "unread.png"].map(|name| model.at(name));
    for (number, output) in outputs.iter().enumerate() {
        let alias = model.at(&format!("alias {number}.glb"));
        std::fs::hard_link(output, &alias).unwrap();
        let before = model.content();
        let run = rigscope(&["convert", &model.at("m.gltf"), "-o", &alias]);
        assert!(run.code == Some(2) && run.stderr.contains("another OUT"), "{output}: {}", run.stderr);
        assert_eq!(model.content(), before);
    }
    let free = model.at("free.glb");
    rigscope(&["convert", &model.at("m.gltf"), "-o", &free]).ok();
    assert!(std::fs::read(free).unwrap().starts_with(b"glTF"));
}

#[test]
fn files_beside_an_obj_are_refused_too() {
    let model = Model::new();
    std::fs::copy(model.at("p.json"), model.at("out.mtl")).unwrap();
    let before = model.content();
    let run = rigscope(&["bake", &model.at("m.gltf"), "--pose", &model.at("out.mtl"), "-o", &model.at("out.obj")]);
    assert!(run.code == Some(2) && run.stderr.contains("out.mtl"), "{}", run.stderr);
    assert_eq!(model.content(), before);
}

/// Applies a command that writes a file, and runs its file job.
fn written(state: &mut AppState, save: Do) {
    let Some(Request::Disk(job)) = state.apply(save) else { panic!("nothing is to be written") };
    state.receive(job.run());
}

#[test]
fn the_window_saves_nothing_over_the_open_character() {
    let model = Model::new();
    let document = Document::open(&Source::File(model.at("m.gltf").into()), &Job::default()).unwrap();
    let mut state = AppState::new(document, Settings::default());
    let before = model.content();
    for name in ["m.gltf", "m.bin", "skin a.png", "unread.png"] {
        for purpose in [PathUse::SavePose, PathUse::SaveSession] {
            state.notices.dismiss();
            written(&mut state, Do::UsePath(purpose, model.at(name).into()));
            let told = state.notices.newest().cloned().unwrap().text;
            assert!(told.contains("not saved") && told.contains(name), "{told}");
        }
    }
    assert_eq!(model.content(), before);
    written(&mut state, Do::UsePath(PathUse::SavePose, model.at("p.json").into()));
    assert_ne!(model.content(), before, "saving over an open pose is what saving is");
}

#[test]
fn standard_output_and_input_are_a_dash() {
    let model = Model::new();
    let run = |arguments: &[&str], input: &Path| {
        Command::new(rigscope_tests::program())
            .args(arguments)
            .stdin(std::fs::File::open(input).unwrap())
            .current_dir(model.0.path())
            .output()
            .unwrap()
    };
    let glb = Path::new(rigscope_tests::ROOT).join("assets/tube.glb");
    let baked = run(&["bake", "-", "-o", "-"], &glb);
    assert!(baked.status.success() && baked.stdout.starts_with(b"glTF"), "{}", String::from_utf8_lossy(&baked.stderr));
    let ply = run(&["bake", "-", "-o", "-", "--format", "ply"], &glb);
    assert!(ply.stdout.starts_with(b"ply\n"));
    let posed = run(&["compare", "builtin:tube", "--pose", "-", "--csv", "-"], Path::new(&model.at("p.json")));
    assert!(posed.status.success() && String::from_utf8_lossy(&posed.stdout).contains("lbs"));
    let session = run(&["bake", "--session", "-", "-o", "-"], Path::new(&model.at("s.json")));
    assert!(session.stdout.starts_with(b"glTF"), "{}", String::from_utf8_lossy(&session.stderr));
    #[cfg(unix)]
    {
        std::fs::hard_link(model.at("m.gltf"), model.at("same.glb")).unwrap();
        let over = run(&["bake", "-", "-o", "same.glb"], Path::new(&model.at("m.gltf")));
        assert!(String::from_utf8_lossy(&over.stderr).contains("another OUT"), "standard input is an input too");
    }
    let two = run(&["bake", "-", "--pose", "-", "-o", "-"], &glb);
    assert!(String::from_utf8_lossy(&two.stderr).contains("Only one"));
    let obj = run(&["bake", "-", "-o", "-", "--format", "obj"], &glb);
    assert!(obj.stdout.is_empty() && String::from_utf8_lossy(&obj.stderr).contains("several files"));
    rigscope(&["bake", "builtin:tube", "--format", "obj", "-o", &model.at("plain")]).ok();
    assert!(
        Path::new(&model.at("plain")).exists() && Path::new(&model.at("plain.mtl")).exists(),
        "materials beside it"
    );
    assert!(!Path::new(&model.at("-")).exists());
}

#[test]
fn image_format_matches_its_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, format) in
        [("a.jpg", image::ImageFormat::Jpeg), ("a.webp", image::ImageFormat::WebP), ("a", image::ImageFormat::Png)]
    {
        rigscope(&["render", "builtin:tube", "--size", "64x40", "-o", &at(name)]).ok();
        assert_eq!(image::guess_format(&std::fs::read(at(name)).unwrap()).unwrap(), format, "{name}");
    }
    let run = rigscope(&["render", "builtin:tube", "-o", &at("a.bmp")]);
    assert!(run.code == Some(2) && run.stderr.contains(".png, .jpg, .jpeg or .webp"), "{}", run.stderr);
    assert!(!folder.path().join("a.bmp").exists());
}

#[cfg(unix)]
#[test]
fn a_full_device_stays_a_device_and_no_half_of_an_obj_is_left() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink("/dev/full", at("out.obj")).unwrap();
    let run = rigscope(&["bake", "builtin:tube", "-o", at("out.obj").to_str().unwrap()]);
    assert!(run.code == Some(2) && run.stderr.contains("No space left"), "{}", run.stderr);
    assert!(Path::new("/dev/full").metadata().unwrap().file_type().is_char_device());
    assert!(at("out.obj").is_symlink() && !at("out.mtl").exists());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn pipe_is_read_and_format_option_applies_without_a_file_extension() {
    use std::io::Write as _;
    let model = triangle().build();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    let commands = [vec!["info", "/dev/fd/0"], vec!["weights", "/dev/stdin"], vec!["check", "/dev/fd/0"]];
    let convert = vec!["convert", "/dev/fd/0", "-o", &out, "--format", "glb"];
    for arguments in commands.into_iter().chain([convert]) {
        let mut program = Command::new(rigscope_tests::program())
            .args(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        program.stdin.take().unwrap().write_all(&model).unwrap();
        let ended = program.wait_with_output().unwrap();
        assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
    assert!(std::fs::read(&out).unwrap().starts_with(b"glTF"));
    for command in ["convert", "bake"] {
        let untold = rigscope(&[command, "builtin:tube", "-o", &out]);
        assert!(untold.code == Some(2) && untold.stderr.contains("--format"), "{command}: {}", untold.stderr);
    }
    let shown = rigscope(&["convert", "builtin:tube", "-o", "/dev/null", "--format", "glb"]).ok();
    assert!(shown.stderr.contains("saved"), "{}", shown.stderr);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    for arguments in [
        "info builtin:figure",
        "info --json builtin:figure",
        "check builtin:figure",
        "check --sarif builtin:figure",
        "check --list-rules",
        "explain",
        "weights builtin:tube",
        "compare builtin:tube",
        "compare builtin:tube --csv -",
        "motion builtin:tube --csv -",
        "diff builtin:tube builtin:tube --json",
        "bake builtin:tube -o -",
        "convert builtin:tube -o -",
        "render builtin:tube -o - --size 32x32",
        "render builtin:tube -o - --format webp --size 32x32",
        "render builtin:tube -o - --turntable 3 --size 32x32",
        "completions zsh",
        "man",
        "help check",
    ] {
        let mut program = Command::new(rigscope_tests::program())
            .args(arguments.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(program.stdout.take());
        let ended = program.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!((ended.status.code(), told.as_str()), (Some(0), ""), "{arguments}");
    }
}

#[test]
fn video_creates_its_folder_or_fails_before_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let video = |out: &str| rigscope(&["render", "builtin:tube", "--turntable", "2", "--size", "32x32", "-o", out]);
    video(&at("new/folder/%02d.png")).ok();
    assert!(Path::new(&at("new/folder/01.png")).exists());
    std::fs::write(at("file"), "").unwrap();
    let refused = video(&at("file/%02d.png"));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("the folder was not made"), "{}", refused.stderr);
}

/// The temporary file exists as long as the named pipe, which is written together with it, has no reader.
#[cfg(unix)]
#[test]
fn a_signal_leaves_no_temporary_file() {
    use std::os::unix::process::ExitStatusExt as _;
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(Command::new("mkfifo").arg(at("out.obj")).status().unwrap().success());
        let mut program = Command::new(rigscope_tests::program())
            .args(["bake", "builtin:tube", "-o"])
            .arg(at("out.obj"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let count = || std::fs::read_dir(folder.path()).unwrap().count();
        while count() < 2 {
            assert!(program.try_wait().unwrap().is_none(), "it waits for a reader");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Command::new("kill").args(["-s", name, &program.id().to_string()]).status().unwrap();
        assert_eq!(program.wait().unwrap().signal(), Some(number), "it ends as by any such signal");
        assert_eq!(count(), 1, "{name}");
    }
}
