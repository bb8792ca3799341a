//! Measures both sides over clips, for the tracks and the clip ranking.

use std::sync::Arc;

use super::{ComparisonRig, Stage};
use crate::analysis::motion::{MotionJob, Motions, MovedSide, motions};
use crate::jobs::{Progress, in_own_pool};
use crate::matching::{VertexMatchError, VertexPairs};
use crate::rig::{Pose, Rig};
use crate::skinning::{SkinnedRig, Skinner};
use crate::view::{PerSide, ShownPose, Side};

/// Input for measuring both sides over clips. Cheap to clone and compare.
#[derive(Clone, Debug)]
pub(super) struct MotionPlan {
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    /// Indices into `Rig::clips`.
    pub clips: Vec<usize>,
    pose: Pose,
    sides: PerSide<MotionSide>,
    versions: Option<Result<Arc<VertexPairs>, VertexMatchError>>,
}

#[derive(Clone, Debug)]
struct MotionSide {
    skinned: SkinnedRig,
    shown: ShownPose,
    other: Option<Arc<ComparisonRig>>,
}

impl MotionSide {
    fn new(stage: &Stage, side: Side) -> Self {
        Self {
            skinned: stage.skinned(side).for_positions(),
            shown: stage.view.sides[side].options.pose,
            other: stage.other_on(side).cloned(),
        }
    }

    fn moved(&self, open: &Rig, pose: &Pose, skinner: Arc<Skinner>) -> MovedSide {
        let numbers = 0..open.clips.len();
        let (pose, clips) = match (self.shown, &self.other) {
            (ShownPose::Rest, _) => {
                let rest = Pose::rest(&skinner.rig().hierarchy);
                (rest.without(pose.disabled_behaviours()), Vec::new())
            }
            (ShownPose::Current, None) => (pose.over_time(), numbers.map(Some).collect()),
            (ShownPose::Current, Some(other)) => {
                (other.pose(pose, true), numbers.map(|clip| other.clip(clip)).collect())
            }
        };
        MovedSide { skinner, pose, clips }
    }
}

impl PartialEq for MotionSide {
    fn eq(&self, other: &Self) -> bool {
        self.other.as_ref().map(Arc::as_ptr) == other.other.as_ref().map(Arc::as_ptr)
            && (&self.skinned, self.shown) == (&other.skinned, other.shown)
    }
}

impl PartialEq for MotionPlan {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
            && (&self.clips, &self.sides, &self.pose) == (&other.clips, &other.sides, &other.pose)
    }
}

impl MotionPlan {
    /// Creates a plan to measure clips with the current pose and sides.
    pub(super) fn new(stage: &Stage, clips: Vec<usize>) -> Self {
        Self {
            rig: Arc::clone(stage.rig()),
            clips,
            pose: stage.pose().over_time(),
            sides: PerSide::from_fn(|side| MotionSide::new(stage, side)),
            versions: stage.characters.matched_versions(),
        }
    }

    /// True if the open character, its pose and both sides are still as planned.
    pub(super) fn is_current(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
            && self.pose == *stage.pose()
            && Side::ALL.iter().all(|side| self.sides[*side] == MotionSide::new(stage, *side))
    }

    /// True if no planned side belongs to a closed character.
    pub(super) fn belongs_to_open(&self, stage: &Stage) -> bool {
        self.sides.iter().all(|side| stage.belongs_to_open(&side.skinned.rig))
    }

    /// Measures the clips; `None` if cancelled. *Errors*: a message for the user if a side's method cannot skin its
    /// rig.
    pub(super) fn run(&self, progress: &Progress) -> Option<Result<(MotionJob, Motions), String>> {
        progress.check_cancelled()?;
        let job = match self.job() {
            Ok(job) => job,
            Err(problem) => return Some(Err(problem)),
        };
        in_own_pool(|| motions(&job, progress)).map(|measured| Ok((job, measured)))
    }

    fn job(&self) -> Result<MotionJob, String> {
        let sides = PerSide::try_from_fn(|side| {
            let planned = &self.sides[side];
            let skinner = planned.skinned.skinner().map_err(|problem| problem.to_string())?;
            Ok::<_, String>(planned.moved(&self.rig, &self.pose, Arc::new(skinner)))
        })?;
        let versions = self.versions.clone();
        Ok(MotionJob { rig: Arc::clone(&self.rig), clips: self.clips.clone(), rate: None, sides, versions })
    }
}

impl Stage {
    /// Returns the job that measures clips over time. If set, `rate` (frames per second) overrides each clip's own
    /// rate.
    pub fn motion_job(&self, skinners: PerSide<Arc<Skinner>>, clips: Vec<usize>, rate: Option<f32>) -> MotionJob {
        let PerSide { a, b } = skinners;
        let moved = |side, skinner| MotionSide::new(self, side).moved(self.rig(), self.pose(), skinner);
        let sides = PerSide { a: moved(Side::A, a), b: moved(Side::B, b) };
        MotionJob { rig: Arc::clone(self.rig()), clips, rate, sides, versions: self.characters.matched_versions() }
    }
}
