//! Writes posed meshes beside the frame loop, one after the other.

use super::kinds;
use crate::jobs::{Desk, Jobs, Worker};
use crate::state::{Arrived, MeshExport};

/// The thread that does it.
pub struct Exporter {
    worker: Worker<MeshExport, Arrived>,
}

impl Exporter {
    /// Starts the thread.
    pub fn start(jobs: &Jobs) -> Self {
        let worker = Worker::start(jobs, &kinds::EXPORT, |desk: &Desk<MeshExport, Arrived>| {
            while let Some(export) = desk.next() {
                if let Some(told) = export.run(&desk.progress()) {
                    desk.send(told);
                }
            }
        });
        Self { worker }
    }

    /// Asks for an export, to be done after those that were asked for before.
    pub fn send(&self, export: MeshExport) {
        self.worker.send(export);
    }

    /// What is to be told of those that have ended, in order.
    pub fn results(&self) -> impl Iterator<Item = Arrived> + '_ {
        self.worker.results()
    }

    /// Waits until all that was asked for is written.
    pub fn finish(self) {
        self.worker.finish();
    }
}
