use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::{JobKind, Jobs, Outcome, Progress};

/// A job with one result, on its own thread. Dropping the task cancels it.
pub struct Task<T> {
    progress: Arc<Progress>,
    result: Receiver<T>,
}

impl<T: Send + 'static> Task<T> {
    /// Starts `work` on a new thread. After cancellation, `work` must return soon, with any result.
    pub fn start(jobs: &Jobs, kind: JobKind, work: impl FnOnce(&Arc<Progress>) -> T + Send + 'static) -> Self {
        let (sender, result) = channel();
        let progress = Arc::<Progress>::default();
        let (theirs, seen, named) = (jobs.clone(), Arc::clone(&progress), kind.clone());
        let run = move || {
            let listed = theirs.list(&kind, &seen);
            if let Some(done) = theirs.guard(&kind, || Arc::clone(&seen), || work(&seen)) {
                let _ = sender.send(done);
            }
            // Drops the sender before waking the owner, who recognizes a dead job by its closed channel.
            drop((sender, listed));
            theirs.wake();
        };
        jobs.spawn(&named, run);
        Self { progress, result }
    }

    /// Returns the current outcome. Must not be called again after it has returned a result.
    pub fn poll(&self) -> Outcome<T> {
        match self.result.try_recv() {
            Ok(done) => Outcome::Done(done),
            Err(TryRecvError::Empty) => Outcome::Pending,
            Err(TryRecvError::Disconnected) => Outcome::Died,
        }
    }
}

impl<T> Task<T> {
    /// Returns the job's progress, through which the owner can cancel the job.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::testing::{KIND, jobs, outcome};
    use super::*;

    #[test]
    fn a_task_is_pending_then_done() {
        let (jobs, news) = jobs();
        let (go, gone) = channel();
        let task = Task::start(&jobs, KIND, move |progress| {
            progress.begin(2);
            progress.add(1);
            gone.recv().unwrap();
            (7, std::thread::current().name().map(str::to_owned))
        });
        assert_eq!(task.poll(), Outcome::Pending);
        go.send(()).unwrap();
        assert_eq!(outcome(&news, || task.poll()), Outcome::Done((7, Some("trial".to_owned()))));
        assert_eq!((task.progress().fraction(), jobs.take_faults()), (0.5, vec![]));
        assert!(jobs.running(Duration::ZERO).is_empty(), "what has ended is not listed");
    }

    #[test]
    fn a_dropped_task_is_cancelled_and_its_end_is_no_news() {
        let (jobs, news) = jobs();
        let (told, ended) = channel();
        let task = Task::start(&jobs, KIND, move |progress| {
            while !progress.is_cancelled() {
                std::thread::yield_now();
            }
            told.send(()).unwrap();
            panic!("cancelled");
        });
        assert_eq!(task.poll(), Outcome::<()>::Pending);
        drop(task);
        ended.recv_timeout(Duration::from_mins(1)).expect("the work is reported");
        news.recv_timeout(Duration::from_mins(1)).unwrap();
        assert_eq!(jobs.take_faults(), []);
    }

    #[test]
    fn panicking_task_ends_with_one_fault() {
        let (jobs, news) = jobs();
        let task = Task::<()>::start(&jobs, KIND, |_| panic!("index {}", 7));
        assert_eq!(outcome(&news, || task.poll()), Outcome::Died);
        let told: Vec<String> = jobs.take_faults().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["Trying stopped because of a fault in Rigscope (index 7). Nothing else is lost."]);
        assert_eq!(jobs.take_faults(), []);
    }
}
