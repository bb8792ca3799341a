//! The numbers of a report.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::analysis::influence_error::{InfluenceError, common_limits, influence_errors};
use crate::analysis::lint::report::SeverityCounts;
use crate::analysis::lint::rules::{Inventory, Sheet};
use crate::analysis::lint::{Finding, Judged, Suppressed};
use crate::analysis::suspects::{Suspects, suspects};
use crate::analysis::twist::{Motion, Ranked, Standing, Sweep, TwistTest, rank, sweep};
use crate::analysis::{Topology, measurable};
use crate::jobs::Progress;
use crate::project::profiles;
use crate::rig::{ClipMoment, Pose, Posed, Rig, Trs, evaluate};
use crate::skinning::{InfluenceLimit, Method, Skinner, Skinning};
use crate::stage::Stage;
use crate::view::Side;

/// Joints that are looked at closely.
const WORST: usize = 3;

/// Numbers of a rig in a report.
pub(super) struct Measures {
    pub rig: Arc<Rig>,
    pub findings: Vec<Finding>,
    /// Findings that the file suppresses.
    pub suppressed: Vec<Suppressed>,
    pub facts: Facts,
    /// The rig under the profiles of its project; under all, the best first, where that names none.
    pub sheets: Vec<Sheet>,
    /// The joint that loses most first; without specks and joints without a volume. Empty where nothing is measured.
    pub ranked: Vec<Ranked>,
    /// Joints that seem to lose volume and are too thin to tell.
    pub too_thin: Vec<Ranked>,
    /// Closer look at the first of the ranked joints.
    pub worst: Vec<WorstJoint>,
    /// The pose in which both methods are compared.
    pub compared: ComparedPose,
    /// True where the surface can be skinned by both methods and measured.
    pub is_measured: bool,
    /// Weight problems of the weights; none where nothing can be measured.
    pub suspects: Suspects,
    /// Errors of engines that keep fewer influences, in the compared pose.
    pub losses: Vec<(InfluenceLimit, InfluenceError)>,
}

/// Numbers for an index and the beginning of a page.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Number of joints of all skins.
    pub joints: usize,
    /// Vertices that are drawn.
    pub vertices: usize,
    /// Triangles that are drawn.
    pub triangles: usize,
    pub clips: usize,
    /// The most joints that move one vertex.
    pub influences: usize,
    /// Numbers of findings.
    pub counts: SeverityCounts,
    /// Share of its volume that the worst joint loses, where there is one.
    pub worst_loss: Option<f32>,
    /// Ranks by the profiles of the project.
    pub ranks: Vec<ProfileRank>,
}

/// The rank of a rig by a profile.
#[derive(Clone, Debug)]
pub struct ProfileRank {
    pub profile: String,
    pub rank: String,
    /// Position of the rank, the best being 0.
    pub position: usize,
}

/// Most that a joint is turned in its worst turn, radians: at a half turn, rounding would decide which way round DQS goes.
const MAX_TURN: f32 = std::f32::consts::PI - 1e-3;
/// Loss that is rounding, and would read as 0.0 %.
const MIN_LOSS: f32 = 5e-4;

/// A joint at which linear blending loses much.
pub(super) struct WorstJoint {
    pub ranked: Ranked,
    /// Losses by linear blending and dual quaternions, at all angles.
    pub sweep: Sweep,
    /// The rest pose with the joint in its worst turn.
    pub pose: Pose,
}

/// A pose, and words that say which.
pub(super) struct ComparedPose {
    pub pose: Pose,
    pub moment: Option<ClipMoment>,
    pub title: String,
}

