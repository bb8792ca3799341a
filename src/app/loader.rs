use std::sync::Arc;

use crate::import::{ImportError, Job, SceneChoice};
use crate::jobs::{JobKind, Jobs, Outcome, Task};
use crate::stage::{Document, Source};
use crate::state::{AfterLoad, LoadingFile};

const IMPORT: JobKind =
    JobKind::new("import", "Opening a file", "The file was not opened; what was open before stays open.");

/// Reads files in the background, one at a time. A new request cancels the running one.
pub(super) struct Loader {
    memory_limit: u64,
    open: fn(&Source, &[Source], &Job) -> Result<Document, ImportError>,
    running: Option<RunningLoad>,
}

struct RunningLoad {
    source: Source,
    then: AfterLoad,
    task: Task<Result<Box<Document>, ImportError>>,
}

pub(super) struct Arrival {
    pub then: AfterLoad,
    pub result: Result<Box<Document>, String>,
}

impl Loader {
    /// Creates a loader. `memory_limit` is the maximum decoded size per file, in bytes.
    pub(super) fn new(memory_limit: u64) -> Self {
        Self { memory_limit, open: Document::open_with_clips, running: None }
    }

    /// Cancels the running read, and starts reading a scene (`None` for the default scene) with the clips of other
    /// files.
    pub(super) fn start(
        &mut self,
        source: Source,
        scene: Option<usize>,
        clips_from: Vec<Source>,
        then: AfterLoad,
        jobs: &Jobs,
    ) {
        self.cancel();
        let kind = JobKind { activity: format!("Opening {}", source.name()).into(), ..IMPORT };
        let job = Job::with_memory_limit(self.memory_limit).with_scene(scene.map(SceneChoice::LastSeen));
        let (open, wanted) = (self.open, source.clone());
        let task = Task::start(jobs, kind, move |progress| {
            let job = job.with_progress(Arc::clone(progress));
            open(&wanted, &clips_from, &job).map(|document| Box::new(document.in_its_project(&job)))
        });
        self.running = Some(RunningLoad { source, then, task });
    }

    pub(super) fn cancel(&mut self) {
        self.running = None;
    }

    /// Returns the file or an error message, once, when reading has finished. Returns `None` while reading, and if
    /// reading was cancelled or panicked.
    pub(super) fn poll(&mut self) -> Option<Arrival> {
        let outcome = self.running.as_ref()?.task.poll();
        if matches!(outcome, Outcome::Pending) {
            return None;
        }
        let RunningLoad { source, then, .. } = self.running.take()?;
        let result = match outcome {
            Outcome::Done(Ok(document)) => Ok(document),
            Outcome::Done(Err(ImportError::Cancelled)) | Outcome::Pending | Outcome::Died => return None,
            Outcome::Done(Err(problem)) => {
                let (problem, full) = (problem.to_string(), source.full_name());
                // Avoids repeating the path if the error message already contains it.
                let name = if problem.contains(&full) { source.name() } else { full };
                Err(match then {
                    AfterLoad::Reload { .. } | AfterLoad::UseClips => format!("{problem}\n{name} was not reloaded."),
                    AfterLoad::Restore(_) => format!(
                        "{problem}\nThe session was not opened. Once {name} can be read, choose File > Restore last session."
                    ),
                    _ => format!("{problem}\n{name} was not opened."),
                })
            }
        };
        Some(Arrival { then, result })
    }

    /// Returns true while a file that the user requested is loading. Automatic reloads must wait for it.
    pub(super) fn is_opening(&self) -> bool {
        self.running.as_ref().is_some_and(|r| r.then.is_asked())
    }

    pub(super) fn progress(&self) -> Option<LoadingFile> {
        let RunningLoad { source, task, .. } = self.running.as_ref()?;
        let progress = task.progress();
        Some(LoadingFile { name: source.name(), stage: progress.status_text(), fraction: Some(progress.fraction()) })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::jobs::testing::{fault, jobs};
    use crate::stage::BuiltIn;

    const TUBE: Source = Source::BuiltIn(BuiltIn::Tube);

    #[test]
    fn an_import_that_dies_is_one_fault_and_the_next_file_opens() {
        let (jobs, news) = jobs();
        let mut loader = Loader { open: |_, _, _| panic!("index 7"), ..Loader::new(1 << 30) };
        loader.start(TUBE, None, Vec::new(), AfterLoad::Show, &jobs);
        let told = fault(&jobs, &news, || loader.poll().is_none() && !loader.is_opening());
        let begin = format!("Opening {} stopped because of a fault in Rigscope (index 7).", TUBE.name());
        assert!(told.starts_with(&begin), "{told}");
        assert!(
            told.ends_with("The file was not opened; what was open before stays open."),
            "also where nothing was: {told}"
        );
        assert!(loader.progress().is_none());
        loader.open = Document::open_with_clips;
        loader.start(TUBE, None, Vec::new(), AfterLoad::Show, &jobs);
        let arrival = std::iter::repeat_with(|| {
            _ = news.recv_timeout(Duration::from_millis(10));
            loader.poll()
        });
        let arrival = arrival.take(6000).flatten().next().unwrap();
        assert_eq!(arrival.result.unwrap().source, TUBE);
    }

    #[test]
    fn an_import_that_is_cancelled_in_the_list_of_jobs_arrives_as_nothing() {
        let (jobs, news) = jobs();
        let open: fn(&Source, &[Source], &Job) -> _ = |_, _, job| {
            while !job.progress.is_cancelled() {
                std::thread::yield_now();
            }
            Err(ImportError::Cancelled)
        };
        let mut loader = Loader { open, ..Loader::new(1 << 30) };
        loader.start(TUBE, None, Vec::new(), AfterLoad::Show, &jobs);
        let id = std::iter::repeat_with(|| jobs.running(Duration::ZERO)).find_map(|all| all.first().map(|job| job.id));
        jobs.cancel(id.unwrap());
        while loader.progress().is_some() {
            assert!(loader.poll().is_none());
            _ = news.recv_timeout(Duration::from_millis(10));
        }
        assert_eq!(jobs.take_faults(), []);
    }
}
