//! Clips with invalid times: every command ends soon, uses little memory, and gives a result or an error.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use common::command::{rigscope, rigscope_within};
use common::glb::{Builder, make_skinned_glb};
use serde_json::{Value, json};

/// An optimised build takes less than a tenth of this for any command. Before there were limits, each of these files
/// took hours.
const HANG: Duration = Duration::from_mins(10);

/// Maximum memory of a command, MiB.
const MAX_MEMORY: u64 = 1 << 10;

/// Returns every command that opens a file. `out` is the output path without its extension.
fn commands(file: &Path, out: &Path) -> Vec<Vec<OsString>> {
    let words = |line: &str| {
        let place = |word: &str| match word.strip_prefix("OUT") {
            Some(ending) => out.with_extension(ending.trim_start_matches('.')).into_os_string(),
            None if word == "FILE" => file.as_os_str().to_owned(),
            None => word.into(),
        };
        line.split(' ').map(place).collect()
    };
    let mut lines = vec![
        "check FILE",
        "info FILE",
        "motion FILE",
        "motion FILE --seams",
        "motion FILE --feet",
        "bake FILE --clip 0 --time 1e9 -o OUT.obj",
        "convert FILE -o OUT.glb",
        "compare FILE",
        "diff FILE FILE",
        "nodes FILE --clip 0 --time 1e9",
        "weights FILE",
    ];
    if cfg!(feature = "gl") {
        lines.extend(["report FILE -o OUT.html", "render FILE --clip 0 --time 1e9 --size 64x64 -o OUT.png"]);
        lines.push("render FILE --clip 0 --size 16x16 -o OUT.gif");
    }
    lines.into_iter().map(words).collect()
}

#[track_caller]
fn every_command_ends(file: &Path) {
    let folder = tempfile::tempdir().unwrap();
    for command in commands(file, &folder.path().join("out")) {
        let run = rigscope_within(HANG, &command);
        assert!(run.code.is_some_and(|code| code <= 2), "{command:?}: {run:?}");
        assert!(run.mebibytes < MAX_MEMORY, "{command:?}: {run:?}");
    }
}

#[test]
fn every_command_ends_on_every_hostile_file() {
    let Some(cases) = common::cases() else { return };
    let files = common::files_below(&cases.join("hostile"), &["glb", "fbx"]);
    assert!(!files.is_empty());
    for file in files {
        every_command_ends(&file);
    }
}

/// Creates a character with springs, and one clip for each end time in seconds.
fn springs(ends: &[f32]) -> Vec<u8> {
    let mut b: Builder = make_skinned_glb(4, 8, 8, 1);
    b.json["animations"] = json!([]);
    for end in ends {
        let times = b.floats(&[0.0, *end], "SCALAR");
        let turns = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8], "VEC4");
        let channel = json!({"sampler": 0, "target": {"node": 1, "path": "rotation"}});
        b.push("animations", json!({"name": format!("to {end}"), "samplers": [{"input": times, "output": turns}], "channels": [channel]}));
    }
    b.json["extensions"] = json!({"VRMC_springBone": {"specVersion": "1.0", "springs": [{"joints": [{"node": 2}, {"node": 3}, {"node": 4}]}]}});
    b.json["extensionsUsed"] = json!(["VRMC_springBone"]);
    b.build()
}

fn findings(file: &Path) -> Vec<(String, String)> {
    let run = rigscope(&["check".as_ref(), file.as_os_str(), "--format".as_ref(), "json".as_ref()]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    found["findings"].as_array().unwrap().iter().map(|f| (text(f, "code"), text(f, "message"))).collect()
}

#[test]
fn springs_rest_in_endless_clips_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("springs.glb");
    std::fs::write(&file, springs(&[2.0, 1e7, f32::MAX, 1e-45])).unwrap();
    every_command_ends(&file);
    let resting: Vec<String> =
        findings(&file).into_iter().filter(|(code, _)| code == "RIG086").map(|(_, message)| message).collect();
    assert_eq!(resting.len(), 2, "{resting:?}");
    assert!(
        resting[0].starts_with("Clip 1 \"to 10000000\" is 10000000 s long: springs are at rest in it."),
        "{resting:?}"
    );
    let motion = rigscope(&["motion".as_ref(), file.as_os_str()]).ok();
    assert!(
        motion.stderr.contains("Springs are at rest in 2 clips too long to simulate them, the first \"to 10000000\".")
    );
    assert!(motion.stdout.contains("Too many frames in to 10000000: one in "), "{}", motion.stdout);
    assert!(!motion.stdout.contains("Too many frames in to 2:"), "a short clip beside them is measured in full");
    let json = rigscope(&["motion".as_ref(), file.as_os_str(), "--seams".as_ref(), "--json".as_ref()]).ok();
    let seams: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(seams["seams"][0]["step"], 1);
    assert!(seams["seams"][1]["step"].as_u64().unwrap() > 1000);
}

