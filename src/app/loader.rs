//! Opens files beside the frame loop; the newest request wins.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::import::{Job, SceneChoice};
use crate::state::{AfterLoad, Document, Loading, Source};

/// At most one file on its way.
pub struct Loader {
    memory_limit: u64,
    running: Option<Running>,
}

struct Running {
    source: Source,
    then: AfterLoad,
    job: Arc<Job>,
    result: Receiver<Result<Box<Document>, String>>,
}

/// What came of a request.
pub struct Arrival {
    /// What the file was read for.
    pub then: AfterLoad,
    /// The document or why there is none.
    pub result: Result<Box<Document>, String>,
}

impl Loader {
    /// Files may ask for this much decoded data, bytes.
    pub fn new(memory_limit: u64) -> Self {
        Self { memory_limit, running: None }
    }

    /// Starts to read a scene of a file, or its default one; what was on its way is cancelled.
    pub fn start(
        &mut self,
        source: Source,
        scene: Option<usize>,
        then: AfterLoad,
        ctx: &egui::Context,
    ) -> Result<(), String> {
        self.cancel();
        let (sender, result) = channel();
        let job = Arc::new(Job::with_memory_limit(self.memory_limit).with_scene(scene.map(SceneChoice::Number)));
        let running = Running { source: source.clone(), then, job: Arc::clone(&job), result };
        let ctx = ctx.clone();
        std::thread::Builder::new()
            .name("import".to_owned())
            .spawn(move || {
                let document = Document::open(&source, &job).map(Box::new);
                // Nobody listens where a newer request has won.
                let _ = sender.send(document.map_err(|e| e.to_string()));
                ctx.request_repaint();
            })
            .map_err(|e| format!("No thread could be started to open the file: {e}"))?;
        self.running = Some(running);
        Ok(())
    }

    /// Stops reading.
    pub fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.job.cancel();
        }
    }

    /// What has arrived, once.
    pub fn poll(&mut self) -> Option<Arrival> {
        let running = self.running.as_ref()?;
        let result = match running.result.try_recv() {
            Ok(result) => result,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                Err("The import ended without a result; this is a fault in Rigscope.".to_owned())
            }
        };
        let Running { source, then, .. } = self.running.take()?;
        let done = if matches!(then, AfterLoad::Reload { .. }) { "reloaded" } else { "opened" };
        let result = result
            .map_err(|problem| format!("{problem}\n{} was not {done}; what was open still is.", source.full_name()));
        Some(Arrival { then, result })
    }

    /// True while a file is on its way that the user asked for; a change of the open one must wait.
    pub fn is_opening(&self) -> bool {
        self.running.as_ref().is_some_and(|r| r.then.is_asked())
    }

    /// What is on its way.
    pub fn progress(&self) -> Option<Loading> {
        let running = self.running.as_ref()?;
        Some(Loading {
            name: running.source.name(),
            stage: stage(&running.job),
            fraction: Some(running.job.fraction()),
        })
    }
}

/// What an import is doing and how far it is, in counts and bytes.
fn stage(job: &Job) -> String {
    let label = job.stage().label();
    let (done, of) = job.counts();
    let counts = if of > 1 { format!(", {done} of {of}") } else { String::new() };
    let (read, all) = job.bytes();
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    // Below that, it is over before anybody has read it.
    let bytes =
        if all > 1_000_000 { format!(" · {:.0} of {:.0} MB", megabytes(read), megabytes(all)) } else { String::new() };
    format!("{label}{counts}{bytes}")
}
