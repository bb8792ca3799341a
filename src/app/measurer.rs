//! Measures both sides beside the frame loop: always the newest state, never two at a time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::analysis::sides::{self, MeasureError, Measured};
use crate::skinning::{Skinner, Unsuited};
use crate::state::{AppState, Command, MeasurePlan};
use crate::view::{PerSide, Side};

/// A thread that measures, and what it was asked for last.
pub struct Measurer {
    plans: Option<Sender<MeasurePlan>>,
    results: Receiver<Command>,
    asked: Option<MeasurePlan>,
}

impl Measurer {
    /// Starts the thread. Without one nothing is measured.
    pub fn start(ctx: &egui::Context) -> Self {
        let (plans, received) = channel();
        let (sender, results) = channel();
        let ctx = ctx.clone();
        let work = move || {
            let mut bench = Bench::default();
            while let Some(plan) = newest(&received) {
                if let Some(result) = bench.measure(&plan) {
                    if sender.send(Command::Measured(Box::new(plan), Box::new(result))).is_err() {
                        return;
                    }
                    ctx.request_repaint();
                }
            }
        };
        let plans = match std::thread::Builder::new().name("measure".to_owned()).spawn(work) {
            Ok(_) => Some(plans),
            Err(problem) => {
                log::error!("no thread could be started to measure: {problem}");
                None
            }
        };
        Self { plans, results, asked: None }
    }

    /// Asks for what the state needs, unless it was asked for already.
    pub fn follow(&mut self, state: &AppState) {
        let plan = state.measure_plan();
        if self.asked.as_ref() == Some(&plan) {
            return;
        }
        if let Some(plans) = &self.plans {
            // A thread that is gone has said why.
            let _ = plans.send(plan.clone());
        }
        self.asked = Some(plan);
    }

    /// What has been measured since the last time.
    pub fn poll(&mut self) -> Option<Command> {
        self.results.try_iter().last()
    }
}

/// Waits for a plan and leaves out all but the last; `None` where the program has ended.
fn newest(plans: &Receiver<MeasurePlan>) -> Option<MeasurePlan> {
    let first = plans.recv().ok()?;
    Some(plans.try_iter().last().unwrap_or(first))
}

/// What the thread keeps from one plan to the next.
#[derive(Default)]
struct Bench {
    measurer: sides::Measurer,
    skinners: PerSide<Option<Arc<Skinner>>>,
    version: u64,
}

impl Bench {
    fn measure(&mut self, plan: &MeasurePlan) -> Option<Result<Measured, MeasureError>> {
        if let Err(problem) = MeasureError::check(&plan.rig) {
            return Some(Err(problem));
        }
        self.version += 1;
        let skinners = match PerSide::try_from_fn(|side| self.skinner(plan, side)) {
            Ok(skinners) => skinners,
            Err(problem) => return Some(Err(problem.into())),
        };
        self.measurer.measure(&plan.job(skinners, self.version), &AtomicBool::new(false)).map(Ok)
    }

    fn skinner(&mut self, plan: &MeasurePlan, side: Side) -> Result<Arc<Skinner>, Unsuited> {
        let skinning = &plan.sides[side].skinning;
        let kept = &mut self.skinners[side];
        let is_it = |known: &&Arc<Skinner>| Arc::ptr_eq(known.rig(), &plan.rig) && known.skinning() == skinning;
        if let Some(known) = kept.as_ref().filter(is_it) {
            return Ok(Arc::clone(known));
        }
        let skinner = Arc::new(match &plan.centers {
            Some(centers) => Skinner::with_centers(&plan.rig, skinning, centers)?,
            None => Skinner::new(&plan.rig, skinning)?,
        });
        *kept = Some(Arc::clone(&skinner));
        Ok(skinner)
    }
}
