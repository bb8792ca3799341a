use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::import::FileState;
use crate::jobs::{JobKind, Jobs, Mailbox, Worker, WorkerChannel};
use crate::rig::Rig;

const WATCH: JobKind =
    JobKind::unlisted("file changes", "Noticing changes of the file", "File > Reload reads it again.");

/// Time without events after which a changed file is considered complete.
const QUIET: Duration = Duration::from_millis(200);

/// Detects changes that other programs make to a character's files. Uses system events, not polling.
#[derive(Default)]
pub(super) struct Watcher {
    watched: Option<WatchedRig>,
}

struct WatchedRig {
    rig: Arc<Rig>,
    /// The running watch; `None` if the system can't report changes.
    watch: Option<Watch>,
}

struct Watch {
    worker: Worker<(), ()>,
    /// The system's watcher. Stops when dropped.
    _system: RecommendedWatcher,
}

impl Watcher {
    /// Watches a character's files; `None` stops watching. *Errors*: a message for the user if the system can't report
    /// changes, once per character.
    pub(super) fn follow(&mut self, read: Option<(&Arc<Rig>, &[FileState])>, jobs: &Jobs) -> Result<(), String> {
        let Some((rig, files)) = read.filter(|(_, files)| !files.is_empty()) else {
            self.watched = None;
            return Ok(());
        };
        if self.watched.as_ref().is_some_and(|w| Arc::ptr_eq(&w.rig, rig)) {
            return Ok(());
        }
        let (watch, result) = match Watch::start(files.to_vec(), jobs, FileState::is_current) {
            Ok(watch) => (Some(watch), Ok(())),
            Err(problem) => (None, Err(problem)),
        };
        self.watched = Some(WatchedRig { rig: Arc::clone(rig), watch });
        result
    }

    /// Returns true if files have changed since the last call.
    pub(super) fn take_change(&self) -> bool {
        let watch = self.watched.as_ref().and_then(|w| w.watch.as_ref());
        watch.is_some_and(|watch| watch.worker.results().count() > 0)
    }
}

impl Watch {
    fn start(files: Vec<FileState>, jobs: &Jobs, is_current: fn(&FileState) -> bool) -> Result<Self, String> {
        let told = |e: &dyn std::fmt::Display| {
            format!("Changes of this file cannot be noticed here ({e}). File > Reload reads it again.")
        };
        let paths = watched_paths(&files);
        let mut files = files;
        let worker = Worker::start(jobs, &WATCH, move |events| tell_changes(&mut files, events, is_current));
        let listener = listener(paths.clone(), worker.mailbox());
        let mut system = notify::recommended_watcher(listener).map_err(|e| told(&e))?;
        // Watches folders, because an editor that saves by renaming replaces the file itself.
        let mut folders: Vec<&Path> = paths.iter().filter_map(|p| p.parent()).collect();
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            system.watch(folder, RecursiveMode::NonRecursive).map_err(|e| told(&e))?;
        }
        // Checks the files once, because changes between reading and watching cause no event.
        worker.send(());
        Ok(Self { worker, _system: system })
    }
}

/// Returns the paths of the files and of their link targets. Skips paths in folders that don't exist.
fn watched_paths(files: &[FileState]) -> Vec<PathBuf> {
    let in_real_folder = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    files.iter().flat_map(|f| [in_real_folder(&f.path), f.path.canonicalize().ok()]).flatten().collect()
}

fn listener(paths: Vec<PathBuf>, events: Mailbox<()>) -> impl FnMut(notify::Result<Event>) {
    move |event| {
        // Also checks after an error, because events may have been lost.
        let concerns = event.as_ref().map_or(true, |e| {
            e.need_rescan() || (may_have_written(e.kind) && e.paths.iter().any(|p| paths.contains(p)))
        });
        if concerns {
            events.send(());
        }
    }
}

/// Returns true if a write may have caused the event. Must return false for reads, because this program also reads the
/// files.
pub(super) fn may_have_written(kind: EventKind) -> bool {
    !kind.is_access() || kind == EventKind::Access(AccessKind::Close(AccessMode::Write))
}

