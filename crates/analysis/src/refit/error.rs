/// Why an operation was refused. Nothing is changed in this case.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefitError {
    /// The rig has something that the operation can't carry through.
    #[error("{operation}: {reason}")]
    Refused {
        /// Name of the operation, as on the command line.
        operation: &'static str,
        /// What is in the way, and what to do.
        reason: String,
    },
    /// The user cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl RefitError {
    pub(super) fn new(operation: &'static str, reason: impl Into<String>) -> Self {
        Self::Refused { operation, reason: reason.into() }
    }
}
