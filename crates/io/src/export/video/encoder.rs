//! Streams raw frames to ffmpeg's standard input, without temporary images.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, Once, Weak};
use std::thread;
use std::time::{Duration, Instant};

use image::RgbaImage;

use super::FfmpegFormat;
use rigscope_core::files::{StreamedFile, before_process_ends, without_console};
use rigscope_core::jobs::{Progress, lock};
use rigscope_core::text::escaped;

/// Interval at which cancellation is checked while ffmpeg works.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Number of [`POLL_INTERVAL`]s to wait for ffmpeg to exit after it has stopped reading.
const GRACE: u32 = 50;
/// Maximum time for ffmpeg to read a frame or to exit; after this, it counts as hung. Without a limit, a closing window
/// could wait forever for its videos.
const STALLED: Duration = Duration::from_mins(10);
const MAX_WORDS: usize = 4096;

/// Error from writing a video.
#[derive(Debug, thiserror::Error)]
pub enum VideoError {
    /// The job was cancelled.
    #[error("it was cancelled")]
    Cancelled,
    /// The file cannot be written.
    #[error(transparent)]
    File(io::Error),
    /// ffmpeg could not be started.
    #[error("ffmpeg did not start: {0}")]
    Start(io::Error),
    /// ffmpeg failed or exited early. Contains the exit status and stderr.
    #[error("ffmpeg failed, {0}")]
    Failed(String),
    /// ffmpeg hangs.
    #[error("ffmpeg made no progress for ten minutes")]
    Stalled,
    /// ffmpeg succeeded but wrote nothing.
    #[error("ffmpeg wrote nothing")]
    Empty,
}

/// A video encoded by ffmpeg to a temporary file. Dropping it before [`Self::finish`] kills ffmpeg and keeps any
/// existing file at the path.
pub struct VideoEncoder {
    // The child must be dropped before its file.
    program: FfmpegProcess,
    file: StreamedFile,
}

impl VideoEncoder {
    /// Starts `ffmpeg`. `size`: width and height in pixels; `rate`: frames per second. *Errors*: [`VideoError::File`],
    /// [`VideoError::Start`].
    pub fn start(
        ffmpeg: &Path,
        (path, format): (&Path, FfmpegFormat),
        (size, rate, is_transparent): ([u32; 2], f32, bool),
    ) -> Result<Self, VideoError> {
        let file = StreamedFile::new(path).map_err(VideoError::File)?;
        let [width, height] = size;
        let input = format!(
            "-hide_banner -loglevel error -nostdin -f rawvideo -pixel_format rgba -video_size {width}x{height} -framerate {rate} -i pipe:0"
        );
        // Makes ffmpeg treat names that look like a protocol as files.
        let mut output = OsString::from("file:");
        output.push(file.temporary_path().unwrap_or(path));
        let mut command = Command::new(ffmpeg);
        command.args(input.split(' ')).args(format.arguments(is_transparent, rate)).arg("-y").arg(output);
        without_console(&mut command);
        Ok(Self { program: FfmpegProcess::start(command).map_err(VideoError::Start)?, file })
    }

    /// Adds a frame. *Errors*: [`VideoError::Cancelled`], [`VideoError::Failed`], [`VideoError::Stalled`].
    pub fn add(&mut self, picture: RgbaImage, progress: &Progress) -> Result<(), VideoError> {
        self.program.feed(picture.into_raw(), progress)
    }

    /// Moves the video to its path. *Errors*: as [`Self::add`]; [`VideoError::Empty`], [`VideoError::File`].
    pub fn finish(mut self, progress: &Progress) -> Result<(), VideoError> {
        self.program.finish(progress)?;
        if self.file.temporary_path().is_some_and(|path| path.metadata().is_ok_and(|found| found.len() == 0)) {
            return Err(VideoError::Empty);
        }
        self.file.place().map_err(VideoError::File)
    }
}

/// A child process, killed on drop or when this process ends. Separate threads write to its pipe and read its stderr.
/// These threads are never joined, since grandchild processes may keep the pipes open.
struct FfmpegProcess {
    child: Arc<Mutex<Child>>,
    /// Sends bytes to the pipe. Dropping the sender closes the pipe.
    bytes: Option<SyncSender<Vec<u8>>>,
    written: Receiver<io::Result<()>>,
    words: Arc<Mutex<Vec<u8>>>,
    /// Channel that disconnects at the end of stderr.
    stderr_end: Receiver<()>,
}

