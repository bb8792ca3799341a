//! Writes posed meshes, whole rigs, films and reports beside the frame loop, one after the other.

use std::path::{Path, PathBuf};

use super::kinds;
use crate::import::Job;
use crate::jobs::{Desk, Jobs, Progress, Worker};
use crate::report::{Origin, ReportError, report};
use crate::stage::Stage;
use crate::state::{Arrived, Notice, NoticeKind, Saving, save};
use crate::studio::{Film, FilmError, Studio};

/// What is to be written.
pub enum Export {
    /// A file that is made of the open character.
    File(Saving),
    /// What is shown, while it moves.
    Film(Box<Stage>, Film),
    /// A page of what is shown; where to, and what it must not replace.
    Report(Box<Stage>, PathBuf, Vec<PathBuf>),
}

/// The thread that does it.
pub struct Exporter {
    worker: Worker<Export, Arrived>,
}

impl Exporter {
    /// Starts the thread. Files that are read again may ask for this much decoded data, bytes.
    pub fn start(jobs: &Jobs, memory_limit: u64) -> Self {
        let worker = Worker::start(jobs, &kinds::EXPORT, move |desk: &Desk<Export, Arrived>| {
            while let Some(export) = desk.next() {
                let told = match export {
                    Export::File(saving) => {
                        saving.run(&Job::with_memory_limit(memory_limit).with_progress(desk.progress()))
                    }
                    Export::Report(shown, path, inputs) => write_report(&shown, &path, &inputs, &desk.progress()),
                    Export::Film(mut shown, film) => shoot(&mut shown, &film, &desk.progress()),
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

/// Draws and writes a film: what is to be told of it; `None` where it was cancelled.
fn shoot(shown: &mut Stage, film: &Film, progress: &Progress) -> Option<Arrived> {
    let place = film.target.path(0);
    let shot =
        Studio::new(None).map_err(FilmError::Failed).and_then(|mut studio| film.shoot(&mut studio, shown, progress));
    let (kind, text) = match shot {
        Ok(1) => (NoticeKind::Done, format!("The film was saved as {} (one picture).", place.display())),
        Ok(count) => (NoticeKind::Done, format!("The film was saved as {} ({count} pictures).", place.display())),
        Err(FilmError::Cancelled) => return None,
        Err(FilmError::Failed(problem)) => (NoticeKind::Error, format!("The film was not saved: {problem}")),
    };
    Some(Arrived::Notice(Notice { kind, text }))
}

/// Makes and writes a page: what is to be told of it; `None` where it was cancelled.
fn write_report(shown: &Stage, path: &Path, inputs: &[PathBuf], progress: &Progress) -> Option<Arrived> {
    let made = Studio::new(None)
        .map_err(ReportError::Failed)
        .and_then(|mut studio| report(&mut studio, shown, &Origin::now("File > Report… in the window"), progress));
    let written = match made {
        Ok(made) => save(path, inputs, || Ok(made.html.into_bytes())),
        Err(ReportError::Cancelled) => return None,
        Err(ReportError::Failed(problem)) => Err(problem),
    };
    let (kind, text) = match written {
        Ok(()) => (NoticeKind::Done, format!("The report was saved as {}.", path.display())),
        Err(problem) => (NoticeKind::Error, format!("The report was not saved: {problem}")),
    };
    Some(Arrived::Notice(Notice { kind, text }))
}
