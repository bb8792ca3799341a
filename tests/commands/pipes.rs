//! Pipes as input and output: readers that exit early, endless lists, and files that are pipes; also file names that
//! are not valid text.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::character::Character;
use common::command::{Run, rigscope};
use serde_json::Value;

fn program() -> Command {
    Command::new(rigscope_tests::program())
}

/// Splits a command at its spaces.
fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

/// Runs a command whose standard output has no reader.
fn unread(words: &[impl AsRef<OsStr>]) -> Run {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = program().args(words).stdout(writer).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Run { code: output.status.code(), stdout: String::new(), stderr }
}

/// Writes a character with wrong weights.
fn faulty(folder: &Path) -> PathBuf {
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    let path = folder.join("faulty.glb");
    std::fs::write(&path, character.builder().build()).unwrap();
    path
}

/// Runs `work` on another thread, while a command runs.
fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::thread::JoinHandle<T> {
    std::thread::Builder::new().name("other end".to_owned()).spawn(work).unwrap()
}

#[test]
fn a_reader_that_has_gone_ends_every_command_with_0_and_no_word() {
    for command in [
        "check builtin:figure",
        "check builtin:figure --json",
        "check builtin:figure --sarif",
        "check builtin:figure --format junit",
        "check builtin:figure --format github",
        "info builtin:figure",
        "info builtin:figure builtin:tube --json",
        "compare builtin:tube",
        "compare builtin:tube --json",
        "compare builtin:tube --csv -",
        "compare builtin:tube --rank",
        "motion builtin:tube",
        "motion builtin:tube --clip bend --csv -",
        "motion builtin:tube --json",
        "motion builtin:tube --seams",
        "diff builtin:tube builtin:tube",
        "diff builtin:figure builtin:tube",
        "diff builtin:figure builtin:tube --json",
        "weights builtin:tube",
        "weights builtin:tube --json",
        "weights builtin:tube --csv -",
        "convert builtin:tube -o -",
        "bake builtin:tube -o - --format glb",
        "bake builtin:tube -o - --format json",
        "completions bash",
        "completions zsh",
        "man",
        "help",
        "--help",
        "--version",
        "check --help",
    ] {
        let run = unread(&words(command));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

#[cfg(feature = "gl")]
#[test]
fn a_reader_that_has_gone_ends_what_draws_with_0_and_no_word() {
    for command in [
        "render builtin:tube --size 64x64 -o -",
        "render builtin:tube --size 64x64 --turntable 3 -o -",
        "report builtin:tube -o -",
        "bench builtin:tube --size 64x64 --frames 3",
        "bench builtin:tube --size 64x64 --frames 3 --json",
    ] {
        let run = unread(&words(command));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn errors_that_nobody_reads_are_no_failure_and_a_baseline_still_has_all_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = faulty(folder.path());
    let more: Vec<PathBuf> = (0..40).map(|number| folder.path().join(format!("{number}.glb"))).collect();
    for path in &more {
        std::fs::copy(&file, path).unwrap();
    }
    let baseline = folder.path().join("baseline.json");
    let check = [OsStr::new("check"), folder.path().as_os_str(), "--write-baseline".as_ref(), baseline.as_os_str()];
    assert_eq!(rigscope(&check[..2]).code, Some(1));
    assert_eq!(unread(&check[..2]).code, Some(0));
    assert_eq!(unread(&[&check[..], &["-q".as_ref()]].concat()).code, Some(0));
    let accepted: Value = serde_json::from_slice(&std::fs::read(&baseline).unwrap()).unwrap();
    assert_eq!(accepted["files"].as_object().unwrap().len(), more.len() + 1, "{accepted}");
}

#[test]
fn endless_list_of_wrong_names_is_an_error_with_a_position() {
    let mut child = program();
    child.args(["check", "--files-from", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.stderr(Stdio::piped()).spawn().unwrap();
    let mut names = child.stdin.take().unwrap();
    let endless = beside(move || while names.write_all(&b"nosuch\n".repeat(1000)).is_ok() {});
    let output = child.wait_with_output().unwrap();
    endless.join().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.starts_with("rigscope: The list - was not read further: 10000 files in a row could not be read."),
        "{told}"
    );
    let checked = output.stdout.split(|byte| *byte == b'\n').count();
    assert!((10_000..10_100).contains(&checked), "{checked}");
}

/// Creates a named pipe.
fn pipe(path: &Path) -> PathBuf {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    path.to_owned()
}

#[test]
fn a_named_pipe_is_read_by_every_command_as_a_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = pipe(&folder.path().join("rig.glb"));
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut commands = vec![
        "check PIPE".to_owned(),
        "info PIPE".to_owned(),
        "compare PIPE".to_owned(),
        "diff PIPE builtin:tube".to_owned(),
        "diff builtin:tube PIPE".to_owned(),
        "weights PIPE".to_owned(),
        format!("weights PIPE --fix -o {}", out("w.glb")),
        format!("convert PIPE -o {}", out("c.glb")),
        format!("bake PIPE -o {}", out("b.json")),
    ];
    if cfg!(feature = "gl") {
        commands.extend([
            format!("render PIPE --size 32x32 -o {}", out("r.png")),
            format!("report PIPE -o {}", out("r.html")),
            "bench PIPE --size 64x64 --frames 3".to_owned(),
        ]);
    }
    for command in commands {
        let to = path.clone();
        let writing = beside(move || std::fs::write(to, rigscope::stage::BuiltIn::Tube.bytes()));
        let run = rigscope(&words(&command.replace("PIPE", path.to_str().unwrap())));
        assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
        writing.join().unwrap().unwrap();
    }
}

/// Returns options that read another file besides the rig, with the content of that file.
fn read_beside(folder: &Path) -> [(String, Vec<u8>); 6] {
    let baseline = folder.join("baseline.json");
    rigscope(&["check", "builtin:tube", "--write-baseline", baseline.to_str().unwrap()]).ok();
    let rig = rigscope::stage::BuiltIn::Tube.bytes().to_vec();
    let other = rigscope::stage::BuiltIn::Figure.bytes().to_vec();
    let out = folder.join("out.glb");
    std::fs::write(folder.join("hero.glb"), &rig).unwrap();
    let session = br#"{"version":1,"source":"hero.glb"}"#;
    let pose = br#"{"version":1,"joints":{}}"#;
    [
        ("compare builtin:tube --pose", pose.to_vec()),
        ("compare --session", session.to_vec()),
        ("check builtin:tube --config", b"[limits]\njoints = 50\n".to_vec()),
        ("check builtin:tube --baseline", std::fs::read(&baseline).unwrap()),
        ("compare builtin:tube --with-file", rig),
        (&*format!("convert builtin:figure -o {} --clips-of", out.display()), other),
    ]
    .map(|(command, content)| (command.to_owned(), content))
}

#[test]
fn whatever_is_named_beside_a_rig_may_be_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let path = pipe(&folder.path().join("beside.glb"));
    for (command, content) in read_beside(folder.path()) {
        let (to, bytes) = (path.clone(), content.clone());
        let writing = beside(move || std::fs::write(to, bytes));
        let words = [words(&command), vec![path.to_str().unwrap()]].concat();
        let run = rigscope(&words);
        assert_eq!(run.code, Some(0), "{command} FIFO: {}", run.stderr);
        writing.join().unwrap().unwrap();
        // Like `<(…)` in a shell: the reading end of a pipe, named by its file descriptor.
        let (reader, mut writer) = std::io::pipe().unwrap();
        let writing = beside(move || writer.write_all(&content));
        let mut child = program();
        child.args(&words[..words.len() - 1]).arg("/dev/fd/0").current_dir(folder.path()).stdin(reader);
        let output = child.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command} <(...): {}", String::from_utf8_lossy(&output.stderr));
        writing.join().unwrap().unwrap();
    }
}

#[test]
fn a_pose_without_an_end_is_refused_and_one_that_never_begins_ends_with_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = pipe(&folder.path().join("p.json"));
    for (option, what) in [("--pose", "Reading the pose"), ("--session", "Reading the session")] {
        let words = ["compare", "builtin:tube", option, path.to_str().unwrap()];
        let to = path.clone();
        let endless = beside(move || {
            let mut pipe = std::fs::File::create(to).unwrap();
            while pipe.write_all(&[b' '; 1 << 12]).is_ok() {}
        });
        let run = rigscope(&words);
        assert!(run.code == Some(2) && run.stderr.contains("it has more than 64 MiB"), "{run:?}");
        endless.join().unwrap();
        let run = rigscope(&[&words[..], &["--timeout", "1"]].concat());
        let told = format!("Not done within 1 s (--timeout): {what}, which could not be cancelled");
        assert!(run.code == Some(2) && run.stderr.contains(&told), "{run:?}");
    }
}

