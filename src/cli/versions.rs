//! Another file on side B, as the command line asks for it.

use std::path::Path;
use std::sync::Arc;

use super::console::cancelled;
use super::{Console, MemoryArgs};
use crate::state::{AppState, Command, SubjectState};
use crate::view::Side;

/// Shows another file on side B, in the pose of the open one; what of it has no counterpart is told.
///
/// *Errors*: in words for the user, with the path.
pub(super) fn compare_with(
    state: &mut AppState,
    other: &Path,
    memory: MemoryArgs,
    console: &Console,
) -> Result<(), String> {
    state.apply(Command::CompareWith(other.to_owned()));
    let name = other.display();
    let told = console.stage(&format!("Opening {name}"), |progress| {
        let told = state.settle(&memory.job().with_progress(Arc::clone(progress)));
        progress.go_on().map(|()| told).ok_or_else(cancelled)
    })?;
    state.refresh();
    if let SubjectState::Missing(problem) = state.subject_state(Side::B) {
        return Err(format!("{problem} ({name})"));
    }
    for sentence in &told {
        console.warn(sentence);
    }
    Ok(())
}
