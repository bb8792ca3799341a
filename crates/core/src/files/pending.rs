use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempDir};

/// Paths of all existing temporary files and folders. While this is locked, SIGINT and SIGTERM don't end the process.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the paths. While the guard lives, SIGINT and SIGTERM don't end the process.
pub(super) fn hold() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a builder of temporary files or folders with a mode, less the user's mask.
#[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has modes"))]
fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".rigscope-");
    #[cfg(unix)]
    {
        // Temporary files are private by default, but saved files should have the user's default mode.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    builder
}

/// A temporary file, removed on drop and, on Unix, by SIGINT and SIGTERM.
pub(super) struct PendingFile {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl PendingFile {
    pub(super) fn new(folder: &Path) -> Result<Self> {
        #[cfg(unix)]
        signals::watch();
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
        self.file.take().map_or(Ok(()), |file| file.persist(place).map(drop).map_err(|e| e.error))
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        drop(self.file.take());
        hold().retain(|path| *path != self.path);
    }
}

/// A temporary folder, removed on drop and, on Unix, also on SIGINT or SIGTERM.
pub(super) struct PendingFolder {
    folder: Option<TempDir>,
    path: PathBuf,
}

impl PendingFolder {
    pub(super) fn new(around: &Path) -> Result<Self> {
        #[cfg(unix)]
        signals::watch();
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

/// Registers a hook that runs before [`end_process`] or, on Unix, SIGINT or SIGTERM ends the program. The hook must be
/// quick.
pub fn before_process_ends(hook: impl FnMut() + Send + 'static) {
    HOOKS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(hook));
    #[cfg(unix)]
    signals::watch();
}

/// Removes temporary files and exits without waiting for other threads, so no partially written files remain.
pub fn end_process(code: u8) -> ! {
    run_hooks();
    let pending = hold();
    remove_pending(&pending);
    // Skips exit handlers, because those of graphics drivers expect idle threads.
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

fn run_hooks() {
    HOOKS.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(|hook| hook());
}

#[cfg(unix)]
mod signals {
    use std::sync::Once;
    use std::sync::mpsc::channel;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// Makes SIGINT and SIGTERM remove temporary files before they end the program.
    pub(super) fn watch() {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let (ready, is_ready) = channel();
            // The thread itself registers the handlers, so that signals keep their default action if the thread cannot
            // start.
            let work = move || {
                let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
                let _ = ready.send(());
                for signal in signals.forever() {
                    super::run_hooks();
                    let pending = super::hold();
                    super::remove_pending(&pending);
                    // While the guard is held, nobody can create another temporary file.
                    let _ = emulate_default_handler(signal);
                }
            };
            if std::thread::Builder::new().name("signals".to_owned()).spawn(work).is_ok() {
                let _ = is_ready.recv();
            }
        });
    }
}
