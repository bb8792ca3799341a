//! Opens a character, with messages for a terminal and for `--verbose`.

use std::sync::Arc;

use clap::Args;

use super::Console;
use super::files::source as source_parser;
use crate::import::{Job, SceneChoice};
use crate::stage::{ClipsFrom, Document, FoundClips, Source};

/// Other files whose clips a character takes.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ClipsOf {
    /// Take the clips of another file too, matching joints by name or humanoid bone (repeatable)
    #[arg(long = "clips-of", value_name = "FILE", value_parser = source_parser())]
    pub(super) clips_from: Vec<Source>,

    /// Take clips of --clips-of even where fewer than half of their joints match
    #[arg(long, requires = "clips_from")]
    pub(super) partial: bool,
}

/// Opens a character at rest, in its default scene or another, and adds the clips of other files. Joints that those move and the character lacks are reported.
///
/// *Errors*: in words for the user, with the path.
pub(super) fn open_document(
    (source, scene): (&Source, Option<SceneChoice>),
    ClipsOf { clips_from, partial }: &ClipsOf,
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
                return Err(format!(
                    "No clip of {name} moves a joint of this file; joints are found by name or humanoid bone"
                ));
            }
            Ok(FoundClips { matched, unmatched, is_half_matched, .. }) if !unmatched.is_empty() => {
                let share = format!("{matched} of {} joints that the clips of {name} move", matched + unmatched.len());
                if !is_half_matched && !partial {
                    return Err(format!("Only {share} match; --partial takes the clips nevertheless"));
                }
                let lacking = unmatched.join(", ");
                console.warn(&format!("{share} match; this file does not have {lacking}"));
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
