use std::sync::Arc;

use super::{ComparisonRig, Stage};
use crate::analysis::motion::{MotionJob, MovedSide};
use crate::rig::{Pose, Rig};
use crate::skinning::Skinner;
use crate::view::{PerSide, ShownPose, Side};

pub(super) struct SideMotion<'a> {
    pub open: &'a Rig,
    pub pose: &'a Pose,
    pub shown: ShownPose,
    /// Comparison character on this side, if any.
    pub other: Option<&'a ComparisonRig>,
}

impl SideMotion<'_> {
    pub(super) fn moved(&self, skinner: Arc<Skinner>) -> MovedSide {
        let numbers = 0..self.open.clips.len();
        let (pose, clips) = match (self.shown, self.other) {
            (ShownPose::Rest, _) => {
                let rest = Pose::rest(&skinner.rig().hierarchy);
                (rest.without(self.pose.disabled_behaviours()), Vec::new())
            }
            (ShownPose::Current, None) => (self.pose.over_time(), numbers.map(Some).collect()),
            (ShownPose::Current, Some(other)) => {
                (other.pose(self.pose), numbers.map(|clip| other.clip(clip)).collect())
            }
        };
        MovedSide { skinner, pose, clips }
    }
}

impl Stage {
    /// Returns the job that measures clips over time. `rate`, frames per second, overrides the clips' own frame rates.
    pub fn motion_job(&self, skinners: PerSide<Arc<Skinner>>, clips: Vec<usize>, rate: Option<f32>) -> MotionJob {
        let PerSide { a, b } = skinners;
        let moved = |side: Side, skinner| {
            let (shown, other) = (self.view.sides[side].pose, self.other_on(side).map(|other| &**other));
            SideMotion { open: self.rig(), pose: self.pose(), shown, other }.moved(skinner)
        };
        let sides = PerSide { a: moved(Side::A, a), b: moved(Side::B, b) };
        MotionJob { rig: Arc::clone(self.rig()), clips, rate, sides, versions: self.matched_versions() }
    }
}
