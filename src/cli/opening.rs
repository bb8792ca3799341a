//! Opens a character, with messages for a terminal and for `--verbose`.

use std::sync::Arc;

use super::Console;
use crate::import::{Job, SceneChoice};
use crate::stage::{ClipsFrom, Document, FoundClips, Source};

/// Opens a character at rest, in its default scene or another, and adds the clips of other files. Joints that those move and the character lacks are reported.
///
/// *Errors*: in words for the user, with the path.
pub(super) fn open_document(
    (source, scene): (&Source, Option<SceneChoice>),
    clips_from: &[Source],
    job: Job,
    console: &Console,
) -> Result<Document, String> {
    let job = job.with_scene(scene);
    let document = opening(source, job, console, |job| {
        Document::open_with_clips(source, clips_from, job).map_err(|e| format!("{e} ({})", source.full_name()))
    })?;
    for ClipsFrom { source, found } in &document.clips_from {
        let name = source.full_name();
        match found {
            Err(problem) => return Err(format!("{problem} ({name})")),
            Ok(FoundClips { count: 0, .. }) => {
                return Err(format!("No clip of {name} moves a joint of this file; joints are found by name"));
            }
            Ok(FoundClips { unmatched, .. }) if !unmatched.is_empty() => {
                let lacking = unmatched.join(", ");
                console.warn(&format!("joints that the clips of {name} move and this file does not have: {lacking}"));
            }
            Ok(_) => {}
        }
    }
    Ok(document)
}

/// Runs `work`, which opens a character, on this thread with a job.
///
/// *Errors*: those of `work`; the time is over.
pub(super) fn opening<T>(
    source: &Source,
    job: Job,
    console: &Console,
    work: impl FnOnce(&Job) -> Result<T, String>,
) -> Result<T, String> {
    console.stage(&format!("Opening {}", source.name()), |progress| work(&job.with_progress(Arc::clone(progress))))
}
