use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Progress and cancellation of a long operation, which must check for cancellation often.
#[derive(Debug, Default)]
pub struct Progress {
    is_cancelled: AtomicBool,
    /// Time at which the operation is cancelled.
    end: Option<Instant>,
    /// Empty for an operation with one stage.
    stage: Mutex<&'static str>,
    /// Finished steps and total steps of the current stage.
    steps: [AtomicUsize; 2],
    /// Bytes read and total bytes.
    bytes: [AtomicU64; 2],
    /// Number of [`Progress::check_cancelled`] calls, a measure of work that doesn't depend on the machine's load.
    #[cfg(test)]
    checks: AtomicUsize,
}

impl Progress {
    /// Creates a `Progress` that is already cancelled.
    pub fn cancelled() -> Self {
        Self { is_cancelled: true.into(), ..Self::default() }
    }

    /// Creates a `Progress` that is cancelled at time `end`; `None` means never.
    pub fn until(end: Option<Instant>) -> Self {
        Self { end, ..Self::default() }
    }

    /// Requests cancellation.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`Progress::cancel`] was called or the end time has passed.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns `None` if cancelled. Operations call this before each step.
    pub fn check_cancelled(&self) -> Option<()> {
        #[cfg(test)]
        self.checks.fetch_add(1, Ordering::Relaxed);
        (!self.is_cancelled()).then_some(())
    }

    #[cfg(test)]
    pub(crate) fn checks(&self) -> usize {
        self.checks.load(Ordering::Relaxed)
    }

    /// Starts an operation with a single stage of `of` steps.
    pub fn begin(&self, of: usize) {
        self.enter("", 0, of);
    }

    /// Starts a stage of `of` steps; `done` steps are already complete.
    pub fn enter(&self, stage: &'static str, done: usize, of: usize) {
        *lock(&self.stage) = stage;
        for (count, value) in self.steps.iter().zip([done, of]) {
            count.store(value, Ordering::Relaxed);
        }
    }

    /// Adds finished steps; may be called from several threads.
    pub fn add(&self, steps: usize) {
        let [done, _] = &self.steps;
        done.fetch_add(steps, Ordering::Relaxed);
    }

    /// Adds to the total bytes.
    pub fn expect_bytes(&self, count: usize) {
        let [_, all] = &self.bytes;
        all.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Adds to the bytes read.
    pub fn add_bytes(&self, count: usize) {
        let [read, _] = &self.bytes;
        read.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Returns the current stage; empty for an operation with one stage.
    pub fn stage(&self) -> &'static str {
        *lock(&self.stage)
    }

    /// Returns the finished fraction of the current stage, 0 to 1; 0 until the total is known.
    pub fn fraction(&self) -> f32 {
        let (done, of) = self.steps();
        done.min(of) as f32 / of.max(1) as f32
    }

    /// Returns the finished steps and total steps of the current stage. The total is 0 until it is known.
    pub fn steps(&self) -> (usize, usize) {
        let [done, of] = self.steps.each_ref().map(|c| c.load(Ordering::Relaxed));
        (if of == 0 { done } else { done.min(of) }, of)
    }

    /// Returns the bytes read and the total bytes.
    pub fn bytes(&self) -> (u64, u64) {
        let [read, all] = self.bytes.each_ref().map(|c| c.load(Ordering::Relaxed));
        // Some data is read more than once.
        (read.min(all), all)
    }

    /// Formats the progress in one line: stage, counts and bytes, or the percentage done if there is only one stage.
    pub fn status_text(&self) -> String {
        let (stage, (done, of), (read, all)) = (self.stage(), self.steps(), self.bytes());
        if stage.is_empty() {
            return if of == 0 { String::new() } else { format!("{:.0} %", self.fraction() * 100.0) };
        }
        let counts = if of > 1 { format!(", {done} of {of}") } else { String::new() };
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        // Up to 1 MB is read too fast for the amounts to be worth displaying.
        let is_long = all > 1_000_000;
        let bytes =
            if is_long { format!(" · {:.0} of {:.0} MB", megabytes(read), megabytes(all)) } else { String::new() };
        format!("{stage}{counts}{bytes}")
    }
}

/// Locks a mutex, even if a thread panicked while holding it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_bytes_and_cancellation_are_seen_from_outside() {
        let progress = Progress::default();
        assert_eq!((progress.fraction(), progress.status_text()), (0.0, String::new()));
        progress.begin(8);
        progress.add(2);
        assert_eq!((progress.fraction(), progress.status_text().as_str()), (0.25, "25 %"));
        progress.add(80);
        assert_eq!((progress.steps(), progress.status_text().as_str()), ((8, 8), "100 %"));
        progress.enter("Reading meshes", 3, 4);
        assert_eq!((progress.fraction(), progress.status_text().as_str()), (0.75, "Reading meshes, 3 of 4"));
        progress.expect_bytes(10_000_000);
        progress.add_bytes(7_000_000);
        assert_eq!(progress.status_text(), "Reading meshes, 3 of 4 · 7 of 10 MB");
        progress.add_bytes(7_000_000);
        assert_eq!(progress.bytes(), (10_000_000, 10_000_000), "what is read twice counts once");
        assert_eq!(progress.check_cancelled(), Some(()));
        progress.cancel();
        assert_eq!((progress.check_cancelled(), progress.is_cancelled()), (None, true));
    }

    #[test]
    fn a_job_is_cancelled_when_its_time_is_over() {
        let now = Instant::now();
        assert!(Progress::until(Some(now)).is_cancelled());
        assert!(!Progress::until(Some(now + std::time::Duration::from_hours(1))).is_cancelled());
        assert!(!Progress::until(None).is_cancelled());
    }
}
