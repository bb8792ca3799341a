//! Looks for findings beside the frame loop.

use std::sync::Arc;

use super::kinds;
use crate::analysis::lint::Finding;
use crate::jobs::{Jobs, Outcome, Progress, Task};
use crate::rig::Rig;
use crate::state::{AppState, Arrived, Document};

/// How findings are looked for; `None` where that was cancelled.
type LintFn = fn(&Document, &Progress) -> Option<Vec<Finding>>;

/// Gives nothing where it was cancelled.
type LintTask = Task<Option<Vec<Finding>>>;

/// At most one search on its way.
pub struct Linter {
    look: LintFn,
    running: Option<(Arc<Rig>, LintTask)>,
}

impl Default for Linter {
    fn default() -> Self {
        Self { look: |document, progress| document.findings(&document.rig, progress), running: None }
    }
}

impl Linter {
    /// Looks at what is open, unless that has been looked at, or a tour stands in for it.
    pub fn follow(&mut self, state: &AppState, jobs: &Jobs) {
        let is_wanted = state.open.lint.is_awaited() && !state.is_touring();
        let is_same = |(rig, _): &(Arc<Rig>, LintTask)| Arc::ptr_eq(rig, state.rig());
        if !is_wanted {
            self.running = None;
        } else if !self.running.as_ref().is_some_and(is_same) {
            self.start(&state.open.document, jobs);
        }
    }

    fn start(&mut self, document: &Document, jobs: &Jobs) {
        let (look, wanted) = (self.look, document.clone());
        let task = Task::start(jobs, kinds::LINT, move |progress| look(&wanted, progress));
        self.running = Some((Arc::clone(&document.rig), task));
    }

    /// The findings, once, or that there will be none.
    pub fn poll(&mut self) -> Option<Arrived> {
        let (rig, task) = self.running.as_ref()?;
        let rig = Arc::clone(rig);
        let findings = match task.poll() {
            Outcome::Pending => return None,
            Outcome::Done(findings) => findings,
            Outcome::Died => None,
        };
        self.running = None;
        Some(Arrived::Findings(rig, findings))
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
        let mut linter = Linter { look: |_, _| panic!("index 7"), ..Linter::default() };
        linter.start(&document, &jobs);
        let mut arrived = Vec::new();
        let told = fault(&jobs, &news, || {
            arrived.extend(linter.poll());
            linter.running.is_none()
        });
        assert!(told.starts_with("Looking for findings stopped because of a fault in Rigscope (index 7)."), "{told}");
        assert!(
            matches!(&arrived[..], [Arrived::Findings(rig, None)] if Arc::ptr_eq(rig, &document.rig)),
            "{arrived:?}"
        );
    }
}
