//! Reading a character, with what a terminal and `--verbose` say of it.

use super::Console;
use crate::import::{ImportError, Job};
use crate::state::{Document, Source};

/// Opens a character on this thread.
///
/// *Errors*: whatever import says.
pub(super) fn opened(source: &Source, job: &Job, console: &Console) -> Result<Document, ImportError> {
    let so_far = || format!("{}, {:.0} %", job.stage().label(), job.fraction() * 100.0);
    console.stage(&format!("Opening {}", source.name()), so_far, || Document::open(source, job))
}
