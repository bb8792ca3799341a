//! Temporary files do not outlive the program: a signal that ends it removes them first.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// Paths of all existing temporary files. While this is locked, no signal ends the process.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Keeps signals from ending the program for as long as the guard lives.
pub(super) fn hold() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file that is removed when it is dropped, or by a signal.
pub(super) struct Temporary {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl Temporary {
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

    /// Moves the file to a path, replacing what is there.
    pub(super) fn persist(&mut self, place: &Path) -> Result<()> {
        self.file.take().map_or(Ok(()), |file| file.persist(place).map(drop).map_err(|e| e.error))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(self.file.take());
        hold().retain(|path| *path != self.path);
    }
}

/// A function that runs before a signal or a time limit ends the program.
type Hook = Box<dyn FnMut() + Send>;

static HOOKS: Mutex<Vec<Hook>> = Mutex::new(Vec::new());

/// Runs a hook before [`end_process`], and on Unix before SIGINT or SIGTERM, end the program; it must end soon.
pub fn before_process_ends(hook: impl FnMut() + Send + 'static) {
    HOOKS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(hook));
    #[cfg(unix)]
    signals::watch();
}

/// Ends the process at once, whatever its other threads do: without its temporary files, and with no file half in its place.
pub fn end_process(code: u8) -> ! {
    run_hooks();
    let pending = hold();
    for path in pending.iter() {
        let _ = std::fs::remove_file(path);
    }
    // What drivers do at a usual end expects their threads to be at rest.
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

    /// Makes SIGINT and SIGTERM remove the program's temporary files before they end it as ever.
    pub(super) fn watch() {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let (ready, is_ready) = channel();
            // The thread asks for the signals itself: without it they keep their defaults.
            let work = move || {
                let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
                let _ = ready.send(());
                for signal in signals.forever() {
                    super::run_hooks();
                    let pending = super::hold();
                    for path in pending.iter() {
                        let _ = std::fs::remove_file(path);
                    }
                    // The guard is held to the end, so that no temporary file is created meanwhile.
                    let _ = emulate_default_handler(signal);
                }
            };
            if std::thread::Builder::new().name("signals".to_owned()).spawn(work).is_ok() {
                let _ = is_ready.recv();
            }
        });
    }
}
