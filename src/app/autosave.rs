//! Saves unsaved work as a session while the program runs, and recovers the session if the program was killed.
//!
//! The folder contains `NAME.json` for each window with unsaved work. The window holds a lock on `NAME.lock`, which the
//! system releases even if the program is killed. `ended-….json` files hold sessions of windows that a signal ended, and
//! `kept-….json` files hold sessions with unsaved work that were closed, replaced or recovered.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use super::file_jobs::FileJob;
use crate::files::write_atomically;
use crate::jobs::{JobKind, Jobs, Worker, WorkerChannel};
use crate::stage::{Session, Snapshot, Source};
use crate::state::{JobResult, Notice, NoticeKind, StateChange};

const AUTOSAVE: JobKind = JobKind::unlisted(
    "autosave",
    "Keeping the session",
    "The next edit tries again. To be safe, save the pose by File > Save pose.",
);

/// Edits made within this time are written together.
const DEBOUNCE: Duration = Duration::from_millis(400);
/// Maximum time to wait at exit for the session to be written.
const LAST_WAIT: Duration = Duration::from_secs(2);
const MAX_KEPT: usize = 10;

#[derive(Default)]
pub(super) struct Autosave {
    own: Option<SessionWriter>,
    folder: PathBuf,
    /// Why this window has no session file; reported once.
    problem: Option<Notice>,
}

struct SessionWriter {
    json: PathBuf,
    lock_path: PathBuf,
    /// Lock file, locked while the window is open.
    lock: File,
    writer: Worker<WriterMessage, Notice>,
}

enum WriterMessage {
    /// Session to write; `None` if there is no unsaved work.
    Now(Option<Box<Snapshot>>),
    /// A session that is about to be replaced; kept so that the user can restore it.
    Keep(Box<Snapshot>),
    Flush(Sender<()>),
}

impl Autosave {
    /// Creates this window's session file. Also returns the session of a killed window, if there is one; if `wanted` is
    /// set, only a session for that file.
    pub(super) fn start(folder: Option<PathBuf>, wanted: Option<&Source>, jobs: &Jobs) -> (Self, Option<Session>) {
        // Doesn't report a missing data folder, because the settings file does.
        let Some(folder) = folder else { return (Self::default(), None) };
        if let Err(problem) = std::fs::create_dir_all(&folder) {
            let problem = Some(not_kept(&folder, &problem));
            return (Self { folder, problem, ..Self::default() }, None);
        }
        let found = claim_abandoned(&folder, wanted.map(Source::absolute).as_ref());
        remove_oldest(&folder);
        let (own, problem) = match begin(&folder, jobs, write) {
            Ok(own) => (Some(own), None),
            Err(problem) => (None, Some(not_kept(&folder, &problem))),
        };
        (Self { own, folder, problem }, found)
    }

