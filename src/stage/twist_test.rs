//! Twist and bend test of a joint, in the background on request.

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::{Derived, Notice, OnRequest, Stage};
use crate::analysis::Topology;
use crate::analysis::twist::{RotationKind, Sweep, TwistTest, sweep};
use crate::import::Job;
use crate::jobs::{JobKind, in_own_pool};
use crate::rig::{Pose, Posed, Rig, Trs};
use crate::skinning::{SkinnedRig, Skinner, Skinning};
use crate::view::{PerSide, Side};
use crate::weights::WeightChoice;

/// Input for testing a joint.
#[derive(Clone, Debug)]
pub struct TwistPlan {
    /// The open character as tested: as on side A, as on side B, then with other methods and A's weights.
    pub skins: Vec<SkinnedRig>,
    /// Weights of both sides.
    pub weights: PerSide<WeightChoice>,
    /// Evaluation of `pose`.
    pub posed: Arc<Posed>,
    /// Pose from which the joint rotates.
    pub pose: Pose,
    /// The joint with its axes and rotations.
    pub test: TwistTest,
}

impl Derived for TwistPlan {
    type Value = Result<Arc<Sweep>, String>;

    const JOB: JobKind =
        JobKind::new("twist test", "Testing twist and bend", "All else works; test another joint or pose.");

    fn requests(stage: &Stage) -> Option<&OnRequest<Self>> {
        Some(&stage.twist_test)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.belongs_to_open(self.rig())
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.posed, &other.posed)
            && (&self.skins, &self.weights, &self.test) == (&other.skins, &other.weights, &other.test)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        let progress = &*job.progress;
        in_own_pool(|| {
            let skinners: Result<Vec<Skinner>, _> = self.skins.iter().map(SkinnedRig::skinner).collect();
            let skinners = match skinners {
                Ok(skinners) => skinners,
                Err(problem) => return Some(Err(problem.to_string())),
            };
            progress.check_cancelled()?;
            let topology = Topology::new(self.rig());
            progress.check_cancelled()?;
            let skinners: Vec<&Skinner> = skinners.iter().collect();
            let mut swept = sweep(&skinners, &topology, &self.posed, &self.pose, &self.test, progress)?;
            for (at, method) in swept.methods.iter_mut().enumerate() {
                method.extend(self.weights_of(at).map(|weights| format!(" {}", weights.name())));
            }
            Some(Ok(Arc::new(swept)))
        })
    }

    fn notice(&self, value: &Self::Value, _: &Stage) -> Option<Notice> {
        value.as_ref().err().map(Notice::error)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.twist_test.take(self, value.filter(Result::is_ok));
    }
}

impl TwistPlan {
    /// Returns the tested character with the weights of side A.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.skins[0].rig
    }

    /// Returns the weights of the tested skin with this index; `None` for the file's weights.
    pub fn weights_of(&self, at: usize) -> Option<&WeightChoice> {
        let weights = if at == 1 { &self.weights.b } else { &self.weights.a };
        Some(weights).filter(|weights| !weights.is_file())
    }

    /// Returns the joint's `Ul_j` before the test.
    pub fn start(&self) -> &Trs {
        self.pose.user_local(self.test.joint)
    }

    /// Returns the joint's `Ul_j`, rotated from the start pose by an angle in radians.
    pub(crate) fn turned(&self, motion: RotationKind, angle: f32) -> Trs {
        let before = *self.start();
        Trs { rotation: before.rotation * Quat::from_axis_angle(self.axis(motion), angle), ..before }
    }

    pub(crate) fn axis(&self, motion: RotationKind) -> Vec3 {
        match motion {
            RotationKind::Twist => self.test.axes.twist,
            RotationKind::Bend => self.test.axes.bend,
        }
    }
}

/// Returns the open character with a side's weights and a skinning, even if the side shows another file.
pub(crate) fn tested(stage: &Stage, side: Side, skinning: &Skinning) -> SkinnedRig {
    let rig = stage.open_on(side);
    SkinnedRig::new(rig, Cow::Borrowed(skinning), stage.centers.get(rig))
}
