//! Tells when a file of the open character was changed by another program.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::import::FileState;
use crate::rig::Rig;
use crate::state::Document;

/// A file is taken as written when nothing has happened to it for so long.
const QUIET: Duration = Duration::from_millis(200);

/// Watches the files of one document. Costs nothing while they are left alone.
#[derive(Default)]
pub struct Watcher {
    watched: Option<Watched>,
}

struct Watched {
    rig: Arc<Rig>,
    changes: Receiver<()>,
    /// Stops watching when it is dropped, and with it the thread that waits for it.
    _system: Option<RecommendedWatcher>,
}

impl Watcher {
    /// Watches the files of this document from now on, or none.
    ///
    /// *Errors*: in words for the user, once per document: the system does not tell of changes here.
    pub fn follow(&mut self, document: &Document, is_on: bool, ctx: &egui::Context) -> Result<(), String> {
        if !is_on || document.files.is_empty() {
            self.watched = None;
            return Ok(());
        }
        if self.watched.as_ref().is_some_and(|w| Arc::ptr_eq(&w.rig, &document.rig)) {
            return Ok(());
        }
        let (sender, changes) = channel();
        let ctx = ctx.clone();
        let system = watch(document.files.clone(), move || {
            let is_wanted = sender.send(()).is_ok();
            ctx.request_repaint();
            is_wanted
        });
        let (system, result) = match system {
            Ok(system) => (Some(system), Ok(())),
            Err(problem) => (None, Err(problem)),
        };
        self.watched = Some(Watched { rig: Arc::clone(&document.rig), changes, _system: system });
        result
    }

    /// True once after every change.
    pub fn take_change(&self) -> bool {
        self.watched.as_ref().is_some_and(|w| w.changes.try_iter().count() > 0)
    }
}

/// Calls `changed` on another thread after every change, until it returns false or the result is dropped.
fn watch(files: Vec<FileState>, changed: impl FnMut() -> bool + Send + 'static) -> Result<RecommendedWatcher, String> {
    let told = |e: &dyn std::fmt::Display| {
        format!("Changes of this file cannot be noticed here ({e}). File > Reload reads it again.")
    };
    let (sender, events) = channel();
    let paths = watched_paths(&files);
    let mut system = notify::recommended_watcher(listener(paths.clone(), sender)).map_err(|e| told(&e))?;
    // Folders, not files: an editor that saves by renaming puts another file in place of the watched one.
    let mut folders: Vec<&Path> = paths.iter().filter_map(|p| p.parent()).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        system.watch(folder, RecursiveMode::NonRecursive).map_err(|e| told(&e))?;
    }
    std::thread::Builder::new()
        .name("file changes".to_owned())
        .spawn(move || wait_for_changes(files, &events, changed))
        .map_err(|e| told(&e))?;
    Ok(system)
}

/// Each file, and what it is a link to, in folders that exist.
fn watched_paths(files: &[FileState]) -> Vec<PathBuf> {
    let in_real_folder = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    files.iter().flat_map(|f| [in_real_folder(&f.path), f.path.canonicalize().ok()]).flatten().collect()
}

fn listener(paths: Vec<PathBuf>, events: Sender<()>) -> impl FnMut(notify::Result<Event>) {
    move |event| {
        // After an error something may have been missed.
        let concerns = event.as_ref().map_or(true, |e| {
            e.need_rescan() || (may_have_written(e.kind) && e.paths.iter().any(|p| paths.contains(p)))
        });
        if concerns {
            let _ = events.send(());
        }
    }
}

/// Reading a file, as this program does, tells of nothing.
pub(super) fn may_have_written(kind: EventKind) -> bool {
    !kind.is_access() || kind == EventKind::Access(AccessKind::Close(AccessMode::Write))
}

fn wait_for_changes(mut files: Vec<FileState>, events: &Receiver<()>, mut changed: impl FnMut() -> bool) {
    // What happened between reading and watching, no event tells.
    let has_changed = |files: &[FileState]| files.iter().any(|f| !f.is_current());
    let mut is_waiting = !has_changed(&files);
    loop {
        if is_waiting && events.recv().is_err() || !quietens(events) {
            return;
        }
        is_waiting = true;
        if has_changed(&files) {
            files = files.iter().map(|f| FileState::now(&f.path)).collect();
            if !changed() {
                return;
            }
        }
    }
}

/// Waits until nothing has happened for a while; false where nobody watches any more.
fn quietens(events: &Receiver<()>) -> bool {
    loop {
        match events.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read, rename, write};

    struct Trial {
        folder: tempfile::TempDir,
        changes: Receiver<()>,
        _system: RecommendedWatcher,
    }

    /// Watches `rig.gltf` and `textures/skin.png`.
    fn trial() -> Trial {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("textures")).unwrap();
        let paths = ["rig.gltf", "textures/skin.png"].map(|n| folder.path().join(n));
        for path in &paths {
            write(path, b"first").unwrap();
        }
        let files = paths.iter().map(|p| FileState::now(p)).collect();
        let (sender, changes) = channel();
        let system = watch(files, move || sender.send(()).is_ok()).unwrap();
        Trial { folder, changes, _system: system }
    }

    impl Trial {
        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        /// Changes told until none came for a second.
        fn count(&self) -> usize {
            std::iter::from_fn(|| self.changes.recv_timeout(Duration::from_secs(1)).ok()).count()
        }
    }

    #[test]
    fn a_file_written_in_pieces_is_one_change() {
        let trial = trial();
        for size in 1..6 {
            write(trial.path("rig.gltf"), vec![b'x'; size * 100]).unwrap();
            std::thread::sleep(Duration::from_millis(40));
        }
        assert_eq!(trial.count(), 1);
    }

    #[test]
    fn a_file_replaced_by_another_of_its_name_is_a_change_each_time() {
        let trial = trial();
        for content in ["second one", "third"] {
            write(trial.path(".rig.tmp"), content).unwrap();
            rename(trial.path(".rig.tmp"), trial.path("rig.gltf")).unwrap();
            assert_eq!(trial.count(), 1, "{content}");
        }
    }

    #[test]
    fn files_that_it_refers_to_count_and_others_do_not() {
        let trial = trial();
        write(trial.path("textures/skin.png"), b"another skin").unwrap();
        assert_eq!(trial.count(), 1);
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
        let (sender, changes) = channel();
        let _system = watch(files, move || sender.send(()).is_ok()).unwrap();
        assert!(changes.recv_timeout(Duration::from_secs(5)).is_ok());
    }
}
