//! Clips ranked by their worst frame, measured in the background on request.

use std::sync::Arc;

use super::motion::MotionPlan;
use super::{Derived, Notice, Stage};
use crate::analysis::motion::{Motions, WorstFrame};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::view::Side;

/// Input for ranking all clips: the pose and the sides at the time of the request.
#[derive(Clone, Debug)]
pub struct ClipRankingPlan(MotionPlan);

/// Worst frames of all clips.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipRanking {
    /// Clips with their worst frames: largest loss on side A first, clips without a reliable loss last.
    pub clips: Vec<RankedClip>,
}

/// A clip with its worst frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedClip {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Frame with the largest volume loss of any joint's region on side A, and its time in seconds; `None` if no loss
    /// is reliable.
    pub worst: Option<(WorstFrame, f32)>,
}

/// State of the clip ranking.
#[derive(Clone, Debug)]
pub enum ClipRankingState<'a> {
    /// Not requested.
    Missing,
    /// Being measured.
    Awaited,
    /// Measured.
    Ranked {
        /// The ranking.
        ranking: &'a ClipRanking,
        /// False if the pose or a side has changed since then.
        is_current: bool,
    },
    /// Cannot be measured; contains the error message.
    Failed(&'a str),
}

impl ClipRanking {
    fn new(motions: &Motions) -> Self {
        let ranked = |(at, worst): (usize, Option<WorstFrame>)| {
            let motion = &motions.clips[at];
            RankedClip { clip: motion.clip, worst: worst.map(|worst| (worst, motion.times_secs[worst.frame])) }
        };
        Self { clips: motions.ranking().into_iter().map(ranked).collect() }
    }

    /// Returns the entry of a clip.
    pub fn get(&self, clip: usize) -> Option<&RankedClip> {
        self.clips.iter().find(|ranked| ranked.clip == clip)
    }
}

impl Derived for ClipRankingPlan {
    type Value = Result<Arc<ClipRanking>, String>;

    const JOB: JobKind = JobKind::new(
        "clip ranking",
        "Ranking the clips",
        "Everything else works; measure one clip in the tracks, or run rigscope motion on the command line.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        stage.clip_ranking.wanted(stage)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.is_open(&self.0.rig)
    }

    fn is(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        Some(self.0.run(&job.progress)?.map(|(_, motions)| Arc::new(ClipRanking::new(&motions))))
    }

    fn notice(&self, ranking: &Self::Value, stage: &Stage) -> Option<Notice> {
        let RankedClip { clip, worst } = ranking.as_ref().ok()?.clips.first()?;
        let text = match (worst, stage.rig().clips.get(*clip)) {
            (Some((worst, time_secs)), Some(clip)) => {
                let actor = stage.actor(Side::A);
                let (joint, loss) = (actor.rig.hierarchy.name(worst.joint), worst.loss.a * 100.0);
                format!("Worst clip: {}. {joint} loses {loss:.1} % at {time_secs:.2} s.", clip.title())
            }
            _ => "No clip has a loss that is certain.".to_owned(),
        };
        Some(Notice::done(text))
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.clip_ranking.take(self, value);
    }
}

impl Stage {
    /// Starts ranking all clips in the current pose, or stops the ranking.
    pub(crate) fn rank_clips(&mut self, is_wanted: bool) {
        let clips = (0..self.rig().clips.len()).collect();
        let plan = is_wanted.then(|| ClipRankingPlan(MotionPlan::new(self, clips)));
        self.clip_ranking.request(plan);
    }

    /// Returns the state of the clip ranking.
    pub fn clip_ranking(&self) -> ClipRankingState<'_> {
        match self.clip_ranking.known().filter(|(plan, _)| plan.is_open(self)) {
            _ if self.clip_ranking.is_awaited(self) => ClipRankingState::Awaited,
            None => ClipRankingState::Missing,
            Some((plan, Ok(ranking))) => ClipRankingState::Ranked { ranking, is_current: plan.0.is_current(self) },
            Some((_, Err(problem))) => ClipRankingState::Failed(problem),
        }
    }
}
