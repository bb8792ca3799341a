//! What engines with fewer or coarser influences would show, in numbers.

use std::sync::Arc;

use super::{AppState, Request, TestPose};
use crate::analysis::influence_error::{Error, common_limits, frames};
use crate::rig::Rig;
use crate::skinning::{InfluenceLimit, Skinning};
use crate::view::Side;

/// What is to be simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationPlan {
    /// The character in its pose.
    pub from: TestPose,
    /// Side A without a limit, which is what the limits are compared with.
    pub exact: Skinning,
    /// What engines keep.
    pub limits: Vec<InfluenceLimit>,
    /// Clip and time (seconds) of each pose that is looked at.
    pub moments: Vec<Option<(usize, f32)>>,
    /// The whole clip and not one pose.
    pub is_clip: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The character.
    pub rig: Arc<Rig>,
    /// Over the whole clip and not for one pose.
    pub is_clip: bool,
    /// Each limit with its error.
    pub rows: Vec<(InfluenceLimit, Error)>,
}

impl AppState {
    /// What engines make of this pose, or of the whole clip.
    pub(super) fn simulate(&self, is_clip: bool) -> Request {
        let clip = self.playback.clip.filter(|_| is_clip);
        let moments = match clip {
            Some(clip) => frames(self.rig(), clip).into_iter().map(Some).collect(),
            None => vec![self.playback.sample()],
        };
        let exact = Skinning { influences: InfluenceLimit::default(), ..self.skinning(Side::A).clone() };
        let plan =
            SimulationPlan { from: self.test_pose(), exact, limits: common_limits(), moments, is_clip: clip.is_some() };
        Request::Simulate(Box::new(plan))
    }

    /// What was simulated last, as long as it is of the open character.
    pub fn simulation(&self) -> Option<&Simulation> {
        self.simulated.as_ref().filter(|s| Arc::ptr_eq(&s.rig, self.rig()))
    }
}