#[test]
fn a_pipe_that_nobody_writes_to_ends_with_the_time_and_is_left_out_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = pipe(&folder.path().join("rig.glb"));
    for command in ["check", "info", "compare"] {
        let run = rigscope(&[OsStr::new(command), path.as_os_str(), "--timeout".as_ref(), "0.1".as_ref()]);
        assert!(run.code == Some(2) && run.stderr.contains("Not done within 0.1 s (--timeout): "), "{run:?}");
    }
    std::fs::write(folder.path().join("tube.glb"), rigscope::stage::BuiltIn::Tube.bytes()).unwrap();
    for command in ["check", "info"] {
        let run = rigscope(&[OsStr::new(command), folder.path().as_os_str()]).ok();
        let told = format!("note: {} is a named pipe and was left out", path.display());
        assert!(run.stderr.contains(&told) && run.stdout.contains("tube.glb"), "{run:?}");
    }
}

/// Decodes a path from JSON to bytes.
fn decoded(name: &Value) -> OsString {
    let escaped = name.as_str().unwrap().strip_prefix("bytes:").unwrap();
    let mut bytes = Vec::new();
    let mut rest = escaped.as_bytes();
    while let [first, others @ ..] = rest {
        if *first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&others[..2]).unwrap(), 16).unwrap());
            rest = &others[2..];
        } else {
            bytes.push(*first);
            rest = others;
        }
    }
    OsString::from_vec(bytes)
}

