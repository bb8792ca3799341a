//! Writes exports in the background, in the order of requests.

use super::job_kinds;
use crate::import::Job;
use crate::jobs::{Jobs, Worker, WorkerChannel};
use crate::state::{ExportJob, JobResult};

pub(super) struct Exporter {
    worker: Worker<ExportJob, JobResult>,
}

impl Exporter {
    /// Starts the worker. `memory_limit` is the limit of decoded data for each file that an export rereads, bytes.
    pub(super) fn start(jobs: &Jobs, memory_limit: u64) -> Self {
        let worker = Worker::start(jobs, &job_kinds::EXPORT, move |desk: &WorkerChannel<ExportJob, JobResult>| {
            while let Some(saving) = desk.next() {
                let job = Job::with_memory_limit(memory_limit).with_progress(desk.progress());
                if let Some(told) = saving.run(&job) {
                    desk.send(told);
                }
            }
        });
        Self { worker }
    }

    pub(super) fn send(&self, saving: ExportJob) {
        self.worker.send(saving);
    }

    pub(super) fn results(&self) -> impl Iterator<Item = JobResult> + '_ {
        self.worker.results()
    }

    pub(super) fn finish(self) {
        self.worker.finish();
    }
}
