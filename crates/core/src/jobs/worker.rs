use std::cell::{Cell, RefCell};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::registry::JobEntry;
use super::{JobKind, Jobs, Outcome, Progress, lock};

/// Progress of the current job; `None` once the worker has been dropped.
type Current = Arc<Mutex<Option<Arc<Progress>>>>;

/// A thread that runs one job per input. Dropping the worker cancels the current job and discards queued inputs.
pub struct Worker<In, Out> {
    mailbox: Mailbox<In>,
    outputs: Receiver<Outcome<Out>>,
    current: Current,
    thread: Option<JoinHandle<()>>,
}

/// Cloneable sender of inputs to a worker.
pub struct Mailbox<In>(Sender<Option<In>>);

impl<In> Clone for Mailbox<In> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<In> Mailbox<In> {
    /// Sends an input; drops it if the worker has ended.
    pub fn send(&self, input: In) {
        let _ = self.0.send(Some(input));
    }
}

impl<In: Send + 'static, Out: Send + 'static> Worker<In, Out> {
    /// Starts a thread that runs `body`. `body` must take inputs from its channel until there are no more. After a
    /// panic, `body` runs again for the next input, so it must create its own state.
    pub fn start(jobs: &Jobs, kind: &JobKind, body: impl FnMut(&WorkerChannel<In, Out>) + Send + 'static) -> Self {
        let (sender, inbox) = channel();
        let (results, outputs) = channel();
        let first = Arc::<Progress>::default();
        let current: Current = Arc::new(Mutex::new(Some(Arc::clone(&first))));
        let mailbox = Mailbox(sender);
        let channel = WorkerChannel {
            jobs: jobs.clone(),
            kind: kind.clone(),
            mailbox: mailbox.clone(),
            inbox,
            outputs: results,
            current: Arc::clone(&current),
            progress: RefCell::new(first),
            listed: RefCell::default(),
            returned: Cell::new(None),
            is_over: Cell::new(false),
        };
        let thread = jobs.spawn(kind, move || channel.run(body));
        Self { mailbox, outputs, current, thread }
    }

    /// Sends an input.
    pub fn send(&self, input: In) {
        self.mailbox.send(input);
    }

    /// Returns a cloneable sender of inputs.
    pub fn mailbox(&self) -> Mailbox<In> {
        self.mailbox.clone()
    }

    /// Returns the next result, or [`Outcome::Died`] once for each job that died.
    pub fn poll(&self) -> Outcome<Out> {
        self.outputs.try_recv().unwrap_or(Outcome::Pending)
    }

    /// Returns all available results in order.
    pub fn results(&self) -> impl Iterator<Item = Out> + '_ {
        self.outputs.try_iter().filter_map(|outcome| match outcome {
            Outcome::Done(result) => Some(result),
            Outcome::Pending | Outcome::Died => None,
        })
    }

    /// Waits until all queued inputs are processed, then ends the thread. Later inputs are dropped.
    pub fn finish(&mut self) {
        let _ = self.mailbox.0.send(None);
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, the fault is already recorded.
            let _ = thread.join();
        }
    }
}

impl<In, Out> Drop for Worker<In, Out> {
    fn drop(&mut self) {
        if let Some(progress) = lock(&self.current).take() {
            progress.cancel();
        }
        let _ = self.mailbox.0.send(None);
    }
}

/// Inputs and outputs of a worker, used on its thread.
pub struct WorkerChannel<In, Out> {
    jobs: Jobs,
    kind: JobKind,
    mailbox: Mailbox<In>,
    inbox: Receiver<Option<In>>,
    outputs: Sender<Outcome<Out>>,
    current: Current,
    progress: RefCell<Arc<Progress>>,
    listed: RefCell<Option<JobEntry>>,
    /// Input received after a panic, passed to `body` when it runs again.
    returned: Cell<Option<In>>,
    is_over: Cell<bool>,
}

impl<In, Out> WorkerChannel<In, Out> {
    fn run(&self, mut body: impl FnMut(&Self)) {
        while self.jobs.guard(&self.kind, || self.progress(), || body(self)).is_none() {
            self.listed.take();
            self.tell(Outcome::Died);
            match self.receive() {
                Some(input) => self.returned.set(Some(input)),
                None => return,
            }
        }
    }

    /// Waits for an input and starts a job for it. Returns `None` if there are no more inputs.
    pub fn next(&self) -> Option<In> {
        self.listed.take();
        let input = self.returned.take().or_else(|| self.receive())?;
        let progress = Arc::<Progress>::default();
        *lock(&self.current).as_mut()? = Arc::clone(&progress);
        *self.listed.borrow_mut() = Some(self.jobs.list(&self.kind, &progress));
        *self.progress.borrow_mut() = progress;
        Some(input)
    }

    /// Like [`Self::next`], but returns the newest available input and discards older inputs.
    pub fn newest(&self) -> Option<In> {
        let first = self.next()?;
        Some(std::iter::from_fn(|| self.try_next()).last().unwrap_or(first))
    }

