//! Tracks of the chosen clip, measured in the background while visible and cached.

use std::sync::Arc;
use std::time::Duration;

use super::{ComparisonRig, Derived, DerivedKind, Stage};
use crate::analysis::motion::{MotionJob, MovedSide, motions};
use crate::analysis::sides::MeasureError;
use crate::analysis::tracks::{JointTracks, SkinTracks, joint_tracks};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::matching::{VertexMatchError, VertexPairs};
use crate::rig::{NodeIndex, Pose, Rig};
use crate::skinning::{SkinnedRig, Skinner};
use crate::view::{PerSide, ShownPose, Side};

pub(crate) const MAX_KEPT_TRACKS: usize = 6;

/// Maximum number of joints with tracks. Only the most recently selected joints get tracks.
const MAX_JOINTS: usize = 6;

#[derive(Clone, Debug, Default)]
pub(crate) struct CachedTracks {
    skin: Vec<(TrackPlan, Result<Arc<SkinTracks>, String>)>,
    joints: Option<(JointPlan, Option<Arc<JointTracks>>)>,
}

/// Input for measuring both sides throughout a clip.
#[derive(Clone, Debug)]
pub struct TrackPlan {
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    /// Index into `Rig::clips`.
    pub clip: usize,
    pose: Pose,
    sides: PerSide<TrackedSide>,
    versions: Option<Result<Arc<VertexPairs>, VertexMatchError>>,
}

#[derive(Clone, Debug)]
struct TrackedSide {
    skinned: SkinnedRig,
    shown: ShownPose,
    other: Option<Arc<ComparisonRig>>,
}

impl TrackedSide {
    fn moved(&self, open: &Rig, pose: &Pose, skinner: Arc<Skinner>) -> MovedSide {
        let numbers = 0..open.clips.len();
        let (pose, clips) = match (self.shown, &self.other) {
            (ShownPose::Rest, _) => {
                let rest = Pose::rest(&skinner.rig().hierarchy);
                (rest.without(pose.disabled_behaviours()), Vec::new())
            }
            (ShownPose::Current, None) => (pose.over_time(), numbers.map(Some).collect()),
            (ShownPose::Current, Some(other)) => (other.pose(pose), numbers.map(|clip| other.clip(clip)).collect()),
        };
        MovedSide { skinner, pose, clips }
    }
}

/// Input for sampling the selected joints.
#[derive(Clone, Debug)]
pub struct JointPlan {
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    clip: usize,
    joints: Vec<NodeIndex>,
}

