//! How much may be uploaded before the frame must go on.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes that go to the graphics card at once, between two looks at the clock: about a millisecond's worth.
pub(crate) const SLICE: usize = 1 << 20;

/// Function called on another thread when it has made something that can be uploaded.
pub(crate) type Wake = Arc<dyn Fn() + Send + Sync>;

/// Time that uploading may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UploadBudget {
    until: Option<Instant>,
}

impl UploadBudget {
    /// A budget from now on; without a time, until all is done.
    pub(crate) fn new(time: Option<Duration>) -> Self {
        Self { until: time.map(|t| Instant::now() + t) }
    }

    /// False for a budget that waits until all is done.
    pub(crate) fn is_limited(&self) -> bool {
        self.until.is_some()
    }

    /// True when the rest is for another frame.
    pub(crate) fn is_spent(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}
