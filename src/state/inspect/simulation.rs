use std::sync::Arc;

use crate::analysis::influence_error::{InfluenceError, SimulatedEngine, frames, influence_errors};
use crate::jobs::Progress;
use crate::rig::{ClipMoment, Rig, WeightSet};
use crate::skinning::{InfluenceLimit, Skinner, Skinning, UnsupportedSkinning};
use crate::stage::Stage;
use crate::state::inspect::twist::refused;
use crate::state::inspect::twist::test_pose;
use crate::state::{JobResult, Request, TestPose};
use crate::view::Side;

#[derive(Clone, Debug, PartialEq)]
pub struct SimulationPlan {
    pub from: TestPose,
    /// Side A's skinning without an influence limit, for comparison.
    pub exact: Skinning,
    pub engines: Vec<SimulatedEngine>,
    /// Moments of the clip to test; a single `None` if no clip is chosen.
    pub moments: Vec<Option<ClipMoment>>,
    /// True to simulate the whole clip, false for the current pose.
    pub is_clip: bool,
}

impl SimulationPlan {
    /// Runs the simulation; `None` if cancelled. Returns a notice if the character does not support the method.
    pub fn run(self, progress: &Progress) -> Option<JobResult> {
        let rig = &self.from.rig;
        let stored = if rig.has_stored_weights() {
            Arc::new(rig.with_weights(&WeightSet::stored(rig)))
        } else {
            Arc::clone(rig)
        };
        let stored = TestPose { rig: stored, ..self.from.clone() };
        let limited = |engine: &SimulatedEngine| {
            let from = if engine.reads_stored { &stored } else { &self.from };
            from.skinner(&Skinning { influences: engine.limit, ..self.exact.clone() })
        };
        let others: Result<Vec<Skinner>, UnsupportedSkinning> = self.engines.iter().map(limited).collect();
        let (exact, others) = match (self.from.skinner(&self.exact), others) {
            (Ok(exact), Ok(others)) => (exact, others),
            (Err(problem), _) | (_, Err(problem)) => return Some(refused(&problem)),
        };
        let errors = influence_errors(&exact, &others, &self.from.pose, &self.moments, progress)?;
        let rows = self.engines.into_iter().zip(errors).collect();
        Some(JobResult::Simulated(Box::new(Simulation { rig: self.from.rig, is_clip: self.is_clip, rows })))
    }
}

#[derive(Clone, Debug)]
pub struct Simulation {
    pub rig: Arc<Rig>,
    /// True if the whole clip was simulated, false if only the current pose was.
    pub is_clip: bool,
    pub rows: Vec<(SimulatedEngine, InfluenceError)>,
}

pub(in crate::state) fn simulate(stage: &Stage, is_clip: bool) -> Request {
    let clip = stage.playback.clip.filter(|_| is_clip);
    let moments = match clip {
        Some(clip) => frames(stage.rig(), clip).into_iter().map(Some).collect(),
        None => vec![stage.playback.sample()],
    };
    let exact = Skinning { influences: InfluenceLimit::default(), ..stage.skinning(Side::A).clone() };
    let from = test_pose(stage, Side::A);
    let plan = SimulationPlan {
        engines: SimulatedEngine::common(from.rig.has_stored_weights()),
        from,
        exact,
        moments,
        is_clip: clip.is_some(),
    };
    Request::Simulate(Box::new(plan))
}