/// Checks the files whenever the events pause, and reports changes.
fn tell_changes(files: &mut [FileState], events: &WorkerChannel<(), ()>, is_current: fn(&FileState) -> bool) {
    while events.next().is_some() {
        while events.next_within(QUIET).is_some() {}
        if !files.iter().all(is_current) {
            for file in files.iter_mut() {
                *file = FileState::now(&file.path);
            }
            events.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read, rename, write};

    use std::sync::mpsc::Receiver;
    use std::time::Instant;

    use crate::jobs::Outcome;
    use crate::jobs::testing::{fault, jobs, outcome};

    const PATIENCE: Duration = Duration::from_mins(1);

    struct Trial {
        /// Ends before the folder is removed: Windows keeps a removed folder while it is watched.
        watch: Watch,
        folder: tempfile::TempDir,
        news: Receiver<()>,
    }

    /// Creates `rig.gltf` and `textures/skin.png`, and starts watching them.
    fn trial() -> Trial {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("textures")).unwrap();
        let paths = ["rig.gltf", "textures/skin.png"].map(|n| folder.path().join(n));
        for path in &paths {
            write(path, b"first").unwrap();
        }
        let files = paths.iter().map(|p| FileState::now(p)).collect();
        let (jobs, news) = jobs();
        Trial { watch: Watch::start(files, &jobs, FileState::is_current).unwrap(), folder, news }
    }

    impl Trial {
        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn changes(&self) -> usize {
            self.news.recv_timeout(PATIENCE).unwrap();
            self.count()
        }

        /// Counts reports until a second passes without one.
        fn count(&self) -> usize {
            while self.news.recv_timeout(Duration::from_secs(1)).is_ok() {}
            self.watch.worker.results().count()
        }
    }

    #[test]
    fn a_file_written_in_pieces_is_one_change() {
        /// Number of chunks to write. Writing all of them takes longer than the quiet time.
        const PIECES: usize = 10;
        let deadline = Instant::now() + PATIENCE;
        // On a busy machine, a pause may exceed the quiet time and cause two reports; the test then tries again.
        loop {
            let trial = trial();
            for size in 1..=PIECES {
                write(trial.path("rig.gltf"), vec![b'x'; size * 100]).unwrap();
                std::thread::sleep(QUIET / 8);
            }
            let count = trial.changes();
            if count == 1 {
                return;
            }
            assert!(Instant::now() < deadline, "{count} changes, however often it is tried");
        }
    }

    #[test]
    fn a_file_replaced_by_another_of_its_name_is_a_change_each_time() {
        let trial = trial();
        for content in ["second one", "third"] {
            write(trial.path(".rig.tmp"), content).unwrap();
            rename(trial.path(".rig.tmp"), trial.path("rig.gltf")).unwrap();
            assert_eq!(trial.changes(), 1, "{content}");
        }
    }

    #[test]
    fn files_that_it_refers_to_count_and_others_do_not() {
        let trial = trial();
        write(trial.path("textures/skin.png"), b"another skin").unwrap();
        assert_eq!(trial.changes(), 1);
        write(trial.path("notes.txt"), b"nothing to do with it").unwrap();
        assert_eq!(read(trial.path("rig.gltf")).unwrap(), b"first");
        assert_eq!(trial.count(), 0);
    }

    #[test]
    fn a_change_before_watching_begins_is_not_missed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rig.glb");
        write(&path, b"as read").unwrap();
        let files = vec![FileState::now(&path)];
        write(&path, b"changed since").unwrap();
        let (jobs, news) = jobs();
        let watch = Watch::start(files, &jobs, FileState::is_current).unwrap();
        assert_eq!(outcome(&news, || watch.worker.poll()), Outcome::Done(()));
    }

    #[test]
    fn watching_that_dies_is_one_fault_and_the_next_change_is_noticed() {
        fn dies_of_the_first(file: &FileState) -> bool {
            assert_ne!(read(&file.path).unwrap(), b"first", "index 7");
            file.is_current()
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rig.glb");
        write(&path, b"first").unwrap();
        let (jobs, news) = jobs();
        let watch = Watch::start(vec![FileState::now(&path)], &jobs, dies_of_the_first).unwrap();
        let mut has_died = false;
        let told = fault(&jobs, &news, || {
            has_died |= matches!(watch.worker.poll(), Outcome::Died);
            has_died
        });
        assert!(told.starts_with("Noticing changes of the file stopped because of a fault in Rigscope"), "{told}");
        write(&path, b"changed since").unwrap();
        assert_eq!(outcome(&news, || watch.worker.poll()), Outcome::Done(()));
    }
}
