//! Reads and writes files in the background. Jobs run in the order in which they were requested, so that a read sees
//! all earlier writes.

use crate::jobs::{JobKind, Jobs, Worker, WorkerChannel};
use crate::state::JobResult;

const FILES: JobKind = JobKind::unlisted(
    "files",
    "Working with a file",
    "The file may be as it was before; try again, or save under another name.",
);

pub(super) type FileJob = Box<dyn FnOnce() -> JobResult + Send>;

pub(super) fn start(jobs: &Jobs) -> Worker<FileJob, JobResult> {
    Worker::start(jobs, &FILES, |desk: &WorkerChannel<FileJob, JobResult>| {
        while let Some(file_job) = desk.next() {
            desk.send(file_job());
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Outcome;
    use crate::jobs::testing::{fault, jobs};
    use crate::state::{Notice, NoticeKind};

    fn told(text: &str) -> JobResult {
        JobResult::Notice(Notice::new(NoticeKind::Done, text.to_owned()))
    }

    #[test]
    fn work_with_files_that_dies_is_one_fault_and_the_next_is_done_in_order() {
        let (jobs, news) = jobs();
        let mut file_jobs = start(&jobs);
        file_jobs.send(Box::new(|| panic!("index 7")));
        let mut has_died = false;
        let told_of = fault(&jobs, &news, || {
            has_died |= matches!(file_jobs.poll(), Outcome::Died);
            has_died
        });
        assert!(told_of.contains("because of a fault in Rigscope (index 7)"), "{told_of}");
        let (done, order) = std::sync::mpsc::channel();
        for number in 0..3 {
            let done = done.clone();
            file_jobs.send(Box::new(move || {
                done.send(number).unwrap();
                told("done")
            }));
        }
        file_jobs.finish();
        assert_eq!(order.try_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }
}
