//! Points of another program on a side: a rig without joints, built from a file of points for the open character's
//! vertices.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::derived::{CurrentRequest, Derived, fault};
use super::{ComparisonRig, OnRequest, ReadFile, Stage};
use crate::actor::Counterparts;
use crate::analysis::diagnose::{
    Diagnosis, DiagnosisInput, MatricesInput, PointsInput, diagnose, planted_points, points_rig,
};
use crate::import::{FileState, ImportError, Job, points_from_path};
use crate::jobs::{JobKind, Progress};
use crate::matching::clip_match;
use crate::rig::{ClipMoment, NodeIndex, PointFrame, PointSpace, PointUnit, Pose, Posed, Rig, Trs, UpAxis, evaluate};
use crate::skinning::Skinning;
use crate::view::{PointsFile, ShownFile, ShownPose, Side};

/// How points on a side were matched and converted.
#[derive(Clone, Debug)]
pub struct PointsSummary {
    /// Points as read, before conversion.
    pub frames: Arc<Vec<PointFrame>>,
    /// For each vertex of the side's rig, numbered across primitives, the index of its point in the file, from 0.
    pub order: Arc<Vec<u32>>,
    /// Mesh instance of the open character that each node of the side's rig belongs to.
    instances: Arc<Vec<usize>>,
    /// Whether the points go where clips carry the character.
    travels: bool,
    /// Unit and axes of the points.
    pub space: PointSpace,
    /// What was found, as sentences without full stops.
    pub info: Vec<String>,
}

impl PointsSummary {
    /// Returns the first side that shows points, once they are read.
    pub fn shown(stage: &Stage) -> Option<(Side, &Self)> {
        Side::ALL.into_iter().find_map(|side| Some((side, stage.points_on(side)?)))
    }

    /// Moves points that travel along with the open character's root while a moment holds it in place, so that they stay
    /// where they are relative to the character.
    pub(super) fn hold(&self, open: &Rig, (pose, moment): (&Pose, ClipMoment), own: &mut Pose) {
        let Some(root) = open.clip_root(moment.clip).filter(|_| moment.holds_root && self.travels) else { return };
        let shift = Trs::from_translation(open.root_hold(moment, pose));
        let follows = |node: NodeIndex| open.hierarchy.subtree(root).contains(&node.index());
        for (node, &instance) in self.instances.iter().enumerate() {
            let Some(placed) = open.instances.get(instance) else { continue };
            let skin = placed.skin.and_then(|skin| open.skins.get(skin));
            if skin.map_or_else(|| follows(placed.node), |skin| skin.joints.iter().any(|joint| follows(*joint))) {
                own.set_user_local(NodeIndex::from(node), shift);
            }
        }
    }
}

/// The open character in the pose that points probably show.
#[derive(Clone, Debug)]
pub(super) struct PosedOpen<'a> {
    pub rig: &'a Arc<Rig>,
    pub pose: &'a Pose,
    pub moment: Option<ClipMoment>,
}

impl ComparisonRig {
    /// Reads points and builds a rig from them; `None` if stopped. If the file became unreadable, uses the points that
    /// were last read. *Errors*: a message for the user.
    pub(super) fn from_points(
        open: &PosedOpen<'_>,
        file: &PointsFile,
        before: Option<&Arc<ReadFile>>,
        job: &Job,
    ) -> Option<Result<Self, String>> {
        let start = Instant::now();
        let files = vec![FileState::now(&file.path)];
        let read = points_from_path(&file.path, file.layout.as_ref(), job);
        job.progress.check_cancelled()?;
        let last = before.and_then(|before| before.points.clone());
        let (frames, problem) = match (read, last) {
            (Err(ImportError::Cancelled), _) => return None,
            (Ok(frames), _) => (Arc::new(frames), None),
            (Err(problem), Some(frames)) => (frames, Some(problem.to_string())),
            (Err(problem), None) => return Some(Err(problem.to_string())),
        };
        let made = match Self::with_points(open, file, frames, job)? {
            Ok(made) => made,
            Err(problem) => return Some(Err(problem)),
        };
        let rig = Arc::clone(&made.rig);
        let points = made.points.as_ref().map(|points| Arc::clone(&points.frames));
        let read = ReadFile { path: file.path.clone(), rig, points, files, is_incomplete: false };
        let shown = problem.as_ref().map(|problem| format!("Showing the last readable version: {problem}"));
        let notes = shown.into_iter().chain(made.notes).collect();
        Some(Ok(Self { file: Some(Arc::new(read)), problem, notes, took: start.elapsed(), ..made }))
    }

