//! Jobs on threads beside the window: start, follow, cancel and list them; a panic ends only its job.
//!
//! | type | is |
//! | --- | --- |
//! | [`Progress`] | how far a job is, and whether it shall go on; all that runs long takes one, on whatever thread |
//! | [`Task`] | a job with one result |
//! | [`Worker`] | a thread that does one job after the other, as it is asked |
//! | [`Jobs`] | those that run, and the faults that ended some |

mod progress;
mod registry;
mod task;
mod worker;

pub use progress::Progress;
pub use registry::{Fault, Jobs, Kind, RunningJob};
pub use task::Task;
pub use worker::{Desk, Mailbox, Worker};

/// State of a job as its owner sees it.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// The job still runs.
    Pending,
    /// The job has ended with this result, given once.
    Done(T),
    /// The job panicked or got no thread; [`Jobs::take_faults`] tells why.
    Died,
}

#[cfg(test)]
pub(crate) mod testing {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::{Jobs, Kind, Outcome};

    /// Kind of the jobs in tests.
    pub(crate) const KIND: Kind = Kind::new("trial", "Trying", "Nothing else is lost.");

    /// Jobs, and a bell that rings when one has news.
    pub(crate) fn jobs() -> (Jobs, Receiver<()>) {
        let (bell, news) = channel();
        (Jobs::new(move || _ = bell.send(())), news)
    }

    /// Outcome of a job, once it has ended.
    pub(crate) fn outcome<T>(news: &Receiver<()>, mut poll: impl FnMut() -> Outcome<T>) -> Outcome<T> {
        loop {
            match poll() {
                Outcome::Pending => news.recv_timeout(Duration::from_mins(1)).unwrap(),
                outcome => return outcome,
            }
        }
    }

    /// The one fault that has ended a job once its owner has seen that, and none comes of it however long it looks on.
    #[cfg(feature = "window")]
    pub(crate) fn fault(jobs: &Jobs, news: &Receiver<()>, mut has_seen: impl FnMut() -> bool) -> String {
        while !has_seen() {
            news.recv_timeout(Duration::from_mins(1)).unwrap();
        }
        let faults = jobs.take_faults();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!((0..3).all(|_| has_seen()) && jobs.take_faults().is_empty());
        faults[0].to_string()
    }
}
