//! Why there is no report.

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// Nobody wants it any more.
    #[error("cancelled")]
    Cancelled,
    /// In words for the user.
    #[error("{0}")]
    Failed(String),
}
