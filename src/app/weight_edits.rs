//! Runs weight edits in the background. A new edit replaces the running one.

use crate::jobs::{JobKind, Jobs, Outcome, Task, in_own_pool};
use crate::state::{AppState, JobResult, WeightEditPlan};

const EDITING: JobKind =
    JobKind::new("editing weights", "Editing weights", "The weights stay as they were; try another operation.");

/// The running edit. Its result is `None` if it was cancelled.
#[derive(Default)]
pub(super) struct WeightEdits(Option<Task<Option<JobResult>>>);

impl WeightEdits {
    pub(super) fn start(&mut self, plan: WeightEditPlan, jobs: &Jobs) {
        self.0 = Some(Task::start(jobs, EDITING, move |progress| in_own_pool(|| plan.run(progress))));
    }

    pub(super) fn poll(&mut self, state: &mut AppState) -> Option<JobResult> {
        state.editing_weights = self.0.as_ref().map(|task| task.progress().fraction());
        let result = match self.0.as_ref()?.poll() {
            Outcome::Pending => return None,
            Outcome::Done(result) => result,
            Outcome::Died => None,
        };
        (self.0, state.editing_weights) = (None, None);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::jobs::testing::{fault, jobs};
    use crate::stage::BuiltIn;

    #[test]
    fn an_edit_that_dies_is_one_fault_and_is_not_awaited_any_longer() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let (jobs, news) = jobs();
        // Panics on a thread of the pool, as most panics in edits do.
        let dies = |_: &_| rayon::join(|| None, || panic!("index 7")).0;
        let mut edits = WeightEdits(Some(Task::start(&jobs, EDITING, dies)));
        let told = fault(&jobs, &news, || {
            assert!(edits.poll(&mut state).is_none());
            edits.0.is_none()
        });
        assert!(told.starts_with("Editing weights stopped because of a fault in Rigscope (index 7)."), "{told}");
        assert_eq!(state.editing_weights, None);
    }
}
