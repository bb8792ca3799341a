//! Measures both sides beside the frame loop: always the newest state, never two at a time.

use std::sync::Arc;

use super::kinds;
use crate::analysis::sides::{MeasureError, Measured};
use crate::jobs::{Desk, Jobs, Outcome, Progress, Worker};
use crate::rig::Rig;
use crate::stage::{MeasureBench, MeasurePlan};
use crate::state::{AppState, Arrived};

/// A thread that measures, and its last request.
pub(super) struct Measurer {
    worker: Worker<MeasurePlan, Arrived>,
    asked: Option<MeasurePlan>,
    /// The character whose measurement panicked; it is not measured again.
    died_of: Option<Arc<Rig>>,
}

/// Function that measures a plan; `None` where it was cancelled.
type Measure = fn(&mut MeasureBench, &MeasurePlan, &Progress) -> Option<Result<Measured, MeasureError>>;

impl Measurer {
    pub(super) fn start(jobs: &Jobs) -> Self {
        Self::with(jobs, MeasureBench::measure)
    }

    fn with(jobs: &Jobs, measure: Measure) -> Self {
        let worker = Worker::start(jobs, &kinds::MEASURE, move |desk: &Desk<MeasurePlan, Arrived>| {
            let mut bench = MeasureBench::default();
            while let Some(plan) = desk.newest() {
                let result = measure(&mut bench, &plan, &desk.progress()).unwrap_or(Err(MeasureError::Cancelled));
                desk.send(Arrived::Measured(Box::new(plan), Box::new(result)));
            }
        });
        Self { worker, asked: None, died_of: None }
    }

    /// Requests the measurement that the state needs, unless it was requested already.
    pub(super) fn follow(&mut self, state: &AppState) {
        let plan = state.open.measure_plan();
        let is_hopeless = self.died_of.as_ref().is_some_and(|rig| Arc::ptr_eq(rig, &plan.rig));
        if is_hopeless || self.asked.as_ref() == Some(&plan) {
            return;
        }
        self.worker.send(plan.clone());
        self.asked = Some(plan);
    }

    /// Result since the last call.
    pub(super) fn poll(&mut self) -> Option<Arrived> {
        let mut newest = None;
        loop {
            match self.worker.poll() {
                Outcome::Pending => return newest,
                Outcome::Done(measured) => newest = Some(measured),
                Outcome::Died => {
                    let plan = self.asked.clone()?;
                    self.died_of = Some(Arc::clone(&plan.rig));
                    newest = Some(Arrived::Measured(Box::new(plan), Box::new(Err(MeasureError::Died))));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::jobs::testing::{fault, jobs};
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Action, AfterLoad, Command, Settings};

    #[test]
    fn measuring_that_dies_of_a_character_is_not_tried_again_until_there_is_another() {
        fn dies_of_the_tube(
            bench: &mut MeasureBench,
            plan: &MeasurePlan,
            progress: &Progress,
        ) -> Option<Result<Measured, MeasureError>> {
            assert!(plan.rig.joint_count() > 9, "index 7");
            bench.measure(plan, progress)
        }
        let open = |built_in| Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap();
        let (jobs, news) = jobs();
        let mut state = AppState::new(open(BuiltIn::Tube), Settings::default());
        let mut measurer = Measurer::with(&jobs, dies_of_the_tube);
        let told = fault(&jobs, &news, || {
            // Another method each time, which would panic again.
            state.apply(Command::Do(Action::NextMethod));
            if measurer.asked.is_none() || measurer.died_of.is_some() {
                measurer.follow(&state);
            }
            measurer.poll().map(|measured| state.receive(measured));
            matches!(state.open.measured(), Some(Err(MeasureError::Died)))
        });
        assert!(told.starts_with("Measuring the sides stopped because of a fault in Rigscope"), "{told}");
        state.receive(Arrived::Document(Box::new(open(BuiltIn::Figure)), AfterLoad::Show));
        state.open.refresh();
        measurer.follow(&state);
        let measured = loop {
            match measurer.poll() {
                Some(command) => break command,
                None => news.recv_timeout(std::time::Duration::from_mins(1)).unwrap(),
            }
        };
        state.receive(measured);
        assert!(matches!(state.open.measured(), Some(Ok(_))));
        assert_eq!(jobs.take_faults(), []);
    }
}
