//! A long measurement as seen from another thread.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How far a long measurement is, and whether it shall go on.
#[derive(Debug, Default)]
pub struct Progress {
    is_cancelled: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress {
    /// Asks it to end; what it was to give is then `None`.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// 0 to 1; 0 before the steps are counted.
    pub fn fraction(&self) -> f32 {
        let total = self.total.load(Ordering::Relaxed).max(1);
        self.done.load(Ordering::Relaxed) as f32 / total as f32
    }

    pub(super) fn begin(&self, steps: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(steps, Ordering::Relaxed);
    }

    /// `None` where it was cancelled; before each step.
    pub fn go_on(&self) -> Option<()> {
        (!self.is_cancelled.load(Ordering::Relaxed)).then_some(())
    }

    /// After each step.
    pub(super) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