/// State of the skin tracks.
#[derive(Clone, Debug)]
pub enum TrackState<'a> {
    /// No clip is chosen.
    NoClip,
    /// The clip has a length of 0.
    OnePose,
    /// The clip cannot be measured, with the error text.
    Off(String),
    /// The measurement of the current state.
    Measured(&'a SkinTracks),
    /// The current state is not measured yet. Holds the last measurement.
    Awaited(Option<&'a SkinTracks>),
    /// The user stopped the measurement. Holds the last measurement.
    Stopped(Option<&'a SkinTracks>),
}

impl PartialEq for TrackedSide {
    fn eq(&self, other: &Self) -> bool {
        self.other.as_ref().map(Arc::as_ptr) == other.other.as_ref().map(Arc::as_ptr)
            && (&self.skinned, self.shown) == (&other.skinned, other.shown)
    }
}

impl Derived for TrackPlan {
    type Value = Result<Arc<SkinTracks>, String>;

    const JOB: JobKind = JobKind::new(
        "tracks",
        "Measuring the clip",
        "All else works; press Measure in the tracks, or use rigscope motion on the command line.",
    );

    // Dragging a slider changes the input every frame.
    const PAUSE: Duration = Duration::from_millis(150);

    fn wanted(stage: &Stage) -> Option<Self> {
        let TrackState::Awaited(_) = stage.tracks() else { return None };
        Some(Self {
            rig: Arc::clone(stage.rig()),
            clip: stage.playback.clip?,
            pose: stage.pose().over_time(),
            sides: PerSide::from_fn(|side| stage.tracked_side(side)),
            versions: stage.matched_versions(),
        })
    }

    fn is(&self, other: &Self) -> bool {
        self.is_of(other.clip, &other.pose, &other.sides) && Arc::ptr_eq(&self.rig, &other.rig)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        let progress = &*job.progress;
        progress.check_cancelled()?;
        let job = match self.motion_job() {
            Ok(job) => job,
            Err(problem) => return Some(Err(problem)),
        };
        // A separate thread pool keeps the shared one free for the visible frame.
        let measured = match rayon::ThreadPoolBuilder::new().build() {
            Ok(threads) => threads.install(|| motions(&job, progress)),
            Err(_) => motions(&job, progress),
        };
        SkinTracks::new(&job, &measured?).map(|tracks| Ok(Arc::new(tracks)))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_tracks(self, value);
    }
}

impl TrackPlan {
    fn motion_job(&self) -> Result<MotionJob, String> {
        let sides = PerSide::try_from_fn(|side| {
            let tracked = &self.sides[side];
            let skinner = tracked.skinned.skinner().map_err(|problem| problem.to_string())?;
            Ok::<_, String>(tracked.moved(&self.rig, &self.pose, Arc::new(skinner)))
        })?;
        let versions = self.versions.clone();
        Ok(MotionJob { rig: Arc::clone(&self.rig), clips: vec![self.clip], rate: None, sides, versions })
    }

    fn is_of(&self, clip: usize, pose: &Pose, sides: &PerSide<TrackedSide>) -> bool {
        self.clip == clip && self.sides == *sides && self.pose == *pose
    }
}

impl Derived for JointPlan {
    type Value = Arc<JointTracks>;

    const JOB: JobKind = JobKind::new(
        "joint tracks",
        "Sampling the selected joints",
        "Their rotations are not shown as tracks; everything else works.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let clip = stage.playback.clip.filter(|_| !stage.view.selected.is_empty())?;
        let is_known = stage.tracks.joints.as_ref().is_some_and(|(plan, _)| plan.is_of(stage));
        let joints = || stage.tracked_joints().collect();
        (!is_known).then(|| Self { rig: Arc::clone(stage.rig()), clip, joints: joints() })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && (self.clip, &self.joints) == (other.clip, &other.joints)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        joint_tracks(&self.rig, self.clip, &self.joints, &job.progress).map(Arc::new)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        if stage.is_open(&self.rig) {
            stage.tracks.joints = Some((self, value));
        }
    }
}

impl JointPlan {
    fn is_of(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
            && stage.playback.clip == Some(self.clip)
            && stage.tracked_joints().eq(self.joints.iter().copied())
    }
}

impl Stage {
    /// Returns the joints with tracks, most recently selected first.
    pub fn tracked_joints(&self) -> impl Iterator<Item = NodeIndex> {
        self.view.selected.iter().rev().copied().take(MAX_JOINTS)
    }

    /// Returns the state of the skin tracks of the chosen clip.
    pub fn tracks(&self) -> TrackState<'_> {
        let Some(clip) = self.playback.clip else { return TrackState::NoClip };
        if self.playback.duration_secs(self.rig()) <= 0.0 {
            return TrackState::OnePose;
        }
        if let Err(problem) = Side::ALL.iter().try_for_each(|side| MeasureError::check(&self.actor(*side).rig)) {
            return TrackState::Off(problem.to_string());
        }
        let is_of_clip = |plan: &TrackPlan| plan.clip == clip && self.is_open(&plan.rig);
        let mut of_clip = self.tracks.skin.iter().rev().filter(|(plan, _)| is_of_clip(plan));
        let last = of_clip.clone().find_map(|(_, made)| made.as_deref().ok());
        let sides = PerSide::from_fn(|side| self.tracked_side(side));
        match of_clip.find(|(plan, _)| plan.is_of(clip, self.pose(), &sides)) {
            Some((_, Ok(tracks))) => TrackState::Measured(tracks),
            Some((_, Err(problem))) => TrackState::Off(problem.clone()),
            None if !self.requests.has::<TrackPlan>() => TrackState::Stopped(last),
            None => TrackState::Awaited(last),
        }
    }

    /// Returns the tracks of the selected joints in the chosen clip, once sampled.
    pub fn joint_tracks(&self) -> Option<&JointTracks> {
        let (plan, tracks) = self.tracks.joints.as_ref()?;
        tracks.as_deref().filter(|_| plan.is_of(self))
    }

    /// Returns the job that measures clips over time. `rate`, frames per second, overrides each clip's own rate.
    pub fn motion_job(&self, skinners: PerSide<Arc<Skinner>>, clips: Vec<usize>, rate: Option<f32>) -> MotionJob {
        let PerSide { a, b } = skinners;
        let moved = |side, skinner| self.tracked_side(side).moved(self.rig(), self.pose(), skinner);
        let sides = PerSide { a: moved(Side::A, a), b: moved(Side::B, b) };
        MotionJob { rig: Arc::clone(self.rig()), clips, rate, sides, versions: self.matched_versions() }
    }

    fn tracked_side(&self, side: Side) -> TrackedSide {
        TrackedSide {
            skinned: self.skinned(side).for_positions(),
            shown: self.view.sides[side].options.pose,
            other: self.other_on(side).cloned(),
        }
    }

    fn take_tracks(&mut self, plan: TrackPlan, made: Option<Result<Arc<SkinTracks>, String>>) {
        if !self.is_open(&plan.rig) {
            return;
        }
        let Some(made) = made else { return self.requests.set(DerivedKind::new::<TrackPlan>(), false) };
        let mut known = std::mem::take(&mut self.tracks.skin);
        // Drops tracks of rigs that are no longer in use.
        known.retain(|(of, _)| !of.is(&plan) && of.sides.iter().all(|side| self.belongs_to_open(&side.skinned.rig)));
        known.push((plan, made));
        known.drain(..known.len().saturating_sub(MAX_KEPT_TRACKS));
        self.tracks.skin = known;
    }
}
