use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// Paths of all existing temporary files. While this is locked, SIGINT and SIGTERM don't end the process.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the paths. While the guard lives, SIGINT and SIGTERM don't end the process.
pub(super) fn hold() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file, removed on drop and, on Unix, by SIGINT and SIGTERM.
pub(super) struct PendingFile {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl PendingFile {
    pub(super) fn new(builder: &Builder<'_, '_>, folder: &Path) -> Result<Self> {
        #[cfg(unix)]
        signals::watch();
        let mut pending = hold();
        let file = builder.tempfile_in(folder)?;
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
    for path in pending.iter() {
        let _ = std::fs::remove_file(path);
    }
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
                    for path in pending.iter() {
                        let _ = std::fs::remove_file(path);
                    }
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
