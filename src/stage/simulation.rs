//! Simulation of engines with fewer or coarser weights, in the background on request.

use std::sync::Arc;

use super::twist_test::tested;
use super::{Derived, Notice, OnRequest, Stage};
use crate::analysis::influence_error::{InfluenceError, SimulatedEngine, frames, influence_errors};
use crate::import::Job;
use crate::jobs::{JobKind, in_own_pool};
use crate::rig::{ClipMoment, Pose, WeightSet};
use crate::skinning::{InfluenceLimit, SkinnedRig, Skinner, Skinning, UnsupportedSkinning};
use crate::view::Side;

/// Input for simulating engines.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// Side A without an influence limit, for comparison.
    pub exact: SkinnedRig,
    /// Engines to simulate.
    pub engines: Vec<SimulatedEngine>,
    /// The user's pose.
    pub pose: Pose,
    /// Clip moments to test; a single `None` without a clip.
    pub moments: Vec<Option<ClipMoment>>,
    /// True to simulate the whole clip, false for the current pose.
    pub is_clip: bool,
}

impl Derived for SimulationPlan {
    type Value = Result<Vec<(SimulatedEngine, InfluenceError)>, String>;

    const JOB: JobKind =
        JobKind::new("simulation", "Simulating engines", "All else works; try another pose or method.");

    fn requests(stage: &Stage) -> Option<&OnRequest<Self>> {
        Some(&stage.simulation)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.belongs_to_open(&self.exact.rig)
    }

    fn is(&self, other: &Self) -> bool {
        (&self.exact, &self.engines, &self.pose) == (&other.exact, &other.engines, &other.pose)
            && (&self.moments, self.is_clip) == (&other.moments, other.is_clip)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        in_own_pool(|| {
            let (exact, others) = match self.skinners() {
                Ok(skinners) => skinners,
                Err(problem) => return Some(Err(problem.to_string())),
            };
            let errors = influence_errors(&exact, &others, &self.pose, &self.moments, &job.progress)?;
            Some(Ok(self.engines.iter().copied().zip(errors).collect()))
        })
    }

    fn notice(&self, value: &Self::Value, _: &Stage) -> Option<Notice> {
        value.as_ref().err().map(Notice::error)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.simulation.take(self, value.filter(Result::is_ok));
    }
}

impl SimulationPlan {
    fn new(stage: &Stage, is_clip: bool) -> Self {
        let clip = stage.playback.clip.filter(|_| is_clip);
        let moments = match clip {
            Some(clip) => frames(stage.rig(), clip).into_iter().map(Some).collect(),
            None => vec![stage.playback.sample()],
        };
        let unlimited = Skinning { influences: InfluenceLimit::default(), ..stage.view.sides.a.skinning.clone() };
        let exact = tested(stage, Side::A, &unlimited);
        let engines = SimulatedEngine::common(exact.rig.has_stored_weights());
        Self { exact, engines, pose: stage.pose().clone(), moments, is_clip: clip.is_some() }
    }

    fn skinners(&self) -> Result<(Skinner, Vec<Skinner>), UnsupportedSkinning> {
        let Self { exact, engines, .. } = self;
        let stored = if exact.rig.has_stored_weights() {
            Arc::new(exact.rig.with_weights(&WeightSet::stored(&exact.rig)))
        } else {
            Arc::clone(&exact.rig)
        };
        let limited = |engine: &SimulatedEngine| {
            let rig = if engine.reads_stored { &stored } else { &exact.rig };
            let skinning = Skinning { influences: engine.limit, ..exact.skinning.clone() };
            SkinnedRig { rig: Arc::clone(rig), skinning, centers: exact.centers.clone() }.skinner()
        };
        Ok((exact.skinner()?, engines.iter().map(limited).collect::<Result<_, _>>()?))
    }
}

/// Requests the simulation of the current pose or of the whole clip.
pub(crate) fn simulate(stage: &mut Stage, is_clip: bool) {
    stage.simulation.request(Some(SimulationPlan::new(stage, is_clip)));
}