#[test]
fn names_that_are_not_text_come_back_whole_and_can_be_given_so() {
    let folder = tempfile::tempdir().unwrap();
    let names: [&[u8]; 3] = [b"r\xEFg.glb", b"r\xEE 50%\xFF.glb", "ü\u{fffd}.glb".as_bytes()];
    let files = names.map(|name| folder.path().join(OsStr::from_bytes(name)));
    for path in &files {
        std::fs::write(path, rigscope::stage::BuiltIn::Tube.bytes()).unwrap();
    }
    let json = |words: &[&OsStr]| -> Value { serde_json::from_str(&rigscope(words).stdout).unwrap() };
    for path in &files[..2] {
        for command in ["check", "info", "compare", "weights"] {
            let name = json(&[command.as_ref(), path.as_os_str(), "--json".as_ref()])["file"].clone();
            assert_eq!(decoded(&name), path.as_os_str(), "{command}");
            let again = json(&[command.as_ref(), name.as_str().unwrap().as_ref(), "--json".as_ref()]);
            assert_eq!(again["file"], name, "{command} takes what it prints");
        }
        let same = json(&["diff".as_ref(), path.as_os_str(), files[0].as_os_str(), "--json".as_ref()]);
        assert_eq!(decoded(&same["old"]), path.as_os_str());
    }
    let plain = json(&["info".as_ref(), files[2].as_os_str(), "--json".as_ref()]);
    assert_eq!(plain["file"], files[2].to_str().unwrap(), "what is text stays as it is");
    let faulty = faulty(folder.path());
    std::fs::rename(faulty, &files[0]).unwrap();
    let run = program().current_dir(folder.path()).args(["check", ".", "--sarif"]).output().unwrap();
    let sarif: Value = serde_json::from_slice(&run.stdout).unwrap();
    let uri = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "r%EFg.glb");
}

#[test]
fn baseline_distinguishes_names_that_are_not_utf8() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = [b"r\xEE.glb", b"r\xEF.glb"].map(|name| folder.path().join(OsStr::from_bytes(name)));
    std::fs::rename(faulty(folder.path()), &one).unwrap();
    let baseline = folder.path().join("baseline.json");
    let check = |option: &str| {
        rigscope(&[OsStr::new("check"), folder.path().as_os_str(), option.as_ref(), baseline.as_os_str()]).code
    };
    assert_eq!(check("--write-baseline"), Some(0));
    assert_eq!(check("--baseline"), Some(0));
    std::fs::copy(&one, &other).unwrap();
    assert_eq!(check("--baseline"), Some(1), "nothing is accepted of the other file");
}
