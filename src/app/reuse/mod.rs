//! `rigscope --reuse`: sends files to an open window through a socket, or on Windows a named pipe, that no other user
//! can open.
//!
//! A request is one line of JSON: `{"version":1,"open":["/models/hero.glb"],"comparison_file":"/models/old.glb"}`, where
//! `comparison_file` is an optional comparison file; `points`, such as `{"path":"/models/mine.npy"}`, shows points of
//! another program instead. The answer is one line of JSON: `{"accepted":true}` or
//! `{"accepted":false,"problem":"…"}`.

#[cfg(unix)]
#[path = "unix.rs"]
mod channel;
#[cfg(windows)]
#[path = "windows.rs"]
mod channel;
#[cfg(windows)]
mod owner;

use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel as queue};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::headless_app::Startup;
use crate::stage::Source;
use crate::state::{Action, AfterLoad, Command};
use crate::view::{PointsFile, ShownFile};
use channel::{Acceptor, Cleanup, Peer};

const MAX_REQUEST_BYTES: usize = 1 << 20;
/// Timeout for receiving a request after a program has connected.
const PATIENCE: Duration = Duration::from_secs(1);
/// Timeout for the window's answer; longer than [`PATIENCE`], because the window may be busy with other requests.
const ANSWER: Duration = Duration::from_secs(5);

#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct ReuseRequest {
    version: u32,
    open: Vec<Source>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comparison_file: Option<Source>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<PointsFile>,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct ReuseAnswer {
    accepted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

const VERSION: u32 = 1;

impl ReuseRequest {
    /// Creates a request to open the same files. Returns `None` if there are no files or a path is not a regular file;
    /// a new window then reports the error.
    fn from_startup(opened: &Startup) -> Option<Self> {
        let open: Vec<Source> = opened.sources.iter().map(Source::absolute).collect();
        let points = opened.side_b.points().cloned();
        let comparison_file =
            opened.side_b.file().filter(|_| points.is_none()).map(|path| Source::File(path.to_owned()));
        let paths = open.iter().filter_map(Source::path).chain(opened.side_b.file());
        // JSON holds text.
        let is_text = points.as_ref().is_none_or(|points| points.path.to_str().is_some());
        let can_open = is_text && !open.is_empty() && paths.into_iter().all(Path::is_file);
        can_open.then_some(Self { version: VERSION, open, comparison_file, points })
    }

    /// Parses a request. *Errors*: a message for the program that sent the request.
    fn parse(line: &[u8]) -> std::result::Result<Self, String> {
        let request: Self = serde_json::from_slice(line).map_err(|e| format!("Invalid request: {e}"))?;
        if request.version != VERSION {
            return Err(format!("Requests have version {VERSION}, not {}", request.version));
        }
        let is_clear = |source: &Source| source.path().is_none_or(Path::is_absolute);
        let are_points_clear = request.points.as_ref().is_none_or(|points| points.path.is_absolute());
        let are_files_clear = request.open.iter().chain(&request.comparison_file).all(is_clear);
        if request.open.is_empty() || !are_files_clear || !are_points_clear {
            return Err("A request names files, by absolute paths".to_owned());
        }
        Ok(request)
    }

    fn command(self, shown: &Source) -> Command {
        if let Some(points) = self.points {
            return Command::OpenAll(self.open, AfterLoad::Compare(ShownFile::Points(points)));
        }
        match self.comparison_file {
            Some(Source::File(with)) => Command::OpenAll(self.open, AfterLoad::Compare(ShownFile::file_at(&with))),
            // The requested file is already open, and was probably exported again: reloads it and keeps the pose.
            _ if self.open == [shown.absolute()] => Command::Do(Action::Reload),
            _ => Command::OpenAll(self.open, AfterLoad::Show),
        }
    }
}

/// Receives requests in an open window.
pub(super) struct Listener {
    requests: Receiver<ReuseRequest>,
    _cleanup: Cleanup,
}

impl Listener {
    /// Starts listening, and calls `wake` after each request. Returns `None` if another window is listening.
    pub(super) fn start(wake: impl Fn() + Send + 'static) -> Option<Self> {
        let address = channel::address()?;
        Self::at(&address, wake).inspect_err(|e| log::warn!("other programs cannot open files here: {e}")).ok()?
    }

    fn at(address: &Path, wake: impl Fn() + Send + 'static) -> Result<Option<Self>> {
        match Peer::connect(address) {
            Ok(_) => return Ok(None),
            Err(e) if e.kind() == ErrorKind::TimedOut => return Ok(None),
            Err(_) => {}
        }
        let (acceptor, cleanup) = channel::bind(address)?;
        let (sender, requests) = queue();
        std::thread::Builder::new().name("reuse".to_owned()).spawn(move || listen(acceptor, &sender, &wake))?;
        Ok(Some(Self { requests, _cleanup: cleanup }))
    }

    pub(super) fn commands(&self, shown: &Source) -> Vec<Command> {
        self.requests.try_iter().map(|request| request.command(shown)).collect()
    }
}

fn listen(mut acceptor: Acceptor, requests: &Sender<ReuseRequest>, wake: &impl Fn()) {
    loop {
        let Ok(mut peer) = acceptor.accept() else {
            // Accepting can fail while too many files are open, so tries again later.
            std::thread::sleep(PATIENCE);
            continue;
        };
        let request = line(&mut peer, PATIENCE).map_err(|e| e.to_string()).and_then(|line| ReuseRequest::parse(&line));
        let is_closing = |request| requests.send(request).is_err().then(|| "The window is closing".to_owned());
        let problem = request.map_or_else(Some, is_closing);
        if problem.is_none() {
            wake();
        }
        _ = send(&mut peer, &ReuseAnswer { accepted: problem.is_none(), problem });
    }
}

/// Reads up to a line break, or until the peer closes the connection.
fn line(peer: &mut Peer, patience: Duration) -> Result<Vec<u8>> {
    let end = Instant::now() + patience;
    let (mut read, mut block) = (Vec::new(), [0; 4096]);
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || read.len() > MAX_REQUEST_BYTES {
            return Err(Error::new(ErrorKind::TimedOut, "a request is one line that comes within a second"));
        }
        let count = match peer.read(&mut block, left) {
            Ok(count) => count,
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let new = block.get(..count).unwrap_or_default();
        if let Some(end) = new.iter().position(|&byte| byte == b'\n') {
            read.extend(&new[..end]);
            return Ok(read);
        }
        if count == 0 {
            return Ok(read);
        }
        read.extend(new);
    }
}

fn send(peer: &mut Peer, message: &impl Serialize) -> Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    peer.write(&line)
}

