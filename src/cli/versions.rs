//! Another file on side B, as the command line asks for it.

use std::path::Path;
use std::sync::Arc;

use super::console::cancelled;
use super::{Console, MemoryArgs};
use crate::stage::{ComparisonFileState, Stage};
use crate::view::Side;

/// Shows another file on side B, in the pose of the open one. Parts without a counterpart are reported.
///
/// *Errors*: in words for the user, with the path.
pub(super) fn compare_with(
    stage: &mut Stage,
    other: &Path,
    memory: MemoryArgs,
    console: &Console,
) -> Result<(), String> {
    stage.compare_with(other);
    let name = other.display();
    let told = console.stage(&format!("Opening {name}"), |progress| {
        let told = stage.settle(&memory.job().with_progress(Arc::clone(progress)));
        progress.go_on().map(|()| told).ok_or_else(cancelled)
    })?;
    stage.refresh();
    if let ComparisonFileState::Missing(problem) = stage.comparison_state(Side::B) {
        return Err(format!("{problem} ({name})"));
    }
    for sentence in &told {
        console.warn(sentence);
    }
    Ok(())
}
