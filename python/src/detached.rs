//! Runs long work without holding the interpreter's lock: other Python threads continue, and Ctrl+C cancels the work.

use std::panic::resume_unwind;
use std::process;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::refused;
use rigscope::jobs::Progress;

/// Maximum delay before Ctrl+C is noticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs work on its own thread without holding the interpreter's lock, and calls Python's signal handlers in the
/// meantime. If a handler raises, cancels the work, waits for it to end and drops its result.
///
/// *Errors*: the exception raised by a signal handler; this process was forked after the library had done work, so it
/// lacks the library's threads.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce(&Arc<Progress>) -> T + Send) -> PyResult<T> {
    refuse_in_fork()?;
    let progress = Arc::<Progress>::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (done, result) = channel();
            let progress = &progress;
            let worker = scope.spawn(move || done.send(work(progress)));
            let mut raised = None;
            loop {
                match result.recv_timeout(PATIENCE) {
                    Ok(value) => return raised.map_or(Ok(value), Err),
                    Err(RecvTimeoutError::Disconnected) => match worker.join() {
                        Err(panic) => resume_unwind(panic),
                        Ok(_) => return Err(refused("The work ended without a result because of a fault in Rigscope")),
                    },
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        raised = Python::attach(pending_signal).err();
                        if raised.is_some() {
                            progress.cancel();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    })
}

/// Calls the handlers of pending signals. *Errors*: the exception raised by a handler.
fn pending_signal(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// Like [`detached`], for work that returns `None` if cancelled. Only a signal can cancel it. `otherwise` is the error
/// message for `None`.
pub(crate) fn detached_or_refused<T: Send>(
    py: Python<'_>,
    otherwise: &str,
    work: impl FnOnce(&Arc<Progress>) -> Option<T> + Send,
) -> PyResult<T> {
    detached(py, work)?.ok_or_else(|| refused(otherwise))
}

/// Fails in a forked child process, which lacks the threads of its parent and would wait for them forever.
fn refuse_in_fork() -> PyResult<()> {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let own = process::id();
    if *FIRST.get_or_init(|| own) == own {
        return Ok(());
    }
    Err(refused(
        "This process was forked after rigscope had been used, and its threads stayed behind; start processes by \"spawn\" or \
         \"forkserver\", as in multiprocessing.set_start_method(\"spawn\")",
    ))
}