/// Sends files to the user's open window. Returns false if no window accepted them.
pub fn hand_over(opened: &Startup) -> bool {
    let request = ReuseRequest::from_startup(opened);
    let address = request.zip(channel::address());
    address.is_some_and(|(request, address)| ask(&address, &request).is_ok_and(|answer| answer.accepted))
}

fn ask(address: &Path, request: &ReuseRequest) -> Result<ReuseAnswer> {
    let mut window = Peer::connect(address)?;
    send(&mut window, request)?;
    Ok(serde_json::from_slice(&line(&mut window, ANSWER)?)?)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs::metadata;
    use std::io::Write as _;
    use std::os::unix::fs::MetadataExt as _;
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::PathBuf;

    use super::*;

    const CERTAIN: Duration = Duration::from_mins(1);

    struct Trial {
        folder: tempfile::TempDir,
        listener: Listener,
        woken: Receiver<()>,
    }

    fn trial() -> Trial {
        let folder = tempfile::tempdir().unwrap();
        let (bell, woken) = queue();
        let listener = Listener::at(&folder.path().join("s"), move || _ = bell.send(())).unwrap().unwrap();
        Trial { folder, listener, woken }
    }

    impl Trial {
        fn socket(&self) -> PathBuf {
            self.folder.path().join("s")
        }

        fn answer(&self, bytes: &[u8]) -> ReuseAnswer {
            let mut peer = UnixStream::connect(self.socket()).unwrap();
            // Ignores errors: the window closes the connection if the request is too long.
            _ = peer.write_all(bytes);
            _ = peer.shutdown(std::net::Shutdown::Write);
            serde_json::from_slice(&line(&mut Peer(peer), CERTAIN).unwrap_or_default())
                .unwrap_or(ReuseAnswer { accepted: false, problem: None })
        }

        fn told(&self) -> Vec<String> {
            self.woken.recv_timeout(CERTAIN).unwrap();
            self.listener.commands(&shown()).iter().map(|command| format!("{command:?}")).collect()
        }
    }

    fn shown() -> Source {
        Source::File("/shown.glb".into())
    }

    fn request(open: &[&str], comparison_file: Option<&str>) -> ReuseRequest {
        let source = |name: &str| Source::parse(name).unwrap();
        ReuseRequest {
            version: VERSION,
            open: open.iter().map(|name| source(name)).collect(),
            comparison_file: comparison_file.map(source),
            points: None,
        }
    }

    #[test]
    fn files_reach_the_window_and_wake_it() {
        let trial = trial();
        let accepted = ReuseAnswer { accepted: true, problem: None };
        assert_eq!(ask(&trial.socket(), &request(&["/a.glb", "builtin:tube"], None)).unwrap(), accepted);
        let both = request(&["/a.glb", "builtin:tube"], None).open;
        assert_eq!(trial.told(), [format!("{:?}", Command::OpenAll(both, AfterLoad::Show))]);
        assert_eq!(ask(&trial.socket(), &request(&["/r\u{fffd}.glb"], Some("bytes:/r%EF.glb"))).unwrap(), accepted);
        assert!(trial.told()[0].contains(", Compare("), "side B has a file of its own");
        let points = PointsFile { unit: "cm".parse().ok(), ..PointsFile::new(Path::new("/mine.npy")) };
        let with_points = ReuseRequest { points: Some(points.clone()), ..request(&["/a.glb"], None) };
        assert_eq!(ask(&trial.socket(), &with_points).unwrap(), accepted);
        let then = AfterLoad::Compare(ShownFile::Points(points));
        assert_eq!(trial.told(), [format!("{:?}", Command::OpenAll(request(&["/a.glb"], None).open, then))]);
        assert!(ask(&trial.socket(), &request(&["/shown.glb"], None)).unwrap().accepted);
        assert_eq!(trial.told(), [format!("{:?}", Command::Do(Action::Reload))]);
        assert_eq!(trial.answer(b"{\"version\":1,\"open\":[\"/b.glb\"]}"), accepted);
    }

    #[test]
    fn only_the_user_can_reach_the_socket_and_it_goes_with_the_window() {
        let trial = trial();
        assert_eq!(metadata(trial.socket()).unwrap().mode() & 0o777, 0o600);
        assert!(Listener::at(&trial.socket(), || {}).unwrap().is_none(), "the first window keeps it");
        let Trial { folder, listener, .. } = trial;
        drop(listener);
        assert!(!folder.path().join("s").exists());
    }

    #[test]
    fn stale_socket_is_replaced_and_a_file_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        drop(UnixListener::bind(&path).unwrap());
        assert!(path.exists() && ask(&path, &request(&["/a.glb"], None)).is_err(), "nobody listens");
        assert!(Listener::at(&path, || {}).unwrap().is_some());
        let file = folder.path().join("file");
        std::fs::write(&file, "dear").unwrap();
        assert!(Listener::at(&file, || {}).is_err());
        assert_eq!(std::fs::read(&file).unwrap(), b"dear");
    }

    #[test]
    fn silent_or_invalid_peers_block_nobody() {
        let trial = trial();
        let silent: Vec<UnixStream> = (0..3).map(|_| UnixStream::connect(trial.socket()).unwrap()).collect();
        drop(UnixStream::connect(trial.socket()).unwrap());
        for nonsense in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"", b"{\"version\":2,\"open\":[\"/a.glb\"]}\n", b"\xff\0\n"] {
            assert!(!trial.answer(nonsense).accepted);
        }
        for unclear in [
            "[\"a.glb\"]",
            "[]",
            "[\"builtin:nobody\"]",
            "[\"/a.glb\"],\"comparison_file\":\"b.glb\"",
            "[\"/a.glb\"],\"points\":{\"path\":\"b.npy\"}",
        ] {
            assert!(!trial.answer(format!("{{\"version\":1,\"open\":{unclear}}}\n").as_bytes()).accepted, "{unclear}");
        }
        assert!(!trial.answer(&vec![b'['; 4 * MAX_REQUEST_BYTES]).accepted);
        assert!(ask(&trial.socket(), &request(&["/a.glb"], None)).unwrap().accepted);
        assert!(trial.listener.commands(&shown()).len() == 1 && silent.len() == 3);
    }

    #[test]
    fn a_window_that_does_not_answer_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let _mute = UnixListener::bind(&path).unwrap();
        let start = Instant::now();
        assert!(ask(&path, &request(&["/a.glb"], None)).is_err());
        assert!(start.elapsed() < 4 * ANSWER);
    }

    #[test]
    fn only_files_that_are_there_are_handed_over() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("a.glb");
        std::fs::write(&there, "").unwrap();
        let startup = |path: &Path| Startup { sources: vec![Source::File(path.to_owned())], side_b: ShownFile::Open };
        assert!(ReuseRequest::from_startup(&startup(&there)).is_some());
        for other in [&folder.path().join("b.glb"), folder.path(), Path::new("-")] {
            assert!(ReuseRequest::from_startup(&startup(other)).is_none(), "{}", other.display());
        }
        assert!(ReuseRequest::from_startup(&Startup::default()).is_none());
    }
}