    fn with_points(
        open: &PosedOpen<'_>,
        file: &PointsFile,
        frames: Arc<Vec<PointFrame>>,
        job: &Job,
    ) -> Option<Result<Self, String>> {
        let input = PointsInput {
            open: open.rig,
            pose: open.pose,
            moment: open.moment,
            frames: &frames,
            unit: file.unit,
            up: file.up,
            memory_limit: job.memory_limit(),
        };
        let built = match points_rig(&input, &job.progress) {
            Err(problem) => return Some(Err(format!("{problem} ({})", file.path.display()))),
            Ok(built) => built?,
        };
        let rig = Arc::new(built.rig);
        Some(Ok(Self {
            clips: clip_match(open.rig, &rig),
            own: Arc::clone(&rig),
            rig,
            file: None,
            refit: None,
            points: Some(PointsSummary {
                frames,
                order: Arc::new(built.order),
                instances: Arc::new(built.instances),
                travels: built.travels,
                space: built.space,
                info: built.info,
            }),
            problem: None,
            notes: built.warnings,
            took: Duration::ZERO,
            counterparts: Arc::new(Counterparts::default()),
            matching: Ok(Arc::new(built.matching)),
        }))
    }
}

/// Input for finding the mistake that explains the points on a side.
#[derive(Clone, Debug)]
pub struct DiagnosisPlan {
    rig: Arc<Rig>,
    pose: Pose,
    moment: Option<ClipMoment>,
    skinning: Skinning,
    frames: Arc<Vec<PointFrame>>,
    /// Index of the frame that is shown.
    shown: usize,
    /// Unit and axes that the user stated; those that were found count as mistakes.
    stated: PointSpace,
}

impl Derived for DiagnosisPlan {
    type Value = Result<Arc<Diagnosis>, String>;

    const JOB: JobKind = JobKind::new(
        "diagnosis",
        "Diagnosing the points",
        "Everything else works; diagnose them again, or run rigscope diagnose on the command line.",
    );

    fn requests(stage: &Stage) -> Option<&OnRequest<Self>> {
        Some(&stage.diagnosis)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        let has_points = |points: &PointsSummary| Arc::ptr_eq(&points.frames, &self.frames);
        stage.is_open(&self.rig) && PointsSummary::shown(stage).is_some_and(|(_, points)| has_points(points))
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
            && Arc::ptr_eq(&self.frames, &other.frames)
            && (&self.pose, self.moment, &self.skinning, self.shown, self.stated)
                == (&other.pose, other.moment, &other.skinning, other.shown, other.stated)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        self.diagnosis(&job.progress).transpose().map(|diagnosis| diagnosis.map(Arc::new))
    }

    fn died(&self) -> Option<Self::Value> {
        Some(Err(fault()))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.diagnosis.take(self, value);
    }
}

impl CurrentRequest for DiagnosisPlan {
    fn current(stage: &Stage) -> Option<Self> {
        let (side, points) = PointsSummary::shown(stage)?;
        let file = stage.view.sides[side].file.points()?;
        let moment = stage.playback.sample();
        Some(Self {
            rig: Arc::clone(stage.rig()),
            pose: stage.pose().clone(),
            moment: moment.map(|moment| ClipMoment { holds_root: moment.holds_root && !points.travels, ..moment }),
            skinning: stage.view.sides[side.other()].skinning.clone(),
            frames: Arc::clone(&points.frames),
            shown: shown_frame(&stage.actor(side).pose.posed),
            stated: PointSpace::stated(file.unit, file.up),
        })
    }
}