    /// Returns the problems that occurred since the last call.
    pub(super) fn problems(&mut self) -> impl Iterator<Item = Notice> + '_ {
        self.problem.take().into_iter().chain(self.own.iter().flat_map(|own| own.writer.results()))
    }

    /// Saves a session in the background. `None` means that there is no unsaved work, and removes the session file.
    pub(super) fn save(&self, snapshot: Option<Snapshot>) {
        self.send(WriterMessage::Now(snapshot.map(Box::new)));
    }

    pub(super) fn keep(&self, snapshot: Snapshot) {
        self.send(WriterMessage::Keep(Box::new(snapshot)));
    }

    /// Returns a closure that writes pending sessions and waits up to [`LAST_WAIT`] for that. It may be called on other
    /// threads.
    fn flusher(&self) -> Option<impl FnMut() + Send + 'static> {
        let mailbox = self.own.as_ref()?.writer.mailbox();
        Some(move || {
            let (done, is_done) = channel();
            mailbox.send(WriterMessage::Flush(done));
            let _ = is_done.recv_timeout(LAST_WAIT);
        })
    }

    /// Returns a closure for use on other threads that writes pending sessions and marks unsaved work as properly
    /// ended. The next start restores it.
    pub(super) fn ender(&self) -> Option<impl FnMut() + Send + 'static> {
        let (json, mut flush) = (self.own.as_ref()?.json.clone(), self.flusher()?);
        Some(move || {
            flush();
            if json.exists() {
                rename(&json, ENDED);
            }
        })
    }

    fn send(&self, edit: WriterMessage) {
        if let Some(own) = &self.own {
            own.writer.send(edit);
        }
    }

    /// Returns a job that writes this window's session and then finds the newest session that no window has open.
    pub(super) fn search(&self) -> FileJob {
        let (folder, flush) = (self.folder.clone(), self.flusher());
        Box::new(move || {
            if let Some(mut flush) = flush {
                flush();
            }
            match newest_kept(&folder) {
                Some(session) => JobResult::FilesRead(vec![Ok(StateChange::open_session(session))]),
                None => JobResult::Notice(Notice::info("No unsaved session to restore.")),
            }
        })
    }

    /// Waits for pending writes. Keeps a session with unsaved work for [`Self::search`].
    pub(super) fn finish(&mut self) {
        let Some(SessionWriter { json, lock_path, lock, mut writer }) = self.own.take() else { return };
        writer.finish();
        if json.exists() {
            keep(&json);
        }
        drop(lock);
        let _ = std::fs::remove_file(lock_path);
    }
}

/// Writes a session file, or removes it if the text is `None`.
type Write = fn(&Path, Option<&str>) -> std::io::Result<()>;

/// Creates a session file with the first unused name. *Errors*: the folder is not writable.
fn begin(folder: &Path, jobs: &Jobs, write: Write) -> std::io::Result<SessionWriter> {
    let pid = std::process::id();
    let mut problem = ErrorKind::AlreadyExists.into();
    for number in 0..100 {
        let json = folder.join(format!("window-{pid}-{number}.json"));
        match locked(&json) {
            Ok((lock_path, lock)) if !json.exists() => {
                let target = json.clone();
                let writer = Worker::start(jobs, &AUTOSAVE, move |edits| write_sessions(edits, &target, write));
                return Ok(SessionWriter { json, lock_path, lock, writer });
            }
            Ok(_) => {}
            Err(refused) => problem = refused,
        }
    }
    Err(problem)
}

fn not_kept(path: &Path, problem: &std::io::Error) -> Notice {
    let text = format!(
        "What you pose is not kept in case Rigscope ends unexpectedly: {} cannot be written ({problem}). Make it \
         writable, or save your work by File > Save pose or Save session.",
        path.display()
    );
    Notice::new(NoticeKind::Warning, text)
}

/// Writes the newest session at most once per [`DEBOUNCE`] interval. Reports only the first of consecutive failures.
fn write_sessions(edits: &WorkerChannel<WriterMessage, Notice>, path: &Path, write: Write) {
    let (mut written, mut is_told) = (None, false);
    while let Some(first) = edits.next() {
        let (newest, waiting) = newest(first, edits);
        if let Some(newest) = newest {
            let result = write_session(newest, path, write, &mut written);
            if let Some(problem) = result.as_ref().err().filter(|_| !is_told) {
                edits.send(not_kept(path, problem));
            }
            is_told = result.is_err();
        }
        if let Some(waiting) = waiting {
            let _ = waiting.send(());
        }
    }
}

fn write(path: &Path, session: Option<&str>) -> std::io::Result<()> {
    match session {
        Some(json) => write_atomically(path, json.as_bytes()),
        None if path.exists() => std::fs::remove_file(path),
        None => Ok(()),
    }
}

