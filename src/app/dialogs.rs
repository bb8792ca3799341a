//! File dialogs beside the frame loop; their answers become commands.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use rfd::AsyncFileDialog;

use crate::state::{Command, Notice, Severity};

/// What an answered dialog asks the program to do.
pub enum Answer {
    /// A command for the state.
    Command(Command),
    /// Write a picture there.
    SavePicture(PathBuf),
}

/// The dialogs that are open.
pub struct Dialogs {
    sender: Sender<Answer>,
    answers: Receiver<Answer>,
}

/// A person takes longer; a desktop without dialogs answers at once.
const TOO_FAST_FOR_A_PERSON: Duration = Duration::from_millis(250);

impl Default for Dialogs {
    fn default() -> Self {
        let (sender, answers) = channel();
        Self { sender, answers }
    }
}

impl Dialogs {
    /// Asks for an existing file.
    pub fn pick(
        &self,
        ctx: &egui::Context,
        dialog: AsyncFileDialog,
        answer: impl FnOnce(PathBuf) -> Answer + Send + 'static,
    ) {
        self.ask(ctx, dialog.pick_file(), answer);
    }

    /// Asks for a place to save.
    pub fn save(
        &self,
        ctx: &egui::Context,
        dialog: AsyncFileDialog,
        answer: impl FnOnce(PathBuf) -> Answer + Send + 'static,
    ) {
        self.ask(ctx, dialog.save_file(), answer);
    }

    fn ask(
        &self,
        ctx: &egui::Context,
        chosen: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
        answer: impl FnOnce(PathBuf) -> Answer + Send + 'static,
    ) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let asked = Instant::now();
        let spawned = std::thread::Builder::new().name("file dialog".to_owned()).spawn(move || {
            match pollster::block_on(chosen) {
                Some(file) => _ = sender.send(answer(file.path().to_owned())),
                None if asked.elapsed() < TOO_FAST_FOR_A_PERSON => _ = sender.send(no_dialog()),
                None => {}
            }
            ctx.request_repaint();
        });
        if spawned.is_err() {
            let _ = self.sender.send(no_dialog());
        }
    }

    /// Answers that have come since.
    pub fn answers(&self) -> Vec<Answer> {
        self.answers.try_iter().collect()
    }
}

fn no_dialog() -> Answer {
    Answer::Command(Command::Notify(Notice {
        severity: Severity::Warning,
        text: "This desktop offered no file dialog (neither an XDG portal nor zenity answered). Drop a file on the window, \
               or start with rigscope FILE."
            .to_owned(),
    }))
}
