//! File dialogs beside the frame loop; their answers become commands.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rfd::AsyncFileDialog;

use super::kinds;
use crate::jobs::{Jobs, Outcome, Task};
use crate::state::{Command, Notice, NoticeKind};

/// What an answered dialog asks the program to do.
pub enum DialogAnswer {
    /// A command for the state.
    Command(Command),
    /// Write a picture there.
    SavePicture(PathBuf),
}

/// The dialogs that are open.
#[derive(Default)]
pub struct Dialogs {
    open: Vec<Task<Option<DialogAnswer>>>,
}

/// A person takes longer; a desktop without dialogs answers at once.
const TOO_FAST_FOR_A_PERSON: Duration = Duration::from_millis(250);

impl Dialogs {
    /// Asks for an existing file.
    pub fn pick(
        &mut self,
        jobs: &Jobs,
        dialog: AsyncFileDialog,
        answer: impl FnOnce(PathBuf) -> DialogAnswer + Send + 'static,
    ) {
        self.ask(jobs, dialog.pick_file(), answer);
    }

    /// Asks for a place to save.
    pub fn save(
        &mut self,
        jobs: &Jobs,
        dialog: AsyncFileDialog,
        answer: impl FnOnce(PathBuf) -> DialogAnswer + Send + 'static,
    ) {
        self.ask(jobs, dialog.save_file(), answer);
    }

    fn ask(
        &mut self,
        jobs: &Jobs,
        chosen: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
        answer: impl FnOnce(PathBuf) -> DialogAnswer + Send + 'static,
    ) {
        let asked = Instant::now();
        self.open.push(Task::start(jobs, kinds::DIALOG, move |_| match pollster::block_on(chosen) {
            Some(file) => Some(answer(file.path().to_owned())),
            None => (asked.elapsed() < TOO_FAST_FOR_A_PERSON).then(no_dialog),
        }));
    }

    /// Answers that have come since.
    pub fn answers(&mut self) -> Vec<DialogAnswer> {
        let mut answers = Vec::new();
        self.open.retain(|dialog| match dialog.poll() {
            Outcome::Pending => true,
            Outcome::Done(answer) => {
                answers.extend(answer);
                false
            }
            Outcome::Died => false,
        });
        answers
    }
}

fn no_dialog() -> DialogAnswer {
    DialogAnswer::Command(Command::Notify(Notice {
        kind: NoticeKind::Warning,
        text: "This desktop offered no file dialog (neither an XDG portal nor zenity answered). Drop a file on the window, \
               or start with rigscope FILE."
            .to_owned(),
    }))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::jobs::testing::{fault, jobs};

    #[test]
    fn a_dialog_that_dies_is_one_fault_and_the_next_one_is_answered() {
        let (jobs, news) = jobs();
        let mut dialogs = Dialogs::default();
        dialogs.ask(&jobs, async { panic!("no portal") }, DialogAnswer::SavePicture);
        let told = fault(&jobs, &news, || {
            assert!(dialogs.answers().is_empty());
            dialogs.open.is_empty()
        });
        assert!(told.starts_with("The file dialog stopped because of a fault in Rigscope (no portal)."), "{told}");
        let chosen = async { Some(rfd::FileHandle::from(PathBuf::from("a.png"))) };
        dialogs.ask(&jobs, chosen, DialogAnswer::SavePicture);
        let answer = loop {
            match dialogs.answers().pop() {
                Some(answer) => break answer,
                None => news.recv_timeout(Duration::from_mins(1)).unwrap(),
            }
        };
        assert!(matches!(answer, DialogAnswer::SavePicture(path) if path == Path::new("a.png")));
    }
}
