//! Video export with a fake ffmpeg on the PATH, and with the real ffmpeg if it is installed.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::command::{Run, rigscope, rigscope_in};
use crate::common::skipped;

/// Width of the images, pixels.
const WIDTH: usize = 64;
/// Height of the images, pixels.
const HEIGHT: usize = 48;
/// Number of images.
const COUNT: usize = 5;

/// A folder for videos, and a folder `path` that may contain a fake ffmpeg.
struct Studio(tempfile::TempDir);

impl Studio {
    /// Creates the folders. `script` is the body of the fake ffmpeg; `$out` is its output file, and `$0.args` records
    /// its arguments.
    fn new(script: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("path")).unwrap();
        std::fs::create_dir(folder.path().join("videos")).unwrap();
        if let Some(script) = script {
            let text =
                format!("#!/bin/sh\necho \"$*\" > \"$0.args\"\nfor last; do :; done\nout=${{last#file:}}\n{script}\n");
            let program = folder.path().join("path/ffmpeg");
            // Another process writes the script, because a file that this process has open for writing can't be
            // executed.
            let mut shell =
                Command::new("sh").arg("-c").arg("cat > \"$0\"").arg(&program).stdin(Stdio::piped()).spawn().unwrap();
            shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
            assert!(shell.wait().unwrap().success());
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join("videos").join(name)
    }

    /// Exports a turntable video. The PATH has the system's tools, but only the fake ffmpeg, if any.
    fn video(&self, name: &str, more: &[&str]) -> Run {
        let folder = self.0.path().join("path");
        for tool in ["cat", "sleep"] {
            let found = ["/bin", "/usr/bin"].map(|bin| PathBuf::from(bin).join(tool)).into_iter().find(|p| p.exists());
            let _ = std::os::unix::fs::symlink(found.unwrap(), folder.join(tool));
        }
        let (size, count, out) = (format!("{WIDTH}x{HEIGHT}"), COUNT.to_string(), self.at(name));
        let mut arguments =
            vec!["render", "builtin:tube", "--turntable", &count, "--size", &size, "-o", out.to_str().unwrap()];
        arguments.extend(more);
        rigscope_in(&[("PATH", folder.as_os_str())], &arguments)
    }

    /// Returns the file names in the folder for videos.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.at("")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[test]
fn without_ffmpeg_a_video_is_refused_before_anything_is_drawn_and_pictures_are_not() {
    let studio = Studio::new(None);
    for name in ["turn.mp4", "turn.webm", "turn.GIF"] {
        let refused = studio.video(name, &[]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains("is not on the PATH: install it, or choose a name that ends in .png"),
            "{refused:?}"
        );
        assert!(studio.names().is_empty());
    }
    studio.video("turn.png", &[]).ok();
    assert_eq!(studio.names(), ["turn.png"]);
}

#[test]
fn impossible_video_options_are_rejected_first() {
    let studio = Studio::new(Some("cat > \"$out\""));
    for (size, more, told) in
        [("63x48", "--no-grid", "even numbers of pixels"), ("64x48", "--transparent", "no transparent background")]
    {
        let path = studio.0.path().join("path");
        let arguments = ["render", "builtin:tube", "--turntable", "2", "--size", size, more, "-o", "turn.mp4"];
        let refused = rigscope_in(&[("PATH", path.as_os_str())], &arguments);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(told), "{refused:?}");
    }
    assert!(!studio.0.path().join("path/ffmpeg.args").exists(), "it was not started");
}

#[test]
fn raw_pictures_go_to_its_standard_input_and_the_file_is_there_when_it_is_whole() {
    let studio = Studio::new(Some("cat > \"$out\""));
    for (name, format) in [("turn.mp4", "mp4"), ("new/turn.webm", "webm"), ("turn.gif", "gif")] {
        let done = studio.video(name, &["--fps", "23.976"]).ok();
        assert!(done.stderr.contains("5 frames of 64 x 48 pixels, 23.976 a second"), "{done:?}");
        assert_eq!(std::fs::metadata(studio.at(name)).unwrap().len() as usize, WIDTH * HEIGHT * 4 * COUNT);
        let arguments = std::fs::read_to_string(studio.0.path().join("path/ffmpeg.args")).unwrap();
        for part in [
            "-f rawvideo -pixel_format rgba -video_size 64x48 -framerate 23.976 -i pipe:0",
            &format!("-f {format} -y file:"),
        ] {
            assert!(arguments.contains(part), "{arguments}");
        }
    }
    assert_eq!(studio.names().len(), 3, "nothing is beside them");
}

#[test]
fn ffmpeg_error_is_shown_and_the_old_video_stays() {
    let studio = Studio::new(Some("cat > /dev/null\necho \"Unknown encoder 'libx264'\" >&2\nexit 8"));
    std::fs::write(studio.at("turn.mp4"), "old").unwrap();
    let failed = studio.video("turn.mp4", &[]);
    assert_eq!(failed.code, Some(2), "{failed:?}");
    assert!(
        failed.stderr.contains("The video was not saved: ffmpeg failed, exit status: 8: Unknown encoder 'libx264'"),
        "{failed:?}"
    );
    assert_eq!(std::fs::read(studio.at("turn.mp4")).unwrap(), b"old");
    assert_eq!(studio.names(), ["turn.mp4"]);
}

#[test]
fn one_that_hangs_is_ended_with_the_command() {
    let studio = Studio::new(Some("echo $$ > \"$0.pid\"\nexec sleep 600"));
    let ended = studio.video("turn.mp4", &["--timeout", "10"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(studio.names().is_empty(), "{:?}", studio.names());
    let pid = std::fs::read_to_string(studio.0.path().join("path/ffmpeg.pid")).unwrap();
    let is_there = Command::new("kill").args(["-0", pid.trim()]).stderr(Stdio::null()).status().unwrap();
    assert!(!is_there.success(), "{pid} goes on");
}

/// Skipped if ffmpeg isn't installed.
#[test]
fn the_real_one_makes_the_pictures_of_the_numbered_files() {
    let has =
        Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !has {
        skipped("there is no ffmpeg");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let video = |name: &str| {
        let (out, size, count) = (at(name), format!("{WIDTH}x{HEIGHT}"), COUNT.to_string());
        let arguments = ["render", "builtin:tube", "--turntable", &count, "--fps", "25", "--size", &size, "-o"];
        rigscope(&arguments.iter().map(OsStr::new).chain([out.as_os_str()]).collect::<Vec<_>>()).ok();
    };
    video("%d.png");
    let expected: Vec<u8> = (0..COUNT)
        .flat_map(|picture| image::open(at(&format!("{picture}.png"))).unwrap().into_rgb8().into_raw())
        .collect();
    for name in ["turn.mp4", "turn.webm", "turn.gif"] {
        video(name);
        let decoded = Command::new("ffmpeg")
            .args(["-v", "error", "-i"])
            .arg(at(name))
            .args(["-vf", "scale=in_color_matrix=bt709", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
            .output()
            .unwrap();
        let pixels = decoded.stdout;
        assert_eq!(pixels.len(), expected.len(), "{name}: {}", String::from_utf8_lossy(&decoded.stderr));
        let apart: u64 = pixels.iter().zip(&expected).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let mean = apart as f64 / expected.len() as f64;
        // Videos store colour at half resolution, which is noticeable in images of thin lines.
        assert!(mean < 6.0, "{name}: values are {mean} of 255 apart");
    }
}
