//! Writes exports in the background, in the order of requests.

use super::job_kinds;
use crate::import::Job;
use crate::jobs::{Jobs, Worker, WorkerChannel};
use crate::state::{ExportJob, JobResult};

/// Starts the export worker. `memory_limit` applies to the decoded data of each file that is read again, bytes.
pub(super) fn start(jobs: &Jobs, memory_limit: u64) -> Worker<ExportJob, JobResult> {
    Worker::start(jobs, &job_kinds::EXPORT, move |desk: &WorkerChannel<ExportJob, JobResult>| {
        while let Some(saving) = desk.next() {
            let job = Job::with_memory_limit(memory_limit).with_progress(desk.progress());
            if let Some(told) = saving.run(&job) {
                desk.send(told);
            }
        }
    })
}