    /// Returns an input that has already arrived, if any, and adds it to the current job.
    pub fn try_next(&self) -> Option<In> {
        if self.is_over.get() {
            return None;
        }
        match self.inbox.try_recv() {
            Ok(input) => self.taken(input),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
        }
    }

    /// Waits at most `time` for an input, and adds it to the current job.
    pub fn next_within(&self, time: Duration) -> Option<In> {
        if self.is_over.get() {
            return None;
        }
        self.taken(self.inbox.recv_timeout(time).ok()?)
    }

    /// Sends a result.
    pub fn send(&self, result: Out) {
        self.tell(Outcome::Done(result));
    }

    /// Returns the progress of the current job.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress.borrow())
    }

    /// Returns a cloneable sender of inputs to this worker.
    pub fn mailbox(&self) -> Mailbox<In> {
        self.mailbox.clone()
    }

    fn receive(&self) -> Option<In> {
        if self.is_over.get() { None } else { self.taken(self.inbox.recv().ok()?) }
    }

    fn taken(&self, input: Option<In>) -> Option<In> {
        self.is_over.set(input.is_none());
        input
    }

    fn tell(&self, outcome: Outcome<Out>) {
        let _ = self.outputs.send(outcome);
        self.jobs.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{KIND, jobs, outcome};
    use super::*;

    #[test]
    fn the_newest_input_wins() {
        let (jobs, news) = jobs();
        let (go, gone) = channel();
        let worker = Worker::start(&jobs, &KIND, move |channel: &WorkerChannel<i32, i32>| {
            while let Some(input) = channel.newest() {
                channel.send(input);
                gone.recv().unwrap();
            }
        });
        worker.send(1);
        assert_eq!(outcome(&news, || worker.poll()), Outcome::Done(1));
        // The worker is still processing 1.
        (2..6).for_each(|input| worker.send(input));
        go.send(()).unwrap();
        assert_eq!(outcome(&news, || worker.poll()), Outcome::Done(5));
        go.send(()).unwrap();
        assert_eq!(worker.poll(), Outcome::Pending);
    }

    #[test]
    fn panicking_worker_reports_it_and_continues() {
        let (jobs, news) = jobs();
        let worker = Worker::start(&jobs, &KIND, |channel: &WorkerChannel<i32, i32>| {
            let mut sum = 0;
            while let Some(input) = channel.next() {
                assert_ne!(input, 13, "bad luck");
                sum += input;
                channel.send(sum);
            }
        });
        (12..15).for_each(|input| worker.send(input));
        assert_eq!(outcome(&news, || worker.poll()), Outcome::Done(12));
        assert_eq!(outcome(&news, || worker.poll()), Outcome::Died);
        assert_eq!(outcome(&news, || worker.poll()), Outcome::Done(14), "nothing is kept from before");
        let faults = jobs.take_faults();
        assert!(faults.len() == 1 && faults[0].to_string().contains("bad luck"), "{faults:?}");
    }

    #[test]
    fn dropping_cancels_the_job_and_leaves_those_behind_it() {
        let (jobs, _news) = jobs();
        let (told, heard) = channel();
        let worker = Worker::start(&jobs, &KIND, move |channel: &WorkerChannel<i32, ()>| {
            while let Some(input) = channel.next() {
                told.send(input).unwrap();
                while !channel.progress().is_cancelled() {
                    std::thread::yield_now();
                }
            }
        });
        worker.send(1);
        worker.send(2);
        assert_eq!(heard.recv().unwrap(), 1);
        drop(worker);
        assert!(heard.recv().is_err(), "the thread has ended");
    }

    #[test]
    fn cancelling_a_job_leaves_the_worker() {
        let (jobs, news) = jobs();
        let worker = Worker::start(&jobs, &KIND, |channel: &WorkerChannel<bool, &str>| {
            while let Some(is_long) = channel.next() {
                while is_long && !channel.progress().is_cancelled() {
                    std::thread::yield_now();
                }
                channel.send(if is_long { "cancelled" } else { "done" });
            }
        });
        worker.send(true);
        let job = std::iter::repeat_with(|| jobs.running(Duration::ZERO)).find_map(|all| all.first().map(|job| job.id));
        jobs.cancel(job.unwrap());
        assert_eq!(outcome(&news, || worker.poll()), Outcome::Done("cancelled"));
        worker.send(false);
        assert_eq!(outcome(&news, || worker.poll()), Outcome::Done("done"));
    }

    #[test]
    fn finishing_does_all_that_was_asked_for() {
        let (jobs, _news) = jobs();
        let (told, heard) = channel();
        let mut worker = Worker::start(&jobs, &KIND, move |channel: &WorkerChannel<i32, ()>| {
            while let Some(input) = channel.next() {
                assert_ne!(input, 2, "on the way");
                told.send(input).unwrap();
            }
        });
        (1..4).for_each(|input| worker.send(input));
        worker.finish();
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), [1, 3]);
    }
}
