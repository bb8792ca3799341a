use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::analysis::twist::{Axes, RankError, RankingJson, RotationKind, SweepJson, TestRange, TwistTest};
use crate::export::numbers_json;
use crate::rig::{NodeIndex, Pose, Posed, PosedJoint, bones, evaluate, joint_names};
use crate::rows::UnderKey;
use crate::skinning::{Method, SkinnedRig, Skinning};
use crate::stage::{DerivedKind, JointRankingPlan, SimulationPlan, Stage, TwistPlan, tested};
use crate::state::FileContent;
use crate::view::Side;

#[derive(Default)]
pub struct TwistPanel {
    pub is_open: bool,
    /// Motion shown in the plot.
    pub motion: RotationKind,
    pub start: TestStart,
    /// Rotation of the hinge axis about the bone, radians from its natural direction.
    pub hinge: f32,
    /// Range of angles of the next ranking.
    pub range: TestRange,
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

/// Returns the methods that the open character supports without computing centres. Omits blends of LBS and DQS, and
/// `ScLERP`, which is close to DQS but costs a hundred times as much. These are tested only if a side shows them.
fn testable_methods(stage: &Stage) -> impl Iterator<Item = Method> {
    let is_apart = |method: &Method| !matches!(method, Method::Blend(_) | Method::Sclerp);
    Method::CHOICES.into_iter().filter(is_apart).filter(|&method| {
        let is_ready = stage.centers(Side::A).is_some() || !method.needs_centers();
        is_ready && Skinning::new(method).check(stage.rig()).is_ok()
    })
}

/// Returns the length of a joint's longest bone in metres, but at least 3 % of the character's size.
pub fn bone_length(stage: &Stage, joint: NodeIndex) -> f32 {
    let all = bones(stage.rig(), stage.posed());
    let longest = all.iter().filter(|b| b.joint == joint).map(|b| b.head.distance(b.tail));
    longest.fold(stage.rig().size() * 0.03, f32::max)
}

impl TwistPanel {
    /// Returns the tested joint rotated to an angle in the plot, in radians.
    pub(in crate::state) fn turned_joint(&self, stage: &Stage, angle: f32) -> Option<PosedJoint> {
        let (plan, _) = stage.twist_test.ok()?;
        Some(PosedJoint { node: plan.test.joint, user_local: plan.turned(self.motion, angle) })
    }

    /// Returns the test plan for the active joint; `None` without an active joint.
    pub fn plan(&self, stage: &Stage) -> Option<TwistPlan> {
        let joint = stage.view.active_joint().filter(|&node| stage.rig().is_joint(node))?;
        Some(self.plan_from(stage, self.start_pose(stage), joint))
    }

    fn start_pose(&self, stage: &Stage) -> (Arc<Posed>, Pose) {
        match self.start {
            TestStart::ThisPose => (Arc::clone(&stage.characters.pose().posed), stage.pose().clone()),
            TestStart::Rest => {
                let pose = Pose::rest(&stage.rig().hierarchy).without(stage.pose().disabled_behaviours());
                (Arc::new(evaluate(stage.rig(), None, &pose)), pose)
            }
        }
    }

    /// Sets the start pose, and re-runs the test.
    pub(in crate::state) fn start_tests_from(&mut self, stage: &mut Stage, start: TestStart) {
        self.start = start;
        let joint = stage.twist_test.ok().map(|(plan, _)| plan.test.joint);
        if let Some(joint) = joint {
            stage.twist_test.request(Some(self.plan_from(stage, self.start_pose(stage), joint)));
        }
    }

    fn plan_from(&self, stage: &Stage, (posed, pose): (Arc<Posed>, Pose), joint: NodeIndex) -> TwistPlan {
        let mut skins: Vec<SkinnedRig> =
            Side::ALL.map(|side| tested(stage, side, &stage.view.sides[side].skinning)).into();
        let mut test = TwistTest::full(&skins[0].rig, &posed, &pose, joint);
        let Axes { twist, bend } = test.axes;
        test.axes.bend = Quat::from_axis_angle(twist, self.hinge) * bend;
        for plain in testable_methods(stage).map(|method| tested(stage, Side::A, &Skinning::new(method))) {
            if !skins.iter().any(|skin| Arc::ptr_eq(&skin.rig, &plain.rig) && skin.skinning == plain.skinning) {
                skins.push(plain);
            }
        }
        TwistPlan { skins, weights: stage.view.weight_choices(), posed, pose, test }
    }

