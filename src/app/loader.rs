//! Opens files beside the frame loop; the newest request wins.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::import::Job;
use crate::state::{Document, Loading, ShowMe, Source};

/// At most one file on its way.
#[derive(Default)]
pub struct Loader {
    running: Option<Running>,
}

struct Running {
    source: Source,
    job: Arc<Job>,
    result: Receiver<Result<Box<Document>, String>>,
}

impl Loader {
    /// Starts to read; what was on its way is cancelled.
    pub fn start(&mut self, source: Source, show_me: Option<ShowMe>, ctx: &egui::Context) -> Result<(), String> {
        self.cancel();
        let (sender, result) = channel();
        let job = Arc::new(Job::default());
        let running = Running { source: source.clone(), job: Arc::clone(&job), result };
        let ctx = ctx.clone();
        std::thread::Builder::new()
            .name("import".to_owned())
            .spawn(move || {
                let document = Document::open(&source, &job).map(|mut document| {
                    document.show_me = show_me;
                    Box::new(document)
                });
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

    /// The document or why there is none, once.
    pub fn poll(&mut self) -> Option<Result<Box<Document>, String>> {
        let running = self.running.as_ref()?;
        let result = match running.result.try_recv() {
            Ok(result) => result,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                Err("The import ended without a result; this is a fault in Rigscope.".to_owned())
            }
        };
        let name = running.source.full_name();
        self.running = None;
        Some(result.map_err(|problem| format!("{problem}\n{name} was not opened; what was open still is.")))
    }

    /// What is on its way.
    pub fn progress(&self) -> Option<Loading> {
        let running = self.running.as_ref()?;
        Some(Loading {
            name: running.source.name(),
            stage: running.job.stage().label().to_owned(),
            fraction: Some(running.job.fraction()),
        })
    }
}