#[cfg(feature = "fbx")]
mod fbx {
    use super::*;

    /// Returns an FBX file whose node is animated by two curves: one with keys at the given stored times, and a valid
    /// one.
    fn file(times: &[&str]) -> String {
        let keys: Vec<String> = times.iter().enumerate().map(|(n, time)| format!("{time},{n},L")).collect();
        let curve = |axis: &str, count: usize, keys: &str| {
            format!("Channel: \"{axis}\" {{\nDefault: 0\nKeyVer: 4005\nKeyCount: {count}\nKey: {keys}\n}}\n")
        };
        let sound = curve("Y", 2, "0,0,L,46186158000,5,L");
        let odd = curve("X", times.len(), &keys.join(","));
        format!(
            "; FBX 6.1.0 project file\nFBXHeaderExtension:  {{\nFBXHeaderVersion: 1003\nFBXVersion: 6100\n}}\n\
            Objects:  {{\nModel: \"Model::a\", \"LimbNode\" {{\nVersion: 232\n}}\n}}\n\
            Connections:  {{\nConnect: \"OO\", \"Model::a\", \"Model::Scene\"\n}}\n\
            Takes:  {{\nCurrent: \"t\"\nTake: \"t\" {{\nFileName: \"t.tak\"\nLocalTime: 0,92372316000\nReferenceTime: 0,92372316000\n\
            Model: \"Model::a\" {{\nVersion: 1.1\nChannel: \"Transform\" {{\nChannel: \"T\" {{\n{odd}{sound}LayerType: 1\n}}\n}}\n}}\n}}\n}}\n"
        )
    }

    #[test]
    fn keys_at_times_that_are_none_are_named_and_the_others_are_played() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.fbx");
        for (time, said) in
            [("nan", "NaN"), ("inf", "inf"), ("-inf", "-inf"), ("1e400", "inf"), ("1e30", "2"), ("-1e17", "-2165150 s")]
        {
            for at in 0..3 {
                let mut times = ["0", "46186158000", "92372316000"];
                times[at] = time;
                std::fs::write(&path, file(&times)).unwrap();
                let found = findings(&path);
                let odd = found.iter().find(|(_, message)| message.contains(" left out"));
                let (code, message) = odd.unwrap();
                let expected = format!("first key {at} of Lcl Translation of \"a\", X, at {said}");
                assert!(code == "RIG061" && message.contains(&expected), "{time}: {message}");
                let info = rigscope(&["info".as_ref(), path.as_os_str(), "--json".as_ref()]).ok();
                let info: Value = serde_json::from_str(&info.stdout).unwrap();
                let clip = &info["clips"][0];
                assert_eq!(clip["duration_secs"], if at == 2 { 1.0 } else { 2.0 }, "{time} at {at}: {clip}");
                assert_eq!(clip["channels"], 1);
            }
        }
    }

    #[test]
    fn every_command_ends_where_all_keys_are_odd() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.fbx");
        // The keys of the last case are within the limit and three days apart, with curved interpolation. The clip is
        // sampled, but not at 24 frames per second.
        for times in [["nan", "nan", "nan"], ["inf", "-inf", "nan"], ["-12000000000000000", "0", "12000000000000000"]] {
            std::fs::write(&path, file(&times)).unwrap();
            every_command_ends(&path);
        }
    }
}

#[test]
fn a_time_limit_ends_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("springs.glb");
    std::fs::write(&file, springs(&[1e6, 1e7])).unwrap();
    for mut command in commands(&file, &folder.path().join("out")) {
        command.extend(["--timeout".into(), "0.2".into()]);
        let run = rigscope_within(Duration::from_secs(30), &command);
        assert!(run.code.is_some_and(|code| code <= 2), "{command:?}: {run:?}");
    }
}