    /// Returns the tested joint's current angle in the plot, in radians; `None` if the joint is also rotated about
    /// another axis.
    pub fn tested_angle(&self, stage: &Stage) -> Option<f32> {
        let (plan, _) = stage.twist_test.ok()?;
        let turn = plan.start().rotation.inverse() * stage.pose().user_local(plan.test.joint).rotation;
        let axis = plan.axis(self.motion);
        let along = turn.xyz().dot(axis);
        let is_about_axis = turn.xyz().distance(axis * along) < 1e-3;
        is_about_axis.then(|| {
            let angle = 2.0 * along.atan2(turn.w);
            if angle > std::f32::consts::PI { angle - std::f32::consts::TAU } else { angle }
        })
    }

    /// Opens or closes the panel. Opening it tests the selected joint, and ranks all joints if they were not ranked.
    pub(in crate::state) fn toggle(&mut self, stage: &mut Stage) {
        self.is_open ^= true;
        if self.is_open && stage.joint_ranking.known().is_none() && RankError::check(stage.rig()).is_ok() {
            self.rank_joints(stage);
        }
        if self.is_open {
            self.request(stage);
        }
    }

    /// Requests the test of the active joint.
    pub(in crate::state) fn request(&self, stage: &mut Stage) {
        if let Some(plan) = self.plan(stage) {
            stage.twist_test.request(Some(plan));
        }
    }

    /// Sets the rotation of the hinge axis in radians, and re-runs the test from the same pose.
    pub(in crate::state) fn turn_hinge(&mut self, stage: &mut Stage, hinge: f32) {
        self.hinge = hinge;
        let Some((plan, _)) = stage.twist_test.ok() else { return self.request(stage) };
        let plan = self.plan_from(stage, (Arc::clone(&plan.posed), plan.pose.clone()), plan.test.joint);
        stage.twist_test.request(Some(plan));
    }

    /// Requests the ranking of all joints.
    pub(in crate::state) fn rank_joints(&self, stage: &mut Stage) {
        let ((posed, pose), rig) = (self.start_pose(stage), Arc::clone(stage.open_on(Side::A)));
        let limits = stage.document.limits.clone();
        stage.joint_ranking.request(Some(JointRankingPlan { rig, posed, pose, range: self.range, limits }));
    }

    /// Sets the range of the ranking and ranks the joints again.
    pub(in crate::state) fn set_range(&mut self, stage: &mut Stage, range: TestRange) {
        self.range = range;
        self.rank_joints(stage);
    }

    /// Returns the tested joint's origin, and unit vectors of its twist and bend axes before the test, in world space.
    pub fn test_axes(&self, stage: &Stage) -> Option<(Vec3, [Vec3; 2])> {
        let (plan, _) = stage.twist_test.ok().filter(|_| self.is_open)?;
        let node = plan.test.joint;
        let frame = stage.posed().world_before_user(&plan.rig().hierarchy, node);
        let before = plan.start().rotation;
        let world = |axis: Vec3| frame.transform_vector3(before * axis).normalize_or_zero();
        Some((
            stage.posed().world_from_node[node.index()].translation,
            [plan.test.axes.twist, plan.test.axes.bend].map(world),
        ))
    }
}

/// Stops the twist test, the joint ranking or the simulation.
pub(in crate::state) fn cancel_test(stage: &mut Stage, kind: DerivedKind) {
    if kind == DerivedKind::new::<TwistPlan>() {
        stage.twist_test.request(None);
    } else if kind == DerivedKind::new::<JointRankingPlan>() {
        stage.joint_ranking.request(None);
    } else if kind == DerivedKind::new::<SimulationPlan>() {
        stage.simulation.request(None);
    }
}

/// Returns a table as CSV or JSON, depending on the path's extension; `None` without results.
pub(in crate::state) fn number_table(stage: &Stage, numbers: NumberTable, path: &Path) -> Option<FileContent> {
    let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let text = match numbers {
        NumberTable::Test => test_numbers(stage, is_json),
        NumberTable::Ranking => ranking_numbers(stage, is_json),
    };
    text.map(FileContent::NumberTable)
}

fn test_numbers(stage: &Stage, is_json: bool) -> Option<String> {
    let (plan, sweep) = stage.twist_test.ok()?;
    let name = joint_names(&stage.rig().hierarchy, &[plan.test.joint]).concat();
    let file = stage.document.source.full_name();
    let row = SweepJson::new(sweep, name);
    Some(if is_json { numbers_json(&file, &UnderKey("sweep", row)) } else { row.csv() })
}

fn ranking_numbers(stage: &Stage, is_json: bool) -> Option<String> {
    let (plan, ranked) = stage.joint_ranking.ok()?;
    let joints: Vec<NodeIndex> = ranked.iter().map(|r| r.joint).collect();
    let names = joint_names(&stage.rig().hierarchy, &joints);
    if !is_json {
        return Some(RankingJson::csv(ranked, &names));
    }
    Some(numbers_json(&stage.document.source.full_name(), &RankingJson::new(plan.range, ranked, &names)))
}
