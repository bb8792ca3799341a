use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use crate::analysis::sides::{MeasureError, SideComparison};
use crate::jobs::{JobKind, Jobs, Outcome, Progress, Worker, WorkerChannel};
use crate::rig::Rig;
use crate::stage::{MeasureBench, MeasurePlan};
use crate::state::JobResult;

const MEASURE: JobKind = JobKind::new(
    "measure",
    "Measuring the sides",
    "This file has no numbers and overlays until File > Reload; everything else works.",
);

/// Minimum time between measurements. Numbers that change faster are unreadable, and measuring slows down drawing.
const MIN_TIME: Duration = Duration::from_millis(100);

pub(super) struct Measurer {
    worker: Worker<MeasurePlan, JobResult>,
    asked: Option<MeasurePlan>,
    asked_at: Option<Instant>,
    /// Character whose measurement panicked; it is not measured again.
    died_of: Option<Arc<Rig>>,
}

/// Measurement function; returns `None` if cancelled.
type Measure = fn(&mut MeasureBench, &MeasurePlan, &Progress) -> Option<Result<SideComparison, MeasureError>>;

impl Measurer {
    pub(super) fn start(jobs: &Jobs) -> Self {
        Self::with(jobs, MeasureBench::measure)
    }

    fn with(jobs: &Jobs, measure: Measure) -> Self {
        let worker = Worker::start(jobs, &MEASURE, move |desk: &WorkerChannel<MeasurePlan, JobResult>| {
            let mut bench = MeasureBench::default();
            // Uses half of the cores and leaves the others for drawing.
            let half = available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
            let pool = ThreadPoolBuilder::new().num_threads(half).thread_name(|_| MEASURE.thread.to_owned()).build();
            while let Some(plan) = desk.newest() {
                let progress = desk.progress();
                let mut run = || measure(&mut bench, &plan, &progress).unwrap_or(Err(MeasureError::Cancelled));
                let result = if let Ok(pool) = &pool { pool.install(run) } else { run() };
                desk.send(JobResult::Measured(Box::new(plan), Box::new(result)));
            }
        });
        Self { worker, asked: None, asked_at: None, died_of: None }
    }

    /// Requests a measurement of both sides, unless the last request was the same. If the last request was too recent,
    /// returns how long to wait before the next call.
    pub(super) fn follow(&mut self, wanted: Option<MeasurePlan>, now: Instant) -> Option<Duration> {
        let plan = wanted.filter(|plan| self.asked.as_ref() != Some(plan))?;
        if self.died_of.as_ref().is_some_and(|rig| Arc::ptr_eq(rig, &plan.rig)) {
            return None;
        }
        let since = self.asked_at.map_or(MIN_TIME, |at| now.saturating_duration_since(at));
        let rest = MIN_TIME.saturating_sub(since);
        if !rest.is_zero() {
            return Some(rest);
        }
        self.worker.send(plan.clone());
        (self.asked, self.asked_at) = (Some(plan), Some(now));
        None
    }