impl FfmpegProcess {
    fn start(mut command: Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let (pipe, errors) = (child.stdin.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        kill_with_process(&child);
        let (bytes, to_write) = sync_channel(1);
        let (result, written) = channel();
        let (end, told) = channel::<()>();
        let words = Arc::<Mutex<Vec<u8>>>::default();
        let running = Self { child, bytes: Some(bytes), written, words: Arc::clone(&words), stderr_end: told };
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        if let (Some(pipe), Some(errors)) = (pipe, errors) {
            named("video pictures").spawn(move || write_all(pipe, &to_write, &result))?;
            named("video words").spawn(move || {
                listen(errors, &words);
                drop(end);
            })?;
        }
        Ok(running)
    }

    fn feed(&mut self, bytes: Vec<u8>, progress: &Progress) -> Result<(), VideoError> {
        if self.bytes.as_ref().is_none_or(|to| to.send(bytes).is_err()) {
            return Err(self.stopped());
        }
        let written = wait(progress, || match self.written.recv_timeout(POLL_INTERVAL) {
            Ok(written) => Some(written.is_ok()),
            // A grandchild process may keep the other end of the pipe open.
            Err(RecvTimeoutError::Timeout) => self.status().map(|_| false),
            Err(RecvTimeoutError::Disconnected) => Some(false),
        })?;
        if written { Ok(()) } else { Err(self.stopped()) }
    }

    fn finish(&mut self, progress: &Progress) -> Result<(), VideoError> {
        self.bytes = None;
        let status = wait(progress, || {
            let status = self.status();
            if status.is_none() {
                thread::sleep(POLL_INTERVAL);
            }
            status
        })?;
        if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err(self.stopped()) }
    }

    fn status(&self) -> Option<io::Result<ExitStatus>> {
        lock(&self.child).try_wait().transpose()
    }

    /// Returns the error from a child that has stopped reading. Kills the child if it does not exit soon.
    fn stopped(&mut self) -> VideoError {
        self.bytes = None;
        for _ in 0..GRACE {
            if self.status().is_some() {
                break;
            }
            thread::sleep(POLL_INTERVAL);
        }
        let ended = match self.status() {
            Some(Ok(status)) => status.to_string(),
            Some(Err(problem)) => problem.to_string(),
            None => "it read no more pictures".to_owned(),
        };
        kill(&self.child);
        let _ = self.stderr_end.recv_timeout(POLL_INTERVAL * GRACE);
        let words = lock(&self.words);
        let lines = String::from_utf8_lossy(&words);
        let lines: Vec<_> = lines.lines().map(|line| escaped(line.trim())).filter(|line| !line.is_empty()).collect();
        let end = if lines.is_empty() { String::new() } else { format!(": {}", lines.join("; ")) };
        VideoError::Failed(format!("{ended}{end}"))
    }
}

impl Drop for FfmpegProcess {
    fn drop(&mut self) {
        kill(&self.child);
    }
}

fn wait<T>(progress: &Progress, mut step: impl FnMut() -> Option<T>) -> Result<T, VideoError> {
    let began = Instant::now();
    loop {
        progress.check_cancelled().ok_or(VideoError::Cancelled)?;
        match step() {
            Some(done) => return Ok(done),
            None if began.elapsed() > STALLED => return Err(VideoError::Stalled),
            None => {}
        }
    }
}

fn write_all(mut pipe: ChildStdin, bytes: &Receiver<Vec<u8>>, result: &Sender<io::Result<()>>) {
    for bytes in bytes {
        let written = pipe.write_all(&bytes);
        let is_over = written.is_err();
        if result.send(written).is_err() || is_over {
            return;
        }
    }
}

/// Stores the beginning of stderr. Reads and discards the rest, so that the child does not block.
fn listen(mut from: impl Read, words: &Mutex<Vec<u8>>) {
    let mut part = [0; 1024];
    while let Ok(count @ 1..) = from.read(&mut part) {
        let mut words = lock(words);
        let kept = count.min(MAX_WORDS.saturating_sub(words.len()));
        words.extend_from_slice(&part[..kept]);
    }
}

fn kill(child: &Mutex<Child>) {
    let mut child = lock(child);
    let _ = child.kill();
    let _ = child.wait();
}

