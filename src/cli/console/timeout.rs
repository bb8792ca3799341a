//! `--timeout`: cancels work that exceeds the time limit, or ends the process if the work can't be cancelled.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

use super::Console;
use crate::files::end_process;
use crate::jobs::Progress;

/// Time after the limit in which cancelled work may finish and print its results.
const GRACE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy)]
pub(super) struct Deadline {
    limit: Duration,
    end: Instant,
}

impl Deadline {
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, end: Instant::now() + limit }
    }
}

impl Console {
    pub(in super::super) fn progress(&self) -> Arc<Progress> {
        Arc::new(Progress::until(self.deadline.map(|deadline| deadline.end)))
    }

    pub(in super::super) fn is_time_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline.end)
    }

    pub(in super::super) fn timeout_message(&self, what: &str) -> String {
        let limit = self.deadline.map_or(0.0, |deadline| deadline.limit.as_secs_f32());
        format!("Not done within {limit} s (--timeout): {what}")
    }

    /// Runs a command. Ends the process with exit code 2 if the command doesn't stop soon after the time limit, for
    /// instance in a library that can't be cancelled. Files and output that have already been written remain complete.
    pub(in super::super) fn with_timeout<T>(&self, command: impl FnOnce() -> T) -> T {
        let Some(Deadline { limit, .. }) = self.deadline else { return command() };
        let (command_goes_on, end) = channel::<()>();
        let watch = move || {
            if end.recv_timeout(limit + GRACE) == Err(RecvTimeoutError::Timeout) {
                // If the lock is held, printing is blocked by a reader that has stopped reading, so no message can be
                // printed.
                if let Ok(mut streams) = self.streams.try_lock() {
                    let doing = std::mem::take(&mut streams.doing);
                    streams.write_error(&self.timeout_message(&format!("{doing}, which could not be cancelled")));
                }
                end_process(2);
            }
        };
        scope(|scope| {
            // If the thread can't be started, the time limit still cancels work but can't end the process.
            let _ = Builder::new().name("timeout".to_owned()).spawn_scoped(scope, watch);
            let result = command();
            drop(command_goes_on);
            result
        })
    }
}
