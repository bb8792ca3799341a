//! Runs file dialogs in the background and converts their answers to commands.

mod absence;

use std::time::{Duration, Instant};

use rfd::AsyncFileDialog;

use crate::jobs::{JobKind, Jobs, Outcome, Task};
use crate::state::{PathCommand, PathQuestion};

const DIALOG: JobKind =
    JobKind::unlisted("file dialog", "The file dialog", "Nothing was chosen; try again, or drop a file on the window.");

#[derive(Default)]
pub(super) struct Dialogs {
    open: Vec<Task<Option<PathCommand>>>,
}

/// A dialog that closes within this time was not cancelled by a person: the desktop has no dialogs.
const TOO_FAST_FOR_A_PERSON: Duration = Duration::from_millis(250);

impl Dialogs {
    /// Asks for a path with a desktop dialog or, if the desktop has none, in the window.
    pub(super) fn ask(&mut self, jobs: &Jobs, question: PathQuestion) {
        absence::listen();
        // Clears the flag set by an earlier dialog.
        absence::take_missing_dialog();
        let mut dialog = AsyncFileDialog::new().set_title(question.purpose.title()).set_directory(&question.folder);
        if let Some((name, endings)) = question.purpose.offered() {
            dialog = dialog.add_filter(name, &endings);
        }
        if question.purpose.is_saving() {
            self.wait(jobs, dialog.set_file_name(&question.name).save_file(), question);
        } else {
            self.wait(jobs, dialog.pick_file(), question);
        }
    }

    fn wait(
        &mut self,
        jobs: &Jobs,
        chosen: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
        question: PathQuestion,
    ) {
        let asked = Instant::now();
        self.open.push(Task::start(jobs, DIALOG, move |_| {
            if let Some(file) = pollster::block_on(chosen) {
                return Some(PathCommand::Answered(question.purpose, file.path().to_owned()));
            }
            let is_absent = asked.elapsed() < TOO_FAST_FOR_A_PERSON || absence::take_missing_dialog();
            is_absent.then_some(PathCommand::Ask(question))
        }));
    }

    pub(super) fn answers(&mut self) -> Vec<PathCommand> {
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::jobs::testing::{fault, jobs};
    use crate::state::PathUse;

    fn question() -> PathQuestion {
        PathQuestion { purpose: PathUse::SaveImage, folder: PathBuf::from("."), name: "a.png".to_owned() }
    }

    #[test]
    fn a_dialog_that_dies_is_one_fault_and_the_next_one_is_answered() {
        let (jobs, news) = jobs();
        let mut dialogs = Dialogs::default();
        dialogs.wait(&jobs, async { panic!("no portal") }, question());
        let told = fault(&jobs, &news, || {
            assert!(dialogs.answers().is_empty());
            dialogs.open.is_empty()
        });
        assert!(told.starts_with("The file dialog stopped because of a fault in Rigscope (no portal)."), "{told}");
        let answer = |dialogs: &mut Dialogs| loop {
            match dialogs.answers().pop() {
                Some(answer) => break answer,
                None => news.recv_timeout(Duration::from_mins(1)).unwrap(),
            }
        };
        dialogs.wait(&jobs, async { Some(rfd::FileHandle::from(PathBuf::from("a.png"))) }, question());
        let chosen = answer(&mut dialogs);
        assert!(matches!(chosen, PathCommand::Answered(PathUse::SaveImage, path) if path == Path::new("a.png")));
        // Simulates a desktop without dialogs.
        dialogs.wait(&jobs, async { None }, question());
        assert!(matches!(answer(&mut dialogs), PathCommand::Ask(asked) if asked == question()));
    }
}