/// Kills a child when a signal or a time limit ends this process.
fn kill_with_process(child: &Arc<Mutex<Child>>) {
    static ALL: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());
    static WATCH: Once = Once::new();
    let mut all = lock(&ALL);
    all.retain(|child| child.strong_count() > 0);
    all.push(Arc::downgrade(child));
    drop(all);
    WATCH.call_once(|| {
        before_process_ends(|| lock(&ALL).iter().filter_map(Weak::upgrade).for_each(|child| kill(&child)));
    });
}

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const SIZE: [u32; 2] = [8, 6];

    /// A folder with a shell script in place of ffmpeg, and an old video.
    struct Stage(tempfile::TempDir);

    impl Stage {
        fn new(script: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join("ffmpeg");
            // Written by a separate process: a file that this process has open for writing cannot be executed.
            let text = format!("#!/bin/sh\nfor last; do :; done\nout=${{last#file:}}\n{script}\n");
            let mut shell =
                Command::new("sh").arg("-c").arg("cat > \"$0\"").arg(&program).stdin(Stdio::piped()).spawn().unwrap();
            shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
            assert!(shell.wait().unwrap().success());
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            std::fs::write(folder.path().join("video.gif"), "old").unwrap();
            Self(folder)
        }

        fn encoder(&self) -> Result<VideoEncoder, VideoError> {
            let path = self.0.path().join("video.gif");
            VideoEncoder::start(&self.0.path().join("ffmpeg"), (&path, FfmpegFormat::Gif), (SIZE, 25.0, false))
        }

        fn video(&self, pictures: u8, progress: &Progress) -> Result<(), VideoError> {
            let mut encoder = self.encoder()?;
            for picture in 0..pictures {
                encoder.add(RgbaImage::from_pixel(SIZE[0], SIZE[1], image::Rgba([picture; 4])), progress)?;
            }
            encoder.finish(progress)
        }

        fn left(&self) -> Vec<u8> {
            assert_eq!(std::fs::read_dir(self.0.path()).unwrap().count(), 2);
            std::fs::read(self.0.path().join("video.gif")).unwrap()
        }
    }

    #[test]
    fn every_picture_comes_whole_and_in_order() {
        let stage = Stage::new("cat > \"$out\"");
        stage.video(3, &Progress::default()).unwrap();
        let expected: Vec<u8> = (0..3).flat_map(|picture| vec![picture; 8 * 6 * 4]).collect();
        assert_eq!(stage.left(), expected);
    }

    #[test]
    fn ffmpeg_error_is_returned_and_the_old_file_stays() {
        for script in
            ["echo \"Unknown encoder 'x'\" >&2; exit 3", "cat > \"$out\"; echo \"Unknown encoder 'x'\" >&2; exit 3"]
        {
            let stage = Stage::new(script);
            let problem = stage.video(200, &Progress::default()).unwrap_err().to_string();
            assert_eq!(problem, "ffmpeg failed, exit status: 3: Unknown encoder 'x'");
            assert_eq!(stage.left(), b"old");
        }
    }

    #[test]
    fn a_program_that_writes_nothing_or_is_none_replaces_nothing() {
        let stage = Stage::new("cat > /dev/null");
        assert!(matches!(stage.video(2, &Progress::default()), Err(VideoError::Empty)));
        assert_eq!(stage.left(), b"old");
        std::fs::set_permissions(stage.0.path().join("ffmpeg"), std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(stage.encoder(), Err(VideoError::Start(_))));
        assert_eq!(stage.left(), b"old");
    }

    #[test]
    fn one_that_hangs_is_ended_when_the_job_is_cancelled() {
        // The first script reads nothing; the second reads all and does not exit.
        for script in ["exec sleep 600", "cat > \"$out\"; exec sleep 600"] {
            let stage = Stage::new(script);
            let (began, progress) =
                (Instant::now(), Progress::until(Some(Instant::now() + Duration::from_millis(300))));
            let mut encoder = stage.encoder().unwrap();
            let child = Arc::clone(&encoder.program.child);
            let large = || RgbaImage::new(512, 512);
            let ended = encoder.add(large(), &progress).and_then(|()| encoder.finish(&progress));
            assert!(matches!(ended, Err(VideoError::Cancelled)), "{ended:?}");
            assert!(lock(&child).try_wait().unwrap().is_some(), "it was ended");
            assert!(began.elapsed() < Duration::from_mins(1));
            assert_eq!(stage.left(), b"old");
        }
    }
}