    pub(super) fn poll(&mut self) -> Option<JobResult> {
        let mut newest = None;
        loop {
            match self.worker.poll() {
                Outcome::Pending => return newest,
                Outcome::Done(measured) => newest = Some(measured),
                Outcome::Died => {
                    let plan = self.asked.clone()?;
                    self.died_of = Some(Arc::clone(&plan.rig));
                    newest = Some(JobResult::Measured(Box::new(plan), Box::new(Err(MeasureError::Died))));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    use crate::jobs::testing::{fault, jobs};
    use crate::stage::{BuiltIn, Document};
    use crate::state::{Action, AfterLoad, AppState, Command, Settings, SidePanel};
    use crate::view::{Overlay, Side};

    #[test]
    fn measuring_that_dies_of_a_character_is_not_tried_again_until_there_is_another() {
        fn dies_of_the_tube(
            bench: &mut MeasureBench,
            plan: &MeasurePlan,
            progress: &Progress,
        ) -> Option<Result<SideComparison, MeasureError>> {
            assert!(plan.rig.joint_count() > 9, "index 7");
            bench.measure(plan, progress)
        }
        let open = |built_in| Document::built_in(built_in);
        let (jobs, news) = jobs();
        let mut state = AppState::new(open(BuiltIn::Tube), Settings::default());
        let mut measurer = Measurer::with(&jobs, dies_of_the_tube);
        let told = fault(&jobs, &news, || {
            // Selects another method, so that a new measurement would be requested and panic again.
            state.apply(Command::Do(Action::NextMethod));
            if measurer.asked.is_none() || measurer.died_of.is_some() {
                measurer.follow(state.wanted_measurement(), Instant::now());
            }
            measurer.poll().map(|measured| state.receive(measured));
            matches!(state.open.stage.measured.result(), Some(Err(MeasureError::Died)))
        });
        assert!(told.starts_with("Measuring the sides stopped because of a fault in Rigscope"), "{told}");
        state.receive(JobResult::Document(Box::new(open(BuiltIn::Figure)), AfterLoad::Show));
        state.open.stage.refresh();
        measurer.follow(state.wanted_measurement(), Instant::now() + MIN_TIME);
        let measured = loop {
            match measurer.poll() {
                Some(command) => break command,
                None => news.recv_timeout(std::time::Duration::from_mins(1)).unwrap(),
            }
        };
        state.receive(measured);
        assert!(matches!(state.open.stage.measured.result(), Some(Ok(_))));
        assert_eq!(jobs.take_faults(), []);
    }

    /// Returns how many measurements run while the tube's clip plays for 100 frames of 1/60 s.
    fn measured_while_playing(prepare: impl FnOnce(&mut AppState)) -> usize {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        fn counted(
            bench: &mut MeasureBench,
            plan: &MeasurePlan,
            progress: &Progress,
        ) -> Option<Result<SideComparison, MeasureError>> {
            COUNT.fetch_add(1, Ordering::Relaxed);
            bench.measure(plan, progress)
        }
        let (jobs, news) = jobs();
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let mut measurer = Measurer::with(&jobs, counted);
        prepare(&mut state);
        state.apply(Command::SetClip(Some(0)));
        state.open.stage.playback.is_playing = true;
        COUNT.store(0, Ordering::Relaxed);
        let (start, mut moved) = (Instant::now(), 0);
        for frame in 0..100_u32 {
            let before = state.open.stage.characters.version();
            state.open.stage.advance(1.0 / 60.0);
            state.open.stage.refresh();
            moved += u32::from(state.open.stage.characters.version() != before);
            let asked = measurer.asked_at;
            measurer.follow(state.wanted_measurement(), start + frame * Duration::from_secs(1) / 60);
            if measurer.asked_at != asked {
                // Waits for each result before the next frame, to simulate a fast machine.
                while !measurer.worker.results().any(|_| true) {
                    news.recv_timeout(Duration::from_mins(1)).unwrap();
                }
            }
        }
        assert!(moved > 90, "the clip plays: {moved}");
        COUNT.load(Ordering::Relaxed)
    }

    #[test]
    fn while_a_clip_plays_only_what_is_shown_is_measured_and_ten_times_a_second_at_most() {
        let of_tab = |tab| measured_while_playing(|state| _ = state.apply(Command::SetSidePanel(tab)));
        assert_eq!(of_tab(SidePanel::Joint), 0, "nothing is shown that is measured");
        let compared = of_tab(SidePanel::Compare);
        assert!((10..=17).contains(&compared), "100 frames are 1.67 s: {compared}");
        let painted =
            measured_while_playing(|state| _ = state.apply(Command::SetOverlay(Side::A, Some(Overlay::EdgeStretch))));
        assert!((10..=17).contains(&painted), "{painted}");
        let hidden =
            measured_while_playing(|state| _ = state.apply(Command::SetOverlay(Side::B, Some(Overlay::EdgeStretch))));
        assert_eq!(hidden, 0, "B is not in the picture");
    }

    #[test]
    fn measuring_starts_after_the_pose_has_settled() {
        let (jobs, _news) = jobs();
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let mut measurer = Measurer::start(&jobs);
        let start = Instant::now();
        assert_eq!(measurer.follow(state.wanted_measurement(), start), None);
        state.apply(Command::Do(Action::NextMethod));
        assert_eq!(measurer.follow(state.wanted_measurement(), start + MIN_TIME / 4), Some(MIN_TIME * 3 / 4));
        assert_eq!(measurer.follow(state.wanted_measurement(), start + MIN_TIME), None);
        assert_eq!(measurer.asked, state.wanted_measurement());
    }
}
