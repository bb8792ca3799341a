use super::ExportError;
use rigscope_core::jobs::Progress;

/// Advances progress by one step. *Errors*: [`ExportError::Cancelled`].
pub(super) fn step(progress: &Progress) -> Result<(), ExportError> {
    progress.add(1);
    progress.check_cancelled().ok_or(ExportError::Cancelled)
}
