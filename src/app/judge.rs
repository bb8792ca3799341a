//! Judges the weights of the sides beside the frame loop.

use std::sync::Arc;

use super::kinds;
use crate::jobs::{Jobs, Outcome, Task};
use crate::rig::Rig;
use crate::state::{AppState, Arrived};
use crate::weights::WeightNumbers;

/// At most one character on its way.
#[derive(Default)]
pub struct Judge {
    running: Option<(Arc<Rig>, Judging)>,
}

/// Its numbers; `None` where that was cancelled.
type Judging = Task<Option<Arc<WeightNumbers>>>;

impl Judge {
    /// Judges what the state wants, and nothing that it wants no longer.
    pub fn follow(&mut self, state: &AppState, jobs: &Jobs) {
        let plan = state.judge_plan();
        self.running.take_if(|(rig, _)| plan.as_ref().is_none_or(|plan| !Arc::ptr_eq(rig, &plan.rig)));
        if let (Some(plan), None) = (plan, &self.running) {
            let rig = Arc::clone(&plan.rig);
            let task = Task::start(jobs, kinds::JUDGING, move |progress| plan.run(progress));
            self.running = Some((rig, task));
        }
    }

    /// The numbers, once, or that there will be none.
    pub fn poll(&mut self) -> Option<Arrived> {
        let numbers = match self.running.as_ref()?.1.poll() {
            Outcome::Pending => return None,
            Outcome::Done(numbers) => numbers,
            Outcome::Died => None,
        };
        let (rig, _) = self.running.take()?;
        Some(Arrived::WeightsJudged(rig, numbers))
    }
}
