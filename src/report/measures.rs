use std::sync::Arc;

use glam::{Quat, Vec3};

use super::bend::BendMeasures;
use crate::analysis::influence_error::{InfluenceError, common_limits, influence_errors};
use crate::analysis::lint::report::SeverityCounts;
use crate::analysis::lint::rules::ProfileReport;
use crate::analysis::lint::{FilteredFindings, Finding, SuppressedFinding};
use crate::analysis::twist::{JointRank, RankList, RotationKind, Sweep, TestRange, TwistTest, rank, sweep};
use crate::analysis::weight_problems::{WeightProblems, find_weight_problems};
use crate::analysis::{Topology, measurable};
use crate::jobs::Progress;
use crate::rig::{ClipMoment, Pose, Posed, Rig, Trs, evaluate};
use crate::skinning::{InfluenceLimit, Method, Skinner, Skinning};
use crate::stage::Stage;
use crate::view::Side;

const WORST: usize = 3;

pub(super) struct Measures {
    pub rig: Arc<Rig>,
    pub findings: Vec<Finding>,
    pub suppressed: Vec<SuppressedFinding>,
    pub facts: RigSummary,
    /// Results for the profiles of the project and of the command line.
    pub sheets: Vec<ProfileReport>,
    /// Joints sorted by volume loss, largest first. Negligible losses are left out. Empty if the volume was not
    /// measured.
    pub ranked: Vec<JointRank>,
    /// Joints that are too thin for a reliable volume loss.
    pub too_thin: Vec<JointRank>,
    pub worst: Vec<WorstJoint>,
    /// Pose in which LBS and DQS are compared.
    pub compared: ComparedPose,
    /// True if both methods support the rig and its volume can be measured.
    pub is_measured: bool,
    /// Weight problems; empty if they were not searched for.
    pub weight_problems: WeightProblems,
    pub losses: Vec<(InfluenceLimit, InfluenceError)>,
    /// Bend test, or why there is none; `None` if it was not requested.
    pub bend_test: Option<Result<BendMeasures, String>>,
}

#[derive(Clone, Debug, Default)]
pub struct RigSummary {
    /// Number of joints in all skins.
    pub joints: usize,
    pub vertices: usize,
    pub triangles: usize,
    pub clips: usize,
    /// Maximum number of joints that move any one vertex.
    pub influences: usize,
    pub counts: SeverityCounts,
    /// Largest volume loss of any joint, as a fraction; `None` if it was not measured.
    pub worst_loss: Option<f32>,
    pub ranks: Vec<ProfileRank>,
}

#[derive(Clone, Debug)]
pub struct ProfileRank {
    pub profile: String,
    pub rank: String,
    /// Index of the rank; 0 is the best rank.
    pub position: usize,
}

/// Maximum rotation of a joint, radians. At exactly π, rounding would decide the direction in which DQS rotates.
const MAX_TURN: f32 = std::f32::consts::PI - 1e-3;
/// Joints that lose a smaller fraction of their volume than this are left out; the loss would be shown as 0.0 %.
const MIN_LOSS: f32 = 5e-4;

pub(super) struct WorstJoint {
    pub ranked: JointRank,
    pub sweep: Sweep,
    /// Rest pose in which only the joint is rotated, by its worst rotation.
    pub pose: Pose,
}

pub(super) struct ComparedPose {
    pub pose: Pose,
    pub moment: Option<ClipMoment>,
    pub title: String,
}

impl Measures {
    pub(super) fn new(stage: &Stage, has_bend_test: bool, progress: &Progress) -> Option<Self> {
        let rig = Arc::clone(stage.open_on(Side::A));
        progress.enter("Looking for findings", 0, 1);
        let (FilteredFindings { shown: findings, suppressed, .. }, sheets) = stage.document.judged(&rig, progress)?;
        let rest = Pose::rest(&rig.hierarchy);
        let posed = evaluate(&rig, None, &rest);
        let skinners = [Method::Lbs, Method::Dqs].map(|method| Skinner::new(&rig, &Skinning::new(method)).ok());
        let (mut ranked, mut too_thin, mut worst) = (Vec::new(), Vec::new(), Vec::new());
        if let [Some(lbs), Some(dqs)] = &skinners {
            progress.enter("Ranking the joints", 0, 1);
            let topology = Topology::new(&rig);
            let range = (TestRange::default(), &stage.document.limits);
            ranked = rank(&rig, &topology, (&posed, &rest), range, progress).unwrap_or_default();
            progress.check_cancelled()?;
            ranked.retain(|joint| !joint.is_speck && joint.loss > MIN_LOSS);
            too_thin = ranked.split_off(ranked.partition_point(|joint| joint.rank_list() == RankList::Ranked));
            for joint in ranked.iter().take(WORST) {
                progress.enter("Turning the worst joints", 0, 1);
                worst.extend(WorstJoint::new(joint, [lbs, dqs], &topology, (&posed, &rest), progress));
                progress.check_cancelled()?;
            }
        }
        let compared = ComparedPose::new(stage, &rest, worst.first());
        let [lbs, dqs] = skinners;
        let reference = lbs.zip(dqs).map(|(lbs, _)| lbs).filter(|_| measurable(&rig).is_some());
        let is_measured = reference.is_some();
        let losses = reference.map_or(Some(Vec::new()), |reference| {
            progress.enter("Comparing", 0, 1);
            compared.losses(&reference, progress)
        })?;
        let problems = find_weight_problems(&rig, &stage.document.limits, progress).unwrap_or_default();
        progress.check_cancelled()?;
        let bend_test = if has_bend_test { Some(BendMeasures::new(stage, &rig, progress)?) } else { None };
        let ranks = sheets.iter().map(profile_rank).collect();
        let worst_loss = ranked.first().map(|joint| joint.loss);
        let facts = RigSummary { worst_loss, ranks, ..RigSummary::new(&rig, &findings) };
        Some(Self {
            rig,
            findings,
            suppressed,
            facts,
            sheets,
            ranked,
            too_thin,
            worst,
            compared,
            is_measured,
            weight_problems: problems,
            losses,
            bend_test,
        })
    }
}

