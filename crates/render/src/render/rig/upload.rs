use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes uploaded between two checks of the clock, which takes about a millisecond.
pub(crate) const SLICE: usize = 1 << 20;

/// Called by another thread when it has data to upload.
pub(crate) type Wake = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct UploadBudget {
    until: Option<Instant>,
}

impl UploadBudget {
    pub(crate) fn new(time: Option<Duration>) -> Self {
        Self { until: time.map(|t| Instant::now() + t) }
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.until.is_some()
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}
