//! Why there is no report.

/// Reason why there is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The job was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A failure in words for the user.
    #[error("{0}")]
    Failed(String),
}
