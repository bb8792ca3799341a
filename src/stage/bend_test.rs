//! Runs the bend test on the open character with the skinning of side A, in the background on request.

use std::sync::Arc;

use super::twist_test::tested;
use super::{Derived, Notice, Stage, look_from_side};
use crate::analysis::flex::{FlexOptions, FlexReport, FlexResult, flex, flex_findings};
use crate::analysis::lint::Finding;
use crate::analysis::sides::MeasureError;
use crate::import::Job;
use crate::jobs::{JobKind, in_own_pool};
use crate::rig::PrimitiveIndex;
use crate::skinning::{Method, SkinnedRig, Skinning};
use crate::text::counted;
use crate::view::{Camera, Layout, SelectedProblem, Side, VertexSet};

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

/// State of the bend test.
#[derive(Clone, Debug)]
pub enum BendTestState<'a> {
    /// Not requested.
    Missing,
    /// Being computed.
    Awaited,
    /// Tested.
    Tested {
        /// The input.
        plan: &'a BendTestPlan,
        /// The result.
        test: &'a Arc<BendTest>,
        /// False if the weights, the method or the limits have changed since then.
        is_current: bool,
    },
    /// Cannot be tested; contains the error message.
    Failed(&'a str),
}

impl Derived for BendTestPlan {
    type Value = Result<Arc<BendTest>, String>;

    const JOB: JobKind = JobKind::new(
        "bend test",
        "Testing how the skin bends",
        "Everything else works; run rigscope flex on the command line.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        stage.bend_test.wanted(stage)
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

impl BendTestPlan {
    fn new(stage: &Stage) -> Self {
        let skin = tested(stage, Side::A, stage.skinning(Side::A)).for_positions();
        Self { skin, options: stage.bend_options() }
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

impl Stage {
    /// Returns the ranges and limits of the config, or the defaults.
    pub fn bend_options(&self) -> FlexOptions {
        let config = self.document.settings.as_ref().ok().and_then(|config| config.deform.clone());
        config.unwrap_or_default().options
    }

    /// Starts the bend test of side A's weights and method, or stops it.
    pub(crate) fn test_bend(&mut self, is_wanted: bool) {
        let plan = is_wanted.then(|| BendTestPlan::new(self));
        self.bend_test.request(plan);
    }

    /// Returns the state of the bend test.
    pub fn bend_test(&self) -> BendTestState<'_> {
        match self.bend_test.known().filter(|(plan, _)| plan.is_open(self)) {
            _ if self.bend_test.is_awaited(self) => BendTestState::Awaited,
            None => BendTestState::Missing,
            Some((plan, Ok(test))) => {
                BendTestState::Tested { plan, test, is_current: plan.is(&BendTestPlan::new(self)) }
            }
            Some((_, Err(problem))) => BendTestState::Failed(problem),
        }
    }

    /// Returns the result of a pose of the last bend test.
    pub(crate) fn bend_result(&self, index: usize) -> Option<FlexResult> {
        let BendTestState::Tested { test, .. } = self.bend_test() else { return None };
        test.report.poses.get(index).cloned()
    }

    /// Returns the index of the selected pose of the bend test.
    pub fn selected_bend_pose(&self) -> Option<usize> {
        if let Some(SelectedProblem::BendPose(index)) = self.view.problem { Some(index) } else { None }
    }

    /// Selects a pose of the bend test and frames it. `None` clears the selection.
    pub(crate) fn select_bend_pose(&mut self, pose: Option<(usize, &FlexResult)>) {
        self.select(None);
        if let Some((index, result)) = pose {
            self.frame_bend(result);
            self.view.problem = Some(SelectedProblem::BendPose(index));
        }
    }

    /// Shows a pose of the bend test for an image, with two methods side by side, from the side of the body on which the
    /// joint lies. If the rig doesn't support the second method, only the first one is shown.
    pub fn arrange_bend(&mut self, result: &FlexResult, [a, b]: [Method; 2]) {
        let pose = result.pose.pose(self.rig());
        self.set_bend_clip(result);
        self.edit_pose(|own| *own = pose);
        _ = self.set_skinning(Side::A, Skinning::new(a));
        let is_supported = self.set_skinning(Side::B, Skinning::new(b)).is_ok();
        self.set_layout(if is_supported { Layout::SideBySide } else { Layout::Single });
        self.view.compare.is_clay = true;
        self.view.display.grid = false;
        self.view.camera.yaw = Camera::facing(self.rig().front()).yaw;
        if let Some(joint) = result.pose.joint {
            self.refresh();
            let (position, middle) = (self.joint_position(joint), self.all_bounds().center());
            let rig = Arc::clone(self.rig());
            look_from_side(&mut self.view.camera, &rig, position, middle);
        }
        self.frame_bend(result);
    }

    /// Pauses at the moment of a result's clip, or stops the clip if the pose needs none.
    pub(crate) fn set_bend_clip(&mut self, result: &FlexResult) {
        self.set_clip(result.pose.moment.map(|moment| moment.clip));
        if let Some(moment) = result.pose.moment {
            self.seek(moment.time_secs);
            self.springs.set_live(false);
        }
    }

    /// Selects the joint of a result, marks the vertex with the worst value, and frames the joint, or everything if
    /// several joints move. The pose must be shown.
    fn frame_bend(&mut self, result: &FlexResult) {
        let joint = result.pose.joint;
        self.select(joint);
        self.refresh();
        let vertex = result.worst_value().and_then(|(_, measured)| measured.vertex);
        let mark = vertex.and_then(|at| {
            let part = PrimitiveIndex { instance: at.instance, primitive: at.primitive };
            Some(VertexSet { part, vertices: [u32::try_from(at.vertex).ok()?].into() })
        });
        self.view.marked = mark.into_iter().collect();
        if joint.is_some() { self.frame_selected() } else { self.frame_all() }
    }
}
