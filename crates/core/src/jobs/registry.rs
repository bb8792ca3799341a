use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::{Progress, lock};

/// User-visible description of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobKind {
    /// Thread name.
    pub thread: &'static str,
    /// Description of the running job, such as "Looking for findings".
    pub activity: Cow<'static, str>,
    /// Message to show if the job dies: what is lost, what still works, and what to do.
    pub failure_note: &'static str,
    /// Whether the user waits for the job, so that it is listed while it runs.
    pub is_listed: bool,
}

impl JobKind {
    /// Describes a job that the user waits for.
    pub const fn new(thread: &'static str, does: &'static str, without: &'static str) -> Self {
        Self { thread, activity: Cow::Borrowed(does), failure_note: without, is_listed: true }
    }

    /// Describes a job that nobody waits for.
    pub const fn unlisted(thread: &'static str, does: &'static str, without: &'static str) -> Self {
        Self { thread, activity: Cow::Borrowed(does), failure_note: without, is_listed: false }
    }
}

/// A job that died; formats as a message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Description of the job.
    pub kind: JobKind,
    /// Why the job died.
    pub cause: FaultCause,
}

/// Why a job died.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultCause {
    /// The job panicked with this message.
    Panic(String),
    /// The system couldn't create a thread, with this message.
    NoThread(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JobKind { activity: does, failure_note: without, .. } = &self.kind;
        match &self.cause {
            FaultCause::Panic(message) => {
                write!(f, "{does} stopped because of a fault in Rigscope ({message}). {without}")
            }
            FaultCause::NoThread(problem) => {
                write!(f, "{does} did not begin, the system gave no thread ({problem}). {without}")
            }
        }
    }
}

/// A running job.
#[derive(Clone, Debug)]
pub struct RunningJob {
    /// Unique number.
    pub id: u64,
    /// Description of the job.
    pub kind: JobKind,
    /// Progress and cancellation.
    pub progress: Arc<Progress>,
    since: Instant,
}

/// All jobs of a program; clones refer to the same jobs.
#[derive(Clone)]
pub struct Jobs(Arc<JobRegistry>);

struct JobRegistry {
    wake: Box<dyn Fn() + Send + Sync>,
    next_id: AtomicU64,
    running: Mutex<Vec<RunningJob>>,
    faults: Mutex<Vec<Fault>>,
}

impl Jobs {
    /// Creates an empty registry. Job threads call `wake` after each event.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let wake = Box::new(wake);
        Self(Arc::new(JobRegistry {
            wake,
            next_id: AtomicU64::new(0),
            running: Mutex::default(),
            faults: Mutex::default(),
        }))
    }

    /// Returns the listed jobs that have run for at least `since` and are not cancelled, oldest first.
    pub fn running(&self, since: Duration) -> Vec<RunningJob> {
        let is_told = |job: &&RunningJob| job.since.elapsed() >= since && !job.progress.is_cancelled();
        lock(&self.0.running).iter().filter(is_told).cloned().collect()
    }

    /// Cancels a running job.
    pub fn cancel(&self, id: u64) {
        lock(&self.0.running).iter().filter(|job| job.id == id).for_each(|job| job.progress.cancel());
    }

    /// Returns the faults recorded since the previous call. A cancelled job doesn't cause a fault.
    pub fn take_faults(&self) -> Vec<Fault> {
        std::mem::take(&mut lock(&self.0.faults))
    }

    pub(super) fn wake(&self) {
        (self.0.wake)();
    }

    pub(super) fn list(&self, kind: &JobKind, progress: &Arc<Progress>) -> JobEntry {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        if kind.is_listed {
            let (kind, progress) = (kind.clone(), Arc::clone(progress));
            lock(&self.0.running).push(RunningJob { id, kind, progress, since: Instant::now() });
        }
        JobEntry { jobs: self.clone(), id }
    }

    pub(super) fn spawn(&self, kind: &JobKind, run: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
        let spawned = Builder::new().name(kind.thread.to_owned()).spawn(run);
        spawned.map_err(|problem| self.note(kind, FaultCause::NoThread(problem.to_string()))).ok()
    }

    /// Runs `work`. If it panics and `progress` isn't cancelled, records a fault.
    pub(super) fn guard<T>(
        &self,
        kind: &JobKind,
        progress: impl Fn() -> Arc<Progress>,
        work: impl FnOnce() -> T,
    ) -> Option<T> {
        // A panic may leave the job's state inconsistent, but the state is dropped with the job.
        catch_unwind(AssertUnwindSafe(work))
            .map_err(|payload| {
                if !progress().is_cancelled() {
                    self.note(kind, FaultCause::Panic(message(&*payload)));
                }
            })
            .ok()
    }

    fn note(&self, kind: &JobKind, cause: FaultCause) {
        let fault = Fault { kind: kind.clone(), cause };
        log::error!("{fault}");
        lock(&self.0.faults).push(fault);
    }
}

/// Entry of a running job in the registry; dropping it removes the entry.
pub(super) struct JobEntry {
    jobs: Jobs,
    id: u64,
}

impl Drop for JobEntry {
    fn drop(&mut self) {
        lock(&self.jobs.0.running).retain(|job| job.id != self.id);
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{KIND, jobs};
    use super::*;

    #[test]
    fn fault_names_the_job_the_reason_and_what_still_works() {
        let fault = |cause| Fault { kind: KIND, cause }.to_string();
        let told = "Trying stopped because of a fault in Rigscope (index 7). Nothing else is lost.";
        assert_eq!(fault(FaultCause::Panic("index 7".to_owned())), told);
        let told = "Trying did not begin, the system gave no thread (too many). Nothing else is lost.";
        assert_eq!(fault(FaultCause::NoThread("too many".to_owned())), told);
    }

    #[test]
    fn jobs_are_listed_while_they_run_and_cancelled_by_their_number() {
        let (jobs, _) = jobs();
        let [first, second, own] = [(); 3].map(|()| Arc::<Progress>::default());
        let _first = jobs.list(&KIND, &first);
        let ended = jobs.list(&KIND, &second);
        let _own = jobs.list(&JobKind::unlisted("own", "Waiting", ""), &own);
        let ids = || jobs.running(Duration::ZERO).iter().map(|job| job.id).collect::<Vec<_>>();
        assert_eq!(ids().len(), 2, "what nobody waits for is not listed");
        assert!(jobs.running(Duration::from_hours(1)).is_empty(), "what has just begun says nothing yet");
        jobs.cancel(ids()[0]);
        assert!(first.is_cancelled() && !second.is_cancelled());
        assert_eq!(ids(), [1], "what is cancelled is waited for no longer");
        drop(ended);
        assert!(ids().is_empty());
    }
}
