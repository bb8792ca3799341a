//! Limits on the time of uploads in a frame.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes uploaded between two looks at the clock: about a millisecond's worth.
pub(crate) const SLICE: usize = 1 << 20;

/// Function called by another thread when it has made something to upload.
pub(crate) type Wake = Arc<dyn Fn() + Send + Sync>;

/// Time limit of an upload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UploadBudget {
    until: Option<Instant>,
}

impl UploadBudget {
    /// A budget from now on; `None` for an unlimited one.
    pub(crate) fn new(time: Option<Duration>) -> Self {
        Self { until: time.map(|t| Instant::now() + t) }
    }

    /// False for an unlimited budget.
    pub(crate) fn is_limited(&self) -> bool {
        self.until.is_some()
    }

    /// True when the rest must wait for another frame.
    pub(crate) fn is_spent(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}
