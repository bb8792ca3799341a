//! Errors of reports.

/// Reason why a report failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The job was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A failure, as text for the user.
    #[error("{0}")]
    Failed(String),
}
