//! Ranks joints by the volume that LBS loses, in the background on request.

use std::sync::Arc;

use super::{Derived, OnRequest, Stage};
use crate::analysis::Topology;
use crate::analysis::twist::{JointRank, RankError, TestRange, rank};
use crate::import::Job;
use crate::jobs::{JobKind, in_own_pool};
use crate::posing::Limits;
use crate::rig::{Pose, Posed, Rig};

/// Input for ranking all joints.
#[derive(Clone, Debug)]
pub struct JointRankingPlan {
    /// The open character with the weights of side A.
    pub rig: Arc<Rig>,
    /// Evaluation of `pose`.
    pub posed: Arc<Posed>,
    /// Pose from which the joints rotate.
    pub pose: Pose,
    /// Range of angles.
    pub range: TestRange,
    /// Limits of the joints, for [`TestRange::Limits`].
    pub limits: Limits,
}

impl Derived for JointRankingPlan {
    type Value = Result<Arc<Vec<JointRank>>, RankError>;

    const JOB: JobKind = JobKind::new("ranking", "Ranking the joints", "All else works; test joints one by one.");

    fn requests(stage: &Stage) -> Option<&OnRequest<Self>> {
        Some(&stage.joint_ranking)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.belongs_to_open(&self.rig)
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
            && Arc::ptr_eq(&self.posed, &other.posed)
            && (self.range, &self.limits) == (other.range, &other.limits)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        if let Err(problem) = RankError::check(&self.rig) {
            return Some(Err(problem));
        }
        let start = (&*self.posed, &self.pose);
        let ranges = (self.range, &self.limits);
        let ranked = in_own_pool(|| rank(&self.rig, &Topology::new(&self.rig), start, ranges, &job.progress));
        ranked.map(|ranked| Ok(Arc::new(ranked)))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.joint_ranking.take(self, value);
    }
}