fn write_session(
    message: WriterMessage,
    path: &Path,
    write: Write,
    written: &mut Option<String>,
) -> std::io::Result<()> {
    let (snapshot, is_kept) = match message {
        WriterMessage::Now(snapshot) => (snapshot, false),
        WriterMessage::Keep(snapshot) => (Some(snapshot), true),
        WriterMessage::Flush(_) => return Ok(()),
    };
    let session = snapshot.map(|s| s.session().to_json());
    if session != *written {
        write(path, session.as_deref())?;
        *written = session;
    }
    if is_kept {
        keep(path);
    }
    Ok(())
}

/// Returns the newest session that arrives within [`DEBOUNCE`]. Also returns the sender of a flush request, if any.
fn newest(
    first: WriterMessage,
    edits: &WorkerChannel<WriterMessage, Notice>,
) -> (Option<WriterMessage>, Option<Sender<()>>) {
    let due = Instant::now() + DEBOUNCE;
    let mut newest = None;
    let mut next = Some(first);
    while let Some(message) = next {
        match message {
            WriterMessage::Flush(waiting) => return (newest, Some(waiting)),
            kept @ WriterMessage::Keep(_) => return (Some(kept), None),
            now @ WriterMessage::Now(_) => newest = Some(now),
        }
        next = edits.next_within(due.saturating_duration_since(Instant::now()));
    }
    (newest, None)
}

fn newest_kept(folder: &Path) -> Option<Session> {
    claim_abandoned(folder, None).or_else(|| {
        let mut newest_first = sessions(folder).into_iter().filter(|p| is_kept(p));
        newest_first.find_map(|p| read(&p))
    })
}

/// Returns the newest session of a killed or ended window. Renames its file to `kept-…` first, so that a session that
/// crashes the program is not recovered again.
fn claim_abandoned(folder: &Path, wanted: Option<&Source>) -> Option<Session> {
    sessions(folder).into_iter().filter(|p| !is_kept(p)).find_map(|path| {
        let (lock_path, _lock) = locked(&path).ok()?;
        let session = read(&path).filter(|s| wanted.is_none_or(|w| s.source == *w))?;
        keep(&path)?;
        let _ = std::fs::remove_file(lock_path);
        Some(if has_prefix(&path, ENDED) { session } else { session.recovered() })
    })
}

/// Locks the lock file of a session. *Errors*: a window holds the lock, or the lock file cannot be created.
fn locked(json: &Path) -> std::io::Result<(PathBuf, File)> {
    let path = json.with_extension("lock");
    let file = File::options().create(true).append(true).open(&path)?;
    file.try_lock()?;
    Ok((path, file))
}

const KEPT: &str = "kept-";
const ENDED: &str = "ended-";

fn keep(json: &Path) -> Option<()> {
    rename(json, KEPT)
}

fn rename(json: &Path, prefix: &str) -> Option<()> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let kept = json.with_file_name(format!("{prefix}{}-{}.json", since.as_millis(), std::process::id()));
    std::fs::rename(json, kept).map_err(|e| log::warn!("{} was not kept: {e}", json.display())).ok()
}

fn is_kept(json: &Path) -> bool {
    has_prefix(json, KEPT)
}

fn has_prefix(json: &Path, prefix: &str) -> bool {
    json.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
}

fn remove_oldest(folder: &Path) {
    for path in sessions(folder).into_iter().filter(|p| is_kept(p)).skip(MAX_KEPT) {
        let _ = std::fs::remove_file(path);
    }
}

fn sessions(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "json"));
    let mut sessions: Vec<_> = paths.map(|p| (p.metadata().and_then(|m| m.modified()).ok(), p)).collect();
    sessions.sort_by(|a, b| b.cmp(a));
    sessions.into_iter().map(|(_, path)| path).collect()
}

/// Reads a session file. Keeps an unreadable file, because a newer version of the program may have written it.
fn read(path: &Path) -> Option<Session> {
    Session::read(path).map_err(|e| log::warn!("{} is not read: {e}", path.display())).ok()
}

#[cfg(test)]
mod tests;
