//! Runs the bend test on the open character with the skinning of side A, in the background on request.

use std::sync::Arc;

use super::derived::CurrentRequest;
use super::twist_test::tested;
use super::{Derived, Document, Notice, OnRequest, Stage, look_from_side};
use crate::analysis::flex::{FlexOptions, FlexReport, FlexResult, flex, flex_findings};
use crate::analysis::lint::Finding;
use crate::analysis::measure::VertexLocation;
use crate::analysis::sides::MeasureError;
use crate::import::Job;
use crate::jobs::{JobKind, in_own_pool};
use crate::rig::{ClipMoment, Pose, PrimitiveIndex};
use crate::skinning::{Method, SkinnedRig, Skinning};
use crate::text::counted;
use crate::view::{Camera, Layout, SelectedProblem, Side};

/// Input of a bend test.
#[derive(Clone, Debug)]
pub struct BendTestPlan {
    /// The open character with the weights and the method of side A.
    pub skin: SkinnedRig,
    /// Ranges and limits.
    pub options: FlexOptions,
}

/// Result of a bend test.
#[derive(Clone, Debug, PartialEq)]
pub struct BendTest {
    /// Poses and joints, worst first.
    pub report: FlexReport,
    /// Findings that don't depend on a pose, such as joints without skin.
    pub findings: Vec<Finding>,
}

impl Derived for BendTestPlan {
    type Value = Result<Arc<BendTest>, String>;

    const JOB: JobKind = JobKind::new(
        "bend test",
        "Testing how the skin bends",
        "Everything else works; run rigscope flex on the command line.",
    );

    fn requests(stage: &Stage) -> Option<&OnRequest<Self>> {
        Some(&stage.bend_test)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.belongs_to_open(&self.skin.rig)
    }

    fn is(&self, other: &Self) -> bool {
        (&self.skin, &self.options) == (&other.skin, &other.options)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        if let Err(problem) = MeasureError::check(&self.skin.rig) {
            return Some(Err(problem.to_string()));
        }
        in_own_pool(|| {
            let skinner = match self.skin.skinner() {
                Ok(skinner) => Arc::new(skinner),
                Err(problem) => return Some(Err(problem.to_string())),
            };
            let report = flex(&skinner, &self.options, &job.progress)?;
            Some(Ok(Arc::new(BendTest::new(report, self))))
        })
    }

    fn notice(&self, value: &Self::Value, _: &Stage) -> Option<Notice> {
        let test = value.as_ref().ok()?;
        let faults = counted(test.fault_count(), "pose is", "poses are");
        Some(Notice::done(format!("Bend test: {faults} beyond a limit, of {}.", test.report.poses.len())))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        if value.is_some() && matches!(stage.view.problem, Some(SelectedProblem::BendPose(_))) {
            stage.view.problem = None;
        }
        stage.bend_test.take(self, value);
    }
}

impl CurrentRequest for BendTestPlan {
    fn current(stage: &Stage) -> Option<Self> {
        let skin = tested(stage, Side::A, &stage.view.sides.a.skinning).for_positions();
        Some(Self { skin, options: stage.document.bend_options() })
    }
}

impl BendTest {
    /// Maximum number of listed poses.
    pub const MAX_LISTED: usize = 100;

    fn new(report: FlexReport, plan: &BendTestPlan) -> Self {
        let mut at_rest = report.clone();
        for joint in &mut at_rest.joints {
            for worst in &mut joint.worst {
                worst.take_if(|worst| worst.pose.is_some());
            }
        }
        let findings = flex_findings(&at_rest, &plan.skin.rig, &plan.options.limits);
        Self { report, findings }
    }

    /// Returns the poses to list: the worst ones, and all with a measure beyond its limit, up to [`Self::MAX_LISTED`].
    pub fn listed(&self) -> &[FlexResult] {
        let count = FlexOptions::WORST.max(self.fault_count()).min(Self::MAX_LISTED);
        &self.report.poses[..count.min(self.report.poses.len())]
    }

    /// Returns the number of poses with a measure beyond its limit.
    pub fn fault_count(&self) -> usize {
        self.report.poses.iter().filter(|result| result.is_fault()).count()
    }
}

impl Document {
    /// Returns the ranges and limits of the config, or the defaults.
    pub fn bend_options(&self) -> FlexOptions {
        let config = self.settings.as_ref().ok().and_then(|config| config.deform.clone());
        config.unwrap_or_default().options
    }
}

impl Stage {
    /// Shows a pose of the bend test for an image, with two methods side by side, from the side of the body on which the
    /// joint lies. If the rig doesn't support the second method, only the first one is shown.
    pub fn arrange_bend(&mut self, result: &FlexResult, [a, b]: [Method; 2]) {
        self.arrange_pose(result.pose.pose(self.rig()), result.pose.moment);
        _ = self.set_skinning(Side::A, Skinning::new(a));
        let is_supported = self.set_skinning(Side::B, Skinning::new(b)).is_ok();
        self.set_layout(if is_supported { Layout::SideBySide } else { Layout::Single });
        if let Some(joint) = result.pose.joint {
            self.refresh();
            let (position, middle) = (self.posed().position(joint), self.all_bounds().center());
            look_from_side(&mut self.view.camera, &self.document.rig, position, middle);
        }
        self.frame_bend(result);
    }

    /// Shows a pose in clay without grid, from the front, for an image.
    pub(super) fn arrange_pose(&mut self, pose: Pose, moment: Option<ClipMoment>) {
        self.set_moment(moment);
        self.edit_pose(|own| *own = pose);
        self.view.compare.is_clay = true;
        self.view.display.grid = false;
        self.view.camera.yaw = Camera::facing(self.rig().front()).yaw;
    }

    /// Pauses at a moment of a clip, without live springs; `None` stops the clip.
    pub(crate) fn set_moment(&mut self, moment: Option<ClipMoment>) {
        self.set_clip(moment.map(|moment| moment.clip));
        if let Some(moment) = moment {
            self.playback.pause_at(moment.time_secs, &self.document.rig);
            self.springs.set_live(false);
        }
    }

    /// Selects the joint of a result, marks the vertex with the worst value, and frames the joint, or everything if
    /// several joints move. The pose must be shown.
    pub(super) fn frame_bend(&mut self, result: &FlexResult) {
        let vertex = result.worst_value().and_then(|(_, measured)| measured.vertex);
        let part = |at: &VertexLocation| PrimitiveIndex { instance: at.instance, primitive: at.primitive };
        let vertex = vertex.and_then(|at| Some((part(&at), u32::try_from(at.vertex).ok()?)));
        self.mark_vertex(result.pose.joint, vertex);
    }
}
