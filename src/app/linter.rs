//! Looks for findings beside the frame loop.

use std::sync::Arc;

use super::kinds;
use crate::analysis::lint::Finding;
use crate::import::ImportWarning;
use crate::jobs::{Jobs, Outcome, Progress, Task};
use crate::rig::Rig;
use crate::state::{Command, Document, findings};

/// How findings are looked for; `None` where that was cancelled.
type LintFn = fn(&Rig, &[ImportWarning], &Progress) -> Option<Vec<Finding>>;

/// Gives nothing where it was cancelled.
type LintTask = Task<Option<Vec<Finding>>>;

/// At most one search on its way.
pub struct Linter {
    look: LintFn,
    running: Option<(Arc<Rig>, LintTask)>,
}

impl Default for Linter {
    fn default() -> Self {
        Self { look: findings, running: None }
    }
}

impl Linter {
    /// Starts to look at a document; what was on its way is cancelled.
    pub fn start(&mut self, document: &Document, jobs: &Jobs) {
        let (look, rig, warnings) = (self.look, Arc::clone(&document.rig), Arc::clone(&document.warnings));
        let task = Task::start(jobs, kinds::LINT, move |progress| look(&rig, &warnings, progress));
        self.running = Some((Arc::clone(&document.rig), task));
    }

    /// True while a search is on its way.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The findings, once, or that there will be none.
    pub fn poll(&mut self) -> Option<Command> {
        let (rig, task) = self.running.as_ref()?;
        let rig = Arc::clone(rig);
        let command = match task.poll() {
            Outcome::Pending => return None,
            Outcome::Done(Some(findings)) => Command::Found { rig, findings },
            Outcome::Done(None) | Outcome::Died => Command::LintStopped(rig),
        };
        self.running = None;
        Some(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::jobs::testing::{fault, jobs};
    use crate::state::{BuiltIn, Source};

    #[test]
    fn lint_that_dies_says_that_there_will_be_no_findings() {
        let (jobs, news) = jobs();
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut linter = Linter { look: |_, _, _| panic!("index 7"), ..Linter::default() };
        linter.start(&document, &jobs);
        let mut commands = Vec::new();
        let told = fault(&jobs, &news, || {
            commands.extend(linter.poll());
            !linter.is_running()
        });
        assert!(told.starts_with("Looking for findings stopped because of a fault in Rigscope (index 7)."), "{told}");
        assert!(
            matches!(&commands[..], [Command::LintStopped(rig)] if Arc::ptr_eq(rig, &document.rig)),
            "{commands:?}"
        );
    }
}