fn profile_rank(sheet: &ProfileReport) -> ProfileRank {
    ProfileRank { profile: sheet.profile.clone(), rank: sheet.rank_name().to_owned(), position: sheet.rank }
}

impl RigSummary {
    fn new(rig: &Rig, findings: &[Finding]) -> Self {
        let influences = rig.primitives().filter_map(|(_, primitive)| primitive.influences.as_ref());
        let max_influences =
            influences.flat_map(|i| (0..i.len()).map(|v| i.vertex(v).filter(|(_, weight)| *weight > 0.0).count()));
        Self {
            joints: rig.joint_count(),
            vertices: rig.vertex_count(),
            triangles: rig.primitives().map(|(_, primitive)| primitive.indices.len() / 3).sum(),
            clips: rig.clips.len(),
            influences: max_influences.max().unwrap_or(0),
            counts: SeverityCounts::new(findings),
            worst_loss: None,
            ranks: Vec::new(),
        }
    }
}

impl WorstJoint {
    fn new(
        ranked: &JointRank,
        skinners: [&Skinner; 2],
        topology: &Topology,
        (posed, rest): (&Posed, &Pose),
        progress: &Progress,
    ) -> Option<Self> {
        let test = TwistTest::full(skinners[0].rig(), posed, rest, ranked.joint);
        let axis = match ranked.motion {
            RotationKind::Twist => test.axes.twist,
            RotationKind::Bend => test.axes.bend,
        };
        let mut pose = rest.clone();
        let angle = ranked.angle.clamp(-MAX_TURN, MAX_TURN);
        pose.set_user_local(ranked.joint, Trs::from_rotation(Quat::from_axis_angle(axis, angle)));
        let sweep = sweep(&skinners, topology, posed, rest, &test, progress)?;
        Some(Self { ranked: *ranked, sweep, pose })
    }
}

impl ComparedPose {
    /// Uses the stage's pose. If it is the rest pose, uses the pose with the worst joint at its worst rotation instead.
    fn new(stage: &Stage, rest: &Pose, worst: Option<&WorstJoint>) -> Self {
        let moment = stage.playback.sample();
        let shown = || Self { pose: stage.pose().clone(), moment, title: "Posed".to_owned() };
        match worst {
            Some(worst) if moment.is_none() && stage.pose().has_edits_of(rest) => {
                let JointRank { joint, motion, angle, .. } = worst.ranked;
                let (name, degrees) = (stage.rig().hierarchy.name(joint), angle.to_degrees());
                let title = format!("{name}, {} by {degrees:.0}°", motion.name());
                Self { pose: worst.pose.clone(), moment: None, title }
            }
            _ => shown(),
        }
    }

    /// Returns the skinned positions of all primitives in world space, in metres; `None` if the method doesn't support
    /// the rig.
    pub(super) fn positions(&self, rig: &Arc<Rig>, method: Method) -> Option<Vec<Vec3>> {
        let skinner = Skinner::new(rig, &Skinning::new(method)).ok()?;
        let posed = evaluate(rig, self.moment, &self.pose);
        let surfaces = skinner.deform(&posed);
        Some(surfaces.iter().flatten().flat_map(|part| &part.positions).copied().collect())
    }

    fn losses(&self, reference: &Skinner, progress: &Progress) -> Option<Vec<(InfluenceLimit, InfluenceError)>> {
        let limits: Vec<InfluenceLimit> = common_limits().into_iter().filter(|limit| limit.renormalizes).collect();
        let limited = |limit: &InfluenceLimit| {
            let skinning = Skinning { influences: *limit, ..Skinning::new(Method::Lbs) };
            Skinner::new(reference.rig(), &skinning).ok()
        };
        let Some(others) = limits.iter().map(limited).collect::<Option<Vec<_>>>() else { return Some(Vec::new()) };
        let errors = influence_errors(reference, &others, &self.pose, &[self.moment], progress)?;
        Some(limits.into_iter().zip(errors).collect())
    }
}
