//! Looks for findings beside the frame loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use crate::state::{Command, Document, findings};

/// At most one search on its way.
#[derive(Default)]
pub struct Linter {
    running: Option<Running>,
}

struct Running {
    cancel: Arc<AtomicBool>,
    result: Receiver<Command>,
}

impl Linter {
    /// Starts to look at a document; what was on its way is cancelled. Without a thread there are no findings.
    pub fn start(&mut self, document: &Document, ctx: &egui::Context) {
        self.cancel();
        let (sender, result) = channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let (rig, warnings) = (Arc::clone(&document.rig), Arc::clone(&document.warnings));
        let (ctx, is_cancelled) = (ctx.clone(), Arc::clone(&cancel));
        let search = move || {
            if let Some(findings) = findings(&rig, &warnings, &is_cancelled) {
                let _ = sender.send(Command::Found { rig, findings });
                ctx.request_repaint();
            }
        };
        match std::thread::Builder::new().name("lint".to_owned()).spawn(search) {
            Ok(_) => self.running = Some(Running { cancel, result }),
            Err(problem) => log::error!("no thread could be started for lint: {problem}"),
        }
    }

    fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// True while a search is on its way.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The findings, once.
    pub fn poll(&mut self) -> Option<Command> {
        let found = self.running.as_ref()?.result.try_recv().ok()?;
        self.running = None;
        Some(found)
    }
}
