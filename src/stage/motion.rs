//! The clips of the open character as both sides show them.

use std::sync::Arc;

use super::Stage;
use crate::analysis::motion::{MotionJob, MovedSide};
use crate::rig::Pose;
use crate::skinning::Skinner;
use crate::view::{PerSide, ShownPose, Side};

impl Stage {
    /// Measurement of some clips over time as things stand, by skinners of what the sides show; `rate` is in frames per second, in place of each clip's own.
    pub fn motion_job(&self, skinners: PerSide<Arc<Skinner>>, clips: Vec<usize>, rate: Option<f32>) -> MotionJob {
        let PerSide { a, b } = skinners;
        let sides = PerSide { a: self.moved_side(Side::A, a), b: self.moved_side(Side::B, b) };
        MotionJob { rig: Arc::clone(self.rig()), clips, rate, sides, versions: self.matched_versions() }
    }

    fn moved_side(&self, side: Side, skinner: Arc<Skinner>) -> MovedSide {
        let numbers = 0..self.rig().clips.len();
        let (pose, clips) = match (self.view.sides[side].pose, self.other_on(side)) {
            (ShownPose::Rest, _) => {
                let rest = Pose::rest(&skinner.rig().hierarchy);
                (rest.without(self.document.switched_off), Vec::new())
            }
            (ShownPose::Current, None) => (self.pose().clone(), numbers.map(Some).collect()),
            (ShownPose::Current, Some(other)) => {
                (other.pose(self.pose()), numbers.map(|clip| other.clip(clip)).collect())
            }
        };
        MovedSide { skinner, pose, clips }
    }
}
