//! Runs joint tests, engine simulations and weight edits in the background. A new job replaces the running
//! job of the same kind.

use crate::jobs::{JobKind, Jobs, Outcome, Progress, Task, in_own_pool};
use crate::state::{AppState, JobResult, SimulationPlan, TwistPlan, WeightEditPlan};

const EDITING: JobKind =
    JobKind::new("editing weights", "Editing weights", "The weights stay as they were; try another operation.");

const TEST: JobKind =
    JobKind::new("twist test", "Testing twist and bend", "All else works; test another joint or pose.");

const SIMULATION: JobKind =
    JobKind::new("simulation", "Simulating engines", "All else works; try another pose or method.");

#[derive(Default)]
pub(super) struct RequestedJobs {
    test: Option<Run>,
    simulation: Option<Run>,
    editing: Option<Run>,
    /// Test to start after the running one ends.
    waiting: Option<TwistPlan>,
}

/// A running job. Its result is `None` if it was cancelled.
type Run = Task<Option<JobResult>>;

fn run(jobs: &Jobs, kind: JobKind, work: impl FnOnce(&Progress) -> Option<JobResult> + Send + 'static) -> Run {
    Task::start(jobs, kind, move |progress| in_own_pool(|| work(progress)))
}

impl RequestedJobs {
    /// Cancels the running test and starts this one as soon as the running one ends. Replaces a waiting test.
    pub(super) fn test(&mut self, plan: TwistPlan, jobs: &Jobs) {
        if let Some(running) = &self.test {
            running.progress().cancel();
            self.waiting = Some(plan);
        } else {
            self.test = Some(run(jobs, TEST, move |progress| plan.run(progress)));
        }
    }

    pub(super) fn simulate(&mut self, plan: SimulationPlan, jobs: &Jobs) {
        self.simulation = Some(run(jobs, SIMULATION, move |progress| plan.run(progress)));
    }

    pub(super) fn edit(&mut self, plan: WeightEditPlan, jobs: &Jobs) {
        self.editing = Some(run(jobs, EDITING, move |progress| plan.run(progress)));
    }

    pub(super) fn cancel(&mut self) {
        *self = Self { editing: self.editing.take(), ..Self::default() };
    }

    pub(super) fn poll(&mut self, state: &mut AppState, jobs: &Jobs) -> Vec<JobResult> {
        let kinds = [
            (&mut self.test, &mut state.open.twist.progress),
            (&mut self.simulation, &mut state.simulating),
            (&mut self.editing, &mut state.editing_weights),
        ];
        let mut results = Vec::new();
        for (running, shown) in kinds {
            *shown = running.as_ref().map(|task| task.progress().fraction());
            match running.as_ref().map(Task::poll) {
                Some(Outcome::Pending) | None => continue,
                Some(Outcome::Done(result)) => results.extend(result),
                Some(Outcome::Died) => {}
            }
            *running = None;
            *shown = None;
        }
        if self.test.is_none()
            && let Some(plan) = self.waiting.take()
        {
            self.test(plan, jobs);
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::jobs::testing::{fault, jobs};
    use crate::stage::BuiltIn;

    #[test]
    fn each_kind_of_test_that_dies_is_one_fault_and_waits_no_longer() {
        type Field = fn(&mut RequestedJobs) -> &mut Option<Run>;
        let fields: [(JobKind, Field); 2] = [
            (TEST, |requested_jobs| &mut requested_jobs.test),
            (SIMULATION, |requested_jobs| &mut requested_jobs.simulation),
        ];
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        for (kind, field) in fields {
            let (jobs, news) = jobs();
            let mut requested_jobs = RequestedJobs::default();
            // Panics on a thread of the pool, as most panics in measurements do.
            let dies = |_: &Progress| rayon::join(|| None, || panic!("index 7")).0;
            *field(&mut requested_jobs) = Some(run(&jobs, kind.clone(), dies));
            let told = fault(&jobs, &news, || {
                assert!(requested_jobs.poll(&mut state, &jobs).is_empty());
                field(&mut requested_jobs).is_none()
            });
            let begin = format!("{} stopped because of a fault in Rigscope (index 7).", kind.activity);
            assert!(told.starts_with(&begin), "{told}");
            assert_eq!((state.open.twist.progress, state.simulating), (None, None));
        }
    }
}
