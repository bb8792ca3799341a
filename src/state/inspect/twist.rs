use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::analysis::Topology;
use crate::analysis::twist::{
    Axes, RankError, RankingJson, RotationKind, Sweep, SweepJson, TestRange, TwistTest, sweep,
};
use crate::export::numbers_json;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Pose, Posed, PosedJoint, Rig, Trs, bones, evaluate, joint_names};
use crate::rows::UnderKey;
use crate::skinning::{Centers, Method, SkinnedRig, Skinner, Skinning, UnsupportedSkinning};
use crate::stage::{JointRankingPlan, Stage};
use crate::state::{FileContent, JobResult, Notice, Request};
use crate::view::{PerSide, Side};
use crate::weights::WeightChoice;

#[derive(Default)]
pub struct TwistPanel {
    pub is_open: bool,
    /// Motion shown in the plot.
    pub motion: RotationKind,
    pub start: TestStart,
    /// Rotation of the hinge axis about the bone, radians from its natural direction.
    pub hinge: f32,
    pub tested: Option<TestedJoint>,
    /// Range of angles for the next ranking.
    pub range: TestRange,
    /// Progress of the test, 0 to 1.
    pub progress: Option<f32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestStart {
    /// The file's rest pose.
    Rest,
    /// The pose that is current when the test starts.
    #[default]
    ThisPose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberTable {
    Test,
    /// All joints by volume loss.
    Ranking,
}

#[derive(Clone, Debug)]
pub struct TestPose {
    pub rig: Arc<Rig>,
    /// World matrices of the nodes.
    pub posed: Arc<Posed>,
    /// The user's pose, which contains `Ul_j` of each joint.
    pub pose: Pose,
    pub centers: Option<Arc<Centers>>,
}

impl TestPose {
    /// Creates a skinner for this character. Computes missing centres of rotation. *Errors*: the character does not
    /// support the skinning.
    pub fn skinner(&self, skinning: &Skinning) -> Result<Skinner, UnsupportedSkinning> {
        SkinnedRig::new(&self.rig, Cow::Borrowed(skinning), self.centers.as_ref()).skinner()
    }
}

impl PartialEq for TestPose {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && Arc::ptr_eq(&self.posed, &other.posed)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TwistPlan {
    /// The same start pose with each side's weights.
    pub from: PerSide<TestPose>,
    /// Skinnings to test: side A's, side B's, then other methods with A's weights.
    pub skinnings: Vec<Skinning>,
    pub weights: PerSide<WeightChoice>,
    pub test: TwistTest,
}

#[derive(Clone, Debug)]
pub struct TestedJoint {
    pub plan: TwistPlan,
    pub sweep: Sweep,
}

impl TwistPlan {
    /// Runs the test; `None` if cancelled. Returns a notice if the character does not support a method.
    pub fn run(self, progress: &Progress) -> Option<JobResult> {
        let TestPose { rig, posed, pose, .. } = &self.from.a;
        let ways = self.skinnings.iter().enumerate();
        let from = |at: usize| if at == 1 { &self.from.b } else { &self.from.a };
        let skinners: Result<Vec<Skinner>, _> = ways.map(|(at, way)| from(at).skinner(way)).collect();
        let skinners = match skinners {
            Ok(skinners) => skinners,
            Err(problem) => return Some(refused(&problem)),
        };
        progress.check_cancelled()?;
        let by_reference: Vec<&Skinner> = skinners.iter().collect();
        let topology = Topology::new(rig);
        progress.check_cancelled()?;
        let mut swept = sweep(&by_reference, &topology, posed, pose, &self.test, progress)?;
        for (at, method) in swept.methods.iter_mut().enumerate() {
            method.extend(self.weights_of(at).map(|weights| format!(" {}", weights.name())));
        }
        Some(JobResult::Tested(Box::new(TestedJoint { plan: self, sweep: swept })))
    }

    /// Returns the weights of the tested skinning with this index; `None` for the file's weights.
    pub fn weights_of(&self, at: usize) -> Option<&WeightChoice> {
        let weights = if at == 1 { &self.weights.b } else { &self.weights.a };
        Some(weights).filter(|weights| !weights.is_file())
    }

    /// Returns the joint's `Ul_j`, rotated from the start pose by an angle in radians.
    fn turned(&self, motion: RotationKind, angle: f32) -> Trs {
        let before = *self.from.a.pose.user_local(self.test.joint);
        Trs { rotation: before.rotation * Quat::from_axis_angle(self.axis(motion), angle), ..before }
    }

    fn axis(&self, motion: RotationKind) -> Vec3 {
        match motion {
            RotationKind::Twist => self.test.axes.twist,
            RotationKind::Bend => self.test.axes.bend,
        }
    }
}

pub(in crate::state) fn refused(problem: &dyn std::error::Error) -> JobResult {
    JobResult::Notice(Notice::error(problem.to_string()))
}

/// Returns the methods that the open character supports without computing centres. Omits methods that are tested only
/// if a side shows them: blends of LBS and DQS, and `ScLERP`, which is close to DQS but costs a hundred times as much.
fn testable_methods(stage: &Stage) -> impl Iterator<Item = Method> {
    let is_apart = |method: &Method| !matches!(method, Method::Blend(_) | Method::Sclerp);
    Method::CHOICES.into_iter().filter(is_apart).filter(|&method| {
        let is_ready = stage.centers(Side::A).is_some() || !method.needs_centers();
        is_ready && Skinning::new(method).check(stage.rig()).is_ok()
    })
}

pub(in crate::state) fn test_pose(stage: &Stage, side: Side) -> TestPose {
    // Tests use the open character, even if the side shows a comparison file.
    let rig = stage.open_on(side);
    TestPose {
        rig: Arc::clone(rig),
        posed: Arc::clone(&stage.shared_pose().posed),
        pose: stage.pose().clone(),
        centers: stage.centers.get(rig).cloned(),
    }
}

/// Returns the length of a joint's longest bone in metres, but at least 3 % of the character's size.
pub fn bone_length(stage: &Stage, joint: NodeIndex) -> f32 {
    let all = bones(stage.rig(), stage.posed());
    let longest = all.iter().filter(|b| b.joint == joint).map(|b| b.head.distance(b.tail));
    longest.fold(stage.rig().size() * 0.03, f32::max)
}

impl TwistPanel {
    /// Returns the tested joint rotated to an angle in the plot, in radians.
    pub(in crate::state) fn turned_joint(&self, angle: f32) -> Option<PosedJoint> {
        let plan = &self.tested.as_ref()?.plan;
        Some(PosedJoint { node: plan.test.joint, user_local: plan.turned(self.motion, angle) })
    }

    /// Returns the test plan for the active joint; `None` without an active joint.
    pub fn plan(&self, stage: &Stage) -> Option<TwistPlan> {
        let joint = stage.view.active_joint().filter(|&node| stage.rig().is_joint(node))?;
        Some(self.plan_from(stage, PerSide::from_fn(|side| self.start_pose(stage, side)), joint))
    }

    fn start_pose(&self, stage: &Stage, side: Side) -> TestPose {
        let this = test_pose(stage, side);
        match self.start {
            TestStart::ThisPose => this,
            TestStart::Rest => {
                let pose = Pose::rest(&this.rig.hierarchy).without(this.pose.disabled_behaviours());
                TestPose { posed: Arc::new(evaluate(&this.rig, None, &pose)), pose, ..this }
            }
        }
    }

    pub(in crate::state) fn start_tests_from(&mut self, stage: &Stage, start: TestStart) -> Option<Request> {
        self.start = start;
        let joint = self.tested.as_ref()?.plan.test.joint;
        Some(Request::TestTwist(Box::new(self.plan_from(
            stage,
            PerSide::from_fn(|side| self.start_pose(stage, side)),
            joint,
        ))))
    }

    fn plan_from(&self, stage: &Stage, from: PerSide<TestPose>, joint: NodeIndex) -> TwistPlan {
        let TestPose { rig, posed, pose, .. } = &from.a;
        let mut test = TwistTest::full(rig, posed, pose, joint);
        let Axes { twist, bend } = test.axes;
        test.axes.bend = Quat::from_axis_angle(twist, self.hinge) * bend;
        let mut skinnings: Vec<Skinning> = Side::ALL.map(|side| stage.skinning(side).clone()).into();
        let weights = stage.view.weight_choices();
        for plain in testable_methods(stage).map(Skinning::new) {
            let by_a = if weights.a == weights.b { &skinnings[..] } else { &skinnings[..1] };
            if !by_a.contains(&plain) {
                skinnings.push(plain);
            }
        }
        TwistPlan { from, skinnings, weights, test }
    }

    /// Returns the tested joint's current angle in the plot, in radians; `None` if the joint is also rotated about
    /// another axis.
    pub fn tested_angle(&self, stage: &Stage) -> Option<f32> {
        let TestedJoint { plan, .. } = self.tested.as_ref()?;
        let before = plan.from.a.pose.user_local(plan.test.joint).rotation;
        let turn = before.inverse() * stage.pose().user_local(plan.test.joint).rotation;
        let axis = plan.axis(self.motion);
        let along = turn.xyz().dot(axis);
        let is_about_axis = turn.xyz().distance(axis * along) < 1e-3;
        is_about_axis.then(|| {
            let angle = 2.0 * along.atan2(turn.w);
            if angle > std::f32::consts::PI { angle - std::f32::consts::TAU } else { angle }
        })
    }

    /// Opens or closes the panel. Opening it tests the selected joint, and ranks all joints if they have not been
    /// ranked yet.
    pub(in crate::state) fn toggle(&mut self, stage: &mut Stage) -> Option<Request> {
        self.is_open ^= true;
        if self.is_open && stage.ranked_joints().is_none() && RankError::check(stage.rig()).is_ok() {
            self.rank_joints(stage);
        }
        if self.is_open { self.request(stage) } else { None }
    }

    pub(in crate::state) fn request(&self, stage: &Stage) -> Option<Request> {
        self.plan(stage).map(|plan| Request::TestTwist(Box::new(plan)))
    }

    /// Sets the rotation of the hinge axis in radians, and re-runs the test from the same pose.
    pub(in crate::state) fn turn_hinge(&mut self, stage: &Stage, hinge: f32) -> Option<Request> {
        self.hinge = hinge;
        let Some(TestedJoint { plan: tested, .. }) = self.tested.as_ref() else { return self.request(stage) };
        let plan = self.plan_from(stage, tested.from.clone(), tested.test.joint);
        Some(Request::TestTwist(Box::new(plan)))
    }

    /// Requests the ranking of all joints.
    pub(in crate::state) fn rank_joints(&self, stage: &mut Stage) {
        let TestPose { rig, posed, pose, .. } = self.start_pose(stage, Side::A);
        let limits = stage.document.limits.clone();
        stage.joint_ranking.request(Some(JointRankingPlan { rig, posed, pose, range: self.range, limits }));
    }

    /// Sets the range of the ranking and ranks the joints again.
    pub(in crate::state) fn set_range(&mut self, stage: &mut Stage, range: TestRange) {
        self.range = range;
        self.rank_joints(stage);
    }

    fn test_numbers(&self, stage: &Stage, is_json: bool) -> Option<String> {
        let TestedJoint { plan, sweep } = self.tested.as_ref()?;
        let name = joint_names(&stage.rig().hierarchy, &[plan.test.joint]).concat();
        let file = stage.document.source.full_name();
        let row = SweepJson::new(sweep, name);
        Some(if is_json { numbers_json(&file, &UnderKey("sweep", row)) } else { row.csv() })
    }

    fn ranking_numbers(stage: &Stage, is_json: bool) -> Option<String> {
        let (plan, ranked) = stage.ranked_joints()?;
        let ranked = ranked.as_ref().ok()?;
        let joints: Vec<NodeIndex> = ranked.iter().map(|r| r.joint).collect();
        let names = joint_names(&stage.rig().hierarchy, &joints);
        if !is_json {
            return Some(RankingJson::csv(ranked, &names));
        }
        Some(numbers_json(&stage.document.source.full_name(), &RankingJson::new(plan.range, ranked, &names)))
    }

    pub(in crate::state) fn take_tested(&mut self, stage: &Stage, tested: TestedJoint) {
        self.progress = None;
        if stage.belongs_to_open(&tested.plan.from.a.rig) {
            self.tested = Some(tested);
        }
    }

    /// Returns the tested joint's origin, and unit vectors of its twist and bend axes before the test, in world space.
    pub fn test_axes(&self, stage: &Stage) -> Option<(Vec3, [Vec3; 2])> {
        let TestedJoint { plan, .. } = self.tested.as_ref().filter(|_| self.is_open)?;
        let node = plan.test.joint;
        let frame = stage.posed().world_before_user(&plan.from.a.rig.hierarchy, node);
        let before = plan.from.a.pose.user_local(node).rotation;
        let world = |axis: Vec3| frame.transform_vector3(before * axis).normalize_or_zero();
        Some((
            stage.posed().world_from_node[node.index()].translation,
            [plan.test.axes.twist, plan.test.axes.bend].map(world),
        ))
    }

    /// Returns a table as CSV or JSON, depending on the path's extension; `None` without results.
    pub(in crate::state) fn numbers(&self, stage: &Stage, numbers: NumberTable, path: &Path) -> Option<FileContent> {
        let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        let text = match numbers {
            NumberTable::Test => self.test_numbers(stage, is_json),
            NumberTable::Ranking => Self::ranking_numbers(stage, is_json),
        };
        text.map(FileContent::NumberTable)
    }
}
