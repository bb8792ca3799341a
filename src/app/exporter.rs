//! Writes posed meshes and whole rigs beside the frame loop, one after the other.

use super::kinds;
use crate::jobs::{Desk, Jobs, Worker};
use crate::state::{Arrived, MeshExport, RigExport};

/// What is to be written.
pub enum Export {
    /// The meshes as they are posed.
    Mesh(Box<MeshExport>),
    /// Everything as the file has it.
    Rig(Box<RigExport>),
}

/// The thread that does it.
pub struct Exporter {
    worker: Worker<Export, Arrived>,
}

impl Exporter {
    /// Starts the thread.
    pub fn start(jobs: &Jobs) -> Self {
        let worker = Worker::start(jobs, &kinds::EXPORT, |desk: &Desk<Export, Arrived>| {
            while let Some(export) = desk.next() {
                let told = match export {
                    Export::Mesh(export) => export.run(&desk.progress()),
                    Export::Rig(export) => export.run(&desk.progress()),
                };
                if let Some(told) = told {
                    desk.send(told);
                }
            }
        });
        Self { worker }
    }

    /// Asks for an export, to be done after those that were asked for before.
    pub fn send(&self, export: Export) {
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
