use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::system::{exit, persist, set_mode, watch};

/// Paths of all existing temporary files and folders. While this is locked, signals don't end the process.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the paths. While the guard lives, signals don't end the process.
pub(super) fn hold() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a builder of temporary files or folders with a Unix mode, less the user's mask.
fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".rigscope-");
    set_mode(&mut builder, mode);
    builder
}

/// A temporary file, removed on drop and by signals that end the process.
pub(super) struct PendingFile {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl PendingFile {
    pub(super) fn new(folder: &Path) -> Result<Self> {
        watch(clean_up);
        let mut pending = hold();
        let file = builder(0o666).tempfile_in(folder)?;
        let path = file.path().to_owned();
        pending.push(path.clone());
        Ok(Self { file: Some(file), path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&mut self) -> Option<&mut std::fs::File> {
        self.file.as_mut().map(NamedTempFile::as_file_mut)
    }

    pub(super) fn persist(&mut self, place: &Path) -> Result<()> {
        self.file.take().map_or(Ok(()), |file| persist(file, place))
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        drop(self.file.take());
        hold().retain(|path| *path != self.path);
    }
}

/// A temporary folder, removed on drop and by signals that end the process.
pub(super) struct PendingFolder {
    folder: Option<TempDir>,
    path: PathBuf,
}

impl PendingFolder {
    pub(super) fn new(around: &Path) -> Result<Self> {
        watch(clean_up);
        let mut pending = hold();
        let folder = builder(0o777).tempdir_in(around)?;
        let path = folder.path().to_owned();
        pending.push(path.clone());
        Ok(Self { folder: Some(folder), path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the folder by `rename`. If that fails, the folder is removed.
    pub(super) fn persist(mut self, rename: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let held = hold();
        let done = rename(&self.path);
        if done.is_ok()
            && let Some(folder) = self.folder.take()
        {
            // The folder has another name now.
            let _ = folder.keep();
        }
        drop(held);
        done
    }
}

impl Drop for PendingFolder {
    fn drop(&mut self) {
        drop(self.folder.take());
        hold().retain(|path| *path != self.path);
    }
}

fn remove_pending(pending: &[PathBuf]) {
    for path in pending {
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
}

type Hook = Box<dyn FnMut() + Send>;

static HOOKS: Mutex<Vec<Hook>> = Mutex::new(Vec::new());

/// Registers a hook that runs before [`end_process`] or a signal (SIGINT or SIGTERM; on Windows Ctrl+C, Ctrl+Break or
/// closing the console) ends the program. The hook must be quick.
pub fn before_process_ends(hook: impl FnMut() + Send + 'static) {
    HOOKS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(hook));
    watch(clean_up);
}

/// Removes temporary files and exits without waiting for other threads, so no partially written files remain.
pub fn end_process(code: u8) -> ! {
    let _held = clean_up();
    exit(code)
}

/// Runs the hooks and removes temporary files. While the guard lives, nobody can create another temporary file.
fn clean_up() -> MutexGuard<'static, Vec<PathBuf>> {
    HOOKS.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(|hook| hook());
    let pending = hold();
    remove_pending(&pending);
    pending
}
