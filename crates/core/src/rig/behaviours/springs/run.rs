use std::sync::Arc;

use super::{SpringRotations, SpringState, Springs};
use crate::rig::{ClipMoment, DisabledBehaviours, Pose, Posed, Rig, SamplingBuffers, evaluate_into};

/// Simulates springs from a clip's start. Caches the last state, so that a later moment continues the simulation.
#[derive(Clone, Debug, Default)]
pub(in crate::rig) struct SpringRun {
    way: Option<SimulationInputs>,
    state: SpringState,
    steps: u64,
    turns: SpringRotations,
    sampling: SamplingBuffers,
    posed: Posed,
}

#[derive(Clone, Debug)]
struct SimulationInputs {
    springs: Arc<Springs>,
    /// The clip at its start.
    clip: Option<ClipMoment>,
    pose: Pose,
    unsprung: Pose,
    first: u64,
}

const MINUTE: u64 = 3600;

/// Maximum number of whole minutes simulated before the minute that contains the requested moment.
const MAX_MINUTES: u64 = 10;

/// Returns the number of steps up to a time, with a tolerance for times rounded to single precision.
pub(super) fn steps(secs: f32) -> u64 {
    (f64::from(secs).max(0.0) / Springs::STEP_SECS + 1e-3).floor() as u64
}

impl SpringRun {
    /// Returns the spring rotations at a moment; `None` if springs stay at rest, for example because the clip is too
    /// long.
    pub(in crate::rig) fn turns(
        &mut self,
        rig: &Rig,
        clip: Option<ClipMoment>,
        pose: &Pose,
    ) -> Option<SpringRotations> {
        let clip = clip.filter(|moment| moment.clip < rig.clips.len());
        let is_still = clip.map_or(pose.spring_settings().settle_secs <= 0.0, |moment| rig.rests_springs(moment.clip));
        if is_still {
            return None;
        }
        let wanted = clip.map_or(0, |moment| steps(moment.time_secs));
        let first = (wanted / MINUTE).saturating_sub(MAX_MINUTES) * MINUTE;
        let (springs, number) =
            (rig.behaviours().shared_springs(), clip.map(|moment| ClipMoment { time_secs: 0.0, ..moment }));
        let is_on_way = self.way.as_ref().is_some_and(|way| {
            Arc::ptr_eq(&way.springs, springs) && (way.clip, way.first, &way.pose) == (number, first, pose)
        });
        let is_back = !is_on_way || self.steps > wanted;
        if is_back {
            let off = DisabledBehaviours { springs: true, ..pose.disabled_behaviours() };
            let (unsprung, springs) = (pose.clone().without(off), Arc::clone(springs));
            self.begin(rig, SimulationInputs { springs, clip: number, pose: pose.clone(), unsprung, first });
        }
        if is_back || self.steps < wanted {
            while self.steps < wanted {
                self.steps += 1;
                self.step(rig);
            }
            self.turns = self.state.turns();
        }
        Some(Arc::clone(&self.turns))
    }

    fn begin(&mut self, rig: &Rig, way: SimulationInputs) {
        self.steps = way.first;
        evaluate_into(rig, way.moment(self.steps), &way.unsprung, &mut self.sampling, &mut self.posed);
        self.state = SpringState::at_rest(&way.springs, &rig.hierarchy, &way.unsprung, &self.posed);
        let settling = steps(way.pose.spring_settings().settle_secs);
        for _ in 0..settling.min(way.springs.max_steps(rig.hierarchy.len())) {
            self.state.step(&way.springs, &rig.hierarchy, &way.unsprung, &self.posed);
        }
        self.way = Some(way);
    }

    fn step(&mut self, rig: &Rig) {
        let Some(way) = &self.way else { return };
        evaluate_into(rig, way.moment(self.steps), &way.unsprung, &mut self.sampling, &mut self.posed);
        self.state.step(&way.springs, &rig.hierarchy, &way.unsprung, &self.posed);
    }
}

impl SimulationInputs {
    fn moment(&self, steps: u64) -> Option<ClipMoment> {
        self.clip.map(|clip| ClipMoment { time_secs: (steps as f64 * Springs::STEP_SECS) as f32, ..clip })
    }
}
