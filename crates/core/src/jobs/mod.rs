//! Background jobs: start, progress, cancellation, listing; parallel work in pieces. A panic ends only the job in which it
//! occurs.

mod pieces;
mod progress;
mod registry;
mod task;
mod worker;

pub use pieces::{try_map, try_map_with, try_ranges, try_ranges_with};
pub use progress::{Progress, lock};
pub use registry::{Fault, JobKind, Jobs, RunningJob};
pub use task::Task;
pub use worker::{Mailbox, Worker, WorkerChannel};

/// State of a job as seen by its owner.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// The job is running.
    Pending,
    /// The job's result, returned only once.
    Done(T),
    /// The job panicked or could not get a thread; [`Jobs::take_faults`] returns the reason.
    Died,
}

/// Runs `work` on a thread pool of its own, so that the shared pool stays free for rendering. If no more threads can be
/// created, uses the shared pool.
pub fn in_own_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(threads) => threads.install(work),
        Err(_) => work(),
    }
}

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub mod testing {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::{JobKind, Jobs, Outcome};

    pub const KIND: JobKind = JobKind::new("trial", "Trying", "Nothing else is lost.");

    /// Creates a job registry, and a channel that receives a message for each event.
    pub fn jobs() -> (Jobs, Receiver<()>) {
        let (bell, news) = channel();
        (Jobs::new(move || _ = bell.send(())), news)
    }

    pub fn outcome<T>(news: &Receiver<()>, mut poll: impl FnMut() -> Outcome<T>) -> Outcome<T> {
        loop {
            match poll() {
                Outcome::Pending => news.recv_timeout(Duration::from_mins(1)).expect("an event within a minute"),
                outcome => return outcome,
            }
        }
    }

    /// Waits until `has_seen` returns true and returns the job's fault. Asserts that no second fault follows.
    pub fn fault(jobs: &Jobs, news: &Receiver<()>, mut has_seen: impl FnMut() -> bool) -> String {
        while !has_seen() {
            news.recv_timeout(Duration::from_mins(1)).expect("an event within a minute");
        }
        let faults = jobs.take_faults();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!((0..3).all(|_| has_seen()) && jobs.take_faults().is_empty());
        faults[0].to_string()
    }
}
