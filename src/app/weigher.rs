//! Makes the weights of sides beside the frame loop.

use std::sync::Arc;

use super::kinds;
use crate::jobs::{Jobs, Outcome, Progress, Task};
use crate::rig::Rig;
use crate::state::{AppState, Arrived, WeightPlan, Weighted};
use crate::weights::WeightChoice;

/// What comes of making weights; `None` where it was stopped.
type Made = Option<Result<Weighted, String>>;

/// At most one set of weights on its way.
pub struct Weigher {
    make: fn(&WeightPlan, &Progress) -> Made,
    running: Option<Running>,
}

struct Running {
    rig: Arc<Rig>,
    choice: WeightChoice,
    task: Task<Made>,
}

impl Default for Weigher {
    fn default() -> Self {
        Self { make: WeightPlan::run, running: None }
    }
}

impl Weigher {
    /// Makes what the state wants, and nothing that it wants no longer; tells it how far that is.
    pub fn follow(&mut self, state: &mut AppState, jobs: &Jobs) {
        let is_it = |running: &Running| {
            Arc::ptr_eq(&running.rig, state.rig()) && Some(&running.choice) == state.wanted_weights()
        };
        self.running.take_if(|running| !is_it(running));
        if self.running.is_none()
            && let Some(plan) = state.weight_plan()
        {
            let (make, rig, choice) = (self.make, Arc::clone(&plan.rig), plan.choice.clone());
            let task = Task::start(jobs, kinds::WEIGHTS, move |progress| make(&plan, progress));
            self.running = Some(Running { rig, choice, task });
        }
        state.weights_progress = self.running.as_ref().map(|running| running.task.progress().fraction());
    }

    /// Begins anew with what is on its way, should it be this: the file that it is made from has changed.
    pub fn begin_anew(&mut self, choice: &WeightChoice) {
        self.running.take_if(|running| running.choice == *choice);
    }

    /// The weights, once, or that there will be none.
    pub fn poll(&mut self) -> Option<Arrived> {
        let made = match self.running.as_ref()?.task.poll() {
            Outcome::Pending => return None,
            Outcome::Done(made) => made,
            Outcome::Died => Some(Err("Not made because of a fault in Rigscope".to_owned())),
        };
        let Running { rig, choice, .. } = self.running.take()?;
        Some(Arrived::Weights(rig, choice, Box::new(made)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::jobs::testing::{fault, jobs};
    use crate::state::{BuiltIn, Command, Document, Settings, Source, WeightState};
    use crate::view::Side;
    use crate::weights::Recipe;

    #[test]
    fn weights_whose_making_dies_are_missed_in_words_and_not_made_again() {
        let (jobs, news) = jobs();
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut state = AppState::new(document, Settings::default());
        state.apply(Command::SetWeights(Side::B, WeightChoice::Computed(Recipe::default())));
        let mut weigher = Weigher { make: |_, _| panic!("index 7"), ..Weigher::default() };
        weigher.follow(&mut state, &jobs);
        assert_eq!(state.weights_progress, Some(0.0));
        let told = fault(&jobs, &news, || {
            weigher.poll().map(|weights| state.receive(weights));
            weigher.follow(&mut state, &jobs);
            state.weights_progress.is_none()
        });
        assert!(told.starts_with("Making weights stopped because of a fault in Rigscope"), "{told}");
        assert!(matches!(state.weights(Side::B), WeightState::Missing(why) if why.contains("fault")));
        assert!(Arc::ptr_eq(state.rig_of(Side::B), state.rig()));
    }
}
