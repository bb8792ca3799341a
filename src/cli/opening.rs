//! Reading a character, with what a terminal and `--verbose` say of it.

use super::Console;
use crate::import::Job;
use crate::state::Source;

/// Opens a character by some `work` for a job, on this thread.
pub(super) fn opening<T>(source: &Source, job: &Job, console: &Console, work: impl FnOnce() -> T) -> T {
    let so_far = || format!("{}, {:.0} %", job.progress.stage(), job.progress.fraction() * 100.0);
    console.stage(&format!("Opening {}", source.name()), so_far, work)
}
