//! Tracks of the chosen clip, measured in the background while visible and cached.

use std::sync::Arc;
use std::time::Duration;

use super::motion::MotionPlan;
use super::{Derived, DerivedKind, Stage};
use crate::analysis::sides::MeasureError;
use crate::analysis::tracks::{JointTracks, SkinTracks, joint_tracks};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::rig::{NodeIndex, Rig};
use crate::view::{Side, View};

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
pub struct TrackPlan(MotionPlan);

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
    /// The clip has zero length.
    OnePose,
    /// The clip cannot be measured; contains the error message.
    Off(String),
    /// The current state has been measured.
    Measured(&'a SkinTracks),
    /// The current state is not measured yet. Contains the last measurement.
    Awaited(Option<&'a SkinTracks>),
    /// The user stopped the measurement. Contains the last measurement.
    Stopped(Option<&'a SkinTracks>),
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
        let TrackState::Awaited(_) = TrackState::new(stage) else { return None };
        Some(Self(MotionPlan::new(stage, vec![stage.playback.clip?])))
    }

    fn is(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        match self.0.run(&job.progress)? {
            Ok((motion, measured)) => SkinTracks::new(&motion, &measured).map(|tracks| Ok(Arc::new(tracks))),
            Err(problem) => Some(Err(problem)),
        }
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.0.rig)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        let Some(made) = value else { return stage.requests.set(DerivedKind::new::<Self>(), false) };
        let mut known = std::mem::take(&mut stage.tracks.skin);
        // Drops tracks of rigs that are no longer in use.
        known.retain(|(of, _)| !of.is(&self) && of.0.belongs_to_open(stage));
        known.push((self, made));
        known.drain(..known.len().saturating_sub(MAX_KEPT_TRACKS));
        stage.tracks.skin = known;
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
        let is_known = stage.tracks.joints.as_ref().is_some_and(|(plan, _)| plan.is_for(stage));
        let joints = || tracked_joints(&stage.view).collect();
        (!is_known).then(|| Self { rig: Arc::clone(stage.rig()), clip, joints: joints() })
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && (self.clip, &self.joints) == (other.clip, &other.joints)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        joint_tracks(&self.rig, self.clip, &self.joints, &job.progress).map(Arc::new)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.tracks.joints = Some((self, value));
    }
}

impl JointPlan {
    fn is_for(&self, stage: &Stage) -> bool {
        stage.is_open(&self.rig)
            && stage.playback.clip == Some(self.clip)
            && tracked_joints(&stage.view).eq(self.joints.iter().copied())
    }
}

/// Returns the joints with tracks, most recently selected first.
fn tracked_joints(view: &View) -> impl Iterator<Item = NodeIndex> {
    view.selected.iter().rev().copied().take(MAX_JOINTS)
}

impl CachedTracks {
    /// Returns the tracks of the selected joints in the chosen clip, once sampled.
    #[cfg_attr(
        not(any(feature = "window", test)),
        expect(dead_code, reason = "only the window and tests ask for this")
    )]
    pub(crate) fn joints(&self, stage: &Stage) -> Option<&JointTracks> {
        let (plan, tracks) = self.joints.as_ref()?;
        tracks.as_deref().filter(|_| plan.is_for(stage))
    }
}

impl<'a> TrackState<'a> {
    /// Returns the state of the skin tracks of the chosen clip.
    pub fn new(stage: &'a Stage) -> Self {
        let Some(clip) = stage.playback.clip else { return Self::NoClip };
        if stage.playback.duration_secs(stage.rig()) <= 0.0 {
            return Self::OnePose;
        }
        if let Err(problem) = Side::ALL.iter().try_for_each(|side| MeasureError::check(&stage.actor(*side).rig)) {
            return Self::Off(problem.to_string());
        }
        if let Some(problem) = stage.points_without_clip(&[clip]) {
            return Self::Off(problem);
        }
        let is_of_clip = |plan: &MotionPlan| plan.clips == [clip] && stage.is_open(&plan.rig);
        let mut of_clip = stage.tracks.skin.iter().rev().filter(|(plan, _)| is_of_clip(&plan.0));
        let last = of_clip.clone().find_map(|(_, made)| made.as_deref().ok());
        match of_clip.find(|(plan, _)| plan.0.is_current(stage)) {
            Some((_, Ok(tracks))) => Self::Measured(tracks),
            Some((_, Err(problem))) => Self::Off(problem.clone()),
            None if !stage.requests.has::<TrackPlan>() => Self::Stopped(last),
            None => Self::Awaited(last),
        }
    }
}