impl DiagnosisPlan {
    fn diagnosis(&self, progress: &Progress) -> Result<Option<Diagnosis>, String> {
        let frame = self.frames.get(self.shown).cloned().ok_or("The file has no points")?;
        let points = self.stated.frame(frame);
        let posed = evaluate(&self.rig, self.moment, &self.pose);
        let input = DiagnosisInput {
            rig: &self.rig,
            pose: &self.pose,
            posed: &posed,
            moment: self.moment,
            skinning: &self.skinning,
            points: &points,
            points_at_rest: None,
        };
        diagnose(&input, progress)
    }
}

/// Returns the index of the frame that a posed rig of points shows. Frames after the first are morph targets.
pub(super) fn shown_frame(posed: &Posed) -> usize {
    let weights = posed.morph_weights.first();
    weights.and_then(|weights| weights.iter().position(|weight| *weight > 0.5)).map_or(0, |target| target + 1)
}

impl Stage {
    /// Returns the points on a side, once they are read.
    pub fn points_on(&self, side: Side) -> Option<&PointsSummary> {
        self.other_on(side)?.points.as_ref()
    }

    /// Returns why points on a side cannot be measured over these clips: they have no frames of one of them.
    pub fn points_without_clip(&self, clips: &[usize]) -> Option<String> {
        let points =
            Side::ALL.into_iter().filter_map(|side| self.other_on(side)).find(|other| other.points.is_some())?;
        let clip = clips.iter().copied().find(|clip| points.clip(*clip).is_none())?;
        let title = self.rig().clips.get(clip)?.title();
        Some(format!("The points have no frames of the clip \"{title}\". Give one frame of points for each frame"))
    }

    /// Shows on side B what a program with one mistake draws in the current pose. The points are in no file; the side is
    /// called `name`.
    pub(crate) fn show_planted_points(&mut self, name: &str, mistake: &str) {
        let rig = Arc::clone(self.rig());
        let skinning = self.view.sides.a.skinning.clone();
        let moment = self.playback.sample();
        let (pose, posed) = (self.pose(), self.posed());
        let input = MatricesInput { rig: &rig, pose, posed, moment, skinning: &skinning };
        let Some(frame) = planted_points(&input, mistake) else { return };
        // Another unit or axis would be a mistake, so none is searched for.
        let file =
            PointsFile { path: PathBuf::from(name), layout: None, unit: Some(PointUnit::METRE), up: Some(UpAxis::Y) };
        let open = PosedOpen { rig: &rig, pose, moment };
        let made = ComparisonRig::with_points(&open, &file, Arc::new(vec![frame]), &Job::default());
        if let Some(made) = made {
            let shown = ShownFile::Points(file);
            self.others.insert(shown.clone(), made, |file| *file == shown);
            self.view.sides.b.file = shown;
            self.view.sides.b.options.pose = ShownPose::Current;
        }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::fmt::Write as _;

    use crate::skinning::Skinner;
    use crate::stage::Stage;
    use crate::view::Side;

    /// Returns the points of side A as CSV, in units of `unit` metres.
    pub(crate) fn csv(stage: &Stage, unit: f32) -> String {
        let actor = stage.actor(Side::A);
        let skinner = Skinner::new(&actor.rig, &stage.skinning_on(Side::A)).unwrap();
        let parts = skinner.deform(&actor.pose.posed).into_iter().flatten();
        let mut text = "x,y,z\n".to_owned();
        for point in parts.flat_map(|part| part.positions) {
            let [x, y, z] = (point / unit).to_array();
            writeln!(text, "{x},{y},{z}").unwrap();
        }
        text
    }
}