impl Measures {
    /// Measures what a stage shows; `None` where the job was cancelled.
    pub(super) fn of(stage: &Stage, progress: &Progress) -> Option<Self> {
        let rig = Arc::clone(stage.open_on(Side::A));
        progress.enter("Looking for findings", 0, 1);
        let (Judged { shown: findings, suppressed, .. }, own_sheets) = stage.document.judged(&rig, progress)?;
        let rest = Pose::rest(&rig.hierarchy);
        let posed = evaluate(&rig, None, &rest);
        let skinners = [Method::Lbs, Method::Dqs].map(|method| Skinner::new(&rig, &Skinning::new(method)).ok());
        let (mut ranked, mut too_thin, mut worst) = (Vec::new(), Vec::new(), Vec::new());
        if let [Some(lbs), Some(dqs)] = &skinners {
            progress.enter("Ranking the joints", 0, 1);
            let topology = Topology::new(&rig);
            ranked = rank(&rig, &topology, &posed, &rest, progress).unwrap_or_default();
            progress.go_on()?;
            ranked.retain(|joint| !joint.is_speck && joint.loss > MIN_LOSS);
            too_thin = ranked.split_off(ranked.partition_point(|joint| joint.standing() == Standing::Ranked));
            for joint in ranked.iter().take(WORST) {
                progress.enter("Turning the worst joints", 0, 1);
                worst.extend(WorstJoint::of(joint, [lbs, dqs], &topology, (&posed, &rest), progress));
                progress.go_on()?;
            }
        }
        let compared = ComparedPose::of(stage, &rest, worst.first());
        let [lbs, dqs] = skinners;
        let reference = lbs.zip(dqs).map(|(lbs, _)| lbs).filter(|_| measurable(&rig).is_some());
        let is_measured = reference.is_some();
        let losses = reference.map_or(Some(Vec::new()), |reference| {
            progress.enter("Comparing", 0, 1);
            compared.losses(&reference, progress)
        })?;
        let suspects = suspects(&rig, &stage.document.limits, progress).unwrap_or_default();
        progress.go_on()?;
        let (sheets, ranks) = sheets(stage, &rig, own_sheets);
        let worst_loss = ranked.first().map(|joint| joint.loss);
        let facts = Facts { worst_loss, ranks, ..Facts::of(&rig, &findings) };
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
            suspects,
            losses,
        })
    }
}

/// A rig under the profiles of its project, its own sheets, or under all where it has none; and its ranks by the project's.
fn sheets(stage: &Stage, rig: &Rig, own: Vec<Sheet>) -> (Vec<Sheet>, Vec<ProfileRank>) {
    let rank = |sheet: &Sheet| ProfileRank {
        profile: sheet.profile.clone(),
        rank: sheet.rank_name().to_owned(),
        position: sheet.rank,
    };
    let ranks: Vec<ProfileRank> = own.iter().map(rank).collect();
    if !ranks.is_empty() {
        return (own, ranks);
    }
    let inventory = Inventory::of(rig, stage.document.file_bytes());
    let mut all: Vec<Sheet> = profiles().iter().map(|profile| profile.judge(&inventory, None)).collect();
    all.sort_by_cached_key(Sheet::order);
    (all, ranks)
}

impl Facts {
    fn of(rig: &Rig, findings: &[Finding]) -> Self {
        let influences = rig.primitives().filter_map(|(_, primitive)| primitive.influences.as_ref());
        let most = influences.flat_map(|i| (0..i.len()).map(|v| i.of(v).filter(|(_, weight)| *weight > 0.0).count()));
        Self {
            joints: rig.joint_count(),
            vertices: rig.vertex_count(),
            triangles: rig.primitives().map(|(_, primitive)| primitive.indices.len() / 3).sum(),
            clips: rig.clips.len(),
            influences: most.max().unwrap_or(0),
            counts: SeverityCounts::of(findings),
            worst_loss: None,
            ranks: Vec::new(),
        }
    }
}

impl WorstJoint {
    fn of(
        ranked: &Ranked,
        skinners: [&Skinner; 2],
        topology: &Topology,
        (posed, rest): (&Posed, &Pose),
        progress: &Progress,
    ) -> Option<Self> {
        let test = TwistTest::full(skinners[0].rig(), posed, rest, ranked.joint);
        let axis = match ranked.motion {
            Motion::Twist => test.axes.twist,
            Motion::Bend => test.axes.bend,
        };
        let mut pose = rest.clone();
        let angle = ranked.angle.clamp(-MAX_TURN, MAX_TURN);
        pose.set_user_local(ranked.joint, Trs::from_rotation(Quat::from_axis_angle(axis, angle)));
        let sweep = sweep(&skinners, topology, posed, rest, &test, progress)?;
        Some(Self { ranked: *ranked, sweep, pose })
    }
}

impl ComparedPose {
    /// The pose that the stage shows, where that is not the rest pose; else the worst joint in its worst turn.
    fn of(stage: &Stage, rest: &Pose, worst: Option<&WorstJoint>) -> Self {
        let moment = stage.playback.sample();
        let shown = || Self { pose: stage.pose().clone(), moment, title: "Posed".to_owned() };
        match worst {
            Some(worst) if moment.is_none() && stage.pose().has_edits_of(rest) => {
                let Ranked { joint, motion, angle, .. } = worst.ranked;
                let (name, degrees) = (stage.rig().hierarchy.name(joint), angle.to_degrees());
                let title = format!("{name}, {} by {degrees:.0}°", motion.name());
                Self { pose: worst.pose.clone(), moment: None, title }
            }
            _ => shown(),
        }
    }

    /// Positions of all vertices by a method, one part after the other; metres, world space. `None` where the method does not serve the rig.
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
