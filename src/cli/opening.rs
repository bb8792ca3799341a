//! Reading a character, with what a terminal and `--verbose` say of it.

use super::{Console, MemoryArgs};
use crate::import::{Job, SceneChoice};
use crate::state::{Document, Source};

/// Opens a character at rest, in its default scene or another.
///
/// *Errors*: in words for the user, with the path.
pub(super) fn open_document(
    source: &Source,
    memory: MemoryArgs,
    scene: Option<SceneChoice>,
    console: &Console,
) -> Result<Document, String> {
    let job = memory.job().with_scene(scene);
    opening(source, &job, console, || Document::open(source, &job)).map_err(|e| format!("{e} ({})", source.full_name()))
}

/// Opens a character by some `work` for a job, on this thread.
pub(super) fn opening<T>(source: &Source, job: &Job, console: &Console, work: impl FnOnce() -> T) -> T {
    let so_far = || format!("{}, {:.0} %", job.progress.stage(), job.progress.fraction() * 100.0);
    console.stage(&format!("Opening {}", source.name()), so_far, work)
}
